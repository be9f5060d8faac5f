//! 10. Tensors: copy and multiply.
//!
//! So far there were offsets but no data. A [`Tensor`](crate::Tensor) is a layout bound to an
//! [`Accessor`](crate::Accessor), which has an element at each offset (section 2.5). Slices and arrays are accessors:
//!
//! ```
//! use tilework::{Tensor, layout};
//!
//! let data: Vec<i32> = (0..32).collect();
//! let rows = Tensor::new(&data[..], layout!((4,8):(8,1)))?;
//! assert_eq!((rows.at([2, 5]), rows.at(22)), (21, 21));
//! assert_eq!(rows.to_string(), "\
//! {0} o (4,8):(8,1)
//!  0  1  2  3  4  5  6  7
//!  8  9 10 11 12 13 14 15
//! 16 17 18 19 20 21 22 23
//! 24 25 26 27 28 29 30 31");
//!
//! // The offsets are checked once, here, and not when an element is read.
//! let error = Tensor::new(&data[..], layout!((4,8):(9,1))).unwrap_err();
//! assert_eq!(error.code(), "image");
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! # Slices
//!
//! A slice fixes some of the modes, at any depth, and leaves the others open, which the paper writes `_` and Rust `..`.
//! The fixed coordinates become the offset in braces. These are the slices of figure 5, of a tensor that has its own
//! offsets as elements:
//!
//! ```
//! use tilework::{Counting, Tensor, layout};
//!
//! let a = Tensor::new(Counting, layout!(((3,2),((2,3),2)):((4,1),((2,15),100))))?;
//! assert_eq!(format!("{:?}", a.slice((2, ..))?), "{8} o ((2,3),2):((2,15),100)");
//! assert_eq!(format!("{:?}", a.slice((.., 5))?), "{32} o (3,2):(4,1)");
//! assert_eq!(format!("{:?}", a.slice((2, ((0, ..), ..)))?), "{8} o (3,2):(15,100)");
//! assert_eq!(format!("{:?}", a.slice(((.., 1), (.., 0)))?), "{1} o (3,(2,3)):(4,(2,15))");
//! assert_eq!(format!("{:?}", a.slice(((.., 0), ((0, ..), 1)))?), "{100} o (3,3):(4,15)");
//! assert_eq!(format!("{:?}", a.slice(((1, ..), ((.., 0), ..)))?), "{4} o (2,(2,2)):(1,(2,100))");
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! # COPY
//!
//! A copy is a loop over the integral coordinates of both tensors (section 2.6.1). It is written once, for all ranks;
//! the layouts determine its effect (table 2):
//!
//! ```
//! use tilework::{Accessor, AccessorMut, HasLayout, Layout, Tensor, layout};
//!
//! fn copy<T>(
//!     src: &Tensor<impl Accessor<Element = T>, impl HasLayout>,        // N
//!     dst: &mut Tensor<impl AccessorMut<Element = T>, impl HasLayout>, // N
//! ) {
//!     for i in 0..dst.size() {
//!         dst.set(i, src.at(i));
//!     }
//! }
//!
//! let data: Vec<i64> = (0..400).collect();
//! let run = |source: Layout, destination: Layout| -> Result<Vec<i64>, tilework::Error> {
//!     let mut memory = [-1; 400];
//!     copy(&Tensor::new(&data[..], source)?, &mut Tensor::new(&mut memory, destination)?);
//!     Ok(memory[..destination.cosize()? as usize].to_vec())
//! };
//!
//! let numbers = |range: std::ops::Range<i64>| range.collect::<Vec<_>>();
//! // 1D arrays, ND arrays.
//! assert_eq!(run(layout!(8:1), layout!(8:1))?, numbers(0..8));
//! let nd = run(layout!((8,2,3):(1,16,32)), layout!((8,2,3):(1,16,32)))?;
//! assert_eq!((nd[0..8].to_vec(), nd[8..16].to_vec()), (numbers(0..8), vec![-1; 8]));
//! // Gather, scatter.
//! let gathered = run(layout!((2,3,2):(42,1,128)), layout!(12:1))?;
//! assert_eq!(gathered, [0, 42, 1, 43, 2, 44, 128, 170, 129, 171, 130, 172]);
//! let scattered = run(layout!(12:1), layout!((2,3,2):(42,1,128)))?;
//! assert_eq!([scattered[0], scattered[42], scattered[1], scattered[172]], [0, 1, 2, 11]);
//! // Broadcast, constant.
//! assert_eq!(run(layout!(7:0), layout!(7:1))?, [0; 7]);
//! assert_eq!(run(layout!(7:0), layout!(7:0))?, [0]);
//! // Transpose, tensor transpose.
//! assert_eq!(run(layout!((8,3):(1,8)), layout!((8,3):(3,1)))?[..6], [0, 8, 16, 1, 9, 17]);
//! let transposed = run(layout!((8,(3,5)):(1,(57,8))), layout!((8,15):(1,8)))?;
//! assert_eq!((transposed[8], transposed[16], transposed[24]), (57, 114, 8));
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! # GEMM
//!
//! A matrix product is a loop over three modes (section 2.6.2):
//!
//! ```
//! use std::ops::{Add, Mul};
//! use tilework::{Accessor, AccessorMut, HasLayout, Layout, Tensor, layout};
//!
//! fn gemm<T: Add<Output = T> + Mul<Output = T>>(
//!     a: &Tensor<impl Accessor<Element = T>, impl HasLayout>,        // (M,K)
//!     b: &Tensor<impl Accessor<Element = T>, impl HasLayout>,        // (N,K)
//!     c: &mut Tensor<impl AccessorMut<Element = T>, impl HasLayout>, // (M,N)
//! ) {
//!     for k in 0..b.mode_size(1) {
//!         for n in 0..b.mode_size(0) {
//!             for m in 0..a.mode_size(0) {
//!                 c.set([m, n], c.at([m, n]) + a.at([m, k]) * b.at([n, k]));
//!             }
//!         }
//!     }
//! }
//!
//! let (left, right) = ([1, 2, 3, 4, 5, 6], [1, 0, 2, 0, 1, 3]);
//! let run = |a: Layout, b: Layout, c: Layout| -> Result<Vec<i32>, tilework::Error> {
//!     let mut memory = [0; 16];
//!     let (a, b) = (Tensor::new(&left, a)?, Tensor::new(&right, b)?);
//!     gemm(&a, &b, &mut Tensor::new(&mut memory, c)?);
//!     Ok(memory[..c.cosize()? as usize].to_vec())
//! };
//!
//! // NT: the columns of A and B are contiguous. TN: the rows. C by columns, and by rows.
//! assert_eq!(run(layout!((2,3):(1,2)), layout!((2,3):(1,2)), layout!((2,2):(1,2)))?, [12, 16, 15, 18]);
//! assert_eq!(run(layout!((2,3):(3,1)), layout!((2,3):(3,1)), layout!((2,2):(1,2)))?, [7, 16, 11, 23]);
//! assert_eq!(run(layout!((2,3):(3,1)), layout!((2,3):(3,1)), layout!((2,2):(2,1)))?, [7, 11, 16, 23]);
//! // A convolution: B has the windows of three neighbours as its rows, which overlap in memory.
//! assert_eq!(run(layout!((1,3):(0,1)), layout!((4,3):(1,1)), layout!((1,4):(0,1)))?, [7, 4, 5, 11]);
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! # Tiles and remainders
//!
//! The algebra applies to tensors as to layouts, and gives tensors. [`local_tile`](crate::Tensor::local_tile) is a divide
//! and a slice, and [`local_partition`](crate::Tensor::local_partition) is the part of one thread:
//!
//! ```
//! use tilework::{Counting, Tensor, layout, tiler};
//!
//! let matrix = Tensor::new(Counting, layout!((64,32):(32,1)))?;
//! let tile = matrix.local_tile(&tiler!(<8, 8>), (5, 2))?;
//! assert_eq!(format!("{tile:?}"), "{1296} o (8,8):(32,1)");
//! // Thread 9 of 4x8 threads has four elements of the tile.
//! let mine = tile.local_partition(&layout!((4,8):(8,1)), 9)?;
//! assert_eq!(format!("{mine:?}"), "{1329} o (2,1):(128,0)");
//! // By the pattern of chapter 8 it has two neighbours.
//! let mine = tile.composition(&layout!(((4,8),2):((16,1),8)))?.slice((9, ..))?;
//! assert_eq!(format!("{mine:?}"), "{1362} o 2:1");
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! Tiles of 4x8 do not divide a matrix of 10x13, and tiles at its edges have elements outside the matrix. An *identity
//! tensor*, tiled in the same way, gives for each element of a tile its coordinate in the matrix:
//!
//! ```
//! use tilework::{Tensor, tiler};
//!
//! let shape = "(10,13)".parse()?;
//! let tiles = Tensor::identity(&shape)?.zipped_divide(&tiler!(<4, 8>))?;
//! assert_eq!(tiles.shape().to_string(), "((4,8),(3,2))");
//! let last = tiles.slice((.., (2, 1)))?;
//! assert_eq!(last.at([1, 3]).to_string(), "(9,11)");
//! assert!(shape.is_in_bounds(&last.at([1, 3])) && !shape.is_in_bounds(&last.at([2, 3])));
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! [`predicated`](crate::Tensor::predicated) checks this at every access: elements outside are `None`, and are not
//! written. So the copy above also copies partial tiles.
//!
//! ```
//! use tilework::{Tensor, layout, tiler};
//!
//! let data: Vec<i32> = (0..130).collect();
//! let tiles = Tensor::new(&data[..], layout!((10,13):(13,1)))?.predicated()?;
//! let last = tiles.local_tile(&tiler!(<4, 8>), (2, 1))?;
//! assert_eq!((last.at([1, 3]), last.at([2, 3])), (Some(9 * 13 + 11), None));
//! assert_eq!(last.iter().flatten().count(), 2 * 5);
//! # Ok::<(), tilework::Error>(())
//! ```
//!
//! # When the layouts are known
//!
//! With static layouts and arrays, everything is checked at compile time. `gemm` compiles to the machine code of
//! hand-written loops; `tests/assembly.rs` compares them.
//!
//! ```
//! use tilework::static_layout::{Compose, Mode, StaticLayout};
//! use tilework::{Tensor, static_layout};
//!
//! static_layout! {
//!     struct Data = (8,8):(8,1);
//!     struct ThreadValue = ((4,8),2):((16,1),8);
//!     type Partition = Compose<Data, ThreadValue>;
//! }
//!
//! let data: [f32; 64] = std::array::from_fn(|i| i as f32);
//! let partition = Tensor::fixed(&data, Partition::default());
//! assert_eq!((partition.at([9, 0]), partition.at([9, 1])), (18.0, 19.0));
//!
//! // What thread 9 has, with a layout that is known still.
//! let (mine, values) = (Mode::<Partition, 0>::at(9), Mode::<Partition, 1>::default());
//! let mine = Tensor::with_offset(&data, mine, values)?;
//! assert!(mine.iter().eq([18.0, 19.0]));
//! # Ok::<(), tilework::Error>(())
//! ```
