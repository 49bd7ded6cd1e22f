//! Executable memory.

use memmap2::{Mmap, MmapMut};

use crate::lanes::{LaneMemory, Plane};

/// A compiled program.
pub struct MachineCode {
    code: Mmap,
    n_fluents: usize,
    frame_len: usize,
}

impl MachineCode {
    /// Makes code executable: it is written to writable memory, which then becomes executable and
    /// read-only. The code may access `n_fluents` planes of either state and
    /// `frame_len` planes of the frame.
    pub fn new(code: &[u8], n_fluents: usize, frame_len: usize) -> std::io::Result<Self> {
        let mut memory = MmapMut::map_anon(code.len())?;
        memory.copy_from_slice(code);
        Ok(MachineCode { code: memory.make_exec()?, n_fluents, frame_len })
    }

    /// The size of the code in bytes.
    pub fn len(&self) -> usize {
        self.code.len()
    }

    /// Whether there is no code.
    pub fn is_empty(&self) -> bool {
        self.code.is_empty()
    }

    /// The number of planes of the frame that it uses.
    pub fn frame_len(&self) -> usize {
        self.frame_len
    }

    /// Runs the code.
    pub fn run(&self, memory: &mut LaneMemory) {
        let LaneMemory { state, next, frame } = memory;
        assert!(state.len() >= self.n_fluents && next.len() >= self.n_fluents);
        assert!(frame.len() >= self.frame_len);
        #[cfg(target_arch = "x86_64")]
        #[expect(unsafe_code, reason = "machine code can be entered in no other way")]
        // SAFETY: the code was made by `assemble` for this architecture, and `Jit` checks that the
        // machine supports its instructions. It is a leaf function of this signature, writes vector
        // registers only, which the calling convention lets it clobber, and reads and writes
        // planes below the lengths that were just checked. Planes are aligned to 32 bytes.
        unsafe {
            type Entry = unsafe extern "sysv64" fn(*const Plane, *mut Plane, *mut Plane);
            let entry: Entry = std::mem::transmute(self.code.as_ptr());
            entry(state.as_ptr(), next.as_mut_ptr(), frame.as_mut_ptr());
        }
    }
}
