//! Source text: index expressions, predicates and guards in C, CUDA C++, Rust, Python and WGSL.
//!
//! | what | text |
//! |---|---|
//! | the offset of a linear index | `(x & 127) + ((x >> 7) % (M/128))*128 + (x / M)*ld` |
//! | the offset of named coordinates | `i + j*ld` |
//! | loops without divisions | `offset += ld - M;` |
//! | the same behind a start offset and a swizzle | `t0 ^ ((t0 >> 3) & 112)` |
//! | whether a coordinate is in bounds | `i + t*128 < M` |
//! | a guard, as a check on the host | `assert(M % 128 == 0);` |
//!
//! A layout is coalesced first, mode by mode, and then each digit of a coordinate is a term. Powers of two become
//! shifts and masks if the integers are unsigned; a digit that is known to be 0 is omitted; no `%` is written for the
//! last digit, or if a bound makes it redundant. Divisions are exact: `M/128` is written if 128 divides `M`, and a
//! product is evaluated before it is divided.

mod check;
mod components;
mod divisor;
mod loops;
mod plan;
mod reserved;
mod source;
mod width;
mod write;

pub use check::Host;
pub use source::{Emitted, Language, Source};

use crate::guard::Guard;
use crate::layout::SymbolicLayout;
use crate::number::Number;
use crate::placed::Placed;
use crate::scope::Scope;
use alloc::string::String;
use tilework::AnyLayout;
use tilework::Error;
use write::Writer;

impl Scope {
    /// The offset of a coordinate as an expression.
    ///
    /// ```
    /// use tilework_symbolic::{Language, Scope, Source};
    /// let mut scope = Scope::new();
    /// let layout = scope.layout("(128,M/128,K):(1,128,ld)")?;
    /// scope.assume("M % 128 == 0")?;
    /// let emitted = scope.index_expression(&layout, &Source::new(Language::C, &["x"]))?;
    /// assert_eq!(emitted.text.as_str(), "(x % M) + (x / M)*ld");
    /// let emitted = scope.index_expression(&layout, &Source::new(Language::Python, &["i", "t", "k"]))?;
    /// assert_eq!(emitted.text.as_str(), "i + t*128 + k*ld");
    /// // Coordinates: an expression for each component.
    /// let skewed = scope.layout("(M,K):((1@0+ld@1),1@0)")?;
    /// let emitted = scope.index_expression(&skewed, &Source::new(Language::C, &["i", "k"]))?;
    /// assert_eq!(emitted.text.as_str(), "(i + k, i*ld)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Rank`] for a coordinate that does not fit the layout; [`Error::Fact`] for an invalid name in the
    /// language, for a name of the coordinate that is a name in the layout
    /// ([`unused_name`](crate::Declarations::unused_name) finds another), and if the offsets do not fit the requested
    /// 32 bits; [`Error::NotIntegral`] and [`Error::Codomain`] for offsets that are not integers.
    pub fn index_expression(&self, layout: impl Into<Placed>, source: &Source<'_>) -> Result<Emitted, Error> {
        let placed = layout.into();
        if let Some(components) = self.component_expressions(&placed, source)? {
            return Ok(components);
        }
        let plan = self.plan(&placed, source)?;
        let mut writer = Writer::new(self, source, &plan);
        writer.push_offset(&plan);
        writer.emitted(&plan)
    }

    /// The offset of a coordinate as a function of the coordinate and of the names in the layout, with the layout, the
    /// facts and the guard as a comment. Repeated subexpressions are computed once. For a layout of coordinates there is a
    /// function for each component, `offset_0`, `offset_1`, ...
    ///
    /// ```
    /// use tilework_symbolic::{Language, Scope, Source};
    /// let mut scope = Scope::new();
    /// let layout = scope.layout("(M,N,K):(1,ld,M*N)")?;
    /// scope.assume("ld >= M")?;
    /// let emitted = scope.index_function(&layout, "offset", &Source::new(Language::Rust, &["x"]))?;
    /// assert_eq!(emitted.text.as_str(), "\
    /// // (M,N,K):(1,ld,M*N) where ld >= M
    /// #[allow(non_snake_case)]
    /// pub fn offset(x: u64, M: u64, N: u64, ld: u64) -> u64 {
    ///     let t0 = M*N;
    ///     (x % M) + ((x / M) % N)*ld + (x / t0)*t0
    /// }
    /// ");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`index_expression`](Self::index_expression).
    pub fn index_function(
        &self,
        layout: impl Into<Placed>,
        name: &str,
        source: &Source<'_>,
    ) -> Result<Emitted, Error> {
        reserved::check_word(name)?;
        let placed = layout.into();
        if let Some(components) = self.component_functions(&placed, name, source)? {
            return Ok(components);
        }
        let mut plan = self.plan(&placed, source)?;
        let names = plan.variables.iter().filter_map(|variable| variable.as_name());
        let facts = self.facts_about(names)?;
        if source.products {
            self.take_divisors(&mut plan, source)?;
        }
        self.name_what_repeats(&mut plan, source);
        let mut writer = Writer::new(self, source, &plan);
        writer.push_comment(&placed, &facts, &plan.guard);
        writer.push_function(name, &plan, &[]);
        writer.emitted(&plan)
    }

    /// A function of several numbers: that of the first case whose guard holds, otherwise the last. The coordinate of the source
    /// are names of the scope, which have the bounds of their facts; other names in the numbers and guards are parameters.
    ///
    /// ```
    /// use tilework_symbolic::{Language, Scope, Source};
    /// let mut scope = Scope::new();
    /// scope.declare("N")?;
    /// scope.declare("i")?;
    /// scope.assume("i >= 0")?;
    /// let head = (scope.conditions("i < 8")?, scope.number("N*i")?);
    /// let tail = scope.number("8*N + floor(i/8)")?;
    /// let emitted = scope.case_function(&[head], &tail, "offset", &Source::new(Language::Cuda, &["i"]))?;
    /// assert_eq!(emitted.text, "\
    /// __host__ __device__ inline uint64_t offset(uint64_t i, uint64_t N) {
    ///     if (i <= 7) {
    ///         return N*i;
    ///     }
    ///     return 8*N + (i/8);
    /// }
    /// ");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Fact`] for a name that is invalid in the language, for numbers of another scope, and if these do not fit the requested
    /// 32 bits; [`Error::NotIntegral`] for a number that is no integer.
    pub fn case_function(
        &self,
        cases: &[(Guard, Number)],
        last: &Number,
        name: &str,
        source: &Source<'_>,
    ) -> Result<Emitted, Error> {
        source.coordinate.iter().chain([&name]).try_for_each(|word| reserved::check_word(word))?;
        let plan = self.plan_of_cases(cases, last, source)?;
        let mut writer = Writer::new(self, source, &plan);
        writer.push_function(name, &plan, cases);
        writer.emitted(&plan)
    }

    /// Whether one of some guards holds, as a condition in integers of any width, which are signed if a number in them may be negative.
    ///
    /// ```
    /// use tilework_symbolic::{Language, Scope};
    /// let mut scope = Scope::new();
    /// scope.layout("(M,K):(1,ld)")?;
    /// let guards = [scope.conditions("M % 8 == 0 and ld >= M")?, scope.conditions("K == 1")?];
    /// assert_eq!(scope.guard_expression(&guards, Language::C)?, "(M % 8 == 0 && ld >= M) || K == 1");
    /// assert_eq!(scope.guard_expression(&guards[1..], Language::Python)?, "K == 1");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::TooLarge`] for a number that does not fit the integers of the languages.
    pub fn guard_expression(&self, guards: &[Guard], language: Language) -> Result<String, Error> {
        let mut writer = Writer::of_conditions(self, language);
        writer.push_any(guards);
        writer.finish()
    }

    /// Whether a coordinate is in bounds, as a condition: for a layout of coordinates, each component is below its
    /// bound. Components that are known to be in bounds are omitted; if all are, the condition is `true`, in C `1`.
    ///
    /// ```
    /// use tilework_symbolic::{Language, Scope, Source};
    /// let mut scope = Scope::new();
    /// // The coordinates of the elements of tiles: the matrix itself divided in the same way.
    /// let coordinates = scope.layout("(M,K):(1@0,1@1)")?;
    /// let tiler = scope.tiler("<128,32>")?;
    /// let tiles = scope.tiled_divide(&coordinates, &tiler).unwrap().layout;
    /// let bounds = [scope.number("M")?, scope.number("K")?];
    /// let source = Source::new(Language::C, &["x", "t", "u"]);
    /// assert_eq!(scope.predicate(&tiles, &bounds, &source)?.text.as_str(), "(x & 127) + t*128 < M && (x >> 7) + u*32 < K");
    /// scope.assume("M % 128 == 0")?;
    /// let tiles = scope.tiled_divide(&coordinates, &tiler).unwrap().layout;
    /// assert_eq!(scope.predicate(&tiles, &bounds, &source)?.text.as_str(), "(x >> 7) + u*32 < K");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Codomain`] for strides outside the components that have bounds; [`Error::Fact`] for components that may
    /// be negative; those of [`index_expression`](Self::index_expression).
    pub fn predicate(
        &self,
        layout: &SymbolicLayout,
        bounds: &[Number],
        source: &Source<'_>,
    ) -> Result<Emitted, Error> {
        let plan = self.plan_of_components(layout, bounds, source)?;
        let mut writer = Writer::new(self, source, &plan);
        writer.push_bounds(&plan, bounds);
        writer.emitted(&plan)
    }

    /// A number of 0 or more as an expression in unsigned integers, with a prefix before each name.
    ///
    /// ```
    /// use tilework_symbolic::{Language, Scope};
    /// let mut scope = Scope::new();
    /// scope.layout("(M,K):(1,ld)")?;
    /// let tiles = scope.number("ceil(M/64) + 2*K")?;
    /// assert_eq!(scope.number_expression(&tiles, Language::Cuda, "sizes.")?, "2*sizes.K + ((sizes.M + 63)/64)");
    /// assert_eq!(scope.number_expression(&tiles, Language::Wgsl, "")?, "2u*K + ((M + 63u)/64u)");
    /// # Ok::<(), tilework::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::TooLarge`] for a number that does not fit the integers of the languages.
    pub fn number_expression(
        &self,
        number: &Number,
        language: Language,
        prefix: &str,
    ) -> Result<String, Error> {
        let mut writer = Writer::of_numbers(self, language, prefix);
        writer.push_number_of(number);
        writer.finish()
    }
}

/// The offset of a coordinate of a plain or swizzled layout of numbers as an expression.
///
/// ```
/// use tilework_symbolic::{Language, Source, index_expression};
/// use tilework::{AnyLayout, Composed, Swizzle, layout};
/// let rows = Composed::new(Swizzle::new(2, 0, 3)?, 0, layout!((8,8):(8,1)))?;
/// let emitted = index_expression(&rows.into(), &Source::new(Language::C, &["i", "j"]))?;
/// assert_eq!(emitted.text.as_str(), "(i*8 + j) ^ (((i*8 + j) >> 3) & 3)");
/// # Ok::<(), tilework::Error>(())
/// ```
///
/// # Errors
/// Those of [`Scope::index_expression`].
pub fn index_expression(layout: &AnyLayout, source: &Source<'_>) -> Result<Emitted, Error> {
    let scope = Scope::new();
    scope.index_expression(scope.placed_constant(layout)?, source)
}

/// The same as a function, with the layout as a comment.
///
/// ```
/// use tilework_symbolic::{Language, Source, index_function};
/// use tilework::{AnyLayout, layout};
/// let columns = AnyLayout::from(layout!((12,8):(1,16)));
/// let emitted = index_function(&columns, "offset", &Source::new(Language::C, &["x"]))?;
/// assert_eq!(emitted.text.as_str(), "\
/// // (12,8):(1,16)
/// static inline uint32_t offset(uint32_t x) {
///     return (x % 12) + (x / 12)*16;
/// }
/// ");
/// # Ok::<(), tilework::Error>(())
/// ```
///
/// # Errors
/// Those of [`Scope::index_expression`].
pub fn index_function(layout: &AnyLayout, name: &str, source: &Source<'_>) -> Result<Emitted, Error> {
    let scope = Scope::new();
    scope.index_function(scope.placed_constant(layout)?, name, source)
}
