//! Random layouts and data, from a linear congruential generator.

pub use testkit::Random;
use tilework::Layout;

/// Random layouts.
pub trait Layouts {
    /// A layout of modes of these sizes, each folded at times, with strides that keep the elements apart in any order and
    /// with gaps; a mode goes backwards at times, and has stride 0 where `free`. With the smallest start that fits.
    fn layout(&mut self, sizes: &[usize], free: bool) -> (Layout, i64);

    /// Small integers, as many as a layout that begins at `start` has offsets.
    fn data(&mut self, layout: &Layout, start: i64) -> Vec<i64>;
}

impl Layouts for Random {
    fn layout(&mut self, sizes: &[usize], free: bool) -> (Layout, i64) {
        let mut modes: Vec<Vec<(usize, i64)>> = Vec::new();
        for &size in sizes {
            let divisors: Vec<usize> = (2..size).filter(|d| size % d == 0).collect();
            modes.push(match divisors.len() {
                0 => vec![(size, 0)],
                count if self.below(3) == 0 => {
                    let divisor = divisors[self.below(count as u64) as usize];
                    vec![(divisor, 0), (size / divisor, 0)]
                }
                _ => vec![(size, 0)],
            });
        }
        let mut places: Vec<(usize, usize)> =
            modes.iter().enumerate().flat_map(|(i, mode)| (0..mode.len()).map(move |j| (i, j))).collect();
        for i in (1..places.len()).rev() {
            if self.below(2) == 0 {
                places.swap(i, self.below(i as u64 + 1) as usize);
            }
        }
        let mut stride = self.choose(&[1, 1, 1, 2, 3]);
        let mut start = 0;
        for (i, j) in places {
            let (extent, own) = &mut modes[i][j];
            *own = if free && self.below(8) == 0 { 0 } else { stride };
            stride = stride * *extent as i64 + self.choose(&[0, 0, 0, 1, 5]);
            if self.below(6) == 0 {
                *own = -*own;
                start -= (*extent as i64 - 1) * *own;
            }
        }
        let text = |of: &dyn Fn(&(usize, i64)) -> i64| {
            let mode = |mode: &Vec<(usize, i64)>| {
                let leaves: Vec<String> = mode.iter().map(|leaf| of(leaf).to_string()).collect();
                if leaves.len() == 1 { leaves[0].clone() } else { format!("({})", leaves.join(",")) }
            };
            let modes: Vec<String> = modes.iter().map(mode).collect();
            format!("({})", modes.join(","))
        };
        let text = format!("{}:{}", text(&|leaf| leaf.0 as i64), text(&|leaf| leaf.1));
        (text.parse().unwrap(), start)
    }

    fn data(&mut self, layout: &Layout, start: i64) -> Vec<i64> {
        (0..=start + layout.max_offset().unwrap()).map(|_| self.below(9) as i64 - 4).collect()
    }
}
