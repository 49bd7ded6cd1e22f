//! Programs as machine code: x86-64 with AVX2.
//!
//! Segments have no jumps, so the next use of every value is known, and the value whose next use is
//! farthest away leaves the registers first (Belady, 1966). Machine code is made in memory that is
//! writable and then becomes executable, never both.

mod allocate;
mod assemble;
mod memory;

pub use memory::MachineCode;

use allocate::Allocator;
use assemble::Assembler;

use crate::program::Program;

/// Whether this machine can run the code.
pub fn is_supported() -> bool {
    #[cfg(all(target_arch = "x86_64", unix))]
    {
        std::arch::is_x86_feature_detected!("avx2")
    }
    #[cfg(not(all(target_arch = "x86_64", unix)))]
    {
        false
    }
}

/// Compiles a program; values that do not fit into registers are kept in the frame from
/// `frame_len` on. `None` where machine code cannot be run.
pub fn compile(program: &Program, n_fluents: usize, frame_len: u32) -> Option<MachineCode> {
    if !is_supported() {
        return None;
    }
    let mut assembler = Assembler::default();
    let mut end = frame_len;
    for segment in &program.segments {
        let mut allocator = Allocator::new(segment, frame_len, &mut assembler);
        allocator.run();
        end = end.max(allocator.frame_end());
    }
    assembler.finish();
    MachineCode::new(&assembler.code, n_fluents, end as usize).ok()
}
