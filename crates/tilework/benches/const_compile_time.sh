#!/bin/sh
# What 200 compositions in constants add to `cargo check`.
#
#     crates/tilework/benches/const_compile_time.sh [COUNT [ROUNDS]]
#
# Writes crates that differ in one thing only, and prints the median wall time of ROUNDS (5) runs of `cargo check`
# of each (the library itself is checked before). Every left operand is a layout of its own, so that nothing is shared.
#
#   none         no layouts at all
#   operands     COUNT pairs of layouts `const A0: Layout = layout!(...)`
#   constants    the same, and `const R0: Layout = match A0.composition(&B0) { ... }`
#   types        COUNT pairs of `static_layout!` structs
#   composed     the same, and `type R0 = Compose<A0, B0>`
set -eu
count=${1:-200}
rounds=${2:-5}
package=$(cd "$(dirname "$0")/.." && pwd)
folder=${TMPDIR:-/tmp}/tilework-const-compile-time
export CARGO_TARGET_DIR="$folder/target"
export CARGO_TERM_QUIET=true

# The operands of pair $1: the data is an 8-wide tile of a matrix of $1 + 8 rows, the tiler threads of two values.
operands() {
    left="((4,2),(8,$(($1 + 8)))):(($(($1 * 64 + 512)),8),(1,64))"
    right="((4,8),2):((16,1),8)"
}

generate() {
    mkdir -p "$folder/$1/src"
    cat >"$folder/$1/Cargo.toml" <<TOML
[package]
name = "$1"
version = "0.0.0"
edition = "2024"

[workspace]

[dependencies]
tilework = { path = "$package" }
TOML
    {
        echo '#![allow(dead_code, unused_imports)]'
        echo 'use tilework::{Layout, layout, static_layout, static_layout::Compose};'
        i=0
        while [ "$1" != none ] && [ "$i" -lt "$count" ]; do
            operands "$i"
            case $1 in
            operands | constants) echo "const A$i: Layout = layout!($left); const B$i: Layout = layout!($right);" ;;
            types | composed) echo "static_layout! { struct A$i = $left; struct B$i = $right; }" ;;
            esac
            case $1 in
            constants) echo "const R$i: Layout = match A$i.composition(&B$i) { Ok(r) => r, Err(_) => panic!() };" ;;
            composed) echo "static_layout! { type R$i = Compose<A$i, B$i>; }" ;;
            esac
            i=$((i + 1))
        done
    } >"$folder/$1/src/lib.rs"
}

crates="none operands constants types composed"
for crate in $crates; do
    generate "$crate"
    cargo check --offline --manifest-path "$folder/$crate/Cargo.toml"
    : >"$folder/$crate/times"
done
# In turn, so that what else the machine does falls on all alike.
round=0
while [ "$round" -lt "$rounds" ]; do
    for crate in $crates; do
        touch "$folder/$crate/src/lib.rs"
        start=$(date +%s%N)
        cargo check --offline --manifest-path "$folder/$crate/Cargo.toml"
        echo $((($(date +%s%N) - start) / 1000000)) >>"$folder/$crate/times"
    done
    round=$((round + 1))
done

median() {
    sort -n "$folder/$1/times" | sed -n "$((rounds / 2 + 1))p"
}

echo "cargo check, median of $rounds, milliseconds, $count pairs:"
for crate in $crates; do
    echo "    $crate $(median "$crate")"
done
echo "$count compositions add $(($(median constants) - $(median operands))) ms as constants," \
    "$(($(median composed) - $(median types))) ms as types"
