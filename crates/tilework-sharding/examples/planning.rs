//! How long a plan takes, by the number of devices.
//!
//! ```sh
//! cargo run --release -p tilework-sharding --example planning
//! ```

use std::hint::black_box;
use std::time::Instant;

use tilework_sharding::{Links, Mesh, Redistribution, Sharding};

/// Between two shardings of a matrix, by the extents of its mesh and whether they divide it.
const PLANS: [(&str, &str, &str); 7] = [
    ("all-to-all", "P((a, b), None)", "P(None, (a, b))"),
    ("all-gather", "P(a, b)", "P(a, None)"),
    ("permute", "P(a, b)", "P(b, a)"),
    ("reduce-scatter", "[Partial(sum), Shard(0)]", "[Shard(1), Shard(0)]"),
    ("slice, all-gather over links of two speeds", "P(a, None)", "P()"),
    ("all-gather of blocks that are not even", "P(a, None)", "P()"),
    ("messages of blocks that do not divide each other", "P(a, None)", "P((b, a), None)"),
];

fn main() {
    println!("{:50} {:>8} {:>8} {:>8}", "microseconds to plan, on devices", 16, 1024, 65_536);
    for (number, (name, from, to)) in PLANS.into_iter().enumerate() {
        print!("{name:50}");
        for axes in ["a=4,b=4", "a=32,b=32", "a=256,b=256"] {
            let mesh = Mesh::parse(axes).unwrap();
            let rest = i64::from(number >= 5);
            let read = |text| Sharding::parse(&mesh, &[65_536 + rest, 65_536], text).unwrap();
            let links = Links::parse(&mesh, if number == 4 { "a=50,b=900" } else { "a=1,b=1" }).unwrap();
            let (from, to) = (read(from), read(to));
            let mut times: Vec<f64> = (0..7).map(|_| microseconds(&from, &to, &links)).collect();
            times.sort_by(f64::total_cmp);
            print!(" {:8.1}", times[3]);
        }
        println!();
    }
}

/// The mean of a thousand plans.
fn microseconds(from: &Sharding, to: &Sharding, links: &Links) -> f64 {
    let begin = Instant::now();
    for _ in 0..1000 {
        black_box(Redistribution::over(black_box(from), to, links).unwrap());
    }
    begin.elapsed().as_secs_f64() * 1e3
}
