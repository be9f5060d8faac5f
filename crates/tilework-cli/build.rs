//! The version with the commit that the program was built from, where there is one. With the feature `page`: the files of `web/dist`, which `web/build` makes, go into the program.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::{env, fs, io};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    version();
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

/// `0.1.0 (1a2b3c4d5)`, or the number alone in a packed crate.
fn version() {
    let git = |arguments: &[&str]| {
        let output =
            Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
        Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
    };
    let number = env!("CARGO_PKG_VERSION");
    // A packed crate may lie in the repository of somebody else.
    let own = git(&["ls-files", "--error-unmatch", "build.rs"])
        .and_then(|_| git(&["rev-parse", "--short=9", "HEAD"]));
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
    match own {
        Some(commit) => println!("cargo::rustc-env=TILEWORK_VERSION={number} ({commit})"),
        None => println!("cargo::rustc-env=TILEWORK_VERSION={number}"),
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
