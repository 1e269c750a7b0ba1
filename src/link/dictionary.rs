//! Text that links have in common, for the preset dictionary of deflate.
//!
//! The dictionary of format 1 contains, without spaces, the beginnings of the scenes that were shipped when it was
//! made. It also contains the tables `snooker`, `carom` and `nine-ball` as states in pieces, and two shots of a match.
//! It is part of the format: not a byte of it ever changes. Scenes that are shipped later are longer in links of format
//! 1, or need a new format with another dictionary.

/// The dictionary of format 1.
pub(super) const FIRST: &[u8] = include_bytes!("dictionary-1.txt");
