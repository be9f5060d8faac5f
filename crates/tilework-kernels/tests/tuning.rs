//! What pays for the thresholds: each names a row of PERFORMANCE.md, or what bounds it.

use std::path::Path;

#[test]
fn every_threshold_is_paid_for() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap();
    let (tuning, performance) = (read("src/tuning.rs"), read("../../PERFORMANCE.md"));
    let rows: Vec<&str> = performance.lines().filter_map(|line| line.strip_prefix("| ")).collect();
    let (mut reason, mut count) = (None, 0);
    for line in tuning.lines().map(str::trim) {
        if let Some(row) = line.strip_prefix("/// Row: \"").and_then(|row| row.strip_suffix('"')) {
            let found = rows.iter().any(|line| line.split(" | ").next() == Some(row));
            assert!(found, "PERFORMANCE.md has no row \"{row}\"");
            reason = Some(row);
        } else if line.starts_with("/// Bound: ") || line.starts_with("/// See [") {
            reason = Some(line);
        } else if line.starts_with("pub(crate) const") && !line.contains(" LINE:") {
            assert!(reason.is_some(), "{line} names no row and no bound");
            count += 1;
        } else if !line.starts_with("///") && !line.starts_with("pub(crate) const") {
            reason = None;
        }
    }
    assert!(count > 30, "{count} thresholds");
}
