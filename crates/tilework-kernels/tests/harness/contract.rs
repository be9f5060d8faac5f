//! Contraction.

use super::number::{Number, TYPES, Types, with_types};
use super::place::{Form, Place, Places, Random, Strides, smaller_places};
use super::{Case, Factors, Guarded, check_random, operand};
use crate::contract::ContractPlan;
use crate::cpu::isa::Isa;
use crate::execution::Execution;
use crate::located::Located;
use crate::matmul::tile::element::{Destination, Element};

#[derive(Clone)]
struct Contraction {
    types: Types,
    /// The labels of each operand, and last of the output.
    labels: Vec<Vec<u8>>,
    places: Vec<Place>,
    factors: Factors,
}

impl Contraction {
    fn spec(&self) -> String {
        let terms: Vec<String> =
            self.labels.iter().map(|labels| String::from_utf8(labels.clone()).unwrap()).collect();
        let (output, operands) = terms.split_last().unwrap();
        format!("{}->{output}", operands.join(","))
    }

    fn typed<T, C>(&self) -> Result<(), String>
    where
        T: Element<Sum: Number> + Number,
        C: Destination<T::Sum> + Number,
    {
        let factors = &self.factors;
        let (output, operands) = self.places.split_last().unwrap();
        let data: Vec<Vec<T>> =
            (0..).zip(operands).map(|(i, place)| operand(place, factors.reads(), i)).collect();
        let mut written = Guarded::<C>::new(output.room(), 256, |i| C::noise(i as u64));
        if factors.beta != 0 {
            output.offsets().into_iter().for_each(|at| written.set(at, C::of(at as i64 * 5 % 9 - 4)));
        }
        let mut expected = written.clone();
        let tensors: Vec<Box<dyn Located>> = self.places.iter().map(Place::located).collect();
        let tensors: Vec<&dyn Located> = tensors.iter().map(|tensor| &**tensor).collect();
        let plan = factors.plan(|| {
            let (output, operands) = tensors.split_last().unwrap();
            ContractPlan::<T, C>::for_tensors(&self.spec(), operands, *output)
        });
        let plan = plan.map_err(|error| error.to_string())?;
        let slices: Vec<&[T]> = data.iter().map(Vec::as_slice).collect();
        let (alpha, beta) = (<T::Sum as Number>::of(factors.alpha), <T::Sum as Number>::of(factors.beta));
        plan.run(alpha, &slices, beta, written.inner(), &Execution::threads(factors.threads))
            .map_err(|error| error.to_string())?;

        // All values of all labels, those of the output first.
        let tables: Vec<_> = self.places.iter().map(Place::table).collect();
        let mut order = self.labels.last().unwrap().clone();
        let outer = order.len();
        for &label in self.labels.iter().flatten() {
            if !order.contains(&label) {
                order.push(label);
            }
        }
        let extents: Vec<usize> = order.iter().map(|&label| self.extent(label)).collect();
        let positions: Vec<Vec<usize>> = self
            .labels
            .iter()
            .map(|own| {
                own.iter().map(|label| order.iter().position(|other| other == label).unwrap()).collect()
            })
            .collect();
        let mut values = vec![0; order.len()];
        let mut coordinate = Vec::new();
        let mut place = |term: usize, values: &[usize]| {
            coordinate.clear();
            coordinate.extend(positions[term].iter().map(|&position| values[position]));
            tables[term].at(&coordinate)
        };
        let (outside, inside) = extents.split_at(outer);
        for _ in 0..outside.iter().product() {
            let mut sum = 0;
            for _ in 0..if factors.reads() { inside.iter().product() } else { 0 } {
                let factor = |(i, data): (usize, &Vec<T>)| data[place(i, &values)].value();
                sum += data.iter().enumerate().map(factor).product::<i64>();
                step(&mut values[outer..], inside);
            }
            expected.update(place(operands.len(), &values), sum, factors);
            step(&mut values[..outer], outside);
        }
        written.compare(&expected).map_err(|error| format!("{error}\n{}", plan.explain()))
    }

    fn extent(&self, label: u8) -> usize {
        let modes = self.labels.iter().zip(&self.places);
        let mut sizes = modes.filter_map(|(own, place)| {
            Some(place.modes[own.iter().position(|&other| other == label)?].size())
        });
        sizes.next().unwrap() as usize
    }
}

/// The next of all tuples below `extents`, the first one fastest.
fn step(values: &mut [usize], extents: &[usize]) {
    for (value, &extent) in values.iter_mut().zip(extents) {
        *value += 1;
        if *value < extent {
            return;
        }
        *value = 0;
    }
}

impl Case for Contraction {
    fn run(&self) -> Result<(), String> {
        with_types!(self.types, self.typed())
    }

    fn is_for(&self, isa: Isa) -> bool {
        isa == isa.registers() || self.types.are_narrow()
    }

    fn smaller(&self) -> Vec<Contraction> {
        let mut all = self.factors.smaller(|factors| Contraction { factors, ..self.clone() });
        let mut labels: Vec<u8> = self.labels.concat();
        labels.sort_unstable();
        labels.dedup();
        let at = |label: u8| {
            let terms = self.labels.iter().enumerate();
            terms
                .flat_map(|(term, own)| {
                    let modes = own.iter().enumerate().filter(move |(_, other)| **other == label);
                    modes.map(move |(mode, _)| (term, mode))
                })
                .collect()
        };
        let groups: Vec<Vec<(usize, usize)>> = labels.into_iter().map(at).collect();
        let places: Vec<&Place> = self.places.iter().collect();
        all.extend(
            smaller_places(&places, &groups).into_iter().map(|places| Contraction { places, ..self.clone() }),
        );
        all.retain(|contraction| contraction.places.last().unwrap().is_apart());
        all
    }

    fn show(&self, isa: Isa) -> String {
        let tensors: Vec<String> =
            self.places.iter().map(|place| format!("&{} as _", place.tensor())).collect();
        let (output, operands) = tensors.split_last().unwrap();
        format!(
            "let operands = [{}];\nlet output = {output};\nlet plan = ContractPlan::<{}>::for_tensors(\"{}\", &operands, output)?;\n{}",
            operands.join(", "),
            self.types.parameters(),
            self.spec(),
            self.factors.show(isa)
        )
    }
}

/// A contraction of labels with these extents.
fn contraction(
    random: &mut Random,
    labels: Vec<Vec<u8>>,
    extents: &[(u8, i64)],
    types: Types,
) -> Contraction {
    let last = labels.len() - 1;
    let mut places = Vec::new();
    for (i, own) in labels.iter().enumerate() {
        let extent = |label: &u8| extents.iter().find(|entry| entry.0 == *label).unwrap().1;
        let sizes: Vec<i64> = own.iter().map(extent).collect();
        let mut place = random.place(&sizes, if i == last { Strides::Apart } else { Strides::Free });
        // A layout of no modes has one element.
        if sizes.is_empty() {
            place = Place { modes: Vec::new(), form: Form::Sum, start: 0 };
        }
        places.push(place);
    }
    Contraction { types, labels, places, factors: Factors::random(random) }
}

/// Labels that are rows, columns, steps, or of a batch, of one to four operands.
fn random_contraction(random: &mut Random) -> Contraction {
    let operands = random.choose(&[1, 2, 2, 2, 2, 2, 3, 4]);
    let count = random.range(1, 6) as u8;
    let most = random.choose(&[3, 6, 17]);
    let mut labels = vec![Vec::new(); operands + 1];
    let mut extents = Vec::new();
    let mut size = 1;
    for label in b'a'..b'a' + count {
        let mut extent = random.range(1, most);
        if random.once_in(12) {
            extent = random.choose(&[33, 65, 130]);
        }
        extent = extent.min((20_000 / size).max(1));
        size *= extent;
        extents.push((label, extent));
        // Some of the operands, at least one, and the output or not.
        let mut holders: Vec<usize> = (0..operands).filter(|_| !random.once_in(2)).collect();
        if holders.is_empty() {
            holders.push(random.range(0, operands as i64 - 1) as usize);
        }
        for holder in holders {
            labels[holder].push(label);
            if random.once_in(25) {
                labels[holder].push(label);
            }
        }
        if !random.once_in(3) {
            labels[operands].push(label);
        }
    }
    labels.iter_mut().for_each(|own| random.shuffle(own));
    let types = random.choose(&TYPES);
    // Products of many i8 are beyond what f64 keeps apart, and of some beyond i32.
    let types = if operands > 2 && types == Types::I8 { Types::F64 } else { types };
    contraction(random, labels, &extents, types)
}

#[test]
#[cfg_attr(miri, ignore)]
fn contractions() {
    check_random("contract", 5000, random_contraction);
}

/// Batches of matrices, in any order of the labels.
#[test]
#[cfg_attr(miri, ignore)]
fn contractions_of_matrices() {
    check_random("contract matrices", 5000, |random| {
        let mut labels: Vec<Vec<u8>> = vec![b"mk".to_vec(), b"nk".to_vec(), b"mn".to_vec()];
        let pool = [1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 31, 33];
        let mut extents: Vec<(u8, i64)> = b"mnk".iter().map(|&label| (label, random.choose(&pool))).collect();
        for (label, terms) in
            [(b'l', [0, 1, 2].as_slice()), (b'p', &[0, 2]), (b'q', &[1, 2]), (b'r', &[0, 1])]
        {
            let size: i64 = extents.iter().map(|entry| entry.1).product();
            if random.once_in(3) && size < 10_000 {
                extents.push((label, random.choose(&[1, 2, 3, 5, 16])));
                terms.iter().for_each(|&term| labels[term].push(label));
            }
        }
        labels.iter_mut().for_each(|own| random.shuffle(own));
        let types = random.choose(&TYPES);
        contraction(random, labels, &extents, types)
    });
}

/// More than a million multiply-adds of few columns and steps: the larger operand is read in place, or brought to the cache in
/// the order of the output.
#[test]
#[cfg_attr(miri, ignore)]
fn large_contractions() {
    check_random("large contract", 30, |random| {
        let mut labels: Vec<Vec<u8>> = vec![b"abdk".to_vec(), b"nk".to_vec(), b"abdn".to_vec()];
        labels.iter_mut().for_each(|own| random.shuffle(own));
        let extents = [
            (b'a', random.choose(&[16, 20, 40, 75])),
            (b'b', random.choose(&[16, 24, 33])),
            (b'd', random.choose(&[1, 20, 24])),
            (b'n', random.choose(&[2, 3, 9])),
            (b'k', random.choose(&[3, 18, 40])),
        ];
        let types = random.choose(&[Types::F32, Types::F64, Types::Bf16]);
        contraction(random, labels, &extents, types)
    });
}
