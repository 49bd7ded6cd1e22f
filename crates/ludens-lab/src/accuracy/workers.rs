//! Numbered tasks on several threads, with results in their order.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// How many tasks a thread may be ahead of the first one that is not finished, for each thread.
const AHEAD: usize = 64;

/// Runs tasks 0, 1, 2 … until `take`, which gets results in this order, says that it is enough. Each
/// thread makes its own worker, so that what a worker keeps is not shared.
pub(super) fn in_order<T: Send, W: FnMut(usize) -> T>(
    threads: usize,
    worker: impl Fn() -> W + Sync,
    mut take: impl FnMut(T) -> ControlFlow<()>,
) {
    let (next, taken, is_over) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, receiver) = mpsc::channel();
    let over = || is_over.load(Ordering::Acquire);
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let sender = sender.clone();
            scope.spawn(|| {
                let (sender, mut work) = (sender, worker());
                while !over() {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    while number > taken.load(Ordering::Acquire) + AHEAD * threads && !over() {
                        thread::park_timeout(std::time::Duration::from_millis(1));
                    }
                    if over() || sender.send((number, work(number))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        for (number, result) in receiver {
            waiting.insert(number, result);
            while let Some(result) = waiting.remove(&taken.load(Ordering::Relaxed)) {
                taken.fetch_add(1, Ordering::Release);
                if take(result).is_break() {
                    is_over.store(true, Ordering::Release);
                    return;
                }
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_until_it_is_enough() {
        for threads in [1, 2, 7] {
            let mut seen = Vec::new();
            in_order(
                threads,
                || |number| number * number,
                |square| {
                    seen.push(square);
                    if seen.len() < 300 {
                        ControlFlow::Continue(())
                    } else {
                        ControlFlow::Break(())
                    }
                },
            );
            assert!(seen.iter().copied().eq((0..300).map(|n| n * n)), "{threads}");
        }
    }
}
