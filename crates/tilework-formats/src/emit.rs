//! The offset of an element as source text.

use crate::error::Error;
use crate::format::Format;
use crate::place::{COORDINATES, Offsets, Place, Places};
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
        if let Some((name, _)) = sizes.iter().find(|(name, _)| !self.has_size(name)) {
            return Err(Error::Size(format!("{own} has no size {name}")));
        }
        match self.names().find(|name| sizes.iter().all(|(given, _)| given != name)) {
            None => drop(self.at(sizes)?),
            Some(size) if self.is_expanded() => {
                return refused(format!("the modes of {own} are as many as its sizes say: give {size}=.."));
            }
            Some(_) => {}
        }
        let places = Places::of(self, sizes)?;
        let mut scope = self.scope_at(&self.scope()?, sizes)?;
        let first = if own.starts_with(|first: char| first.is_ascii_alphabetic()) { "" } else { "f" };
        let letter = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
        let name: String = first.chars().chain(own.chars().map(letter)).collect();
        let source = Source::new(language, &COORDINATES[..places.shape.len().min(COORDINATES.len())]);
        let (comment, and) = match language {
            Language::Python => ("#", " and "),
            _ => ("//", " && "),
        };
        let (mut text, mut domains) = (String::new(), Vec::new());
        let inside = inside(&places, scope.clone(), sizes)?;
        let inside = (!inside.1.is_always()).then(|| inside.0.guard_expression(&[inside.1], language));
        let mut conditions: Vec<String> = inside.into_iter().collect::<Result<_, _>>()?;
        if let Ok(whole) = places.whole() {
            let whole = scope.adopt(places.scope.declared()).at(sizes).placed(whole)?;
            text += &scope.index_function(whole, &name, &source)?.text;
        } else {
            let facts = scope.facts()?;
            let mut cases = regions(&places, &mut scope, sizes)?;
            domains.extend(cases.iter().map(|(domain, _)| domain.clone()));
            let Some((_, last)) = cases.pop() else {
                return refused(format!("no element of {own} is stored at these sizes"));
            };
            let emitted = scope.case_function(&cases, &last, &name, &source)?;
            for layout in self.layouts() {
                let _ = writeln!(text, "{comment} {layout}");
            }
            let guards = [facts, emitted.guard].into_iter().filter(|guard| !guard.is_always());
            let known = sizes.iter().map(|(name, size)| format!("{name} == {size}"));
            let known: Vec<String> = known.chain(guards.map(|guard| scope.guard_text(&guard))).collect();
            if !known.is_empty() {
                let _ = writeln!(text, "{comment} if {}", known.join(" and "));
            }
            text += &emitted.text;
        }
        if !domains.iter().any(Guard::is_always) && !domains.is_empty() {
            let any = scope.guard_expression(&domains, language)?;
            let alone = domains.len() == 1 || conditions.is_empty();
            conditions.push(if alone { any } else { format!("({any})") });
        }
        if !conditions.is_empty() {
            let _ = writeln!(text, "{comment} No padding if {}", conditions.join(and));
        }
        Ok(text)
    }
}

/// The coordinate of an element of an array, whose names are declared with their bounds.
fn coordinate(scope: &mut Scope, extents: &[Number]) -> Result<Vec<Number>, Error> {
    let mut all = Vec::new();
    for (name, extent) in COORDINATES.iter().zip(extents) {
        if scope.find(name).is_some() {
            return Err(Error::Unlike(format!("{name} is a coordinate, and the name of a size")));
        }
        let index = scope.declare(name)?;
        scope.assume_at_least(&index, &0.into())?;
        // A bound that is no fact about one name is left out.
        let before = scope.clone();
        scope.assume_at_least(extent, &index.plus(1)?).unwrap_or_else(|_| *scope = before);
        all.push(index);
    }
    Ok(all)
}

/// The condition under which a coordinate of the padded array, that of the first layout, is in the array, and its names.
fn inside(places: &Places, mut scope: Scope, sizes: &[(&str, i64)]) -> Result<(Scope, Guard), Error> {
    let mut guard = Guard::ALWAYS;
    let Some(first) = places.places[0].first() else { return Ok((scope, guard)) };
    let mut adopted = scope.adopt(places.scope.declared()).at(sizes);
    let first = adopted.layout(first.layout())?;
    let bounds = places.shape.iter().map(|extent| adopted.number(extent)).collect::<Result<Vec<_>, _>>()?;
    let size = |mode| Ok::<_, Error>(scope.size(&scope.layout_of(first.as_tuple().mode(mode)?)?)?);
    let padded = (0..bounds.len()).map(size).collect::<Result<Vec<_>, _>>()?;
    let indices = coordinate(&mut scope, &padded)?;
    for (index, bound) in indices.iter().zip(&bounds) {
        if let Verdict::When(own) = scope.is_at_least(bound, &index.plus(1)?)? {
            guard.push_all(&own);
        }
    }
    Ok((scope, guard))
}

/// For each text the condition under which it is the first that has the element, and the offset; without those that have none.
fn regions(places: &Places, scope: &mut Scope, sizes: &[(&str, i64)]) -> Result<Vec<(Guard, Number)>, Error> {
    let (own, shape) = (places.scope.declared(), places.shape.iter());
    let shape =
        shape.map(|extent| scope.adopt(own).at(sizes).number(extent)).collect::<Result<Vec<_>, _>>()?;
    let indices: Vec<_> = coordinate(scope, &shape)?.into_iter().map(Tuple::leaf).collect();
    let coordinate = match &indices[..] {
        [index] => index.clone(),
        all => Tuple::of(all)?,
    };
    let (mut all, mut failed) = (Vec::new(), Vec::new());
    for Place { domain, offsets } in &places.places {
        let domain = scope.adopt(own).at(sizes).guard(domain.as_ref().unwrap_or(&Guard::ALWAYS))?;
        let mut rest = scope.clone();
        for condition in &failed {
            let before = rest.clone();
            rest.assume_at_least(&(-1).into(), condition).unwrap_or_else(|_| rest = before);
        }
        let domain = match rest.reduced(&domain) {
            Err(tilework::Error::Fact { .. }) => continue,
            domain => domain?,
        };
        if let [clause] = domain.clauses()
            && let [[Condition::Nonnegative(number)]] =
                clause.iter().map(Vec::as_slice).collect::<Vec<_>>()[..]
        {
            failed.push(number.clone());
        }
        let is_last = domain.is_always();
        let offset = match offsets {
            Offsets::Polynomial(number) => scope.adopt(own).at(sizes).number(number)?,
            Offsets::Layouts(layouts) => {
                let mut at = coordinate.clone();
                for layout in layouts {
                    let layout = scope.adopt(own).at(sizes).placed(layout)?;
                    at = Tuple::leaf(layout.at(scope, &at)?);
                }
                at.leaves()[0].clone()
            }
        };
        all.push((domain, offset));
        if is_last {
            break;
        }
    }
    Ok(all)
}
