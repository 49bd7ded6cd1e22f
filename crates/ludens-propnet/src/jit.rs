//! JIT compiler: programs as machine code for x86-64 with AVX2 or AVX-512.
//!
//! Segments have no jumps, so the next use of every value is known, and the value whose next use is
//! farthest away is spilled first (Belady, 1966). Machine code is written to memory that is
//! writable and then becomes executable, never both.

mod allocate;
mod assemble;
mod memory;

pub use memory::MachineCode;

use allocate::Allocator;
use assemble::Assembler;

use crate::program::{Gates, Program};

/// The instruction set of machine code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// 16 registers and gates of two inputs.
    Avx2,
    /// 32 registers and gates of three inputs (AVX-512F and VL, on 256 bits).
    Avx512,
}

impl Target {
    /// The best that this machine can run.
    pub fn best() -> Option<Self> {
        #[cfg(all(target_arch = "x86_64", unix))]
        {
            use std::arch::is_x86_feature_detected as has;
            if has!("avx512f") && has!("avx512vl") {
                return Some(Target::Avx512);
            }
            has!("avx2").then_some(Target::Avx2)
        }
        #[cfg(not(all(target_arch = "x86_64", unix)))]
        {
            None
        }
    }

    /// Whether this machine can run it.
    pub fn is_supported(self) -> bool {
        match Self::best() {
            Some(Target::Avx512) => true,
            best => best == Some(self),
        }
    }

    /// The gates that it computes in one instruction.
    pub fn gates(self) -> Gates {
        match self {
            Target::Avx2 => Gates::Two,
            Target::Avx512 => Gates::Three,
        }
    }

    fn n_regs(self) -> usize {
        match self {
            Target::Avx2 => 16,
            Target::Avx512 => 32,
        }
    }
}

/// Compiles a program; values are spilled to the frame from `frame_len` on. `None` if the machine
/// does not support the target.
pub fn compile(
    program: &Program,
    target: Target,
    n_fluents: usize,
    frame_len: u32,
) -> Option<MachineCode> {
    if !target.is_supported() {
        return None;
    }
    let mut assembler = Assembler::default();
    let mut end = frame_len;
    for segment in &program.segments {
        let mut allocator = Allocator::new(segment, target, frame_len, &mut assembler);
        allocator.run();
        end = end.max(allocator.frame_end());
    }
    assembler.finish();
    MachineCode::new(&assembler.code, n_fluents, end as usize).ok()
}
