//! PTX of NVRTC, of sm_80 and later, on the host: a block's threads run to what they do together, `bar.sync` and `wait_group` by all,
//! `ldmatrix` and `mma` by a warp. Lanes and registers are those of the PTX manual; no layout takes part. An unknown instruction
//! is refused, and so are races in shared memory, reads of what was never written, and accesses outside of a buffer.

use std::collections::HashMap;
use tilework_program::{bf16, f16};

/// The threads of a warp.
const WARP: usize = 32;

/// A buffer's address: its place, counted from 1, above its bytes.
const BUFFER: u32 = 40;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Unsigned,
    Signed,
    Float,
    Predicate,
}

#[derive(Clone, Copy)]
struct Type {
    kind: Kind,
    bits: u32,
}

impl Type {
    fn parse(text: &str) -> Option<Type> {
        let number = text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len());
        let kind = match &text[..number] {
            "u" | "b" => Kind::Unsigned,
            "s" => Kind::Signed,
            "f" => Kind::Float,
            "pred" => return Some(Type { kind: Kind::Predicate, bits: 1 }),
            _ => return None,
        };
        Some(Type { kind, bits: text[number..].parse().ok()? })
    }

    fn bytes(self) -> usize {
        self.bits as usize / 8
    }

    /// The bits that the type has.
    fn cut(self, value: u64) -> u64 {
        if self.bits == 64 { value } else { value & ((1 << self.bits) - 1) }
    }

    fn integer(self, value: u64) -> i128 {
        let value = self.cut(value);
        let is_negative = self.kind == Kind::Signed && value >> (self.bits - 1) != 0;
        i128::from(value) - if is_negative { 1 << self.bits } else { 0 }
    }

    fn float(self, value: u64) -> f64 {
        match self.bits {
            16 => f16::from_bits(value as u16).to_f64(),
            _ => f32::from_bits(value as u32).into(),
        }
    }

    fn of_float(self, value: f64) -> u64 {
        match self.bits {
            16 => f16::from_f64(value).to_bits().into(),
            _ => (value as f32).to_bits().into(),
        }
    }
}

enum Operand {
    Register(usize),
    Number(u64),
    /// `%tid.x` and `%ctaid.x`, `.y`, `.z`.
    Thread,
    Block(usize),
    Memory(Box<Operand>, u64),
    Several(Vec<Operand>),
}

enum Op {
    /// A function of sources of a type, whose result has it too or is twice as wide.
    Compute {
        function: fn(Type, &[u64; 4]) -> u64,
        of: Type,
        is_wide: bool,
    },
    Convert {
        to: Type,
        from: Type,
        saturated: bool,
    },
    Load {
        space: Space,
        of: Type,
    },
    Store {
        space: Space,
        of: Type,
    },
    Copy,
    Jump(usize),
    Return,
    Together(Together),
}

#[derive(Clone, Copy, PartialEq)]
enum Space {
    Global,
    Shared,
    Parameter,
}

/// What threads do together.
#[derive(Clone, Copy)]
enum Together {
    Barrier,
    Commit,
    Wait(usize),
    LoadMatrix {
        count: usize,
        transposed: bool,
    },
    /// `m16n8k8` or `m16n8k16`, from f16 or bf16 to f32.
    Multiply {
        depth: usize,
        is_bf16: bool,
    },
}

struct Line {
    text: String,
    guard: Option<(usize, bool)>,
    op: Op,
    operands: Vec<Operand>,
}

/// A kernel as its text says.
pub struct Kernel {
    code: Vec<Line>,
    registers: usize,
    parameters: usize,
    shared: usize,
}

/// The names of a text.
#[derive(Default)]
struct Names {
    registers: HashMap<String, usize>,
    /// Offsets of parameters and of shared variables.
    places: HashMap<String, usize>,
    labels: HashMap<String, usize>,
    parameters: usize,
    shared: usize,
}

impl Kernel {
    /// # Errors
    /// Of the line that is unknown.
    pub fn parse(text: &str) -> Result<Kernel, String> {
        let (mut names, mut lines) = (Names::default(), Vec::new());
        for line in text.lines() {
            let line = line.split("//").next().unwrap_or("").replace('\t', " ");
            let mut line = line.trim().trim_end_matches([',', ';']);
            // Braces around inline text, perhaps of several instructions with a predicate of their own.
            if let Some(inner) = line.strip_prefix('{') {
                line = inner.strip_suffix('}').unwrap_or(inner).trim().trim_end_matches(';');
                while let Some((first, rest)) = line.split_once(';') {
                    match first.trim().strip_prefix(".reg .pred ") {
                        Some(name) => _ = names.register(name),
                        None => lines.push(first.trim().to_string()),
                    }
                    line = rest.trim();
                }
            }
            if ["", "(", ")", "}"].contains(&line) {
                continue;
            }
            if let Some(label) = line.strip_suffix(':') {
                names.labels.insert(label.to_string(), lines.len());
            } else if line.starts_with(".param") || line.starts_with(".shared") {
                names.declare(line).ok_or_else(|| format!("unknown declaration: {line}"))?;
            } else if !line.starts_with('.') {
                lines.push(line.to_string());
            }
        }
        let code =
            lines.iter().map(|line| names.line(line).ok_or_else(|| format!("unknown instruction: {line}")));
        let code = code.collect::<Result<_, _>>()?;
        let Names { parameters, shared, registers, .. } = names;
        Ok(Kernel { code, registers: registers.len(), parameters, shared })
    }
}

impl Names {
    /// `.param .u64 .ptr .align 1 name` or `.shared .align 1024 .b8 name[4096]`.
    fn declare(&mut self, line: &str) -> Option<()> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let of = words.iter().find_map(|word| Type::parse(word.strip_prefix('.')?))?;
        let (name, count) = words.last()?.split_once('[').unwrap_or((words.last()?, "1]"));
        let bytes = of.bytes() * count.trim_end_matches(']').parse::<usize>().ok()?;
        let align = words.iter().position(|word| *word == ".align").filter(|_| !words.contains(&".ptr"));
        let align = align.map_or(Some(of.bytes()), |place| words.get(place + 1)?.parse().ok())?;
        let end = if line.starts_with(".param") { &mut self.parameters } else { &mut self.shared };
        let place = end.next_multiple_of(align);
        *end = place + bytes;
        self.places.insert(name.to_string(), place);
        Some(())
    }

    fn line(&mut self, text: &str) -> Option<Line> {
        let mut rest = text;
        let mut guard = None;
        if let Some(guarded) = rest.strip_prefix('@') {
            let (name, after) = guarded.split_once(' ')?;
            let negated = name.starts_with('!');
            guard = Some((self.register(name.trim_start_matches('!')), !negated));
            rest = after.trim();
        }
        let (name, operands) = rest.split_once(' ').unwrap_or((rest, ""));
        let parts: Vec<&str> = name.split('.').collect();
        if parts[0] == "bra" {
            let op = Op::Jump(*self.labels.get(operands.trim())?);
            return Some(Line { text: text.to_string(), guard, op, operands: Vec::new() });
        }
        let operands = split(operands).iter().map(|own| self.operand(own)).collect::<Option<Vec<_>>>()?;
        let op = op(&parts, &operands)?;
        if matches!(op, Op::Together(_)) && guard.is_some() {
            return None;
        }
        Some(Line { text: text.to_string(), guard, op, operands })
    }

    fn register(&mut self, name: &str) -> usize {
        let next = self.registers.len();
        *self.registers.entry(name.to_string()).or_insert(next)
    }

    fn operand(&mut self, text: &str) -> Option<Operand> {
        let text = text.trim();
        if let Some(inner) = text.strip_prefix('[') {
            let inner = inner.strip_suffix(']')?;
            let (base, offset) = inner.split_once('+').unwrap_or((inner, "0"));
            let offset: i64 = offset.trim().parse().ok()?;
            return Some(Operand::Memory(Box::new(self.operand(base)?), offset as u64));
        }
        if let Some(inner) = text.strip_prefix('{') {
            let inner = split(inner.strip_suffix('}')?);
            return Some(Operand::Several(inner.iter().map(|own| self.operand(own)).collect::<Option<_>>()?));
        }
        if let Some(bits) = text.strip_prefix("0f") {
            return Some(Operand::Number(u64::from_str_radix(bits, 16).ok()?));
        }
        Some(match text {
            "%tid.x" => Operand::Thread,
            "%ctaid.x" => Operand::Block(0),
            "%ctaid.y" => Operand::Block(1),
            "%ctaid.z" => Operand::Block(2),
            _ if text.starts_with('%') || self.registers.contains_key(text) => {
                Operand::Register(self.register(text))
            }
            _ => match self.places.get(text) {
                Some(place) => Operand::Number(*place as u64),
                None => Operand::Number(text.parse::<i64>().ok()? as u64),
            },
        })
    }
}

/// The parts between commas that are in no brackets.
fn split(text: &str) -> Vec<String> {
    let (mut parts, mut depth) = (vec![String::new()], 0);
    for c in text.trim().chars() {
        depth += i32::from("{[".contains(c)) - i32::from("}]".contains(c));
        match c {
            ',' if depth == 0 => parts.push(String::new()),
            _ => parts.last_mut().unwrap().push(c),
        }
    }
    parts.retain(|part| !part.trim().is_empty());
    parts
}

/// The operation of an instruction's name.
fn op(parts: &[&str], operands: &[Operand]) -> Option<Op> {
    let types: Vec<Type> = parts.iter().filter_map(|part| Type::parse(part)).collect();
    let has = |word: &str| parts.contains(&word);
    let space = || match *parts.iter().find(|part| ["global", "shared", "param"].contains(part))? {
        "global" => Some(Space::Global),
        "shared" => Some(Space::Shared),
        _ => Some(Space::Parameter),
    };
    Some(match parts[0] {
        "ld" => Op::Load { space: space()?, of: *types.last()? },
        "st" => Op::Store { space: space()?, of: *types.last()? },
        "ret" => Op::Return,
        "bar" if parts == ["bar", "sync"] => Op::Together(Together::Barrier),
        "cp" if has("commit_group") => Op::Together(Together::Commit),
        "cp" if has("wait_group") => match operands {
            [Operand::Number(groups)] => Op::Together(Together::Wait(*groups as usize)),
            _ => return None,
        },
        "cp" if parts[..2] == ["cp", "async"] && parts[3..] == ["shared", "global"] => Op::Copy,
        "ldmatrix" if parts[..4] == ["ldmatrix", "sync", "aligned", "m8n8"] => {
            let count = parts.iter().find_map(|part| part.strip_prefix('x')?.parse().ok())?;
            Op::Together(Together::LoadMatrix { count, transposed: has("trans") })
        }
        "mma" if parts[1..3] == ["sync", "aligned"] && parts[4..6] == ["row", "col"] => {
            let depth = parts[3].strip_prefix("m16n8k")?.parse().ok()?;
            let is_bf16 = match &parts[6..] {
                ["f32", "f16", "f16", "f32"] => false,
                ["f32", "bf16", "bf16", "f32"] => true,
                _ => return None,
            };
            [8, 16].contains(&depth).then_some(Op::Together(Together::Multiply { depth, is_bf16 }))?
        }
        "cvt" => {
            let [to, from] = types[..] else { return None };
            let is_known = parts[1..parts.len() - 2].iter().all(|part| ["rn", "sat"].contains(part));
            is_known.then_some(Op::Convert { to, from, saturated: has("sat") })?
        }
        _ => Op::Compute { function: function(parts)?, of: *types.last()?, is_wide: has("wide") },
    })
}

/// A function of numbers.
fn function(parts: &[&str]) -> Option<fn(Type, &[u64; 4]) -> u64> {
    let of = Type::parse(parts.last()?)?;
    let is_float = of.kind == Kind::Float;
    // Sums and products of f32 are exact in f64 or rounded twice without effect.
    Some(match (parts[0], &parts[1..parts.len() - 1]) {
        ("mov", []) | ("cvta", ["to", "global"]) => |_, x| x[0],
        ("add", []) if is_float => |of, x| of.of_float(of.float(x[0]) + of.float(x[1])),
        ("sub", []) if is_float => |of, x| of.of_float(of.float(x[0]) - of.float(x[1])),
        ("mul", []) if is_float => |of, x| of.of_float(of.float(x[0]) * of.float(x[1])),
        ("div", ["rn"]) if is_float => |of, x| of.of_float(of.float(x[0]) / of.float(x[1])),
        ("fma", ["rn"]) if is_float => |_, x| {
            let [a, b, c] = [0, 1, 2].map(|i| f32::from_bits(x[i] as u32));
            a.mul_add(b, c).to_bits().into()
        },
        // Rounded down.
        ("fma", ["rm"]) if is_float => |of, x| {
            let exact = of.float(x[0]) * of.float(x[1]) + of.float(x[2]);
            let near = exact as f32;
            let down = if f64::from(near) > exact { near.next_down() } else { near };
            down.to_bits().into()
        },
        ("neg", []) if is_float => |of, x| of.of_float(-of.float(x[0])),
        ("min", []) if is_float => |of, x| of.of_float(of.float(x[0]).min(of.float(x[1]))),
        ("max", []) if is_float => |of, x| of.of_float(of.float(x[0]).max(of.float(x[1]))),
        ("ex2", ["approx", "ftz"]) => |of, x| of.of_float(of.float(x[0]).exp2()),
        ("rsqrt", ["approx"]) => |of, x| of.of_float(1.0 / of.float(x[0]).sqrt()),
        ("add", []) => |_, x| x[0].wrapping_add(x[1]),
        ("sub", []) => |_, x| x[0].wrapping_sub(x[1]),
        ("neg", []) => |_, x| x[0].wrapping_neg(),
        ("mul", ["lo"]) => |_, x| x[0].wrapping_mul(x[1]),
        ("mad", ["lo"]) => |_, x| x[0].wrapping_mul(x[1]).wrapping_add(x[2]),
        ("mul", ["hi"]) => |of, x| ((of.integer(x[0]) * of.integer(x[1])) >> of.bits) as u64,
        ("mul", ["wide"]) => |of, x| (of.integer(x[0]) * of.integer(x[1])) as u64,
        ("min", []) => |of, x| of.integer(x[0]).min(of.integer(x[1])) as u64,
        ("max", []) => |of, x| of.integer(x[0]).max(of.integer(x[1])) as u64,
        ("and", []) => |_, x| x[0] & x[1],
        ("or", []) => |_, x| x[0] | x[1],
        ("xor", []) => |_, x| x[0] ^ x[1],
        ("not", []) => |_, x| !x[0],
        ("shl", []) => |of, x| if x[1] < of.bits.into() { x[0] << x[1] } else { 0 },
        ("shr", []) => |of, x| (of.integer(x[0]) >> x[1].min(64)) as u64,
        ("selp", []) => |_, x| if x[2] & 1 == 1 { x[0] } else { x[1] },
        // The low bits of the first, from bit `x[2]` on, in place of as many of the second.
        ("bfi", []) => |of, x| {
            let mask = of.cut((((1u128 << x[3]) - 1) as u64) << x[2]);
            x[1] & !mask | x[0] << x[2] & mask
        },
        ("setp", ["lt"]) => |of, x| compare(of, x).is_lt().into(),
        ("setp", ["le"]) => |of, x| compare(of, x).is_le().into(),
        ("setp", ["gt"]) => |of, x| compare(of, x).is_gt().into(),
        ("setp", ["ge"]) => |of, x| compare(of, x).is_ge().into(),
        ("setp", ["eq"]) => |of, x| compare(of, x).is_eq().into(),
        ("setp", ["ne"]) => |of, x| compare(of, x).is_ne().into(),
        _ => return None,
    })
}

fn compare(of: Type, x: &[u64; 4]) -> std::cmp::Ordering {
    match of.kind {
        Kind::Float => of.float(x[0]).total_cmp(&of.float(x[1])),
        _ => of.integer(x[0]).cmp(&of.integer(x[1])),
    }
}

/// A byte of shared memory: who wrote it last, who has read it since the last barrier, and whether a copy is in flight.
#[derive(Clone, Copy, Default)]
struct Byte {
    value: u8,
    /// The interval between barriers, from 1, and the thread.
    written: (usize, usize),
    read: (usize, usize),
    several_read: bool,
    in_flight: bool,
}

/// One block.
struct Block<'a> {
    kernel: &'a Kernel,
    at: [u32; 3],
    parameters: &'a [u8],
    buffers: &'a mut [Vec<u8>],
    shared: Vec<Byte>,
    interval: usize,
    /// The bytes of each group of copies, with the thread.
    groups: Vec<Vec<(usize, usize)>>,
    threads: Vec<Thread>,
}

#[derive(Clone)]
struct Thread {
    line: usize,
    registers: Vec<u64>,
}

impl Kernel {
    /// Runs the kernel: `arguments` is the struct behind the pointers to the buffers.
    ///
    /// # Errors
    /// Of an access outside, a race, or threads that do not arrive together, with the line.
    pub fn run(
        &self,
        blocks: [u32; 3],
        threads: usize,
        arguments: &[u8],
        buffers: &mut [Vec<u8>],
    ) -> Result<(), String> {
        let mut parameters: Vec<u8> =
            (1..=buffers.len() as u64).flat_map(|place| (place << BUFFER).to_le_bytes()).collect();
        parameters.extend(arguments);
        if parameters.len() != self.parameters {
            return Err(format!("{} bytes of parameters, not {}", self.parameters, parameters.len()));
        }
        for z in 0..blocks[2] {
            for y in 0..blocks[1] {
                for x in 0..blocks[0] {
                    let mut block = Block {
                        kernel: self,
                        at: [x, y, z],
                        parameters: &parameters,
                        buffers,
                        shared: vec![Byte::default(); self.shared],
                        interval: 1,
                        groups: vec![Vec::new()],
                        threads: vec![Thread { line: 0, registers: vec![0; self.registers] }; threads],
                    };
                    block.run()?;
                }
            }
        }
        Ok(())
    }
}

impl Block<'_> {
    fn run(&mut self) -> Result<(), String> {
        loop {
            for first in (0..self.threads.len()).step_by(WARP) {
                let lanes = first..self.threads.len().min(first + WARP);
                loop {
                    for thread in lanes.clone() {
                        self.alone(thread)?;
                    }
                    match self.together(lanes.clone())? {
                        Some(Together::LoadMatrix { count, transposed }) => {
                            self.load_matrix(first, count, transposed)?;
                        }
                        Some(Together::Multiply { depth, is_bf16 }) => {
                            self.multiply(first, depth, is_bf16)?
                        }
                        _ => break,
                    }
                    self.threads[lanes.clone()].iter_mut().for_each(|thread| thread.line += 1);
                }
            }
            let Some(what) = self.together(0..self.threads.len())? else { return Ok(()) };
            match what {
                Together::Commit => self.groups.push(Vec::new()),
                Together::Wait(left) => {
                    let done = self.groups.len().saturating_sub(left + 1);
                    for (byte, thread) in self.groups.drain(..done).flatten() {
                        self.shared[byte].in_flight = false;
                        self.shared[byte].written = (self.interval, thread);
                    }
                }
                _ => self.interval += 1,
            }
            self.threads.iter_mut().for_each(|thread| thread.line += 1);
        }
    }

    /// What some threads are about to do together, or none where they have all ended.
    fn together(&self, threads: std::ops::Range<usize>) -> Result<Option<Together>, String> {
        let line = self.threads[threads.start].line;
        if self.threads[threads].iter().any(|own| own.line != line) {
            let text = self.kernel.code.get(line).map_or("", |own| &own.text);
            return Err(format!("threads do not arrive together: {text}"));
        }
        Ok(self.kernel.code.get(line).and_then(|line| match line.op {
            Op::Together(what) => Some(what),
            _ => None,
        }))
    }

    /// Runs a thread to what it does with others, or to its end.
    fn alone(&mut self, thread: usize) -> Result<(), String> {
        let kernel = self.kernel;
        while let Some(line) = kernel.code.get(self.threads[thread].line) {
            if matches!(line.op, Op::Together(_)) {
                return Ok(());
            }
            self.threads[thread].line += 1;
            let is_done = match line.guard {
                Some((register, wanted)) => (self.threads[thread].registers[register] & 1 == 1) == wanted,
                None => true,
            };
            if is_done {
                self.step(thread, line).map_err(|what| format!("{}: {what}, thread {thread}", line.text))?;
            }
        }
        Ok(())
    }

    fn value(&self, thread: usize, operand: &Operand) -> u64 {
        match operand {
            Operand::Register(place) => self.threads[thread].registers[*place],
            Operand::Number(number) => *number,
            Operand::Thread => thread as u64,
            Operand::Block(axis) => self.at[*axis].into(),
            Operand::Memory(base, offset) => self.value(thread, base).wrapping_add(*offset),
            Operand::Several(_) => 0,
        }
    }

    fn set(&mut self, thread: usize, operand: &Operand, value: u64) {
        if let Operand::Register(place) = operand {
            self.threads[thread].registers[*place] = value;
        }
    }

    fn step(&mut self, thread: usize, line: &Line) -> Result<(), String> {
        let operands = &line.operands;
        match line.op {
            Op::Compute { function, of, is_wide } => {
                let mut sources = [0; 4];
                for (source, operand) in sources.iter_mut().zip(&operands[1..]) {
                    *source = of.cut(self.value(thread, operand));
                }
                let value = function(of, &sources);
                self.set(thread, &operands[0], if is_wide { value } else { of.cut(value) });
            }
            Op::Convert { to, from, saturated } => {
                let source = self.value(thread, &operands[1]);
                let value = match (to.kind, from.kind) {
                    (Kind::Float, Kind::Float) => {
                        let value = from.float(source);
                        to.of_float(if saturated { value.clamp(0.0, 1.0) } else { value })
                    }
                    (Kind::Float, _) => to.of_float(from.integer(source) as f64),
                    (_, Kind::Float) => return Err("no conversion from a floating-point number".into()),
                    _ => to.cut(from.integer(source) as u64),
                };
                self.set(thread, &operands[0], value);
            }
            Op::Load { space, of } => {
                let address = self.value(thread, &operands[1]);
                aligned(address, several(&operands[0]).len() * of.bytes())?;
                for (i, target) in several(&operands[0]).iter().enumerate() {
                    let bytes = self.read(space, address + (i * of.bytes()) as u64, of.bytes(), thread)?;
                    let value = bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte));
                    let is_narrow = of.kind == Kind::Signed && of.bits < 32;
                    let value = if is_narrow { of.integer(value) as u64 } else { value };
                    self.set(thread, target, value);
                }
            }
            Op::Store { space, of } => {
                let address = self.value(thread, &operands[0]);
                aligned(address, several(&operands[1]).len() * of.bytes())?;
                for (i, source) in several(&operands[1]).iter().enumerate() {
                    let bytes = self.value(thread, source).to_le_bytes();
                    let at = address + (i * of.bytes()) as u64;
                    match space {
                        Space::Shared => self.store(at as usize, &bytes[..of.bytes()], thread)?,
                        _ => self.global(at, of.bytes())?.copy_from_slice(&bytes[..of.bytes()]),
                    }
                }
            }
            Op::Copy => {
                let [to, from] = [0, 1].map(|i| self.value(thread, &operands[i]));
                let bytes = self.value(thread, &operands[2]) as usize;
                let is_outside = operands.get(3).is_some_and(|own| self.value(thread, own) & 1 == 1);
                let mut values = if is_outside { Vec::new() } else { self.global(from, bytes)?.to_vec() };
                values.resize(bytes, 0);
                if !(to as usize).is_multiple_of(bytes) || !(from as usize).is_multiple_of(bytes) {
                    return Err(format!("a copy of {bytes} bytes that is not aligned"));
                }
                self.store(to as usize, &values, thread)?;
                for byte in to as usize..to as usize + bytes {
                    self.shared[byte].in_flight = true;
                    self.groups.last_mut().unwrap().push((byte, thread));
                }
            }
            Op::Jump(target) => self.threads[thread].line = target,
            Op::Return => self.threads[thread].line = self.kernel.code.len(),
            Op::Together(_) => {}
        }
        Ok(())
    }

    fn global(&mut self, address: u64, bytes: usize) -> Result<&mut [u8], String> {
        let (place, at) = ((address >> BUFFER) as usize, (address & ((1 << BUFFER) - 1)) as usize);
        let buffer = place.checked_sub(1).and_then(|place| self.buffers.get_mut(place));
        let buffer = buffer.ok_or("an address in no buffer")?;
        let size = buffer.len();
        buffer.get_mut(at..at + bytes).ok_or_else(|| format!("byte {at} of a buffer of {size}"))
    }

    fn read(&mut self, space: Space, address: u64, bytes: usize, thread: usize) -> Result<Vec<u8>, String> {
        let at = address as usize;
        match space {
            Space::Global => Ok(self.global(address, bytes)?.to_vec()),
            Space::Parameter => Ok(self.parameters.get(at..at + bytes).ok_or("no parameter")?.to_vec()),
            Space::Shared => {
                let interval = self.interval;
                let own = self.shared.get_mut(at..at + bytes).ok_or("outside of shared memory")?;
                for byte in own.iter_mut() {
                    let (written, writer) = byte.written;
                    if byte.in_flight {
                        return Err(format!("shared byte {at} is in flight"));
                    }
                    if written == 0 {
                        return Err(format!("shared byte {at} was never written"));
                    }
                    if written == interval && writer != thread {
                        return Err(format!("shared byte {at} is read while thread {writer} writes it"));
                    }
                    byte.several_read =
                        byte.read.0 == interval && (byte.several_read || byte.read.1 != thread);
                    byte.read = (interval, thread);
                }
                Ok(own.iter().map(|byte| byte.value).collect())
            }
        }
    }

    fn store(&mut self, at: usize, values: &[u8], thread: usize) -> Result<(), String> {
        let interval = self.interval;
        let own = self.shared.get_mut(at..at + values.len()).ok_or("outside of shared memory")?;
        for (byte, value) in own.iter_mut().zip(values) {
            let is_written = byte.written.0 == interval && byte.written.1 != thread;
            let is_read = byte.read.0 == interval && (byte.several_read || byte.read.1 != thread);
            if byte.in_flight || is_written || is_read {
                return Err(format!("shared byte {at} is written while another thread has it"));
            }
            byte.value = *value;
            byte.written = (interval, thread);
        }
        Ok(())
    }

    /// Lane `8 i + r` has the address of row `r` of matrix `i`; lane `l` gets two elements of row `l / 4` of each.
    fn load_matrix(&mut self, first: usize, count: usize, transposed: bool) -> Result<(), String> {
        let line = &self.kernel.code[self.threads[first].line];
        let mut matrices = Vec::new();
        for lane in 0..8 * count {
            let address = self.value(first + lane, &line.operands[1]);
            if !address.is_multiple_of(16) {
                return Err(format!("{}: the address {address} of lane {lane} is not aligned", line.text));
            }
            let row = self.read(Space::Shared, address, 16, first + lane);
            matrices.push(row.map_err(|what| format!("{}: {what}, lane {lane}", line.text))?);
        }
        for lane in 0..WARP {
            for (i, target) in several(&line.operands[0]).iter().enumerate() {
                let halves = [0, 1].map(|half| {
                    let (row, column) = (lane / 4, 2 * (lane % 4) + half);
                    let (row, column) = if transposed { (column, row) } else { (row, column) };
                    let bytes = &matrices[8 * i + row][2 * column..];
                    u64::from(u16::from_le_bytes([bytes[0], bytes[1]]))
                });
                self.set(first + lane, target, halves[0] | halves[1] << 16);
            }
        }
        Ok(())
    }

    fn multiply(&mut self, first: usize, depth: usize, is_bf16: bool) -> Result<(), String> {
        let line = &self.kernel.code[self.threads[first].line];
        let [d, a, b, c] = [0, 1, 2, 3].map(|i| several(&line.operands[i]));
        let number = |bits: u64, half: usize| -> f64 {
            let bits = (bits >> (16 * half)) as u16;
            if is_bf16 { bf16::from_bits(bits).to_f64() } else { f16::from_bits(bits).to_f64() }
        };
        let (mut left, mut right) = (vec![[0.0; 16]; 16], vec![[0.0; 16]; 8]);
        for lane in 0..WARP {
            let (group, pair) = (lane / 4, 2 * (lane % 4));
            for half in 0..2 {
                for (i, own) in a.iter().enumerate() {
                    let bits = self.value(first + lane, own);
                    left[group + 8 * (i % 2)][pair + half + 8 * (i / 2)] = number(bits, half);
                }
                for (i, own) in b.iter().enumerate() {
                    right[group][pair + half + 8 * i] = number(self.value(first + lane, own), half);
                }
            }
        }
        for lane in 0..WARP {
            for (i, (target, own)) in d.iter().zip(c).enumerate() {
                let (row, column) = (lane / 4 + 8 * (i / 2), 2 * (lane % 4) + i % 2);
                let products: f64 = (0..depth).map(|k| left[row][k] * right[column][k]).sum();
                let sum = f64::from(f32::from_bits(self.value(first + lane, own) as u32)) + products;
                self.set(first + lane, target, (sum as f32).to_bits().into());
            }
        }
        Ok(())
    }
}

/// Refuses an access to memory that is not aligned to its size.
fn aligned(address: u64, bytes: usize) -> Result<(), String> {
    match address.is_multiple_of(bytes as u64) {
        true => Ok(()),
        false => Err(format!("an access of {bytes} bytes that is not aligned")),
    }
}

/// The registers of a vector, or one.
fn several(operand: &Operand) -> &[Operand] {
    match operand {
        Operand::Several(all) => all,
        one => std::slice::from_ref(one),
    }
}
