//! What texts in links have in common, for deflate's preset dictionary.
//!
//! That of format 1 has, without spaces, the beginnings of the scenes that were shipped when it was made, the tables
//! `snooker`, `carom` and `nine-ball` as states piece by piece, and two shots of a match. It is part of the format: not
//! a byte of it ever changes. Scenes that are shipped later are longer in links of format 1, or have a format with a
//! dictionary of its own.

/// That of format 1.
pub(super) const FIRST: &[u8] = include_bytes!("dictionary-1.txt");
