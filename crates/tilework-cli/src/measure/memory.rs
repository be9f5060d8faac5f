//! Checks that data fits the memory of the machine.

use crate::answer::Refusal;

/// Refuses a request for more bytes than available, before any are allocated; `plans` if only a plan is asked for.
pub fn check(needs: &[(String, u128)], plans: bool) -> Result<(), Refusal> {
    let total = needs.iter().fold(0u128, |sum, need| sum.saturating_add(need.1));
    let available = available();
    let fits = isize::try_from(total).is_ok() && available.is_none_or(|available| total <= available.into());
    if fits {
        return Ok(());
    }
    let parts: Vec<String> =
        needs.iter().map(|(what, bytes)| format!("{} for {what}", in_words(*bytes))).collect();
    let there = match available {
        Some(available) => format!("{} available", in_words(available.into())),
        None => "more than can be addressed".to_string(),
    };
    let hint = if plans { "" } else { "; --plan prints the plan without running it" };
    let message =
        format!("not enough memory: {} required ({}), {there}{hint}", in_words(total), parts.join(", "));
    Err(Refusal::Condition("memory", message))
}

/// A vector of `len` elements, computed from their indices.
pub fn filled<T>(len: usize, element: impl FnMut(usize) -> T) -> Result<Vec<T>, Refusal> {
    let mut data = Vec::new();
    if data.try_reserve_exact(len).is_err() {
        let bytes = in_words(len as u128 * size_of::<T>() as u128);
        return Err(Refusal::Condition("memory", format!("not enough memory: {bytes} are required")));
    }
    data.extend((0..len).map(element));
    Ok(data)
}

/// The bytes that are available without swapping, if the system reports them.
fn available() -> Option<u64> {
    let machine = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| available_of(&text));
    [machine, of_group()].into_iter().flatten().min()
}

/// The available bytes in `/proc/meminfo`.
fn available_of(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// The remaining bytes of the control group of a container.
fn of_group() -> Option<u64> {
    let read = |file: &str| std::fs::read_to_string(format!("/sys/fs/cgroup/memory.{file}")).ok();
    let number = |text: String| text.trim().parse::<u64>().ok();
    let (most, used) = (number(read("max")?)?, number(read("current")?)?);
    let stat = read("stat").unwrap_or_default();
    // Cached files can be evicted.
    let files = stat.lines().find_map(|line| line.strip_prefix("inactive_file ")?.parse::<u64>().ok());
    Some(most.saturating_sub(used.saturating_sub(files.unwrap_or(0))))
}

/// `12 bytes`, `1.5 GiB`.
pub fn in_words(bytes: u128) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if bytes < 1024 {
        return format!("{bytes} bytes");
    }
    let (mut value, mut unit) = (bytes as f64 / 1024.0, 0);
    while value >= 1023.95 && unit + 1 < UNITS.len() {
        (value, unit) = (value / 1024.0, unit + 1);
    }
    format!("{value:.1} {}", UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_in_words() {
        let words = [
            (0, "0 bytes"),
            (1023, "1023 bytes"),
            (1024, "1.0 KiB"),
            (1 << 20, "1.0 MiB"),
            (3 << 29, "1.5 GiB"),
        ];
        words.iter().for_each(|&(bytes, expected)| assert_eq!(in_words(bytes), expected));
        assert_eq!(in_words(1 << 70), "1024.0 EiB");
    }

    #[test]
    fn meminfo_is_read() {
        let text = "MemTotal:       24627856 kB\nMemAvailable:   23 kB\nBuffers: 1 kB\n";
        assert_eq!(available_of(text), Some(23 * 1024));
        assert_eq!(available_of("MemTotal: 1 kB"), None);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert!(check(&[("a source".into(), 8)], false).is_ok());
        let Err(Refusal::Condition(code, message)) =
            check(&[("a source".into(), 1 << 62), ("a check".into(), u128::MAX)], false)
        else {
            panic!("there is no such machine")
        };
        assert_eq!(code, "memory");
        assert!(message.contains("4.0 EiB for a source"), "{message}");
    }
}
