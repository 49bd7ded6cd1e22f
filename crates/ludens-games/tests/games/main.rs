//! Native games against their rules. One binary: linking takes longer than most of these tests.

mod contract;
mod features;
mod havannah;
mod lockstep;
mod playouts;
mod weights;
