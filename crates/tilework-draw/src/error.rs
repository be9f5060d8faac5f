use std::fmt;

/// Why a picture cannot be made.
///
/// ```
/// use tilework_draw::Error;
/// assert!(Error::Letter('字').to_string().contains("SVG"));
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The font lacks a letter of a text.
    Letter(char),
    /// The picture would have too many pixels.
    TooLarge {
        /// The width of the SVG.
        width: f32,
        /// The height of the SVG.
        height: f32,
    },
    /// The font cannot be read, with the reason.
    Font(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Letter(letter) => {
                write!(f, "the font has no letter {letter:?}; draw to SVG, or write without it")
            }
            Error::TooLarge { width, height } => write!(
                f,
                "a picture of {width} by {height} points is too large for PNG; draw fewer cells, or draw to SVG or PDF"
            ),
            Error::Font(reason) => write!(f, "the font cannot be read: {reason}"),
        }
    }
}

impl std::error::Error for Error {}
