//! Settings of one person, which take precedence over those of the server.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::settings::{Asking, Settings};

/// Settings that a person chose; those that are absent are the server's.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(default, deny_unknown_fields)]
pub struct PersonSettings {
    /// How readily ambiguities are asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asking: Option<Asking>,
    /// Maximum number of clarifications per round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub questions_per_round: Option<u8>,
    /// Maximum number of rounds of clarification; with 0, best options are taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u8>,
    /// Number of times that a choice must be made before memory applies it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_frequency: Option<u32>,
    /// Number of marks as needless from which a question is not asked any more; 0 if marks only count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needless_marks: Option<u32>,
}

/// Reads settings from an object or null; a list of their values is refused.
///
/// # Errors
///
/// If the input is neither, or an object with other fields.
pub(super) fn from_object<'de, D>(input: D) -> Result<Option<PersonSettings>, D::Error>
where
    D: Deserializer<'de>,
{
    input.deserialize_option(Object)
}

struct Object;

impl<'de> Visitor<'de> for Object {
    type Value = Option<PersonSettings>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object with settings")
    }

    fn visit_none<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, input: D) -> Result<Self::Value, D::Error> {
        input.deserialize_map(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        PersonSettings::deserialize(MapAccessDeserializer::new(map)).map(Some)
    }
}

impl PersonSettings {
    /// The settings of the server with those of the person.
    #[must_use]
    pub fn applied(&self, server: &Settings) -> Settings {
        Settings {
            asking: self.asking.unwrap_or(server.asking),
            questions_per_round: self.questions_per_round.unwrap_or(server.questions_per_round),
            rounds: self.rounds.unwrap_or(server.rounds),
            memory_frequency: self.memory_frequency.unwrap_or(server.memory_frequency),
            needless_marks: self.needless_marks.unwrap_or(server.needless_marks),
            ..server.clone()
        }
    }
}
