//! Roles of columns.

use std::borrow::Cow;

use serde::de::{Deserialize, Deserializer, Error};

/// Defines [`Role`], one line per role: meaning, name, text.
macro_rules! roles {
    ($($doc:literal $name:ident $text:literal;)*) => {
        /// Role of a column: the meaning of its values, as far as words of a question refer to it.
        #[derive(Clone, Copy, Debug, Eq, PartialEq)]
        pub(crate) enum Role {
            $(#[doc = $doc] $name,)*
        }

        impl Role {
            /// Text of the role in catalogs and data files.
            #[cfg_attr(not(feature = "sql"), allow(dead_code, reason = "only writing with a model uses it"))]
            pub(crate) const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }

            /// Role with this text; `None` if the engine has no words for it.
            pub(crate) fn from_text(text: &str) -> Option<Self> {
                match text {
                    $($text => Some(Self::$name),)*
                    _ => None,
                }
            }
        }
    };
}

roles! {
    "Whether something is in use." ActiveFlag "active_flag";
    "An age in years." Age "age";
    "Who made or does something." Agent "agent";
    "An amount of money." Amount "amount";
    "Any date; only asked for, no column has it by inference." AnyDate "any_date";
    "Any number; only asked for, no column has it by inference." AnyNumber "any_number";
    "An area." AreaSize "area_size";
    "A number of people who live somewhere." Population "population";
    "What an account or a person holds." Balance "balance";
    "A date of birth." BirthDate "birth_date";
    "A blood pressure." BloodPressure "blood_pressure";
    "A body mass index." Bmi "bmi";
    "How many a place has room for." Capacity "capacity";
    "A kind." Category "category";
    "A city." City "city";
    "When something ended." ClosedDate "closed_date";
    "What something costs its buyer or maker." Cost "cost";
    "A country." Country "country";
    "When the row was made or changed." CreatedDate "created_date";
    "A depth." Depth "depth";
    "A distance." Distance "distance";
    "When something has to be done." DueDate "due_date";
    "How long something takes." Duration "duration";
    "A mail address." Email "email";
    "Until when something holds." EndDate "end_date";
    "When something happened." EventDate "event_date";
    "For how long someone has done something." Experience "experience";
    "Notes and other prose." FreeText "free_text";
    "A sugar level." Glucose "glucose";
    "When someone or something was healed." HealedDate "healed_date";
    "A key." Identifier "identifier";
    "Whether something is infected." InfectionFlag "infection_flag";
    "A length, height or width." Length "length";
    "A place or address." Location "location";
    "A name." Name "name";
    "When an illness or injury began." OnsetDate "onset_date";
    "A level of pain." Pain "pain";
    "A rate or share." Percentage "percentage";
    "A telephone number." Phone "phone";
    "The price of one item." Price "price";
    "A gain." Profit "profit";
    "A number of items." Quantity "quantity";
    "A number of items in stock below which more are ordered." ReorderLevel "reorder_level";
    "A level of risk." Risk "risk";
    "A rating." Score "score";
    "How serious or urgent something is." Severity "severity";
    "The sex of a person." Sex "sex";
    "A stage of a course." Stage "stage";
    "A state in a process." Status "status";
    "A number of items in stock." StockLevel "stock_level";
    "A temperature." Temperature "temperature";
    "In which direction something develops." Trend "trend";
    "When someone was seen or examined." VisitDate "visit_date";
    "How much a price varies." Volatility "volatility";
    "How much is traded." Volume "volume";
    "A weight." Weight "weight";
}

impl Role {
    /// Whether the role states the function of a date, such as created or due. A date without such a role is also an
    /// event date.
    pub(crate) fn is_date(self) -> bool {
        matches!(
            self,
            Self::AnyDate
                | Self::BirthDate
                | Self::ClosedDate
                | Self::CreatedDate
                | Self::DueDate
                | Self::EventDate
        )
    }
}

impl<'de> Deserialize<'de> for Role {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        Self::from_text(&text).ok_or_else(|| D::Error::custom(format!("no role is called {text}")))
    }
}
