//! The lint rules: one file for each, and one line in each list.

mod a01_missing_group_by;
mod a02_aggregate_in_where;
mod a03_nested_aggregate;
mod a04_having_without_aggregate;
mod a05_distinct_order;
mod a06_distinct_group;
mod a07_group_constant;
mod a08_set_operation_shape;
mod a09_scalar_subquery;
mod a10_figure_of_keys;
mod d01_dialect_function;
mod d02_dialect_syntax;
mod d03_function_arguments;
mod d04_unknown_function;
mod d05_reserved_word;
mod d06_date_semantics;
mod g01_one_statement;
mod g02_select_only;
mod g03_no_dml_anywhere;
mod g04_no_into_lock;
mod g05_function_allow_list;
mod g06_relation_allow_list;
mod g07_lexer_strict;
mod g08_limits;
mod g09_whole_row;
mod g10_params;
mod g11_cast_allow_list;
mod j01_cartesian;
mod j02_join_not_foreign_key;
mod j03_fan_out;
mod j04_outer_join_killed;
mod j05_count_star_left;
mod j06_unused_join;
mod j07_where_join;
mod j08_missing_bridge;
mod n01_unknown_table;
mod n02_unknown_column;
mod n03_unknown_alias;
mod n04_ambiguous_column;
mod n05_duplicate_alias;
mod n06_alias_out_of_scope;
mod n07_case_quoted;
mod n08_double_quoted_literal;
mod n09_cte_columns;
mod n10_star_scope;
mod o01_limit_without_order;
mod o02_output_names;
mod o03_star;
mod o04_union_dedupe;
mod p01_null_compare;
mod p02_not_in_nullable;
mod p03_contradiction;
mod p04_and_or_precedence;
mod p05_type_mismatch;
mod p06_division;
mod p07_date_edge;
mod p08_value_not_in_domain;
mod p09_like;
mod r01_syntax;
mod r02_unsupported;
mod r03_unprintable;
mod s01_shape_aggregate;
mod s02_shape_per;
mod s03_shape_top;
mod s04_shape_filter;
mod s05_shape_columns;
mod s06_shape_distinct;
mod s07_grain;
mod support;

use super::Rule;

/// Every rule, in the order in which findings are listed.
pub static ALL: &[&Rule] = &[
    &g01_one_statement::RULE,
    &g02_select_only::RULE,
    &g03_no_dml_anywhere::RULE,
    &g04_no_into_lock::RULE,
    &g05_function_allow_list::RULE,
    &g06_relation_allow_list::RULE,
    &g07_lexer_strict::RULE,
    &g08_limits::RULE,
    &g09_whole_row::RULE,
    &g10_params::RULE,
    &g11_cast_allow_list::RULE,
    &n01_unknown_table::RULE,
    &n02_unknown_column::RULE,
    &n03_unknown_alias::RULE,
    &n04_ambiguous_column::RULE,
    &n05_duplicate_alias::RULE,
    &n06_alias_out_of_scope::RULE,
    &n07_case_quoted::RULE,
    &n08_double_quoted_literal::RULE,
    &n09_cte_columns::RULE,
    &n10_star_scope::RULE,
    &a01_missing_group_by::RULE,
    &a02_aggregate_in_where::RULE,
    &a03_nested_aggregate::RULE,
    &a04_having_without_aggregate::RULE,
    &a05_distinct_order::RULE,
    &a06_distinct_group::RULE,
    &a07_group_constant::RULE,
    &a08_set_operation_shape::RULE,
    &a09_scalar_subquery::RULE,
    &a10_figure_of_keys::RULE,
    &j01_cartesian::RULE,
    &j02_join_not_foreign_key::RULE,
    &j03_fan_out::RULE,
    &j04_outer_join_killed::RULE,
    &j05_count_star_left::RULE,
    &j06_unused_join::RULE,
    &j07_where_join::RULE,
    &j08_missing_bridge::RULE,
    &p01_null_compare::RULE,
    &p02_not_in_nullable::RULE,
    &p03_contradiction::RULE,
    &p04_and_or_precedence::RULE,
    &p05_type_mismatch::RULE,
    &p06_division::RULE,
    &p07_date_edge::RULE,
    &p08_value_not_in_domain::RULE,
    &p09_like::RULE,
    &d01_dialect_function::RULE,
    &d02_dialect_syntax::RULE,
    &d03_function_arguments::RULE,
    &d04_unknown_function::RULE,
    &d05_reserved_word::RULE,
    &d06_date_semantics::RULE,
    &o01_limit_without_order::RULE,
    &o02_output_names::RULE,
    &o03_star::RULE,
    &o04_union_dedupe::RULE,
    &s01_shape_aggregate::RULE,
    &s02_shape_per::RULE,
    &s03_shape_top::RULE,
    &s04_shape_filter::RULE,
    &s05_shape_columns::RULE,
    &s06_shape_distinct::RULE,
    &s07_grain::RULE,
    &r01_syntax::RULE,
    &r02_unsupported::RULE,
    &r03_unprintable::RULE,
];

/// The rule for statements in another dialect.
pub(super) fn dialect_syntax() -> &'static Rule {
    &d02_dialect_syntax::RULE
}

/// The rule for names that are reserved words.
pub(super) fn reserved_word() -> &'static Rule {
    &d05_reserved_word::RULE
}
