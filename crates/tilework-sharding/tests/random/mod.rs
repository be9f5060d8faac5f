//! Random meshes, tensors and shardings.

pub use testkit::Random;
use testkit::setting;
use tilework_sharding::{Mesh, Sharding};

/// The generator of a test: the same numbers in each run but for `TILEWORK_SEED`.
pub fn random(stream: u64) -> Random {
    let seed: u64 = setting("TILEWORK_SEED", 1);
    Random::xorshift(
        seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ stream.wrapping_mul(0xd1b5_4a32_d192_ed03) | 1,
    )
}

/// Random meshes and shardings.
pub trait Shardings {
    fn mesh(&mut self) -> Mesh;

    /// The devices of a mesh in any order.
    fn order(&mut self, devices: i64) -> Vec<i64>;

    /// Placements as PyTorch has them; none where they are not a layout.
    fn sharding(&mut self, mesh: &Mesh, shape: &[i64]) -> Option<Sharding>;

    /// The axes of one dimension divide it in turn, each by blocks of any size that go round.
    fn going_round(&mut self, mesh: &Mesh, shape: &[i64]) -> Sharding;

    /// Few elements, since they are enumerated on every device.
    fn shape(&mut self) -> Vec<i64>;
}

impl Shardings for Random {
    fn mesh(&mut self) -> Mesh {
        let names = ["x", "y", "z"];
        loop {
            let axes: Vec<_> = names[..1 + self.below(3)]
                .iter()
                .map(|&name| (name, self.choose(&[1, 2, 2, 3, 4, 4, 6])))
                .collect();
            let mesh = Mesh::new(&axes).unwrap();
            if mesh.size() <= 32 {
                let extents: Vec<_> = axes.iter().map(|axis| axis.1.to_string()).collect();
                let column_major = Mesh::with_devices(
                    &axes,
                    tilework::Layout::parse(&format!("({})", extents.join(","))).unwrap(),
                );
                return match self.below(8) {
                    0 | 1 => column_major.unwrap(),
                    2 => Mesh::with_order(&axes, &self.order(mesh.size())).unwrap(),
                    _ => mesh,
                };
            }
        }
    }

    fn order(&mut self, devices: i64) -> Vec<i64> {
        let mut order: Vec<i64> = (0..devices).collect();
        for last in (1..order.len()).rev() {
            order.swap(last, self.below(last + 1));
        }
        order
    }

    fn sharding(&mut self, mesh: &Mesh, shape: &[i64]) -> Option<Sharding> {
        let placements: Vec<String> = mesh
            .axes()
            .iter()
            .map(|_| match self.below(5) {
                0 | 1 => "Replicate()".into(),
                2 | 3 => format!("Shard({})", self.below(shape.len())),
                _ => format!("_StridedShard({}, sf={})", self.below(shape.len()), self.choose(&[1, 2, 3, 4])),
            })
            .collect();
        Sharding::from_placements(mesh, shape, &format!("[{}]", placements.join(", "))).ok()
    }

    fn going_round(&mut self, mesh: &Mesh, shape: &[i64]) -> Sharding {
        let mut axes = vec![String::new(); mesh.axes().len()];
        let mut local: Vec<(Vec<String>, Vec<String>)> = vec![Default::default(); shape.len()];
        let mut below = vec![1; shape.len()];
        let rest = |below: &mut i64, own: &mut (Vec<String>, Vec<String>), extent: i64, dimension: usize| {
            own.0.push(extent.to_string());
            own.1.push(format!("{below}@{dimension}"));
            *below *= extent;
        };
        for (step, axis) in axes.iter_mut().zip(mesh.axes()) {
            let devices = axis.extent();
            let dimension = self.below(shape.len() + 1);
            if dimension == shape.len() {
                *step = "0".into();
                continue;
            }
            let block = 1 + self.below(5) as i64;
            rest(&mut below[dimension], &mut local[dimension], block, dimension);
            *step = format!("{}@{dimension}", below[dimension]);
            below[dimension] *= devices;
        }
        for (dimension, extent) in shape.iter().enumerate() {
            let left = (extent - 1) / below[dimension] + 1;
            rest(&mut below[dimension], &mut local[dimension], left, dimension);
        }
        let extents: Vec<String> = mesh.axes().iter().map(|axis| axis.extent().to_string()).collect();
        let (sizes, steps): (Vec<String>, Vec<String>) = local
            .iter()
            .map(|own| (format!("({})", own.0.join(",")), format!("({})", own.1.join(","))))
            .unzip();
        let layout = format!(
            "(({}),({})):(({}),({}))",
            extents.join(","),
            sizes.join(","),
            axes.join(","),
            steps.join(",")
        );
        Sharding::new(mesh, shape, &tilework::Layout::parse(&layout).unwrap()).unwrap()
    }

    fn shape(&mut self) -> Vec<i64> {
        loop {
            let shape: Vec<i64> =
                (0..1 + self.below(3)).map(|_| self.choose(&[1, 2, 4, 6, 8, 12, 24, 5, 7])).collect();
            if shape.iter().product::<i64>() <= 100 {
                return shape;
            }
        }
    }
}

/// How many random cases a test has.
pub fn cases() -> usize {
    (2000.0 * setting("TILEWORK_CASES", 1.0)) as usize
}
