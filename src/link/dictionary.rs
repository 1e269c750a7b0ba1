//! Text that links have in common, for the preset dictionary of deflate.
//!
//! The dictionary of format 1 contains, without spaces between the fields, what distinguishes the shipped scenes from
//! each other: at most 255 bytes of each. After them come shots on the tables `snooker`, `carom` and `nine-ball`, the
//! beginning of a match, and that of a run. It is part of the format: after the first release, not a byte of it ever
//! changes. Scenes that are shipped later are longer in links of format 1, or need a new format with a new dictionary.

/// The dictionary of format 1.
pub(super) const FIRST: &[u8] = include_bytes!("dictionary-1.txt");
