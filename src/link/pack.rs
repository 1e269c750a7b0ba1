//! Deflate with a preset dictionary: what a text has in common with the dictionary costs a reference and no letters.
//!
//! The crate knows no preset dictionaries without zlib, and needs none: to compress, the dictionary goes first, up to a
//! flush, and what it became is dropped; to decompress, it goes first as a block that is stored as it is. Other
//! programs give it to zlib's `inflateSetDictionary`, or `zdict` in Python.

use std::io::{self, Read, Write};

use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};

use super::LinkError;

/// Compresses a text.
pub(super) fn pack(text: &[u8], dictionary: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    let packed = (|| {
        encoder.write_all(dictionary)?;
        encoder.flush()?;
        let known = encoder.get_ref().len();
        encoder.write_all(text)?;
        let mut all = encoder.finish()?;
        all.drain(..known);
        io::Result::Ok(all)
    })();
    packed.expect("to write into memory cannot fail")
}

/// Decompresses a text of so many bytes at most. It takes no more memory than that and the dictionary, whatever
/// `packed` says.
pub(super) fn unpack(packed: &[u8], dictionary: &[u8], most: usize) -> Result<String, LinkError> {
    let length = u16::try_from(dictionary.len()).map_err(|_| LinkError::Broken)?;
    // The head of a stored block that is not the last.
    let [low, high] = length.to_le_bytes();
    let head = [0, low, high, !low, !high];
    let all = head.chain(dictionary).chain(packed);
    let mut bytes = Vec::new();
    let room = (dictionary.len() + most + 1) as u64;
    DeflateDecoder::new(all).take(room).read_to_end(&mut bytes).map_err(|_| LinkError::Broken)?;
    let text = bytes.split_off(dictionary.len().min(bytes.len()));
    if text.len() > most {
        return Err(LinkError::TooLarge);
    }
    String::from_utf8(text).map_err(|_| LinkError::Broken)
}
