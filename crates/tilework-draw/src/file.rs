//! A scene as a file, in the format of the file name's extension.

use crate::error::Error;
use crate::palette::Theme;
use crate::scene::Scene;
use crate::{html, pdf, png, svg, tex};
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The format of a file.
///
/// ```
/// use std::path::Path;
/// use tilework_draw::{Scene, file::Format};
/// assert_eq!(Format::of(Path::new("tiles.SVG")), Ok(Format::Svg));
/// assert!(Format::of(Path::new("tiles.gif")).is_err_and(|message| message.contains(".svg, .png, .pdf, .tex or .html")));
/// assert!(Format::Tex.write(&Scene::default())?.starts_with(b"\\documentclass"));
/// # Ok::<(), tilework_draw::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Format {
    /// Light or dark as the reader prefers.
    Svg,
    /// Light.
    Png,
    /// One page, light.
    Pdf,
    /// LaTeX with TikZ.
    Tex,
    /// A page whose cells can be inspected.
    Html,
}

const EXTENSIONS: &str = ".svg, .png, .pdf, .tex or .html";

impl Format {
    /// The format of a file name.
    ///
    /// # Errors
    /// A sentence if the extension is unknown.
    pub fn of(path: &Path) -> Result<Format, String> {
        let suffix = path.extension().map(|suffix| suffix.to_string_lossy().to_lowercase());
        match suffix.as_deref() {
            Some("svg") => Ok(Format::Svg),
            Some("png") => Ok(Format::Png),
            Some("pdf") => Ok(Format::Pdf),
            Some("tex") => Ok(Format::Tex),
            Some("html") => Ok(Format::Html),
            Some(other) => Err(format!("unknown extension .{other} of {}; use {EXTENSIONS}", path.display())),
            None => Err(format!("{} has no extension; use {EXTENSIONS}", path.display())),
        }
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// Those of [`png::write`] and [`pdf::write`].
    pub fn write(self, scene: &Scene) -> Result<Vec<u8>, Error> {
        Ok(match self {
            Format::Svg => svg::write(scene).into_bytes(),
            Format::Png => png::write(scene, Theme::Light)?,
            Format::Pdf => pdf::write(scene)?,
            Format::Tex => tex::write(scene).into_bytes(),
            Format::Html => html::write(scene).into_bytes(),
        })
    }
}

/// Writes the whole file or none of it: a reader never sees a part. On Linux, where the file system can do it, a process that is
/// killed while it writes leaves nothing behind; elsewhere it leaves a temporary file beside the old one.
///
/// ```
/// use tilework_draw::file::replace;
/// let path = std::env::temp_dir().join(format!("tilework-{}.svg", std::process::id()));
/// replace(&path, b"new")?;
/// assert_eq!(std::fs::read(&path)?, b"new");
/// # std::fs::remove_file(path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Those of the file system.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A symbolic link, a device or a pipe must not be replaced.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    if fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return fs::write(path, bytes);
    }
    if !path.exists() && create_complete(path, bytes).is_ok() {
        return Ok(());
    }
    Beside::new(path, bytes)?.replace()
}

/// A complete file beside the one that it is to replace; removed unless it does.
///
/// ```
/// use tilework_draw::file::Beside;
/// let path = std::env::temp_dir().join(format!("tilework-beside-{}.svg", std::process::id()));
/// let new = Beside::new(&path, b"new")?;
/// assert!(!path.exists());
/// new.replace()?;
/// assert_eq!(std::fs::read(&path)?, b"new");
/// # std::fs::remove_file(path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Beside {
    temporary: PathBuf,
    target: PathBuf,
}

impl Beside {
    /// Writes the file; of a symbolic link, beside the file that it names.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn new(path: &Path, bytes: &[u8]) -> io::Result<Beside> {
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let mut name = OsString::from(".");
        name.push(target.file_name().unwrap_or_default());
        name.push(format!(".{}", std::process::id()));
        let own = Beside { temporary: target.with_file_name(name), target };
        create_complete(&own.temporary, bytes).or_else(|_| {
            fs::OpenOptions::new().write(true).create_new(true).open(&own.temporary)?.write_all(bytes)
        })?;
        Ok(own)
    }

    /// Gives it the name of the other.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn replace(self) -> io::Result<()> {
        fs::rename(&self.temporary, &self.target)
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        // It has gone where it was renamed; else an earlier error is the one to report.
        let _ = fs::remove_file(&self.temporary);
    }
}

/// Creates a file that has no name until it is complete.
#[cfg(target_os = "linux")]
fn create_complete(path: &Path, bytes: &[u8]) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, open};
    use std::os::fd::AsRawFd;
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let mut file = fs::File::from(open(
        folder,
        OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC,
        Mode::from_raw_mode(0o666),
    )?);
    file.write_all(bytes)?;
    let unnamed = format!("/proc/self/fd/{}", file.as_raw_fd());
    Ok(linkat(CWD, unnamed, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

#[cfg(not(target_os = "linux"))]
fn create_complete(_: &Path, _: &[u8]) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
