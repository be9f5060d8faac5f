//! The functions of the header, called as C calls them.

// An error is a place in memory, which C passes.
#![allow(clippy::result_large_err)]

use std::ffi::CStr;
use std::ptr::{null, null_mut};
use testkit::{Case, Random, scaled, setting};
use tilework_c::*;
use tilework_expr::{FUNCTIONS, Session};

const EMPTY: tw_error = tw_error { code: [0; TW_CODE], begin: 0, end: 0, message: [0; TW_MESSAGE] };

fn string(characters: &[std::ffi::c_char]) -> &str {
    // SAFETY: a code and a sentence have a terminating 0.
    unsafe { CStr::from_ptr(characters.as_ptr()) }.to_str().expect("it is UTF-8")
}

/// The status, the answer, and the error of what fills a buffer of this capacity.
fn filled(
    capacity: usize,
    call: impl FnOnce(*mut i8, usize, *mut usize, *mut tw_error) -> tw_status,
) -> (tw_status, Vec<u8>, usize, tw_error) {
    // Exactly as long as the library may write.
    let (mut buffer, mut length, mut error) = (vec![1u8; capacity].into_boxed_slice(), usize::MAX, EMPTY);
    let place = if capacity == 0 { null_mut() } else { buffer.as_mut_ptr().cast() };
    let status = call(place, capacity, &raw mut length, &raw mut error);
    assert_eq!(status == tw_status::TW_OK, string(&error.code).is_empty());
    assert_eq!(status == tw_status::TW_OK, length < capacity && string(&error.message).is_empty());
    let written = buffer.iter().position(|byte| *byte == 0).map(|end| buffer[..end].to_vec());
    assert_eq!(written.is_some(), capacity > 0, "there is a terminating 0");
    (status, written.unwrap_or_default(), length, error)
}

fn eval_into(part: i32, text: &[u8], capacity: usize) -> (tw_status, Vec<u8>, usize, tw_error) {
    filled(capacity, |buffer, capacity, length, error| {
        // SAFETY: places for all.
        unsafe { tw_eval(part, text.as_ptr().cast(), text.len(), buffer.cast(), capacity, length, error) }
    })
}

/// By two calls, as the header says.
fn eval(part: i32, text: &[u8]) -> Result<String, tw_error> {
    let (status, _, length, error) = eval_into(part, text, 0);
    if status != tw_status::TW_SHORT {
        return Err(error);
    }
    let (status, answer, again, _) = eval_into(part, text, length + 1);
    assert_eq!((status, again, answer.len()), (tw_status::TW_OK, length, length));
    Ok(String::from_utf8(answer).expect("it is UTF-8"))
}

fn read(text: &str) -> Result<tw_value, tw_error> {
    let (mut value, mut error) = (MaybeValue::uninit(), EMPTY);
    // SAFETY: places for all.
    let status = unsafe { tw_read(text.as_ptr().cast(), text.len(), value.as_mut_ptr(), &raw mut error) };
    match status {
        // SAFETY: it is written.
        tw_status::TW_OK => Ok(unsafe { value.assume_init() }),
        _ => Err(error),
    }
}
type MaybeValue = std::mem::MaybeUninit<tw_value>;

fn write(value: &tw_value, capacity: usize) -> (tw_status, Vec<u8>, usize, tw_error) {
    filled(capacity, |buffer, capacity, length, error| {
        // SAFETY: places for all.
        unsafe { tw_write(value, buffer.cast(), capacity, length, error) }
    })
}

fn written(value: &tw_value) -> String {
    let (status, text, _, error) = write(value, 4096);
    assert_eq!(status, tw_status::TW_OK, "{}", string(&error.message));
    String::from_utf8(text).expect("it is UTF-8")
}

fn apply(name: &[u8], operands: &[tw_value]) -> Result<tw_value, (tw_status, tw_error)> {
    let (mut value, mut error) = (MaybeValue::uninit(), EMPTY);
    let (name, size, count) = (name.as_ptr().cast(), name.len(), operands.len());
    // SAFETY: places for all.
    let status =
        unsafe { tw_apply(name, size, operands.as_ptr(), count, value.as_mut_ptr(), &raw mut error) };
    match status {
        // SAFETY: it is written.
        tw_status::TW_OK => Ok(unsafe { value.assume_init() }),
        _ => Err((status, error)),
    }
}

fn cases() -> Vec<Case> {
    testkit::cases().into_iter().chain(testkit::language()).collect()
}

#[test]
fn every_case_of_the_corpus() {
    let mut wrong = Vec::new();
    let (mut arrays, step) = (0, if cfg!(miri) { 200 } else { 1 });
    for case in cases().iter().step_by(step) {
        let got = eval(TW_ANSWER, case.expression.as_bytes());
        wrong.extend(case.check(got.as_deref().map_err(|error| string(&error.message))).err());
        let (Ok(text), Ok(value)) = (got, read(&case.expression)) else { continue };
        arrays += 1;
        let (again, text) = (written(&value), text.replace("true", "1").replace("false", "0"));
        assert!(again == text || again == text.replace("{0} o ", ""), "{}: {again}", case.expression);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(arrays * step > 2000, "{arrays} answers are arrays");
}

/// The arguments of `name(A, B)`, if the text is no more than that.
fn arguments<'a>(text: &'a str, name: &str) -> Option<Vec<&'a str>> {
    let inner = text.strip_prefix(name)?.strip_prefix('(')?.strip_suffix(')')?;
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (at, byte) in inner.bytes().enumerate() {
        match byte {
            b'(' | b'<' | b'[' => depth += 1,
            b')' | b'>' | b']' => depth -= 1,
            b',' if depth == 0 => {
                found.push(inner[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    found.push(inner[start..].trim());
    Some(found)
}

#[test]
fn every_function_of_the_table_by_its_name() {
    let (status, text, length, _) = filled(1 << 16, |buffer, capacity, length, error| {
        // SAFETY: places for all.
        unsafe { tw_functions(buffer.cast(), capacity, length, error) }
    });
    assert_eq!((status, text.len()), (tw_status::TW_OK, length));
    let text = String::from_utf8(text).expect("it is UTF-8");
    let listed: Vec<&str> = text.lines().filter_map(|line| line.split('\t').next()).collect();
    assert_eq!(listed, FUNCTIONS.iter().map(|function| function.name()).collect::<Vec<_>>());

    let mut by_arrays = 0;
    for function in FUNCTIONS {
        for (expression, result) in function.examples() {
            assert_eq!(eval(TW_ANSWER, expression.as_bytes()).ok().as_deref(), Some(*result), "{expression}");
        }
        for name in [function.name()].iter().chain(function.aliases()) {
            let code = match apply(name.as_bytes(), &[]) {
                Ok(_) => String::new(),
                Err((_, error)) => string(&error.code).to_owned(),
            };
            assert!(code.is_empty() || code == "arguments", "{name}: {code}");
        }
        let called = function.examples().iter().any(|(expression, result)| {
            let Some(operands) = arguments(expression, function.name()) else { return false };
            let operands: Result<Vec<tw_value>, tw_error> = operands.into_iter().map(read).collect();
            let (Ok(operands), Ok(result)) = (operands, read(result)) else { return false };
            let got = apply(function.name().as_bytes(), &operands).map(|value| written(&value));
            assert_eq!(got.as_deref().ok(), Some(&*written(&result)), "{expression}");
            true
        });
        by_arrays += usize::from(called);
    }
    assert!(by_arrays * 3 > FUNCTIONS.len() * 2, "{by_arrays} of {} functions by arrays", FUNCTIONS.len());
}

#[test]
fn answers_with_names_have_parts() {
    let part = |part, text: &str| eval(part, text.as_bytes()).map_err(|error| string(&error.code).to_owned());
    let text = "assume ld >= M; (M,K):(1,ld) o 128:1";
    assert_eq!(part(TW_ANSWER, text).as_deref(), Ok("128:1 if ld == M or M >= 128"));
    assert_eq!(part(TW_VALUE, text).as_deref(), Ok("128:1"));
    assert_eq!(part(TW_CONDITION, text).as_deref(), Ok("ld == M or M >= 128"));
    assert_eq!(part(TW_KIND, text).as_deref(), Ok("a symbolic layout"));
    assert_eq!(part(TW_SOURCE, text), Err("kind".into()));
    assert_eq!(part(TW_VALUE, "8:2 o 4:1").as_deref(), Ok("4:2"));
    assert_eq!(part(TW_CONDITION, "8:2 o 4:1").as_deref(), Ok(""));
    let source = part(TW_SOURCE, "emit (M,K):(1,ld)(i,j) as c 32").expect("source text");
    assert!(source.contains("return i + j*ld;"), "{source}");
    assert_eq!(part(TW_ANSWER, "emit (M,K):(1,ld)(i,j) as c").as_deref(), Ok("i + j*ld"));
    assert_eq!(part(5, "4:1"), Err("misuse".into()));
}

#[test]
fn offsets_are_those_of_the_layout() {
    for text in ["((4,8),2):((16,1),8)", "7:-3", "5:0", "()", "((4,8):(8,1))(_,5)", "{-9} o (3,2):(15,100)"] {
        let (value, mut session) =
            (read(text).unwrap_or_else(|error| panic!("{}", string(&error.message))), Session::new());
        if value.kind == TW_TUPLE {
            continue;
        }
        let mut offsets = [i64::MIN; 40];
        // SAFETY: places for all.
        let status = unsafe { tw_offsets(&value, -3, 40, offsets.as_mut_ptr(), null_mut()) };
        assert_eq!(status, tw_status::TW_OK);
        for (place, offset) in offsets.iter().enumerate() {
            let wanted =
                session.evaluate(&format!("crd2idx({}, {text})", place as i64 - 3)).expect("an offset");
            assert_eq!(wanted.to_string(), offset.to_string(), "{text}");
        }
    }
}

#[test]
fn what_no_call_may_have_is_refused() {
    let (mut error, mut length, value) = (EMPTY, 0usize, read("(4,8):(8,1)").ok().expect("a layout"));
    let text = c"4:1".as_ptr();
    let mut buffer = [0; 8];
    let error = &raw mut error;
    // SAFETY: it is a place that nothing else has.
    let code = |status: tw_status| (status, string(unsafe { &(*error).code }).to_owned());
    let misuse = (tw_status::TW_MISUSE, String::from("misuse"));
    // SAFETY: null pointers are allowed, and the others are places.
    unsafe {
        assert_eq!(code(tw_eval(0, null(), 3, buffer.as_mut_ptr(), 8, null_mut(), error)), misuse);
        assert_eq!(code(tw_eval(0, text, usize::MAX, buffer.as_mut_ptr(), 8, null_mut(), error)), misuse);
        assert_eq!(code(tw_eval(0, text, 3, null_mut(), 8, &raw mut length, error)), misuse);
        assert_eq!(code(tw_read(text, 3, null_mut(), error)), misuse);
        assert_eq!(code(tw_write(null(), buffer.as_mut_ptr(), 8, null_mut(), error)), misuse);
        assert_eq!(code(tw_apply(null(), 1, &value, 1, null_mut(), error)), misuse);
        assert_eq!(code(tw_apply(c"size".as_ptr(), 4, null(), 1, null_mut(), error)), misuse);
        assert_eq!(code(tw_offsets(&value, 0, 1, null_mut(), error)), misuse);
        assert_eq!(code(tw_offsets(null(), 0, 0, null_mut(), error)), misuse);
        assert_eq!(tw_offsets(&value, 0, 0, null_mut(), null_mut()), tw_status::TW_OK);
        assert_eq!(tw_eval(0, text, 3, buffer.as_mut_ptr(), 8, null_mut(), null_mut()), tw_status::TW_OK);
        assert_eq!(
            code(tw_eval(0, c"4:\xff".as_ptr(), 3, buffer.as_mut_ptr(), 8, null_mut(), error)),
            misuse
        );
        assert_eq!(((*error).begin, (*error).end), (2, 3));
        assert_eq!(tw_eval(0, null(), 0, buffer.as_mut_ptr(), 8, null_mut(), error), tw_status::TW_REFUSED);
        // A buffer within the text that is read.
        let mut place = b"size((4,8):(8,1))\0".map(|byte| byte as std::ffi::c_char);
        let start = place.as_mut_ptr();
        assert_eq!(tw_eval(0, start, 17, start, 18, null_mut(), error), tw_status::TW_OK);
        assert_eq!(string(&place), "32");
        assert_eq!(CStr::from_ptr(tw_version()).to_str(), Ok(env!("CARGO_PKG_VERSION")));
    }
    for broken in [
        tw_value { kind: 2, ..value },
        tw_value { nodes: -1, ..value },
        tw_value { nodes: 64, ..value },
        tw_value { nodes: 0, ..value },
        tw_value { nodes: 2, ..value },
        tw_value { profile: [-2; TW_NODES], ..value },
        tw_value { profile: [127; TW_NODES], ..value },
        tw_value { extents: [0; TW_LEAVES], ..value },
        tw_value { extents: [i64::MAX; TW_LEAVES], ..value },
    ] {
        let status = write(&broken, 100).0;
        assert!(matches!(status, tw_status::TW_MISUSE | tw_status::TW_REFUSED), "{broken:?}");
        let (status, error) = apply(b"coalesce", &[value, broken]).expect_err("refused");
        assert!(matches!(status, tw_status::TW_MISUSE | tw_status::TW_REFUSED));
        assert_eq!((error.begin, error.end), (1, 2));
    }
    let (_, error) = apply(b"compositon", &[value, value]).expect_err("refused");
    assert_eq!(string(&error.code), "name");
}

/// The stack that the head of the crate promises is enough, also for the deepest text.
#[test]
fn a_small_stack_suffices() {
    let deep = ["(".repeat(30_000), "size(".repeat(10_000), "<".repeat(30_000), "-".repeat(60_000)];
    let run = move || {
        for text in deep.iter().map(String::as_str).chain(cases().iter().map(|case| &*case.expression)) {
            let _ = eval(TW_ANSWER, text.as_bytes());
        }
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(run).expect("a thread").join().expect("no panic");
}

/// A text with a few bytes changed, or with a part of another one.
fn mutated(rng: &mut Random, texts: &[Vec<u8>]) -> Vec<u8> {
    let mut text = rng.choose(texts);
    for _ in 0..rng.below(4) {
        let (at, other) = (rng.below(text.len() + 1), rng.pick(texts));
        match rng.below(6) {
            0 if at < text.len() => text[at] = rng.below(256) as u8,
            1 if at < text.len() => text[at] = rng.choose(b"(),:<>0123456789@^/*o_ ;?-"),
            2 if at < text.len() => drop(text.remove(at)),
            3 => text.insert(at, rng.choose(b"(),:<>0123456789@^/*o_ ;?-")),
            4 => text.truncate(at),
            _ => {
                let begin = rng.below(other.len() + 1);
                let end = begin + rng.below(other.len() - begin + 1);
                drop(text.splice(at..at, other[begin..end].iter().copied()));
            }
        }
    }
    text
}

fn mutated_value(rng: &mut Random, values: &[tw_value]) -> tw_value {
    let mut value = rng.choose(values);
    let any = |rng: &mut Random| rng.choose(&[0, 1, 2, 3, 7, 8, 64, -1, i64::MAX, i64::MIN, 1 << 32]);
    for _ in 0..rng.below(3) {
        match rng.below(6) {
            0 => value.kind = any(rng) as i32,
            1 => value.nodes = rng.range(-1, 65),
            2 => value.offset = any(rng),
            3 => value.extents[rng.below(TW_LEAVES)] = any(rng),
            4 => value.strides[rng.below(TW_LEAVES)] = any(rng),
            _ => value.profile[rng.below(8usize)] = any(rng) as i8,
        }
    }
    value
}

/// Calls with mutated arguments, of which each has the answer of the language or is refused; 1,000,000 in release.
#[test]
fn mutated_calls() {
    let mut rng = Random::new(setting("TILEWORK_SEED", 1));
    let calls = if cfg!(miri) { 100 } else { scaled(1_000_000, 0.01) };
    let texts: Vec<Vec<u8>> = cases().into_iter().map(|case| case.expression.into_bytes()).collect();
    let values: Vec<tw_value> =
        texts.iter().step_by(20).filter_map(|text| read(std::str::from_utf8(text).ok()?).ok()).collect();
    let mut ends = [0usize; 5];
    for _ in 0..calls {
        let status = match rng.below(8) {
            0 => {
                let (value, capacity) = (mutated_value(&mut rng, &values), rng.below(48usize));
                let (status, ..) = write(&value, capacity);
                if status == tw_status::TW_OK {
                    let again =
                        read(&written(&value)).unwrap_or_else(|error| panic!("{}", string(&error.message)));
                    assert_eq!(written(&again), written(&value));
                }
                status
            }
            1 | 2 => {
                let operands: Vec<tw_value> =
                    (0..1 + rng.below(3)).map(|_| mutated_value(&mut rng, &values)).collect();
                let mut name = rng.pick(FUNCTIONS).name().as_bytes().to_vec();
                if rng.once_in(8) {
                    name = mutated(&mut rng, &[name]);
                }
                match apply(&name, &operands) {
                    Ok(value) => write(&value, 4096).0,
                    Err((status, _)) => status,
                }
            }
            3 => {
                let value = mutated_value(&mut rng, &values);
                let mut offsets = vec![0; rng.below(20)].into_boxed_slice();
                let first = rng.choose(&[0, -5, 1000, i64::MAX - 3, i64::MIN]);
                let mut error = EMPTY;
                // SAFETY: places for all.
                unsafe { tw_offsets(&value, first, offsets.len(), offsets.as_mut_ptr(), &raw mut error) }
            }
            _ => {
                let text = mutated(&mut rng, &texts);
                let (part, capacity) = (rng.below(6), rng.below(64usize));
                let (status, answer, length, error) = eval_into(part, &text, capacity);
                match (std::str::from_utf8(&text), part) {
                    (Ok(text), TW_ANSWER) => match Session::new().evaluate(text) {
                        Ok(value) => {
                            let wanted = value.to_string();
                            assert_eq!(length, wanted.len(), "{text}");
                            assert!(status == tw_status::TW_SHORT || answer == wanted.as_bytes(), "{text}");
                        }
                        Err(wanted) => {
                            assert_eq!(string(&error.code), wanted.code, "{text}");
                            assert_eq!(error.begin..error.end, wanted.span, "{text}");
                        }
                    },
                    (Err(_), _) => assert_eq!(status, tw_status::TW_MISUSE),
                    _ => {}
                }
                status
            }
        };
        assert_ne!(status, tw_status::TW_INTERNAL);
        ends[status as usize] += 1;
    }
    println!("{calls} calls: {ends:?} ended as TW_OK, TW_REFUSED, TW_SHORT, TW_MISUSE, TW_INTERNAL");
    assert!(ends[..4].iter().all(|count| count * 1000 > calls), "{ends:?}");
}
