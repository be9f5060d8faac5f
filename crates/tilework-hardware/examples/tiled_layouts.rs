//! Answers questions about tiled MMAs and copies, one a line, fields separated by tabs: `.ci/hardware` compares the answers with CuTe's.

use std::io::{self, BufRead};

use tilework::{Error, Layout, Tiler, View};
use tilework_hardware::atom::{Atom, CopyAtom, find};
use tilework_hardware::tiled::{TiledCopy, TiledMma};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for line in io::stdin().lock().lines() {
        let line = line?;
        let fields: Vec<&str> = line.split('\t').collect();
        let answer = match fields[0] {
            "mma" => of_mma(&fields[1..]),
            "copy" => of_copy(&fields[1..]),
            "c_atom" => of_c_atom(&fields[1..]),
            "tmem" => of_tensor_memory(&fields[1..]),
            _ => of_both(&fields[1..]),
        };
        println!("{}", answer.unwrap_or_else(|error| vec![error.to_string()]).join("\t"));
    }
    Ok(())
}

/// By rows, and by columns.
fn matrix(rows: &str, columns: &str, by_rows: bool) -> Result<Layout, Error> {
    let (m, n): (i64, i64) = (rows.parse().unwrap_or(1), columns.parse().unwrap_or(1));
    if by_rows { Layout::of((m, n), (n, 1)) } else { Layout::of((m, n), (1, m)) }
}

fn tiled(fields: &[&str]) -> Result<TiledMma, Error> {
    let Some(Atom::Mma(atom)) = find(fields[0]) else { panic!("{}", fields[0]) };
    TiledMma::new(atom, &Layout::parse(fields[1])?, &Tiler::parse(fields[2])?)
}

fn copy_atom(name: &str) -> CopyAtom {
    match find(name) {
        Some(Atom::Copy(atom)) => atom,
        _ => panic!("{name}"),
    }
}

fn part(view: &View) -> String {
    format!("{} {}", view.offset().leaves()[0].numerator(), view.layout())
}

/// Atom, atoms, permutation, M, N, K, thread.
fn of_mma(fields: &[&str]) -> Result<Vec<String>, Error> {
    let mma = tiled(fields)?;
    let [m, n, k] = [fields[3], fields[4], fields[5]];
    let (a, b, c) = (matrix(m, k, true)?, matrix(n, k, false)?, matrix(m, n, true)?);
    let thread = mma.thread(fields[6].parse().unwrap_or(0))?;
    let layouts = [
        mma.thrfrg_a(&a)?,
        mma.thrfrg_b(&b)?,
        mma.thrfrg_c(&c)?,
        mma.layout_a_tv()?,
        mma.layout_b_tv()?,
        mma.layout_c_tv()?,
    ];
    let parts = [thread.partition_a(&a)?, thread.partition_b(&b)?, thread.partition_c(&c)?];
    Ok(layouts.iter().map(Layout::to_string).chain(parts.iter().map(part)).collect())
}

/// Atom, bits, threads, values, M, N, thread.
fn of_copy(fields: &[&str]) -> Result<Vec<String>, Error> {
    let (threads, values) = (Layout::parse(fields[2])?, Layout::parse(fields[3])?);
    let copy = TiledCopy::of(&copy_atom(fields[0]), fields[1].parse().unwrap_or(1), &threads, &values)?;
    parts(&copy, &matrix(fields[4], fields[5], true)?, fields[6])
}

/// Copy atom, bits, and the fields of an MMA.
fn of_c_atom(fields: &[&str]) -> Result<Vec<String>, Error> {
    let bits = fields[1].parse().unwrap_or(1);
    let copy = TiledCopy::of_c_atom(&copy_atom(fields[0]), bits, &tiled(&fields[2..])?)?;
    parts(&copy, &matrix(fields[5], fields[6], true)?, fields[8])
}

/// Copy atom, bits, a layout in tensor memory, thread.
fn of_tensor_memory(fields: &[&str]) -> Result<Vec<String>, Error> {
    let (bits, data) = (fields[1].parse().unwrap_or(1), Layout::parse(fields[2])?);
    let copy = TiledCopy::of_tensor_memory(&copy_atom(fields[0]), bits, &data)?;
    parts(&copy, &data, fields[3])
}

/// What a thread has of both sides.
fn parts(copy: &TiledCopy, data: &Layout, thread: &str) -> Result<Vec<String>, Error> {
    let thread = copy.thread(thread.parse().unwrap_or(0))?;
    let layouts = [copy.layout_s_tv()?, copy.layout_d_tv()?];
    let parts = [thread.partition_s(data)?, thread.partition_d(data)?];
    Ok(layouts.iter().map(Layout::to_string).chain(parts.iter().map(part)).collect())
}

/// Copy atom, bits, operand, and the fields of an MMA.
fn of_both(fields: &[&str]) -> Result<Vec<String>, Error> {
    let mma = tiled(&fields[3..])?;
    let [m, n, k] = [fields[6], fields[7], fields[8]];
    let (atom, bits) = (copy_atom(fields[0]), fields[1].parse().unwrap_or(1));
    let index = fields[9].parse().unwrap_or(0);
    let thread = mma.thread(index)?;
    let (copy, data) = match fields[2] {
        "a" => (TiledCopy::of_a(&atom, bits, &mma)?, matrix(m, k, true)?),
        "b" => (TiledCopy::of_b(&atom, bits, &mma)?, matrix(n, k, true)?),
        _ => (TiledCopy::of_c(&atom, bits, &mma)?, matrix(m, n, true)?),
    };
    let fragment = match fields[2] {
        "a" => thread.partition_a(&data)?,
        "b" => thread.partition_b(&data)?,
        _ => thread.partition_c(&data)?,
    };
    let registers = Layout::column_major(&fragment.layout().shape())?;
    let parts = [copy.thread(index)?.partition_s(&data)?, copy.thread(index)?.partition_d(&data)?];
    Ok([copy.retile(&registers)?.to_string()].into_iter().chain(parts.iter().map(part)).collect())
}
