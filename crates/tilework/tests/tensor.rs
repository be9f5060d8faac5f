//! Tensors as the paper has them (sections 2.5 and 2.6), at the edges of what there is, and what is refused.

use std::ops::Range;
use tilework::static_layout::{Compose, StaticLayout};
use tilework::{
    Accessor, AccessorMut, Codomain, Composed, Constant, Coord, Counting, CountingCoord, Error, HTuple,
    HasLayout, Layout, Swizzle, Tensor, layout, static_layout, tiler,
};

fn show<A: Accessor, L: HasLayout>(tensor: Result<Tensor<A, L>, Error>) -> String {
    tensor.map_or_else(|error| error.to_string(), |tensor| format!("{tensor:?}"))
}

#[test]
fn figure_5() {
    let a = Tensor::new(Counting, layout!(((3,2),((2,3),2)):((4,1),((2,15),100)))).unwrap();
    assert_eq!(
        a.to_string(),
        "{0} o ((3,2),((2,3),2)):((4,1),((2,15),100))
  0   2  15  17  30  32 100 102 115 117 130 132
  4   6  19  21  34  36 104 106 119 121 134 136
  8  10  23  25  38  40 108 110 123 125 138 140
  1   3  16  18  31  33 101 103 116 118 131 133
  5   7  20  22  35  37 105 107 120 122 135 137
  9  11  24  26  39  41 109 111 124 126 139 141"
    );
    let elements = |tensor: Tensor<Counting>| tensor.iter().collect::<Vec<_>>();
    let row = a.slice((2, ..)).unwrap();
    assert_eq!(show(Ok(row)), "{8} o ((2,3),2):((2,15),100)");
    assert_eq!(elements(row), [8, 10, 23, 25, 38, 40, 108, 110, 123, 125, 138, 140]);
    let column = a.slice((.., 5)).unwrap();
    assert_eq!(show(Ok(column)), "{32} o (3,2):(4,1)");
    assert_eq!(elements(column), [32, 36, 40, 33, 37, 41]);
    let every_other = a.slice((2, ((0, ..), ..))).unwrap();
    assert_eq!(show(Ok(every_other)), "{8} o (3,2):(15,100)");
    assert_eq!(elements(every_other), [8, 23, 38, 108, 123, 138]);
    let quarter = a.slice(((.., 1), (.., 0))).unwrap();
    assert_eq!(show(Ok(quarter)), "{1} o (3,(2,3)):(4,(2,15))");
    assert_eq!(quarter.at([2, 5]), 41);
    let scattered = a.slice(((.., 0), ((0, ..), 1))).unwrap();
    assert_eq!(show(Ok(scattered)), "{100} o (3,3):(4,15)");
    assert_eq!(elements(scattered), [100, 104, 108, 115, 119, 123, 130, 134, 138]);
    let blocks = a.slice(((1, ..), ((.., 0), ..))).unwrap();
    assert_eq!(show(Ok(blocks)), "{4} o (2,(2,2)):(1,(2,100))");
    assert_eq!(elements(blocks), [4, 5, 6, 7, 104, 105, 106, 107]);
    // A slice of a slice, and nothing left open.
    let all = a.slice((.., ..)).unwrap();
    assert_eq!(all.slice(("2".parse::<Coord>().unwrap(), ..)).unwrap().slice((.., 1)).unwrap().at(0), 108);
    assert_eq!(show(a.slice((2, 3))), "{25} o ():()");
    assert_eq!(a.slice((2, 3)).unwrap().iter().collect::<Vec<_>>(), [25]);
}

#[test]
fn implicit_tensors_of_figures_3_and_4() {
    let counting = Tensor::with_offset(Counting, 7, layout!(((2,2),(4,2)):((1,8),(2,16)))).unwrap();
    assert_eq!((counting.at(22), counting.at([2, 5]), counting.at(((0, 1), (1, 1)))), (33, 33, 33));
    let xor = Tensor::with_offset(Counting, 5, layout!((4,4):(^1,^5))).unwrap();
    assert!((0..16).all(|c| xor.at(c) == 5 ^ (c % 4) ^ (5 * (c / 4))));
    assert_eq!(show(xor.slice((3, ..))), "{6} o 4:^5");
    let start: Coord = "(100,200)".parse().unwrap();
    let places = Tensor::with_offset(CountingCoord, start, layout!((4,(4,2)):(1@1,(1@0,6@1)))).unwrap();
    assert_eq!(places.at([2, 5]).to_string(), "(101,208)");
    assert_eq!(show(places.slice((2, (.., 1)))), "{(100,208)} o 4:1@0");
    let identity = Tensor::identity((4, (2, 3))).unwrap();
    for (coord, element) in identity.entries() {
        assert_eq!(coord, element);
    }
}

#[test]
fn a_slice_of_a_swizzled_tensor_keeps_the_swizzle() {
    let data: Vec<i64> = (0..512).collect();
    let swizzled = Composed::new(Swizzle::new(3, 4, 3).unwrap(), 0, layout!((8,64):(64,1))).unwrap();
    let tensor = Tensor::new(&data[..], swizzled).unwrap();
    let row = tensor.slice((2, ..)).unwrap();
    assert_eq!(show(Ok(row)), "{0} o Sw<3,4,3> o 128 o 64:1");
    assert!((0..64).all(|j| row.at(j) == tensor.at([2, j]) && row.at(j) == (128 + j) ^ 16));
    let tile = tensor.local_tile(&tiler!(<2, 16>), (1, 3)).unwrap();
    assert!((0..16).all(|j| tile.at([1, j]) == tensor.at([3, 48 + j])));
    assert_eq!(tensor.iter().sum::<i64>(), 511 * 256);
    let upper = Tensor::new(&data[..], Composed::new(swizzled.swizzle(), 0, layout!((4,32):(64,1))).unwrap())
        .unwrap();
    let lower = upper.domain_offset((3, 16)).unwrap();
    assert!((0..4).all(|i| (0..32).all(|j| lower.at([i, j]) == tensor.at([i + 3, j + 16]))));
    assert!(tensor.coalesce().unwrap().iter().eq(tensor.iter()));

    // With XOR strides the offset before a swizzle is added by XOR.
    let xor = Composed::new(Swizzle::new(1, 0, 2).unwrap(), 0, layout!((2,2,2):(^1,^3,^4))).unwrap();
    let tensor = Tensor::new(&data[..], xor).unwrap();
    let odd = tensor.slice((1, .., ..)).unwrap();
    assert_eq!(show(Ok(odd)), "{0} o Sw<1,0,2> o 1 o (2,2):(^3,^4)");
    assert!((0..4).all(|c| odd.at(c) == tensor.at(2 * c + 1)));
    let upper = tensor.domain_offset((1, 0, 0)).unwrap();
    assert_eq!([0, 2, 4].map(|c| upper.at(c)), [1, 3, 5].map(|c| tensor.at(c)));
    let rest = tensor.slice((.., .., 1)).unwrap();
    assert!((0..4).all(|c| rest.at(c) == tensor.at(c + 4)));
}

static_layout! {
    struct Rows = (4,8):(8,1);
    struct Turned = ((2,4),8):((^1,^8),^9);
    struct Places = (4,8):(1@0,1@1);
    struct Tv = ((2,4),4):((8,1),4);
    type Partition = Compose<Rows, Tv>;
}

#[test]
fn static_layouts_are_as_their_values() {
    fn same<L: StaticLayout + HasLayout<Value = Layout> + Default>(data: &[i32]) {
        let (fixed, value) =
            (Tensor::new(data, L::default()).unwrap(), Tensor::new(data, L::LAYOUT).unwrap());
        assert_eq!(format!("{fixed:?}"), format!("{value:?}"));
        assert!(fixed.iter().eq(value.iter()) && fixed.entries().eq(value.entries()));
        for (c, element) in (0..).zip(value.iter()) {
            let natural = value.shape().idx2crd(&HTuple::leaf(c)).unwrap();
            let modes = [c % value.mode_size(0), c / value.mode_size(0)];
            let all = [fixed.at(c), fixed.at(modes), fixed.at(natural), fixed.get(modes).unwrap()];
            assert_eq!(all, [element; 4]);
        }
        // In release as well `get` and `put` look at every coordinate.
        for outside in [-1, value.size()] {
            assert_eq!(fixed.try_at(outside), value.try_at(outside));
            assert_eq!(fixed.try_at([outside, 0]), value.try_at([outside, 0]));
            assert_eq!(fixed.try_at((0, outside)), value.try_at((0, outside)));
        }
        assert_eq!(fixed.try_at((0, 0, 0)), value.try_at([0, 0, 0]));
        let slice = fixed.slice((1, ..)).unwrap();
        assert!((0..fixed.mode_size(1)).all(|j| slice.at(j) == fixed.at([1, j])));
    }
    let data: Vec<i32> = (0..128).collect();
    same::<Rows>(&data);
    same::<Turned>(&data);
    same::<Partition>(&data);
    let places = Tensor::new(CountingCoord, Places).unwrap();
    assert_eq!(places.at([3, 7]).to_string(), "(3,7)");
    let mut memory = [0; 32];
    Tensor::fixed(&mut memory, Rows).set([3, 7], 1);
    assert_eq!(memory[31], 1);
}

#[test]
fn images_outside_of_the_accessor_are_refused() {
    let data = [0u8; 16];
    let image = |min, max| Err(Error::Image { min, max, start: 0, end: 16 });
    let new = |layout, offset| Tensor::with_offset(&data, offset, layout).map(|_| ());
    assert_eq!(new(layout!(16:1), 0), Ok(()));
    assert_eq!(new(layout!(17:1), 0), image(0, 16));
    assert_eq!(new(layout!(16:1), 1), image(1, 16));
    assert_eq!(new(layout!(16:1), -1), image(-1, 14));
    assert_eq!(new(layout!(4:-1), 2), image(-1, 2));
    assert_eq!(new(layout!((4,4):(-1,4)), 3), Ok(()));
    assert_eq!(new(layout!((4,4):(^1,^5)), 0), Ok(()));
    assert_eq!(new(layout!((4,4):(^1,^5)), 16), image(16, 31));
    assert_eq!(new(layout!((4,4):(^1,^5)), 15), Ok(()));
    let code = |layout, offset| new(layout, offset).unwrap_err().code();
    assert_eq!(code(layout!(4:^1), -1), "argument");
    assert_eq!(code(layout!(4:1@0), 0), "codomain");
    assert_eq!(code(layout!(4:1/2), 0), "codomain");
    assert_eq!(code(layout!(2:1), i64::MAX), "overflow");
    assert_eq!(
        image(0, 16).map(|()| String::new()).unwrap_err().to_string(),
        "the offsets go from 0 to 16, but the accessor has those from 0 to 15; use more elements, another start \
         offset or a smaller layout"
    );
    // The swizzled offsets are 0 and 2; of the whole interval 0, 1, 2, 3 they would end at 3.
    let swizzled = Composed::new(Swizzle::new(1, 0, 1).unwrap(), 0, layout!(2:3)).unwrap();
    assert!(Tensor::new(&[0u8; 3], swizzled).is_ok());
    let outside = Error::Image { min: 0, max: 2, start: 0, end: 2 };
    assert_eq!(Tensor::new(&[0u8; 2], swizzled).unwrap_err(), outside);
    let none = Tensor::new(&[0u8; 0], layout!(1:0)).unwrap_err();
    assert!(none.to_string().contains("the accessor has none"), "{none}");

    // The algebra may lead out as well: the last mode of a layout goes on for ever.
    let rows = Tensor::new(&data, layout!((4,4):(4,1))).unwrap();
    assert_eq!(show(rows.composition(&layout!(4:4))), "{0} o 4:1");
    assert_eq!(
        rows.composition(&layout!(17:4)).unwrap_err(),
        Error::Image { min: 0, max: 16, start: 0, end: 16 }
    );
    assert_eq!(rows.zipped_divide(&tiler!(<3, 2>)).unwrap_err().code(), "image");
    assert_eq!(rows.logical_product(&tiler!(2:1)).unwrap_err().code(), "image");
    assert_eq!(rows.domain_offset((1, 0)).unwrap_err().code(), "image");
    assert_eq!(rows.slice((4, ..)).unwrap_err(), Error::OutOfBounds { leaf: 0, index: 4, size: 4 });
    assert_eq!(rows.slice((.., ..),).unwrap().slice((0, 0, ..)).unwrap_err().code(), "coordinate");

    let unlimited = |layout| Tensor::with_offset(CountingCoord, "(1,2)".parse().unwrap(), layout).map(|_| ());
    assert_eq!(unlimited(layout!(4:1@1)), Ok(()));
    assert_eq!(unlimited(layout!(4:1@0@1)).unwrap_err().code(), "incongruent");
    assert_eq!(unlimited(layout!(4:1/2@1)).unwrap_err().code(), "not-integral");
    assert_eq!(
        unlimited(layout!(4:^1)),
        Err(Error::Codomain { operation: "a tensor of coordinates", found: Codomain::Xor })
    );
    let far = layout!(4:2305843009213693952@1);
    assert_eq!(unlimited(far), Ok(()));
    let start = format!("(0,{})", i64::MAX).parse().unwrap();
    assert_eq!(Tensor::with_offset(CountingCoord, start, far).unwrap_err().code(), "overflow");
}

/// The panic is that of the program's line.
#[test]
fn a_coordinate_outside_is_found_in_the_line_of_the_caller() {
    static FILES: std::sync::Mutex<Vec<String>> = std::sync::Mutex::new(Vec::new());
    let (own, before) = (std::thread::current().id(), std::panic::take_hook());
    std::panic::set_hook(Box::new(move |panic| {
        if std::thread::current().id() == own {
            FILES.lock().unwrap().push(panic.location().unwrap().file().to_string());
        }
        before(panic);
    }));
    let mut tensor = Tensor::new([0; 6], layout!((2,3):(1,2))).unwrap();
    std::panic::catch_unwind(|| tensor.at([2, 0])).unwrap_err();
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| tensor.set([0, 3], 1))).unwrap_err();
    let _ = std::panic::take_hook();
    let files = FILES.lock().unwrap();
    assert!(files.len() >= 2 && files.iter().all(|file| file.ends_with(file!())), "{files:?}");
}

#[test]
#[should_panic(expected = "leaf 1 of the coordinate is 8, but its mode has the coordinates 0 to 7")]
fn a_coordinate_that_is_not_of_the_shape_panics() {
    let _ = Tensor::new(&[0; 32], layout!((4,8):(8,1))).unwrap().at([0, 8]);
}

/// An accessor that is written to and has offsets of its own.
struct Window {
    values: [i64; 4],
    start: i64,
}

impl Accessor for Window {
    type Element = i64;
    type Offset = i64;

    fn read(&self, offset: i64) -> i64 {
        self.values[(offset - self.start) as usize]
    }

    fn bounds(&self) -> Option<Range<i64>> {
        Some(self.start..self.start + 4)
    }
}

impl AccessorMut for Window {
    fn write(&mut self, offset: i64, value: i64) {
        self.values[(offset - self.start) as usize] = value;
    }
}

#[test]
fn accessors_of_ones_own() {
    let window = || Window { values: [1, 2, 3, 4], start: 100 };
    assert_eq!(
        Tensor::new(window(), layout!(4:1)).unwrap_err(),
        Error::Image { min: 0, max: 3, start: 100, end: 104 }
    );
    let mut tensor = Tensor::with_offset(window(), 103, layout!((2,2):(-2,-1))).unwrap();
    tensor.view_mut().slice((1, ..)).unwrap().fill(9);
    assert!(tensor.iter().eq([4, 9, 3, 9]));
    assert!(tensor.view().map(|value| value as f64 / 2.0).iter().eq([2.0, 4.5, 1.5, 4.5]));
}

#[test]
fn no_size_one_element_and_more_than_can_be_had() {
    // A layout has one coordinate at least (paper, definition 2.5), and so has a tensor.
    assert_eq!("(4,0):(1,4)".parse::<Layout>(), Err(Error::Extent { leaf: 1, extent: 0 }));
    for one in [layout!(1:0), layout!(():()), layout!((1,(1,1)):(3,(0,7)))] {
        let tensor = Tensor::new([5], one).unwrap();
        assert!((tensor.size(), tensor.at(0)) == (1, 5) && tensor.iter().eq([5]) && tensor.get(1).is_none());
        assert_eq!(tensor.to_string(), format!("{{0}} o {one}\n5"));
    }
    // Elements without size.
    let mut units =
        Tensor::new([(); usize::MAX], layout!((2,2305843009213693952):(2305843009213693952,1))).unwrap();
    let () = units.at([0, 5]);
    units.set([1, (1 << 61) - 1], ());
    assert_eq!(units.size(), 1 << 62);
}

#[test]
fn more_elements_than_could_be_allocated() {
    let huge = layout!((1099511627776,1048576):(1048576,1));
    let tensor = Tensor::with_offset(Counting, 3, huge).unwrap();
    assert_eq!(tensor.size(), 1 << 60);
    assert_eq!(tensor.at([(1 << 40) - 1, (1 << 20) - 1]), (1 << 60) + 2);
    assert_eq!(tensor.iter().take(3).collect::<Vec<_>>(), [3, 3 + (1 << 20), 3 + (2 << 20)]);
    let tile = tensor.local_tile(&tiler!(<4096, 4096>), (1 << 27, 255)).unwrap();
    assert_eq!(tile.at([1, 1]), tensor.at([(1 << 39) + 1, 255 * 4096 + 1]));
    let text = tensor.to_string();
    assert!(text.ends_with("\n... 64 of 1099511627776 rows\n... 64 of 1048576 columns"), "{text}");
    assert_eq!(text.lines().count(), 1 + 64 + 2);
    let cube = Tensor::new(Constant(0), layout!((2,2,1000,1000):(0,0,0,0))).unwrap().to_string();
    assert!(cube.ends_with("\n... 16 of 1000000 matrices"), "{cube}");
}

#[test]
fn tensors_are_printed_as_matrices() {
    let data = [1.0, 2.5, -3.25, 4.0, 5.0, 6.0, 7.0, 8.0];
    let tensor = Tensor::new(&data, layout!((2,2,2):(1,2,4))).unwrap();
    assert_eq!(
        tensor.to_string(),
        "{0} o (2,2,2):(1,2,4)\n(_,_,0)\n    1 -3.25\n  2.5     4\n(_,_,1)\n5 7\n6 8"
            .replace("5 7", "    5     7")
            .replace("6 8", "    6     8")
    );
    let row = tensor.slice((0, 0, ..)).unwrap();
    assert_eq!(format!("{row:.1}"), "{0} o 2:4\n1.0 5.0");
    let places = Tensor::identity((2, 2)).unwrap();
    assert_eq!(places.to_string(), "{(0,0)} o (2,2):(1@0,1@1)\n(0,0) (0,1)\n(1,0) (1,1)");
    assert_eq!(format!("{:?}", Tensor::new("x".as_bytes(), layout!(1:0)).unwrap()), "{0} o 1:0");
}

#[test]
fn shares_of_threads() {
    let tile = Tensor::new(Counting, layout!((8,8,3):(1,8,64))).unwrap();
    // Modes beyond those of the threads stay.
    assert_eq!(show(tile.local_partition(&layout!((4,2):(2,1)), 5)), "{10} o (2,4,3):(4,16,64)");
    // Threads that share a row: all have the same.
    let (one, two) =
        (tile.local_partition(&layout!((4,2):(1,0)), 3), tile.local_partition(&layout!((4,1):(1,0)), 3));
    assert_eq!((show(one), show(two)), ("{3} o (2,4,3):(4,16,64)".into(), "{3} o (2,8,3):(4,8,64)".into()));
    assert_eq!(
        show(Tensor::new(Counting, layout!(64:2)).unwrap().local_partition(&layout!(32:1), 31)),
        "{62} o 2:64"
    );
    for index in [-1, 8] {
        assert_eq!(tile.local_partition(&layout!((4,2):(2,1)), index).unwrap_err().code(), "argument");
    }
    assert_eq!(tile.local_partition(&layout!(4:1@0), 0).unwrap_err().code(), "codomain");
}

#[test]
fn memory_that_cannot_be_had_is_an_error() {
    let elements = 1 << 60;
    let refused = Tensor::filled(layout!((1099511627776,1048576):(1048576,1)), 0u64).map(|_| ());
    assert_eq!(refused, Err(Error::Memory { elements }));
    assert_eq!(Tensor::filled(layout!(4:1@0), 0).unwrap_err().code(), "codomain");
    let swizzled = Composed::new(Swizzle::new(1, 0, 1).unwrap(), 0, layout!(2:2)).unwrap();
    assert_eq!(Tensor::filled(swizzled, 0u8).unwrap().accessor().len(), 4);
    assert_eq!(Tensor::filled(layout!((4,4):(^1,^5)), 0u8).unwrap().accessor().len(), 16);
}
