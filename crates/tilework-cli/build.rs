//! With the feature `page`: the files of `web/dist`, which `web/build` makes, go into the program.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs, io};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_PAGE").is_none() {
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/dist");
    let mut rows = String::new();
    match collect(&folder, "", &mut rows) {
        Ok(()) => {
            println!("cargo::rerun-if-changed={}", folder.display());
            let out = env::var_os("OUT_DIR").expect("cargo names the folder");
            let table = format!("static PAGE: &[(&str, &[u8])] = &[\n{rows}];\n");
            fs::write(Path::new(&out).join("page.rs"), table).expect("the folder can be written");
        }
        Err(error) => println!("cargo::error=web/dist cannot be read ({error}); web/build makes it"),
    }
}

/// A row for each file: where it is on the server, and its content.
fn collect(folder: &Path, prefix: &str, rows: &mut String) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{prefix}/{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &name, rows)?;
        } else {
            // Writing to a string does not fail.
            let _ = writeln!(rows, "    ({name:?}, include_bytes!({:?})),", entry.path());
        }
    }
    Ok(())
}
