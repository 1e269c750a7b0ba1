//! Deflate with a preset dictionary: text that also occurs in the dictionary costs only a reference.
//!
//! Without zlib the crate does not support preset dictionaries. For compression, the dictionary goes first, up to a
//! flush, and its output is dropped. For decompression, it goes first as a stored block. Other programs can pass it to
//! zlib's `inflateSetDictionary`, or as `zdict` in Python.

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

/// Decompresses a text of at most `most` bytes. It uses no more memory than that and the dictionary, whatever `packed`
/// contains.
pub(super) fn unpack(packed: &[u8], dictionary: &[u8], most: usize) -> Result<String, LinkError> {
    let length = u16::try_from(dictionary.len()).map_err(|_| LinkError::Broken)?;
    // The header of a stored block that is not the last.
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
