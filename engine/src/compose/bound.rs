//! Comparisons without a number: "orders with a total greater than".

use super::context::{Composer, Failure};
use super::option::ignore_option;
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::clarification::{ClarificationOption, CustomInput, Decision, OptionBinding, Relation};
use crate::failure::FailureCode;
use crate::intent::{Aggregate, Comparison, Predicate};
use crate::linking::{Named, TableId};
use crate::narration::Describer;

impl Composer<'_> {
    /// The condition that the asker chose for a comparison without a number; none where it is left out.
    pub(super) fn bound(
        &mut self,
        head: TableId,
        column: Option<usize>,
        operator: Comparison,
        at: usize,
    ) -> Result<Option<(TableId, Predicate)>, Failure> {
        let column = match column {
            Some(column) => self.column(column, Some(head))?,
            None => self.compared_column(head, (None, None), &[], at)?,
        };
        if !self.catalog.column_at(column).data_type.is_numeric() {
            return Err(self.fail(
                FailureCode::NotANumber,
                format!("{} holds no numbers", self.column_words(column)),
                "name a column with numbers",
                Some(at),
            ));
        }
        let reference = self.catalog.reference(column);
        let definition = self.catalog.column_at(column);
        let bound = |text: &Option<String>| text.as_ref().and_then(|text| text.parse().ok());
        let custom = CustomInput::Number {
            column: reference.clone(),
            operator,
            unit: definition.unit.clone(),
            minimum: bound(&definition.minimum),
            maximum: bound(&definition.maximum),
        };
        let average = Predicate::AgainstFigure {
            column: reference,
            operator,
            function: Aggregate::Average,
            conditions: Vec::new(),
            same: Vec::new(),
        };
        let described = Describer { catalog: self.catalog }.predicate(&average);
        let options = vec![
            ClarificationOption {
                id: "average".to_owned(),
                label: format!("{} the average", self.phrase(at)),
                description: described,
                binding: OptionBinding::Predicate { predicate: average },
                confidence: None,
            },
            ignore_option("leave it out".to_owned(), "answers without this condition"),
        ];
        let chosen = self.decide(Decision {
            kind: AmbiguityKind::Threshold,
            severity: Severity::Critical,
            span: self.span(at),
            phrase: self.phrase(at).to_owned(),
            relation: Relation::Means,
            reason: format!(
                "no number follows that {} is compared with",
                self.column_words(column)
            ),
            options,
            recommended: None,
            custom: Some(custom),
        });
        Ok(match chosen {
            OptionBinding::Predicate { predicate } => Some((column.table, predicate)),
            _ => None,
        })
    }
}
