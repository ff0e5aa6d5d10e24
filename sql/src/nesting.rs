//! A deserializer wrapper that limits nesting depth, for formats without a limit of their own.

use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, EnumAccess, Error as _, SeqAccess, VariantAccess, Visitor};

/// Part of a deserialization, with the number of levels it may still descend.
pub(super) struct Nesting<T> {
    part: T,
    left: u8,
}

impl<T> Nesting<T> {
    /// Wraps `part` with a limit of `left` nested values.
    pub(super) fn new(part: T, left: u8) -> Self {
        Self { part, left }
    }
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Nesting<D> {
    type Error = D::Error;

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.part.deserialize_bool(visitor)
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.part.deserialize_char(visitor)
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.part.deserialize_u32(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.part.deserialize_string(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.part.deserialize_option(Nesting::new(visitor, self.left))
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.part.deserialize_seq(Nesting::new(visitor, self.left))
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.part.deserialize_tuple(length, Nesting::new(visitor, self.left))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.part.deserialize_struct(name, fields, Nesting::new(visitor, self.left))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.part.deserialize_enum(name, variants, Nesting::new(visitor, self.left))
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, D::Error> {
        Err(D::Error::custom("unexpected value: not part of a SQL tree"))
    }

    serde::forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u64 u128 f32 f64 str bytes byte_buf unit unit_struct newtype_struct
        tuple_struct map identifier ignored_any
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Nesting<V> {
    type Value = V::Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.part.expecting(formatter)
    }

    fn visit_none<E: serde::de::Error>(self) -> Result<V::Value, E> {
        self.part.visit_none()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        self.part.visit_some(Nesting::new(deserializer, self.left))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        self.part.visit_seq(Nesting::new(access, self.left))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        self.part.visit_enum(Nesting::new(access, self.left))
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Nesting<S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        match self.left.checked_sub(1) {
            Some(left) => self.part.deserialize(Nesting::new(deserializer, left)),
            None => Err(D::Error::custom("nested too deeply")),
        }
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Nesting<A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        self.part.next_element_seed(Nesting::new(seed, self.left))
    }

    fn size_hint(&self) -> Option<usize> {
        self.part.size_hint()
    }
}

impl<'de, A: EnumAccess<'de>> EnumAccess<'de> for Nesting<A> {
    type Error = A::Error;
    type Variant = Nesting<A::Variant>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Self::Variant), A::Error> {
        let (value, variant) = self.part.variant_seed(seed)?;
        Ok((value, Nesting::new(variant, self.left)))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Nesting<A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.part.unit_variant()
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        self.part.newtype_variant_seed(Nesting::new(seed, self.left))
    }

    fn tuple_variant<V: Visitor<'de>>(
        self,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        self.part.tuple_variant(length, Nesting::new(visitor, self.left))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        self.part.struct_variant(fields, Nesting::new(visitor, self.left))
    }
}
