//! A `build.rs`: it writes the offset of a tile as WGSL, which the program reads by `include_str!(concat!(env!("OUT_DIR"),
//! "/tile.wgsl"))`.

use std::path::PathBuf;
use tilework::{AnyLayout, layout};
use tilework_symbolic::{Language, Source, index_function};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let tile = AnyLayout::from(layout!((64,32):(32,1)));
    let offset = index_function(&tile, "tile_offset", &Source::new(Language::Wgsl, &["row", "column"]))?;
    assert_eq!(
        offset.text,
        "// (64,32):(32,1)\nfn tile_offset(row: u32, column: u32) -> u32 {\n    return row*32u + column;\n}\n"
    );
    // Cargo sets it for a build script.
    let folder = std::env::var_os("OUT_DIR").map_or_else(std::env::temp_dir, PathBuf::from);
    std::fs::write(folder.join("tile.wgsl"), offset.text)?;
    Ok(())
}
