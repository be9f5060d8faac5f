//! A value with names at given numbers.

use crate::error::Failure;
use crate::names::Names;
use crate::session::Session;
use crate::symbolic::{Condition, Symbolic, SymbolicKind};
use crate::value::Value;

/// The sizes that are tried for names: those of layouts that are small enough to show.
const SIZES: [i64; 14] = [8, 4, 16, 2, 12, 32, 6, 64, 128, 256, 512, 1024, 4096, 1];
/// The largest tile of which a name is a multiple at first.
const MOST_TILE: i64 = 1 << 12;
/// The most choices of values that are tried.
const MAX_CHOICES: usize = 1024;

/// A value with names at given numbers: the result of its guard, and the value without it.
///
/// ```
/// use tilework_expr::Session;
/// let mut session = Session::new();
/// let value = session.evaluate("(M,K):(1,ld) o 64:3")?.clone();
/// let at = session.instance(&value, &[("M".into(), 8), ("ld".into(), 9)]).unwrap();
/// assert_eq!(at.clauses, [("ld == M or M >= 190".into(), false)]);
/// assert_eq!(at.value?.to_string(), "64:3");
/// # Ok::<(), tilework_expr::ExprError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Instance {
    /// All names of the session with their values; first the [`own`](Self::own) ones in the value and its guard.
    pub values: Vec<(String, i64)>,
    /// The number of names in the value and its guard.
    pub own: usize,
    /// The facts that do not hold for these numbers.
    pub broken: Vec<String>,
    /// The clauses of the guard, and whether each holds.
    pub clauses: Vec<(String, bool)>,
    /// The value without its guard: correct if all clauses and facts hold.
    pub value: Result<Value, Failure>,
}

impl Session {
    /// A value of this session at numbers for its names: the given ones, and for the others small ones for which the
    /// facts and the guard hold, if such are found. None for a value without names, and for values other than numbers,
    /// tuples and layouts.
    ///
    /// ```
    /// use tilework_expr::Session;
    /// let mut session = Session::new();
    /// let value = session.evaluate("assume M % 32 == 0; (M,4):(1,M) / 32")?.clone();
    /// let at = session.instance(&value, &[]).unwrap();
    /// assert_eq!((&at.values[0], at.value?.to_string()), (&("M".into(), 32), "(32,4):(1,32)".into()));
    /// # Ok::<(), tilework_expr::ExprError>(())
    /// ```
    #[must_use]
    pub fn instance(&self, value: &Value, given: &[(String, i64)]) -> Option<Instance> {
        let mut instance = self.declared().at_values(value.as_symbolic()?, given)?;
        instance.value = instance.value.map(|own| own.with_pointer_of(value));
        Some(instance)
    }
}

impl Names {
    fn at_values(&self, symbolic: &Symbolic, given: &[(String, i64)]) -> Option<Instance> {
        use SymbolicKind::{Layout, Number, Tuple, View};
        if !matches!(symbolic.kind(), Layout | Number | Tuple | View) {
            return None;
        }
        let occurring = symbolic.names();
        let occurs = |name: &str| occurring.contains(&name);
        let mut names: Vec<&str> = self.iter().collect();
        tilework::__private::sort_by_key(&mut names, |name| !occurs(name));
        let own = names.iter().filter(|name| occurs(name)).count();
        let clauses = Condition::clauses(&symbolic.guard, &symbolic.declared);
        let tiles: Vec<i64> = names.iter().map(|name| tile_of(&symbolic.to_string(), name)).collect();
        let values = self.chosen(&names, &tiles, clauses.iter().chain(self.facts()), given);
        let at: Vec<(&str, i64)> = values.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let broken = self.facts().iter().filter(|fact| !fact.holds(&at)).map(|fact| fact.text.clone());
        let clauses = clauses.iter().map(|clause| (clause.text.clone(), clause.holds(&at))).collect();
        let broken = broken.collect();
        let value = self.bare(symbolic, &at);
        Some(Instance { values, own, broken, clauses, value })
    }

    /// A value without its guard, at values of all names.
    fn bare(&self, symbolic: &Symbolic, at: &[(&str, i64)]) -> Result<Value, Failure> {
        if let Some((name, value)) = at.iter().find(|(_, value)| *value < 0) {
            return Err(Failure::other("guard", format!("{name} = {value}, and a name is 0 or more")));
        }
        let mut scoped = self.under_facts(&[])?;
        let content = scoped.adopted_at(symbolic, at)?;
        scoped.bound(content)
    }

    /// A value of each name: the given one, or a small one that its tile divides. One or two names are varied until the facts and the guard
    /// hold.
    fn chosen<'a>(
        &self,
        names: &[&str],
        tiles: &[i64],
        conditions: impl Iterator<Item = &'a Condition> + Clone,
        given: &[(String, i64)],
    ) -> Vec<(String, i64)> {
        let of = |pairs: &[(String, i64)], name: &str| Some(pairs.iter().find(|(own, _)| own == name)?.1);
        let set = |name: &str| of(given, name);
        // The first names differ, so that their order is visible.
        let first =
            |place: usize| tiles[place] * (SIZES[place % 3] + tiles[place] - 1).div_euclid(tiles[place]);
        let start =
            |(place, name): (usize, &&str)| set(name).or(of(self.hints(), name)).unwrap_or(first(place));
        let start: Vec<i64> = names.iter().enumerate().map(start).collect();
        let admitted = |values: &[i64]| {
            let at: Vec<(&str, i64)> = names.iter().copied().zip(values.iter().copied()).collect();
            conditions.clone().all(|condition| condition.holds(&at))
        };
        let free: Vec<usize> = (0..names.len()).filter(|place| set(names[*place]).is_none()).collect();
        let changes = free.iter().flat_map(|&place| SIZES.map(|size| (place, size)));
        let with = |changed: &[(usize, i64)]| {
            let mut values = start.clone();
            changed.iter().for_each(|&(place, size)| values[place] = size);
            values
        };
        let one = changes.clone().map(|change| with(&[change]));
        let two = changes.clone().flat_map(|change| changes.clone().map(move |other| [change, other]));
        let two = two.filter(|[(place, _), (other, _)]| place < other).map(|pair| with(&pair));
        let found = [start.clone()].into_iter().chain(one).chain(two).take(MAX_CHOICES);
        let found = found.into_iter().find(|values| admitted(values)).unwrap_or_else(|| {
            // The values for which the operations were chosen.
            let witness = self.witness();
            let place = |(name, small): (&&str, &i64)| set(name).or(of(&witness, name)).unwrap_or(*small);
            names.iter().zip(&start).map(place).collect()
        });
        names.iter().map(|name| name.to_string()).zip(found).collect()
    }
}

/// The tile by which a value divides a name, as in `ceil(M/64)`; 1 without one.
fn tile_of(value: &str, name: &str) -> i64 {
    let behind = value.split_once(&format!("ceil({name}/"));
    let tile = behind.and_then(|(_, rest)| rest.split_once(')')?.0.parse().ok());
    tile.filter(|tile| (1..=MOST_TILE).contains(tile)).unwrap_or(1)
}
