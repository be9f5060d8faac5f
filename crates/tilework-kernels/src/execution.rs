//! Where and how long something runs: threads, cancelling, progress.

use crate::error::Error;
use rayon_core::ThreadPool;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// How an operation is to be run. [`Execution::default`] is the calling thread alone.
///
/// The work is divided by the number of threads, not by which thread is free, so results do not depend on timing.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use tilework_kernels::Execution;
/// let stop = AtomicBool::new(false);
/// let execution = Execution::threads(2).cancelled_by(&stop);
/// assert_eq!(execution.thread_count(), 2);
/// ```
#[derive(Clone, Copy)]
pub struct Execution<'a> {
    threads: usize,
    pool: Option<&'a ThreadPool>,
    stop: Option<&'a AtomicBool>,
    progress: Option<&'a (dyn Fn(f64) + Sync)>,
}

impl Default for Execution<'_> {
    fn default() -> Self {
        Execution { threads: 1, pool: None, stop: None, progress: None }
    }
}

impl<'a> Execution<'a> {
    /// This number of threads of rayon's global pool; 0 counts as 1.
    #[must_use]
    pub fn threads(threads: usize) -> Execution<'a> {
        Execution { threads: threads.max(1), ..Execution::default() }
    }

    /// All threads of a pool.
    #[must_use]
    pub fn on(pool: &'a ThreadPool) -> Execution<'a> {
        Execution { threads: pool.current_num_threads(), pool: Some(pool), ..Execution::default() }
    }

    /// Stops with [`Error::Cancelled`] soon after `stop` is set.
    #[must_use]
    pub fn cancelled_by(self, stop: &'a AtomicBool) -> Execution<'a> {
        Execution { stop: Some(stop), ..self }
    }

    /// Calls `progress` now and then with the fraction done, from 0 to 1, on the threads that work.
    #[must_use]
    pub fn reporting_to(self, progress: &'a (dyn Fn(f64) + Sync)) -> Execution<'a> {
        Execution { progress: Some(progress), ..self }
    }

    /// How many parts the work is divided into.
    #[must_use]
    pub fn thread_count(&self) -> usize {
        self.threads
    }

    /// Reports that a part, as a fraction of the whole, is done.
    #[inline]
    pub(crate) fn report(&self, part: f64) {
        if let Some(progress) = self.progress {
            progress(part);
        }
    }

    /// Reports that everything is done, and returns the result.
    #[inline]
    pub(crate) fn finish(&self) -> Result<(), Error> {
        self.report(1.0);
        self.result()
    }

    /// The result at the end.
    #[inline]
    fn result(&self) -> Result<(), Error> {
        match self.stop {
            Some(stop) if stop.load(Ordering::Relaxed) => Err(Error::Cancelled),
            _ => Ok(()),
        }
    }

    /// The same with progress reported to another function, if at all.
    pub(crate) fn reporting_through<'b>(self, progress: &'b (dyn Fn(f64) + Sync)) -> Execution<'b>
    where
        'a: 'b,
    {
        Execution { progress: self.progress.is_some().then_some(progress), ..self }
    }

    /// Runs `part(i)` for each `i` below `parts`, in parallel if there are threads.
    pub(crate) fn run(&self, parts: usize, part: impl Fn(usize) + Sync) {
        self.run_parts(parts, &part);
    }

    /// It takes `part` as a trait object, so that it is compiled once.
    fn run_parts(&self, parts: usize, part: &(dyn Fn(usize) + Sync)) {
        // Under Miri, rayon's threads would take all the time by looking for work.
        if parts == 1 || self.threads == 1 || cfg!(miri) {
            return (0..parts).for_each(part);
        }
        let spread = || {
            rayon_core::scope(|scope| {
                (1..parts).for_each(|i| scope.spawn(move |_| part(i)));
                part(0);
            })
        };
        match self.pool {
            Some(pool) => pool.install(spread),
            None => spread(),
        }
    }

    /// A counter of `total` steps of work, which reports progress and asks whether to continue.
    pub(crate) fn counter(&self, total: usize) -> Counter<'a> {
        Counter { execution: *self, total: total.max(1), done: AtomicUsize::new(0) }
    }
}

/// See [`Execution::counter`].
pub(crate) struct Counter<'a> {
    execution: Execution<'a>,
    total: usize,
    done: AtomicUsize,
}

impl Counter<'_> {
    /// Counts `steps` more. Returns whether to continue.
    #[inline]
    pub(crate) fn advance(&self, steps: usize) -> bool {
        if let Some(progress) = self.execution.progress {
            let done = self.done.fetch_add(steps, Ordering::Relaxed) + steps;
            progress(done as f64 / self.total as f64);
        }
        !self.execution.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// The result at the end.
    pub(crate) fn result(&self) -> Result<(), Error> {
        self.execution.result()
    }
}
