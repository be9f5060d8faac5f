//! What a process that is killed while it writes leaves behind: complete files, and nothing else.
#![cfg(all(target_os = "linux", feature = "png"))]

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{env, fs, thread};
use tilework_draw::file::replace;

const FOLDER: &str = "TILEWORK_REPLACE_FOLDER";
static BYTES: [u8; 1 << 22] = [7; 1 << 22];

#[test]
fn a_killed_process_leaves_nothing_incomplete() {
    if let Some(folder) = env::var_os(FOLDER) {
        let file = |number: usize| PathBuf::from(&folder).join(number.to_string());
        for number in 0.. {
            replace(&file(number), &BYTES).expect("there is room");
            let _ = fs::remove_file(file(number.saturating_sub(2)));
        }
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("replace");
    for (round, signal) in ["-TERM", "-KILL"].into_iter().cycle().take(20).enumerate() {
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let mut writer = Command::new(env::current_exe().unwrap())
            .args(["--exact", "replace::a_killed_process_leaves_nothing_incomplete"])
            .env(FOLDER, &folder)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        while fs::read_dir(&folder).unwrap().next().is_none() {
            thread::yield_now();
        }
        // Another moment in each round.
        thread::sleep(Duration::from_micros(997 * round as u64));
        assert!(Command::new("kill").args([signal, &writer.id().to_string()]).status().unwrap().success());
        writer.wait().unwrap();
        for file in fs::read_dir(&folder).unwrap().map(Result::unwrap) {
            let name = file.file_name().into_string().unwrap();
            let complete = file.metadata().unwrap().len() == BYTES.len() as u64;
            assert!(complete && name.parse::<usize>().is_ok(), "{signal} left {name}");
        }
    }
}
