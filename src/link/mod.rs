//! Links: a scene, a state, a match or a run as text that fits behind the `#` of an address.
//!
//! This module handles the envelope and not its content: [`scene`](crate::scene), [`run_file`](crate::run_file) and
//! `games` write and read that. After
//! the `#`, a link consists of the number of its format, a letter for its kind, and base64url (RFC 4648, without
//! padding) of these bytes:
//!
//! | bytes | content |
//! |---|---|
//! | 4 | a checksum: the low half of the XXH3 of number, letter and all following bytes, little-endian |
//! | 8 | a hash of the state at which it opens, little-endian |
//! | the rest | raw deflate (RFC 1951) with a preset dictionary (`src/link/dictionary.rs`) of the version of the program, a line feed, and a text in UTF-8 |
//!
//! A link comes from an untrusted source, so its size is limited before and during unpacking. The checksum
//! distinguishes damaged links from links of another version. Links of every earlier format can still be read.

mod dictionary;
mod pack;

use std::borrow::Cow;

use data_encoding::BASE64URL_NOPAD;
use xxhash_rust::xxh3::xxh3_64;

/// The version of the physics: the version of the program.
pub const PHYSICS: &str = env!("CARGO_PKG_VERSION");

/// The largest number of letters in a link, without spaces and its address. On most systems an argument of a command
/// line can be at most a third longer.
pub const MOST_LETTERS: usize = 100_000;

/// The largest size of the text, bytes.
pub const MOST_BYTES: usize = 1 << 20;

/// Longer links are cut by some programs that pass them on.
pub const SAFE_LETTERS: usize = 2000;

/// The current format.
const FORMAT: u32 = 1;

/// The kind of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkKind {
    /// A scene, at its start or at a later moment. A shot is a scene in which the ball has just been struck.
    Scene,
    /// A match, with all its strokes.
    Match,
    /// A run: a scene at its start, and everything that was changed while it ran.
    Run,
}

impl LinkKind {
    const ALL: [Self; 3] = [Self::Scene, Self::Match, Self::Run];

    const fn letter(self) -> char {
        match self {
            Self::Scene => 's',
            Self::Match => 'm',
            Self::Run => 'r',
        }
    }
}

/// The content of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The kind of its content.
    pub kind: LinkKind,
    /// The version of the program that made it, from [`PHYSICS`]. In other versions the same scene may develop
    /// differently.
    pub physics: String,
    /// A hash of the state at which it opens.
    pub hash: u64,
    /// The content, in the text form of its kind.
    pub text: String,
}

/// The reason why a text is not a valid link, and the remedy.
#[derive(thiserror::Error, Clone, Debug, PartialEq, Eq)]
pub enum LinkError {
    /// Nothing in it starts as a link does.
    #[error(
        "there is no link in it: a link is a `#`, a number and a letter, such as #1s, and many letters after that; copy all of it"
    )]
    None,
    /// This program does not know its format.
    #[error(
        "the link is of format {format}, and this program reads those up to {FORMAT}: it was made by a newer carom; open it with that one"
    )]
    Format {
        /// The number of its format.
        format: u32,
    },
    /// This program does not know its kind.
    #[error("a link cannot begin with #1{}: it begins with #1s for a scene, #1m for a match or #1r for a run; copy it again", letter.escape_debug())]
    Kind {
        /// The letter of its kind.
        letter: char,
    },
    /// It contains a letter that no link has.
    #[error("the link has a `{}` in it, letter {place} after its `#`, which no link has: it was cut or changed on its way; copy it again", letter.escape_debug())]
    Letter {
        /// The letter.
        letter: char,
        /// Its place, counted from 1 after the `#`.
        place: usize,
    },
    /// Letters are missing or different.
    #[error("letters of the link are missing or changed; copy all of it again")]
    Damaged,
    /// It has too many letters.
    #[error("a link has at most {MOST_LETTERS} letters, and this one has more; pass what is in it on as a file")]
    TooLong,
    /// Its content is too large.
    #[error("what is in the link is larger than {} KiB, which is more than one may hold; pass it on as a file", MOST_BYTES >> 10)]
    TooLarge,
    /// It is complete, but was not made as links are.
    #[error("what is in the link cannot be unpacked, although no letter of it is missing: it was not made by carom")]
    Broken,
}

impl Link {
    /// A link of this version that opens at a state with this hash.
    #[must_use]
    pub fn new(kind: LinkKind, hash: u64, text: String) -> Self {
        Self { kind, physics: PHYSICS.to_owned(), hash, text }
    }

    /// Whether an argument is meant as a link, and not as the name of a scene or a file.
    #[must_use]
    pub fn is_meant(argument: &str) -> bool {
        let Some((address, rest)) = argument.split_once('#') else { return false };
        let is_file = rest.to_ascii_lowercase().ends_with(".ron");
        let is_link = rest.starts_with(|first: char| first.is_ascii_digit()) && rest.chars().all(is_letter);
        let is_bare = address.chars().all(|letter| letter.is_whitespace() || BEFORE.contains(letter));
        is_link || !is_file && (is_bare || address.contains("://"))
    }

    /// The text of the link, from its `#` on.
    ///
    /// # Errors
    /// [`LinkError::TooLarge`] or [`LinkError::TooLong`].
    pub fn write(&self) -> Result<String, LinkError> {
        let Self { kind, physics, hash, text } = self;
        let text = format!("{physics}\n{text}");
        if text.len() > MOST_BYTES {
            return Err(LinkError::TooLarge);
        }
        let head = format!("{FORMAT}{}", kind.letter());
        let bytes = [&hash.to_le_bytes()[..], &pack::pack(text.as_bytes(), dictionary::FIRST)].concat();
        let bytes = [&checksum(&head, &bytes)[..], &bytes].concat();
        let link = format!("#{head}{}", BASE64URL_NOPAD.encode(&bytes));
        if link.len() > MOST_LETTERS { Err(LinkError::TooLong) } else { Ok(link) }
    }

    /// Reads a link, with or without an address before its `#`. Spaces and line breaks, as mail and chat programs
    /// insert them, are ignored, even if they are percent-encoded or followed by `>` as in quoted mail. Punctuation
    /// after the link is ignored, too.
    ///
    /// # Errors
    /// There is no link, or it is damaged or of a newer format.
    pub fn read(text: &str) -> Result<Self, LinkError> {
        let (_, link) = text.split_once('#').ok_or(LinkError::None)?;
        let link = link.trim_end_matches(|letter: char| letter.is_whitespace() || AROUND.contains(letter));
        let link = BREAKS.iter().fold(Cow::Borrowed(link), |link, &(number, letter)| {
            if link.contains(number) { link.replace(number, letter).into() } else { link }
        });
        let is_seen = |letter: &char| !letter.is_whitespace() && !UNSEEN.contains(*letter);
        let lines = link.lines().map(|line| line.trim_start_matches(|mark: char| mark == '>' || mark.is_whitespace()));
        let link: String = lines.flat_map(str::chars).filter(is_seen).take(MOST_LETTERS).collect();
        let digits = link.bytes().take_while(u8::is_ascii_digit).count();
        let format: u32 = link[..digits].parse().map_err(|_| LinkError::None)?;
        if format > FORMAT {
            return Err(LinkError::Format { format });
        }
        let letter = link[digits..].chars().next().filter(|_| format == FORMAT).ok_or(LinkError::None)?;
        let kind = LinkKind::ALL.into_iter().find(|kind| kind.letter() == letter).ok_or(LinkError::Kind { letter })?;
        if link.len() >= MOST_LETTERS {
            return Err(LinkError::TooLong);
        }
        let (head, body) = link.split_at(digits + 1);
        if let Some((at, letter)) = body.chars().enumerate().find(|(_, letter)| !is_letter(*letter)) {
            return Err(LinkError::Letter { letter, place: digits + 2 + at });
        }
        let bytes = BASE64URL_NOPAD.decode(body.as_bytes()).map_err(|_| LinkError::Damaged)?;
        let (sum, rest) = bytes.split_first_chunk::<4>().ok_or(LinkError::Damaged)?;
        let (hash, packed) = rest.split_first_chunk::<8>().ok_or(LinkError::Damaged)?;
        if checksum(head, rest) != *sum {
            return Err(LinkError::Damaged);
        }
        let text = pack::unpack(packed, dictionary::FIRST, MOST_BYTES)?;
        let (physics, text) =
            text.split_once('\n').filter(|(physics, _)| is_version(physics)).ok_or(LinkError::Broken)?;
        Ok(Self { kind, physics: physics.to_owned(), hash: u64::from_le_bytes(*hash), text: text.to_owned() })
    }
}

/// Characters that may follow a link in a text, and are not part of one.
const AROUND: &str = ".,;:!?)]}>|/=*~`\"'\u{201c}\u{201d}\u{2019}\u{bb}\u{3002}\u{3001}\u{ff09}\u{300d}\u{300f}";

/// Characters that may precede a link.
const BEFORE: &str = "<([{|*~`\"'\u{201c}\u{201e}\u{2018}\u{ab}\u{ff08}\u{300c}\u{300e}";

/// Invisible characters that programs insert where a line may break.
const UNSEEN: &str = "\u{ad}\u{200b}\u{2060}\u{feff}";

/// Percent-encoded spaces and line breaks.
const BREAKS: [(&str, &str); 5] = [("%20", " "), ("%0D", "\n"), ("%0d", "\n"), ("%0A", "\n"), ("%0a", "\n")];

/// Whether a character may occur after the `#`.
fn is_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_')
}

/// Whether a text can be the version of a program. It is displayed to people.
fn is_version(text: &str) -> bool {
    (1..=32).contains(&text.len())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || ".+-".contains(letter))
}

fn checksum(head: &str, bytes: &[u8]) -> [u8; 4] {
    (xxh3_64(&[head.as_bytes(), bytes].concat()) as u32).to_le_bytes()
}

#[cfg(test)]
mod tests;
