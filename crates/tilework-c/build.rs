//! The name under which programs find the library at run time: it changes when programs have to be built again, which before
//! version 1 is with every minor version.

use std::env::var;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let [major, minor, os] = ["CARGO_PKG_VERSION_MAJOR", "CARGO_PKG_VERSION_MINOR", "CARGO_CFG_TARGET_OS"]
        .map(|name| var(name).expect("cargo sets it"));
    let version = if major == "0" { format!("0.{minor}") } else { major };
    match os.as_str() {
        "linux" => println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libtilework_c.so.{version}"),
        "macos" => {
            println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libtilework_c.{version}.dylib")
        }
        _ => {}
    }
}
