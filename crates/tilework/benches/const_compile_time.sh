#!/bin/sh
# What 200 compositions in constants add to `cargo check`.
#
#     crates/tilework/benches/const_compile_time.sh [COUNT]
#
# Writes crates that differ in one thing only, and prints the median wall time of five runs of `cargo check` of each
# (the library itself is checked before). Every left operand is a layout of its own, so that nothing is shared.
#
#   none         no layouts at all
#   operands     COUNT pairs of layouts `const A0: Layout = layout!(...)`
#   constants    the same, and `const R0: Layout = match A0.composition(&B0) { ... }`
#   types        COUNT pairs of `static_layout!` structs
#   composed     the same, and `type R0 = Compose<A0, B0>`
set -eu
count=${1:-200}
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
    printf '[package]\nname = "%s"\nversion = "0.0.0"\nedition = "2024"\n\n[workspace]\n\n[dependencies]\ntilework = { path = "%s" }\n' \
        "$1" "$package" >"$folder/$1/Cargo.toml"
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

median() {
    for _ in 1 2 3 4 5; do
        touch "$folder/$1/src/lib.rs"
        start=$(date +%s%N)
        cargo check --offline --manifest-path "$folder/$1/Cargo.toml"
        echo $((($(date +%s%N) - start) / 1000000))
    done | sort -n | sed -n 3p
}

for crate in none operands constants types composed; do
    generate "$crate"
    cargo check --offline --manifest-path "$folder/$crate/Cargo.toml"
    eval "$crate=$(median "$crate")"
done
echo "cargo check, median of 5, milliseconds, $count pairs:"
# shellcheck disable=SC2154
echo "none $none, operands $operands, constants $constants, types $types, composed $composed"
echo "$count compositions add $((constants - operands)) ms as constants, $((composed - types)) ms as types"
