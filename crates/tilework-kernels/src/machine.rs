//! Parameters of the machine that have to be measured, and the user's file in which they are kept.
//!
//! ```text
//! tilework machine 1
//! processor AuthenticAMD-00b00f21-49152-1048576-33554432
//! memcpy.second 180000000000
//! avx512.stream_bytes 4194304
//! ```

use crate::cpu::cache::Caches;
use crate::cpu::isa::Isa;
use crate::error::Error;
use crate::tuning::copy::{ROW_BYTES, STREAM_CACHES, STRIP_LINES};
use crate::tuning::{LARGE_CACHE, LINE};
use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::io::{ErrorKind, Read};
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::OnceLock;

/// The parameters of the machine that the plan of a copy uses.
///
/// ```
/// use tilework_kernels::machine::CopyParameters;
/// let mut parameters = CopyParameters::default();
/// assert!(parameters.row_bytes >= 64 && parameters.lines >= 1);
/// parameters.stream_bytes = 1 << 21;
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CopyParameters {
    /// From this many bytes on, destinations are written past the caches; broadcasts and contiguous runs only if they do not fit
    /// in the second-level cache or have twice as many. If that cache has 2 MiB or more, transposes of elements of 4 and 8 bytes
    /// have a quarter more, and those whose rows begin within lines four times as many.
    pub stream_bytes: usize,
    /// The contiguous bytes of the source that are read before the next columns, past the caches; at least 8 KiB of elements of
    /// 8 bytes if the second-level cache has 2 MiB or more.
    pub row_bytes: usize,
    /// How many lines of a row are written side by side, past the caches: each line takes `64 / W` columns of elements
    /// of `W` bytes, which are read as separate streams. For elements of 8 bytes it is half as many, and for bytes if
    /// no columns evict each other.
    pub lines: usize,
    /// Whether columns that are a multiple of a power of two apart evict each other, so that more rows of each are
    /// read.
    pub aliasing: bool,
}

impl Default for CopyParameters {
    /// Values that are good on most machines with such caches.
    fn default() -> CopyParameters {
        let second = Caches::get().second;
        // Destinations that do not stay in the caches are written past them; if the second-level cache is so large that
        // the third-level cache is far away, so are those that do not fit the second together with their source.
        let stream_bytes = if second >= LARGE_CACHE { second / 2 } else { STREAM_CACHES * second };
        CopyParameters { stream_bytes, row_bytes: ROW_BYTES, lines: STRIP_LINES, aliasing: true }
    }
}

impl CopyParameters {
    /// The parameters for an instruction set: the measured ones, or else the default.
    pub(crate) fn get(isa: Isa) -> CopyParameters {
        let measured = kept().as_ref().ok().and_then(Option::as_ref);
        measured.and_then(|machine| machine.copies.get(isa.name())).copied().unwrap_or_default()
    }
}

/// The results of [`tune`](crate::tune).
///
/// Plans use it if it is at the user's [`path`](Machine::path). It is read once in a process; a file that is damaged or
/// from another processor is not used, and `explain()` says so.
///
/// ```
/// use tilework_kernels::machine::{CopyParameters, Machine};
/// let mut machine = Machine::new([2e11, 1e11, 8e10, 3e10]);
/// machine.copies.insert("avx2".into(), CopyParameters::default());
/// assert_eq!(machine.to_string().parse(), Ok(machine));
/// assert_eq!("".parse::<Machine>().unwrap_err().code(), "machine");
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Machine {
    /// The bytes a second that `memcpy` reads and writes in the first, second and third cache, and in memory.
    pub memcpy: [f64; 4],
    /// The parameters of copies by the name of the [instructions](Isa::name).
    pub copies: BTreeMap<String, CopyParameters>,
}

/// The first line of the file.
const TITLE: &str = "tilework machine 1";
const MEMCPY: [&str; 4] = ["memcpy.first", "memcpy.second", "memcpy.third", "memcpy.memory"];
/// More than any valid file has.
const MAX_BYTES: u64 = 1 << 16;

impl Machine {
    /// With these bytes a second, and no parameters of copies yet.
    ///
    /// ```
    /// assert!(tilework_kernels::machine::Machine::new([2e11, 1e11, 8e10, 3e10]).copies.is_empty());
    /// ```
    #[must_use]
    pub fn new(memcpy: [f64; 4]) -> Machine {
        Machine { memcpy, copies: BTreeMap::new() }
    }

    /// The path of the user's file: `tilework/machine` in the XDG folder for caches.
    ///
    /// ```
    /// use tilework_kernels::machine::Machine;
    /// assert!(Machine::path().is_none_or(|path| path.ends_with("tilework/machine")));
    /// ```
    #[must_use]
    pub fn path() -> Option<PathBuf> {
        let folder = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let cache = folder("XDG_CACHE_HOME")
            .or_else(|| folder("HOME").map(|home| home.join(".cache")))
            .or_else(|| folder("LOCALAPPDATA"))?;
        Some(cache.join("tilework").join("machine"))
    }

    /// The user's file; none if there is none.
    ///
    /// ```
    /// use tilework_kernels::machine::Machine;
    /// if let Ok(Some(machine)) = Machine::load() {
    ///     assert!(machine.memcpy.iter().all(|speed| *speed > 0.0));
    /// }
    /// ```
    ///
    /// # Errors
    /// [`Error::Machine`] for a file that cannot be read, is damaged, or is from another processor.
    pub fn load() -> Result<Option<Machine>, Error> {
        let Some(path) = Machine::path() else { return Ok(None) };
        let mut text = String::new();
        let read = std::fs::File::open(&path).and_then(|file| file.take(MAX_BYTES).read_to_string(&mut text));
        let machine = match read {
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(error) => Err(refused(error)),
            Ok(_) => text.parse(),
        };
        machine.map(Some).map_err(|error| refused(format!("{}: {error}", path.display())))
    }

    /// Writes the user's file, and returns its path.
    ///
    /// # Errors
    /// [`Error::Machine`] if there is no folder for it, or it cannot be written.
    pub fn save(&self) -> Result<PathBuf, Error> {
        let path =
            Machine::path().ok_or_else(|| refused("neither XDG_CACHE_HOME nor HOME names a folder"))?;
        let at = |error| refused(format!("{}: {error}", path.display()));
        // A concurrent reader sees the old file or the new one.
        let written = path.with_extension(std::process::id().to_string());
        std::fs::create_dir_all(path.parent().unwrap_or(&path)).map_err(at)?;
        std::fs::write(&written, self.to_string()).map_err(at)?;
        std::fs::rename(&written, &path).map_err(at)?;
        Ok(path)
    }
}

impl Display for Machine {
    /// The text of the file.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{TITLE}\nprocessor {}", processor())?;
        for (name, speed) in MEMCPY.iter().zip(self.memcpy) {
            writeln!(f, "{name} {speed:.0}")?;
        }
        for (isa, CopyParameters { stream_bytes, row_bytes, lines, aliasing }) in &self.copies {
            writeln!(f, "{isa}.stream_bytes {stream_bytes}\n{isa}.row_bytes {row_bytes}")?;
            writeln!(f, "{isa}.lines {lines}\n{isa}.aliasing {aliasing}")?;
        }
        Ok(())
    }
}

impl FromStr for Machine {
    type Err = Error;

    /// Reads the text of a file; refuses one that is damaged or from another processor.
    fn from_str(text: &str) -> Result<Machine, Error> {
        let mut lines = text.lines();
        if lines.next() != Some(TITLE) {
            return Err(refused(format!("the first line is not `{TITLE}`")));
        }
        let mut fields = BTreeMap::new();
        for line in lines {
            let field = line.split_once(' ').filter(|(key, value)| fields.insert(*key, *value).is_none());
            field.ok_or_else(|| refused(format!("`{line}` is no name and value, or there twice")))?;
        }
        let own = processor();
        match fields.remove("processor") {
            Some(other) if other == own => {}
            other => {
                let other = other.unwrap_or("no processor");
                return Err(refused(format!("it is of {other}, and this is {own}")));
            }
        }
        let mut memcpy = [0.0; 4];
        for (name, speed) in MEMCPY.iter().zip(&mut memcpy) {
            *speed = take(&mut fields, name, |speed: &f64| speed.is_finite() && *speed > 0.0)?;
        }
        let mut copies = BTreeMap::new();
        while let Some(isa) = fields.keys().next().and_then(|key| key.split_once('.')).map(|(isa, _)| isa) {
            let mut number = |name, least, most| {
                take(&mut fields, &format!("{isa}.{name}"), |value| (least..=most).contains(value))
            };
            let stream_bytes = number("stream_bytes", 0, usize::MAX)?;
            let row_bytes = number("row_bytes", LINE, 1 << 20)?;
            let lines = number("lines", 1, 16)?;
            let aliasing = take(&mut fields, &format!("{isa}.aliasing"), |_| true)?;
            copies.insert(isa.to_string(), CopyParameters { stream_bytes, row_bytes, lines, aliasing });
        }
        match fields.keys().next() {
            Some(key) => Err(refused(format!("`{key}` is unknown"))),
            None => Ok(Machine { memcpy, copies }),
        }
    }
}

/// Takes the value of a field, if `is_right` accepts it.
fn take<T: FromStr>(
    fields: &mut BTreeMap<&str, &str>,
    name: &str,
    is_right: impl Fn(&T) -> bool,
) -> Result<T, Error> {
    let value = fields.remove(name).ok_or_else(|| refused(format!("`{name}` is missing")))?;
    let right = value.parse().ok().filter(is_right);
    right.ok_or_else(|| refused(format!("`{name}` cannot be `{value}`")))
}

fn refused(reason: impl Display) -> Error {
    Error::Machine { reason: reason.to_string() }
}

/// The user's file, as it was at the first request.
fn kept() -> &'static Result<Option<Machine>, Error> {
    static KEPT: OnceLock<Result<Option<Machine>, Error>> = OnceLock::new();
    // Tests need the same parameters on every machine.
    KEPT.get_or_init(|| if cfg!(any(test, miri)) { Ok(None) } else { Machine::load() })
}

/// The origin of the parameters, in words; empty if nothing was measured.
pub(crate) fn note() -> String {
    match kept() {
        Ok(None) => String::new(),
        Ok(Some(_)) => "parameters: measured by `tilework tune`\n".into(),
        Err(error) => format!("parameters: defaults, since what `tilework tune` kept is not used: {error}\n"),
    }
}

/// Identifies the processor: maker, model and stepping, and the caches.
fn processor() -> String {
    let Caches { first, second, third, .. } = Caches::get();
    format!("{}-{first}-{second}-{third}", model())
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
fn model() -> String {
    use std::arch::x86_64::__cpuid;
    // SAFETY: every x86-64 processor has the instruction. The compiler has called it safe since 1.92.
    #[allow(unused_unsafe)]
    let (maker, model) = unsafe { (__cpuid(0), __cpuid(1).eax) };
    let maker: Vec<u8> = [maker.ebx, maker.edx, maker.ecx].into_iter().flat_map(u32::to_le_bytes).collect();
    format!("{}-{model:08x}", String::from_utf8_lossy(&maker).replace(' ', "_"))
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
fn model() -> String {
    let register = "/sys/devices/system/cpu/cpu0/regs/identification/midr_el1";
    let model = if cfg!(miri) { None } else { std::fs::read_to_string(register).ok() };
    format!("{}-{}", std::env::consts::ARCH, model.as_deref().map_or("unknown", str::trim))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine() -> Machine {
        let usual = CopyParameters::default();
        let copies = [
            ("avx2".into(), usual),
            ("avx512".into(), CopyParameters { lines: 4, aliasing: false, ..usual }),
        ];
        Machine { memcpy: [4e11, 2e11, 1e11, 3e10], copies: copies.into() }
    }

    #[test]
    fn what_is_written_is_read() {
        let machine = machine();
        assert_eq!(machine.to_string().parse(), Ok(machine.clone()));
        let none = Machine { copies: BTreeMap::new(), ..machine };
        assert_eq!(none.to_string().parse(), Ok(none));
    }

    /// A file with a line missing or repeated, cut within a line, or with a wrong value.
    #[test]
    #[cfg_attr(miri, ignore = "nothing in it is unsafe")]
    fn what_is_damaged_is_refused() {
        let text = machine().to_string();
        let refused = |text: &str| match text.parse::<Machine>() {
            Err(error @ Error::Machine { .. }) => error.to_string(),
            other => panic!("{other:?} of\n{text}"),
        };
        let lines: Vec<&str> = text.lines().collect();
        for i in 0..lines.len() {
            let without: Vec<&str> =
                lines.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, line)| *line).collect();
            refused(&without.join("\n"));
            refused(&format!("{text}{}\n", lines[i]));
            let (key, _) = lines[i].split_once(' ').unwrap();
            // The file ends within a line.
            refused(&[&lines[..i], &[key]].concat().join("\n"));
            for value in ["", "-1", "x", "NaN", "1e999"] {
                let mut other = lines.clone();
                let line = format!("{key} {value}");
                other[i] = &line;
                refused(&other.join("\n"));
            }
        }
        assert!(
            refused(&text.replace("avx512.lines 4", "avx512.lines 0"))
                .contains("`avx512.lines` cannot be `0`")
        );
        assert!(refused(&format!("{text}avx.depth 1\n")).contains("`avx.stream_bytes` is missing"));
        assert!(refused(&format!("{text}other 1\n")).contains("`other` is unknown"));
        let foreign = text.replace(&processor(), "GenuineIntel-000c06f2-49152-2097152-314572800");
        assert!(refused(&foreign).contains("it is of GenuineIntel-000c06f2-"));
        assert!(refused(&text.replace("machine 1", "machine 2")).contains("the first line"));
    }
}
