#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tilework_fuzz::descriptions(data));
