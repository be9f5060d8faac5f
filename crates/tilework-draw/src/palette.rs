//! Colours that are distinguishable with any colour vision.
//!
//! The scale is Paul Tol's *iridescent* scheme (P. Tol, *Colour Schemes*, SRON technical note SRON/EPS/TN/09-002, issue 3.2), which runs
//! from light to dark. The classes have lightnesses (L* of CIELAB) from 51 to 95 at equal distances, those of neighbours far apart. So both
//! can be read in grey.

use crate::Ground;
use std::fmt;

/// The background of a picture.
///
/// ```
/// use tilework_draw::palette::Theme;
/// assert!(Theme::Light.page().luminance() > Theme::Dark.page().luminance());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Theme {
    /// A white page.
    #[default]
    Light,
    /// A dark screen.
    Dark,
}

impl Theme {
    /// The background colour.
    #[must_use]
    pub fn page(self) -> Colour {
        match self {
            Theme::Light => Colour(255, 255, 255),
            Theme::Dark => Colour(22, 24, 28),
        }
    }

    /// The colour of titles and outlines.
    #[must_use]
    pub fn ink(self) -> Colour {
        match self {
            Theme::Light => Colour(24, 24, 24),
            Theme::Dark => Colour(240, 240, 240),
        }
    }

    /// The colour of coordinates, which should be less prominent.
    #[must_use]
    pub fn label(self) -> Colour {
        match self {
            Theme::Light => Colour(90, 90, 90),
            Theme::Dark => Colour(170, 174, 180),
        }
    }

    /// The colour of the lines between cells.
    #[must_use]
    pub fn rule(self) -> Colour {
        match self {
            Theme::Light => Colour(150, 150, 150),
            Theme::Dark => Colour(70, 74, 80),
        }
    }

    /// The colour of paths and highlights.
    #[must_use]
    pub fn accent(self) -> Colour {
        // Vermilion of Okabe and Ito, which no cell uses.
        Colour(213, 94, 0)
    }

    /// The ground of a cell. The scale begins near the background, so it is reversed on a dark one, and ends before the
    /// colour of the outlines.
    ///
    /// ```
    /// use tilework_draw::{Ground, palette::Theme};
    /// let low = Ground::Scale(0.0);
    /// assert!(Theme::Light.ground(low).luminance() > Theme::Dark.ground(low).luminance());
    /// ```
    #[must_use]
    pub fn ground(self, ground: Ground) -> Colour {
        match (ground, self) {
            (Ground::Blank, _) => self.page(),
            (Ground::Scale(place), Theme::Light) => scale(SHARE * place),
            (Ground::Scale(place), Theme::Dark) => scale(1.0 - SHARE * place),
            (Ground::Class(class), _) => CLASSES[class % CLASSES.len()],
        }
    }
}

/// Red, green and blue.
///
/// ```
/// use tilework_draw::palette::Colour;
/// assert_eq!(Colour(119, 170, 221).to_string(), "#77aadd");
/// assert_eq!(Colour(250, 250, 200).text(), Colour(0, 0, 0));
/// assert_eq!(Colour(70, 53, 58).text(), Colour(255, 255, 255));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Colour(pub u8, pub u8, pub u8);

impl Colour {
    /// The relative luminance of WCAG 2, from 0 to 1.
    ///
    /// ```
    /// use tilework_draw::palette::Colour;
    /// assert_eq!((Colour(0, 0, 0).luminance(), Colour(255, 255, 255).luminance()), (0.0, 1.0));
    /// ```
    #[must_use]
    pub fn luminance(self) -> f64 {
        let linear = |channel: u8| {
            let value = f64::from(channel) / 255.0;
            if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(self.0) + 0.7152 * linear(self.1) + 0.0722 * linear(self.2)
    }

    /// The contrast of WCAG 2, from 1 to 21; text is readable from 4.5 on.
    ///
    /// ```
    /// use tilework_draw::palette::Theme;
    /// assert!(Theme::Dark.page().contrast(Theme::Dark.label()) > 4.5);
    /// ```
    #[must_use]
    pub fn contrast(self, other: Colour) -> f64 {
        let (a, b) = (self.luminance() + 0.05, other.luminance() + 0.05);
        a.max(b) / a.min(b)
    }

    /// Black or white, whichever is more readable on this ground.
    #[must_use]
    pub fn text(self) -> Colour {
        let (black, white) = (Colour(0, 0, 0), Colour(255, 255, 255));
        if self.contrast(black) >= self.contrast(white) { black } else { white }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

/// The part of the scheme that is used: on a light page, the colours on which black text is readable.
const SHARE: f64 = 16.0 / 22.0;

/// A colour of the scheme; 0 is its light end.
fn scale(place: f64) -> Colour {
    let place = place.clamp(0.0, 1.0) * (SCALE.len() - 1) as f64;
    let (low, high) = (SCALE[place.floor() as usize], SCALE[place.ceil() as usize]);
    let blend = |low: u8, high: u8| {
        (f64::from(low) + (f64::from(high) - f64::from(low)) * place.fract()).round() as u8
    };
    Colour(blend(low.0, high.0), blend(low.1, high.1), blend(low.2, high.2))
}

const fn colours<const N: usize>(codes: [u32; N]) -> [Colour; N] {
    let (mut all, mut i) = ([Colour(0, 0, 0); N], 0);
    while i < N {
        let [_, red, green, blue] = codes[i].to_be_bytes();
        all[i] = Colour(red, green, blue);
        i += 1;
    }
    all
}

const SCALE: [Colour; 23] = colours([
    0xfefbe9, 0xfcf7d5, 0xf5f3c1, 0xeaf0b5, 0xddecbf, 0xd0e7ca, 0xc2e3d2, 0xb5ddd8, 0xa8d8dc, 0x9bd2e1,
    0x8dcbe4, 0x81c4e7, 0x7bbce7, 0x7eb2e4, 0x88a5dd, 0x9398d2, 0x9b8ac4, 0x9d7db2, 0x9a709e, 0x906388,
    0x805770, 0x684957, 0x46353a,
]);

const CLASSES: [Colour; 8] =
    colours([0x90eeff, 0x7983d7, 0xbec26a, 0xeafaa7, 0xe47a8e, 0xffbcca, 0x8a7928, 0x4eb2fd]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_can_be_read() {
        for theme in [Theme::Light, Theme::Dark] {
            let scale = (0..=200).map(|place| Ground::Scale(f64::from(place) / 200.0));
            for ground in scale.chain((0..CLASSES.len()).map(Ground::Class)).chain([Ground::Blank]) {
                let colour = theme.ground(ground);
                assert!(colour.contrast(colour.text()) > 4.5, "{theme:?} {ground:?} {colour}");
            }
            assert!(theme.page().contrast(theme.ink()) > 12.0);
            assert!(theme.page().contrast(theme.label()) > 4.5);
        }
    }

    /// L* of CIELAB.
    fn lightness(colour: Colour) -> f64 {
        116.0 * colour.luminance().cbrt() - 16.0
    }

    /// The colour as Machado et al. (2009) simulate it for a missing kind of cones, in linear light.
    fn seen(colour: Colour, matrix: [[f64; 3]; 3]) -> [f64; 3] {
        let linear = [colour.0, colour.1, colour.2].map(|channel| (f64::from(channel) / 255.0).powf(2.2));
        matrix.map(|row| {
            row.iter().zip(linear).map(|(a, b)| a * b).sum::<f64>().clamp(0.0, 1.0).powf(1.0 / 2.2)
        })
    }

    #[test]
    fn classes_are_told_apart_in_grey_and_whatever_the_colour_vision() {
        let mut lightnesses = CLASSES.map(lightness);
        lightnesses.sort_by(f64::total_cmp);
        assert!(lightnesses.windows(2).all(|pair| pair[1] - pair[0] > 5.5), "{lightnesses:?}");
        for pair in CLASSES.windows(2) {
            assert!((lightness(pair[0]) - lightness(pair[1])).abs() > 15.0, "{pair:?}");
        }
        let kinds = [
            [
                [0.152286, 1.052583, -0.204868],
                [0.114503, 0.786281, 0.099216],
                [-0.003882, -0.048116, 1.051998],
            ],
            [
                [0.367322, 0.860646, -0.227968],
                [0.280085, 0.672501, 0.047413],
                [-0.011820, 0.042940, 0.968881],
            ],
            [
                [1.255528, -0.076749, -0.178779],
                [-0.078411, 0.930809, 0.147602],
                [0.004733, 0.691367, 0.303900],
            ],
        ];
        for kind in kinds {
            for (at, &one) in CLASSES.iter().enumerate() {
                for &other in &CLASSES[..at] {
                    let pair = seen(one, kind).into_iter().zip(seen(other, kind));
                    let distance = pair.map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
                    assert!(distance > 0.19, "{one} {other} {distance}");
                }
            }
        }
    }

    #[test]
    fn the_scale_goes_from_light_to_dark() {
        assert!(SCALE.windows(2).all(|pair| pair[0].luminance() > pair[1].luminance()));
    }
}
