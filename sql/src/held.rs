//! Stand-in for the boxes of nodes that only the SQL reader creates, for builds without it.

use std::convert::Infallible;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// A box that can never be created, so that the compiler drops all code for its content.
///
/// With feature `read`, this name is an alias of [`Box`].
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
