//! The version with the commit that the program was built from, where there is one. With the feature `page`: the explorer, which `web/build` makes, goes into the program.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    version();
    if env::var_os("CARGO_FEATURE_PAGE").is_none() {
        return;
    }
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/dist/index.html");
    println!("cargo::rerun-if-changed={}", page.display());
    if page.exists() {
        println!("cargo::rustc-env=TILEWORK_PAGE={}", page.display());
    } else {
        println!("cargo::error=there is no web/dist/index.html; web/build makes it");
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
    // A packed crate may be built inside another git repository.
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
