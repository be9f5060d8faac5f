//! The meaning of `_0` after a `?` was read: it is the name of the `?`, and also CuTe's notation for a static integer.
//!
//! In a calculation, in a fact or before a value it can only be the name. As a number by itself it may be either, and
//! is refused, except in an answer of the session that is entered again as printed.

use std::collections::VecDeque;
use std::ops::Range;

/// The most answers that are remembered; earlier ones are refused.
const MAX_ANSWERS: usize = 256;

/// The names of `?` in a session, and the answers that contain them.
#[derive(Default)]
pub(super) struct Dynamic {
    /// Bit `k` for `_k`, even if the name has been forgotten.
    names: u64,
    answers: VecDeque<String>,
}

impl Dynamic {
    /// The names so far.
    pub fn names(&self) -> u64 {
        self.names
    }

    /// Records a name, if it is that of a `?`.
    pub fn declared(&mut self, name: &str) {
        self.names |= number(name).map_or(0, |k| 1 << k);
    }

    /// A statement failed: what it declared is forgotten.
    pub fn undo(&mut self, names: u64) {
        self.names = names;
    }

    /// Names may be reused, so earlier answers become invalid.
    pub fn forget(&mut self) {
        self.answers.clear();
    }

    /// Records a printed answer.
    pub fn answered(&mut self, text: String) {
        if self.ambiguous(&text).is_none() {
            return;
        }
        if self.answers.len() == MAX_ANSWERS {
            self.answers.pop_front();
        }
        self.answers.push_back(text);
    }

    /// The first word of an expression that may be the name or CuTe's integer.
    pub fn ambiguous(&self, text: &str) -> Option<Range<usize>> {
        self.standing_alone(text).filter(|_| !self.answers.iter().any(|answer| answer == text.trim()))
    }

    fn standing_alone(&self, text: &str) -> Option<Range<usize>> {
        if self.names == 0 {
            return None;
        }
        let place = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
        let given = |word: &&str| number(word).is_some_and(|k| self.names >> k & 1 == 1);
        let mut places = words(text).filter(given).map(|word| place(word)..place(word) + word.len());
        places.find(|place| stands_alone(&text[..place.start], &text[place.end..]))
    }
}

/// The `k` of `_k`.
fn number(word: &str) -> Option<u32> {
    word.strip_prefix('_')?.parse().ok().filter(|k| *k < u64::BITS)
}

/// Whether the texts before and after a word show that it is not part of a calculation or a fact.
fn stands_alone(before: &str, behind: &str) -> bool {
    let starts_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit() || c == '_');
    let ends_number = |text: &str| text.ends_with(|c: char| c.is_ascii_digit());
    // `A / _1` and `A * _1` combine a layout with a tile.
    let factor = ['*', '/'].into_iter().any(|sign| {
        behind.strip_prefix(sign).is_some_and(starts_number)
            || before.strip_suffix(sign).is_some_and(ends_number)
    });
    let (before, behind) = (before.trim_end(), behind.trim_start());
    let rounded = ["floor(", "ceil("].into_iter().any(|call| before.ends_with(call));
    let summed = before.ends_with(['+', '-', '%']) || behind.starts_with(['+', '-', '%']);
    let related =
        ["==", ">=", "<="].into_iter().any(|sign| before.ends_with(sign) || behind.starts_with(sign));
    !(factor || rounded || summed || related || behind.starts_with('='))
}

/// The words of a text: letters, digits and `_` after a letter or a `_`.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    let token = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    token.filter(|word| {
        word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && word.len() > usize::from(word.starts_with('_'))
    })
}
