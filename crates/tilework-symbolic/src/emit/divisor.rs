//! Division by multiplication: a type and three functions, which a program contains once.

macro_rules! of_c {
    ($host:literal, $anywhere:literal) => {
        concat!(
            "\
// Division by multiplication, for numbers below 2^31: x / divisor is x * factor >> shift in 64 bits.
typedef struct {
    uint32_t divisor, factor, shift;
} Divisor;
",
            $host,
            "Divisor divisor_of(uint32_t divisor) {
    Divisor d = {divisor, 0, 31};
    while ((uint64_t)1 << (d.shift - 31) < divisor) ++d.shift;
    d.factor = (uint32_t)((((uint64_t)1 << d.shift) + divisor - 1) / divisor);
    return d;
}
",
            $anywhere,
            "uint32_t div_by(uint32_t x, Divisor d) {
    return (uint32_t)((uint64_t)x * d.factor >> d.shift);
}
",
            $anywhere,
            "uint32_t mod_by(uint32_t x, Divisor d) {
    return x - div_by(x, d)*d.divisor;
}
"
        )
    };
}

pub(super) const OF_C: &str = of_c!("static inline ", "static inline ");
pub(super) const OF_CUDA: &str = of_c!("inline ", "__host__ __device__ inline ");

pub(super) const OF_RUST: &str = "\
/// Division by multiplication, for numbers below 2^31: `x / divisor` is `x * factor >> shift` in 64 bits.
#[derive(Clone, Copy)]
pub struct Divisor {
    divisor: u32,
    factor: u32,
    shift: u32,
}
pub fn divisor_of(divisor: u32) -> Divisor {
    let shift = 31 + divisor.next_power_of_two().trailing_zeros();
    let factor = (1u64 << shift).div_ceil(divisor.into()) as u32;
    Divisor { divisor, factor, shift }
}
pub fn div_by(x: u32, d: Divisor) -> u32 {
    (u64::from(x) * u64::from(d.factor) >> d.shift) as u32
}
pub fn mod_by(x: u32, d: Divisor) -> u32 {
    x - div_by(x, d)*d.divisor
}
";
