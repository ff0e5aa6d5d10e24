//! What a node that only the reader makes is held in, where there is no reader: nothing.

use std::convert::Infallible;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// A `T` of which there is none, so that the compiler drops all code for it.
///
/// With feature `read` the type of this name is [`Box`].
#[derive(Clone, Debug, PartialEq)]
pub struct Held<T>(Infallible, PhantomData<T>);

impl<T> Deref for Held<T> {
    type Target = T;

    fn deref(&self) -> &T {
        match self.0 {}
    }
}

impl<T> DerefMut for Held<T> {
    fn deref_mut(&mut self) -> &mut T {
        match self.0 {}
    }
}
