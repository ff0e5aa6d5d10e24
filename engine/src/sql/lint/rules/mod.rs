//! The rules: one a file, one a line of this list.

mod support;

use super::Rule;

macro_rules! rules {
    ($($file:ident),* $(,)?) => {
        $(mod $file;)*

        /// Every rule, in the order of the list.
        pub static ALL: &[&Rule] = &[$(&$file::RULE),*];

        /// Files of the rules with their text, whose documentation is that of the rule.
        pub fn sources() -> Vec<(&'static str, &'static str)> {
            vec![$((stringify!($file), include_str!(concat!(stringify!($file), ".rs")))),*]
        }
    };
}

rules! {
    g01_one_statement,
    g02_select_only,
    g03_no_dml_anywhere,
    g04_no_into_lock,
    g05_function_allow_list,
    g06_relation_allow_list,
    g07_lexer_strict,
    g08_limits,
    g09_whole_row,
    g10_params,
    g11_cast_allow_list,
    n01_unknown_table,
    n02_unknown_column,
    n03_unknown_alias,
    n04_ambiguous_column,
    n05_duplicate_alias,
    n06_alias_out_of_scope,
    n07_case_quoted,
    n08_double_quoted_literal,
    n09_cte_columns,
    n10_star_scope,
    a01_missing_group_by,
    a02_aggregate_in_where,
    a03_nested_aggregate,
    a04_having_without_aggregate,
    a05_distinct_order,
    a06_distinct_group,
    a07_group_constant,
    a08_set_operation_shape,
    a09_scalar_subquery,
    a10_figure_of_keys,
    j01_cartesian,
    j02_join_not_foreign_key,
    j03_fan_out,
    j04_outer_join_killed,
    j05_count_star_left,
    j06_unused_join,
    j07_where_join,
    j08_missing_bridge,
    p01_null_compare,
    p02_not_in_nullable,
    p03_contradiction,
    p04_and_or_precedence,
    p05_type_mismatch,
    p06_division,
    p07_date_edge,
    p08_value_not_in_domain,
    p09_like,
    d01_dialect_function,
    d02_dialect_syntax,
    d03_function_arguments,
    d04_unknown_function,
    d05_reserved_word,
    d06_date_semantics,
    o01_limit_without_order,
    o02_output_names,
    o03_star,
    o04_union_dedupe,
    s01_shape_aggregate,
    s02_shape_per,
    s03_shape_top,
    s04_shape_filter,
    s05_shape_columns,
    s06_shape_distinct,
    s07_grain,
    r01_syntax,
    r02_unsupported,
    r03_unprintable,
}

/// Rule for statements of another database.
pub(super) fn dialect_syntax() -> &'static Rule {
    &d02_dialect_syntax::RULE
}

/// Rule for names that are words of SQL.
pub(super) fn reserved_word() -> &'static Rule {
    &d05_reserved_word::RULE
}
