//! Convolution as it is defined: a sum over channels and filter taps, for each element of the output.

use super::shape::{Convolution, Shape};
use crate::error::Error;
use tilework::{Accessor, AccessorMut, HasLayout, Tensor};

/// Convolution over any accessors, `output = alpha conv(input, filter) + beta output`, with all arithmetic in `f64` and one
/// rounding at the end. Integers below 2^53 are exact.
///
/// ```
/// use tilework::{Tensor, layout};
/// use tilework_kernels::{Convolution, reference};
/// let line = Tensor::new(&[1.0, 2.0, 4.0][..], layout!((1,3,1):(0,1,0)))?;
/// let mut sums = Tensor::new([0.0; 3], layout!((1,3,1):(0,1,0)))?;
/// let same = Convolution { padding: &[(1, 1)], ..Convolution::default() };
/// reference::conv(&same, 1.0, &line, &line, 0.0, &mut sums, |sum| sum)?;
/// assert_eq!(sums.accessor(), &[10.0, 21.0, 10.0]);
/// # Ok::<(), tilework_kernels::Error>(())
/// ```
///
/// # Errors
/// Those of [`ConvPlan::new`](crate::ConvPlan::new) about extents.
pub fn conv<C: AccessorMut<Offset = i64, Element: Into<f64>>>(
    convolution: &Convolution,
    alpha: f64,
    input: &Tensor<impl Accessor<Offset = i64, Element: Into<f64>>, impl HasLayout>,
    filter: &Tensor<impl Accessor<Offset = i64, Element: Into<f64>>, impl HasLayout>,
    beta: f64,
    output: &mut Tensor<C, impl HasLayout>,
    round: impl Fn(f64) -> C::Element,
) -> Result<(), Error> {
    let (of_input, of_filter) = (input.layout().as_layout(), filter.layout().as_layout());
    let of_output = *output.layout().as_layout();
    Shape::new(convolution, [of_input, of_filter, &of_output])?;
    let extents = |layout: &tilework::Layout| -> Result<Vec<i64>, Error> {
        let spatial = layout.mode(1)?;
        (0..spatial.rank()).map(|i| Ok(spatial.mode(i)?.size())).collect()
    };
    let (inside, taps, out) = (extents(of_input)?, extents(of_filter)?, extents(&of_output)?);
    let (channels, features) = (of_filter.mode(2)?.size(), of_filter.mode(0)?.size());
    for feature in 0..features {
        let first = feature / (features / convolution.groups as i64) * channels;
        for pixel in 0..out.iter().product() {
            for image in 0..of_output.mode(0)?.size() {
                let mut sum = 0.0;
                for tap in 0..if alpha == 0.0 { 0 } else { taps.iter().product() } {
                    if let Some(place) = under(convolution, [&inside, &out, &taps], pixel, tap) {
                        for channel in 0..channels {
                            let value: f64 = input.at([image, place, first + channel]).into();
                            sum += value * filter.at([feature, tap, channel]).into();
                        }
                    }
                }
                let at = [image, pixel, feature];
                let before = if beta == 0.0 { 0.0 } else { beta * output.at(at).into() };
                output.set(at, round(alpha * sum + before));
            }
        }
    }
    Ok(())
}

/// The integral coordinate of the input under filter tap `tap` at `pixel`; none in the padding.
fn under(
    convolution: &Convolution,
    [inside, out, taps]: [&[i64]; 3],
    mut pixel: i64,
    mut tap: i64,
) -> Option<i64> {
    let (mut index, mut size) = (0, 1);
    for i in 0..inside.len() {
        let stride = convolution.stride.get(i).map_or(1, |&stride| stride as i64);
        let dilation = convolution.dilation.get(i).map_or(1, |&dilation| dilation as i64);
        let low = convolution.padding.get(i).map_or(0, |padding| padding.0 as i64);
        let at = pixel % out[i] * stride + tap % taps[i] * dilation - low;
        if !(0..inside[i]).contains(&at) {
            return None;
        }
        (index, size) = (index + size * at, size * inside[i]);
        (pixel, tap) = (pixel / out[i], tap / taps[i]);
    }
    Some(index)
}
