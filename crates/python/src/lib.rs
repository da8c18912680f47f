//! The thin Python binding of the noughts kernel.
