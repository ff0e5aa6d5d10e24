//! Speed and accuracy harnesses.
