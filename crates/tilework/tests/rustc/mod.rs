// Programs compiled against the library by the compiler itself, for tests whose subject is the compiled program.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What programs are compiled with, in a folder of their own.
pub struct Compiler {
    options: &'static [&'static str],
    pub folder: PathBuf,
    library: PathBuf,
}

impl Compiler {
    /// Compiles the library with these options.
    pub fn new(folder: &str, options: &'static [&'static str]) -> Compiler {
        Compiler::of(folder, options, "rlib")
    }

    /// The same for programs that are not linked, in half of the time: no code is made of the library, but its functions are there to be
    /// inlined, since their intermediate form is written.
    pub fn unlinked(folder: &str, options: &'static [&'static str]) -> Compiler {
        Compiler::of(folder, options, "rmeta")
    }

    fn of(folder: &str, options: &'static [&'static str], extension: &str) -> Compiler {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(folder);
        std::fs::create_dir_all(&folder).unwrap();
        let library = folder.join("libtilework").with_extension(extension);
        let emit = match extension {
            "rlib" => "link",
            _ => "metadata,mir",
        };
        let compiler = Compiler { options, library, folder };
        // The library has no dependencies, and so the compiler alone is enough.
        run(compiler
            .command()
            .args(["--crate-name=tilework", "--crate-type=rlib", "--emit", emit, "--out-dir"])
            .arg(&compiler.folder)
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")));
        compiler
    }

    /// A compilation against the library; the source and what to make of it are still to be said.
    pub fn program(&self) -> Command {
        let mut tilework = OsString::from("tilework=");
        tilework.push(&self.library);
        let mut command = self.command();
        command.arg("--extern").arg(tilework);
        command
    }

    fn command(&self) -> Command {
        let mut command = rustc();
        command.args(["--edition=2024", "--cap-lints=allow"]).args(self.options);
        command
    }
}

pub fn rustc() -> Command {
    Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

/// What the command writes to its standard output. It has to succeed.
pub fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}:\n{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
