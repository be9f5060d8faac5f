//! The offset of an element as source text.

use crate::error::Error;
use crate::format::Format;
use crate::place::{COORDINATES, Places};
use std::fmt::Write;
use tilework::Unit;
use tilework_symbolic::{Language, Number, Scope, Source, SymbolicLayout, SymbolicLeaf, Tuple};

impl Format {
    /// A function from the coordinate `i`, `j`, ... of an element of the padded array to its offset, in elements, and as a
    /// comment the condition under which it is no padding. Sizes are numbers where they are given, otherwise parameters.
    ///
    /// ```
    /// use tilework_formats::{Format, Language};
    /// let text = Format::named("scale_8x4")?.emit(Language::C, &[("S", 8)])?;
    /// assert_eq!(text, "\
    /// // ((8,ceil(M/8)),(4,2)):((4,64),(1,32))
    /// static inline uint64_t scale_8x4(uint64_t i, uint64_t j) {
    ///     return (i & 7)*4 + (i >> 3)*64 + (j & 3) + (j >> 2)*32;
    /// }
    /// // No padding if i < M
    /// ");
    /// # Ok::<(), tilework_formats::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Unlike`] for formats that are no single layout; [`Error::Layout`] where the text would need more than 64 bits.
    pub fn emit(&self, language: Language, sizes: &[(&str, i64)]) -> Result<String, Error> {
        let refused = |reason: &str| Err(Error::Unlike(format!("{}: {reason}", self.name())));
        if let Some((name, _)) = sizes.iter().find(|(name, _)| !self.has_size(name)) {
            return Err(Error::Size(format!("{} has no size {name}", self.name())));
        }
        if self.is_expanded() {
            return refused("the number of its modes grows with the sizes");
        }
        let places = Places::of(self, &[])?;
        let whole = match places.whole() {
            Ok(whole) => whole,
            Err(reason) => return refused(reason),
        };
        let (own, shape) = (&places.scope, &places.shape);
        let mut scope = self.scope_at(own, sizes)?;
        let mut adopted = scope.adopt(own.declared()).at(sizes);
        let whole = adopted.placed(whole)?;
        let layout = whole.layout();
        let bounds = shape.iter().map(|extent| adopted.number(extent)).collect::<Result<Vec<_>, _>>()?;
        let coordinates = &COORDINATES[..layout.rank().min(COORDINATES.len())];
        let source = Source::new(language, coordinates);
        let name: String = self
            .name()
            .chars()
            .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' })
            .collect();
        let mut text = scope.index_function(&whole, &name, &source)?.text;
        let predicate = scope.predicate(&identity(&scope, layout)?, &bounds, &source)?;
        let comment = if language == Language::Python { "#" } else { "//" };
        if !["1", "true", "True"].contains(&predicate.text.as_str()) {
            let _ = writeln!(text, "{comment} No padding if {}", predicate.text);
        }
        Ok(text)
    }
}

/// The coordinates of the padded array.
fn identity(scope: &Scope, layout: &SymbolicLayout) -> Result<SymbolicLayout, Error> {
    let (mut extents, mut strides) = (Vec::new(), Vec::new());
    for index in 0..layout.rank() {
        let mode = scope.layout_of(layout.as_tuple().mode(index)?)?;
        extents.push(Tuple::leaf(scope.size(&mode)?));
        strides.push(Tuple::leaf(SymbolicLeaf::sum(1, [(Number::integer(1), Unit::basis(&[index])?)])?));
    }
    Ok(scope.pair(&Tuple::of(&extents)?, &Tuple::of(&strides)?)?)
}
