//! Work that threads share.

use std::sync::Mutex;

/// Does the work for each item, on this many threads. Which thread takes an item must not matter.
pub(crate) fn share<T: Send>(items: &mut [T], n_threads: usize, work: impl Fn(&mut T) + Sync) {
    let queue = Mutex::new(items.iter_mut());
    let next = || queue.lock().expect("no thread panics while it takes an item").next();
    let work_on = || {
        while let Some(item) = next() {
            work(item);
        }
    };
    std::thread::scope(|scope| {
        (1..n_threads).for_each(|_| {
            scope.spawn(work_on);
        });
        work_on();
    });
}
