//! The offset of an element as source text.

use crate::error::Error;
use crate::format::Format;
use crate::place::{COORDINATES, Offsets, Place, Places, coordinate};
use std::fmt::Write;
use tilework_symbolic::{Condition, Guard, Language, Number, Scope, Source, Tuple, Verdict};

impl Format {
    /// A function from the coordinate `i`, `j`, ... of an element of the padded array to its offset, in elements, and as a
    /// comment the condition under which it is no padding and stored. Sizes are numbers where they are given, otherwise
    /// parameters. Where a format has several layouts, each for some elements, they are cases of the function.
    ///
    /// ```
    /// use tilework_formats::{Format, Language};
    /// let text = Format::named("scale_8x4")?.emit(Language::C, &[("S", 8)])?;
    /// assert_eq!(text, "\
    /// // Where an element of scale_8x4 is, in elements of 8 bits.
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
    /// [`Error::Size`] for sizes that the format does not admit; [`Error::Unlike`] where sizes have to be given, and where no
    /// element is stored; [`Error::Layout`] where the text would need more than 64 bits.
    pub fn emit(&self, language: Language, sizes: &[(&str, i64)]) -> Result<String, Error> {
        let (own, refused) = (self.name(), |reason: String| Err(Error::Unlike(reason)));
        self.check_sizes(sizes)?;
        if let (Some(size), true) = (self.missing(sizes), self.is_expanded()) {
            return refused(format!("the modes of {own} are as many as its sizes say: give {size}=.."));
        }
        let places = Places::of(self, sizes)?;
        let source = Source::new(language, &COORDINATES[..places.shape.len().min(COORDINATES.len())]);
        if let Some(name) = source.coordinate.iter().find(|name| self.has_size(name)) {
            return refused(format!("{name} is a size of {own}, and the name of a coordinate"));
        }
        let first = if own.starts_with(|first: char| first.is_ascii_alphabetic()) { "" } else { "f" };
        let letter = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
        let name: String = first.chars().chain(own.chars().map(letter)).collect();
        let comment = if language == Language::Python { "#" } else { "//" };
        let bits = self.element_bits();
        let mut text = format!("{comment} Where an element of {own} is, in elements of {bits} bits.\n");
        let mut domains = vec![Guard::ALWAYS];
        let (mut scope, inside) = places.inside()?;
        if let Ok(whole) = places.whole() {
            text += &places.scope.index_function(whole, &name, &source)?.text;
        } else {
            let mut cases = places.cases(&mut scope)?;
            if cases.iter().all(|(domain, _)| !domain.is_always()) {
                domains = cases.iter().map(|(domain, _)| domain.clone()).collect();
            }
            let Some((_, last)) = cases.pop() else {
                return refused(format!("no element of {own} is stored at these sizes"));
            };
            let emitted = scope.case_function(&cases, &last, &name, &source)?;
            if self.missing(sizes).is_none() && !emitted.guard.is_always() {
                let condition = scope.guard_text(&emitted.guard);
                return refused(format!(
                    "{own} at these sizes has offsets that do not fit: only if {condition}"
                ));
            }
            for layout in self.layouts() {
                let _ = writeln!(text, "{comment} {layout}");
            }
            let is_of_sizes = |fact: &Guard| scope.names_in(fact.numbers()).all(|name| self.has_size(name));
            let facts = places.scope.facts()?;
            let facts = facts.each().filter(is_of_sizes).chain(emitted.guard.each());
            let known = sizes.iter().map(|(name, size)| format!("{name} == {size}"));
            let known: Vec<String> = known.chain(facts.map(|fact| scope.guard_text(&fact))).collect();
            if !known.is_empty() {
                let _ = writeln!(text, "{comment} if {}", known.join(" and "));
            }
            text += &emitted.text;
        }
        for domain in &mut domains {
            let own = std::mem::replace(domain, inside.clone());
            domain.push_all(&own);
        }
        if domains.iter().all(|domain| !domain.is_always()) {
            let stored = scope.guard_expression(&domains, language)?;
            let _ = writeln!(text, "{comment} No padding if {stored}");
        }
        Ok(text)
    }
}

impl Places {
    /// The condition under which a coordinate of the padded array, which the first layout takes, is in the array, and a scope
    /// that has its names.
    fn inside(&self) -> Result<(Scope, Guard), Error> {
        let (mut scope, mut guard) = (self.scope.clone(), Guard::ALWAYS);
        for (mode, (name, extent)) in COORDINATES.iter().zip(&self.shape).enumerate() {
            scope.declare(name)?;
            let Some(first) = self.places[0].layouts().first() else { continue };
            let padded = scope.size(&scope.layout_of(first.layout().as_tuple().mode(mode)?)?)?;
            if !matches!(scope.is_at_least(extent, &padded)?, Verdict::Always) {
                guard.push_all(&scope.conditions(&format!("{name} < {}", scope.number_text(extent)))?);
            }
        }
        Ok((scope, guard))
    }

    /// For each text the condition under which it is the first that has the element, and the offset; without texts that have
    /// no element.
    pub(crate) fn cases(&self, scope: &mut Scope) -> Result<Vec<(Guard, Number)>, Error> {
        let own = self.scope.declared();
        let indices: Vec<_> = coordinate(scope, &self.shape)?.into_iter().map(Tuple::leaf).collect();
        let coordinate = match &indices[..] {
            [index] => index.clone(),
            all => Tuple::of(all)?,
        };
        let (mut all, mut failed) = (Vec::new(), Vec::new());
        for Place { domain, offsets } in &self.places {
            let domain = scope.adopt(own).guard(domain.as_ref().unwrap_or(&Guard::ALWAYS))?;
            let mut rest = scope.clone();
            for condition in &failed {
                let before = rest.clone();
                rest.assume_at_least(&(-1).into(), condition).unwrap_or_else(|_| rest = before);
            }
            let domain = match rest.reduced(&domain) {
                Err(tilework::Error::Fact { .. }) => continue,
                domain => domain?,
            };
            if let [[clause]] = domain.clauses().iter().map(Vec::as_slice).collect::<Vec<_>>()[..]
                && let [Condition::Nonnegative(number)] = &clause[..]
            {
                failed.push(number.clone());
            }
            let offset = match offsets {
                Offsets::Polynomial(number) => scope.adopt(own).number(number)?,
                Offsets::Layouts(layouts) => {
                    let mut at = coordinate.clone();
                    for layout in layouts {
                        at = Tuple::leaf(layout.at(scope, &at)?);
                    }
                    at.leaves()[0].clone()
                }
            };
            let is_last = domain.is_always();
            all.push((domain, offset));
            if is_last {
                break;
            }
        }
        Ok(all)
    }
}
