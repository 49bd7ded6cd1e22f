//! Groups of stones as a union-find forest. The root of each group has the set of all points adjacent
//! to the group; the empty ones among them are its liberties.

use super::points::Points;

/// The stones on a board with their groups.
#[derive(Clone, Debug)]
pub struct Groups {
    /// The points without a stone.
    pub empty: u64,
    stones: [u64; 2],
    /// The parent of each stone; a root is its own parent.
    parents: [u8; 64],
    /// For each root, the points adjacent to its group.
    reach: [u64; 64],
}

impl Groups {
    /// The groups of these stones.
    pub fn new(points: &Points, stones: [u64; 2]) -> Self {
        let mut groups =
            Groups { empty: points.square.all, stones: [0; 2], parents: [0; 64], reach: [0; 64] };
        for (role_idx, stones) in stones.into_iter().enumerate() {
            crate::bits::members(stones).for_each(|point| groups.place(points, point, role_idx));
        }
        groups
    }

    /// Places a stone of a role on an empty point.
    #[inline]
    pub fn place(&mut self, points: &Points, point: u32, role_idx: usize) {
        let beside = points.beside[point as usize];
        self.empty &= !(1 << point);
        let mut joined = beside & self.stones[role_idx];
        self.stones[role_idx] |= 1 << point;
        let root = point as usize & 63;
        self.parents[root] = root as u8;
        let mut reach = beside;
        while joined != 0 {
            let other = self.root(joined.trailing_zeros());
            joined &= joined - 1;
            self.parents[other] = root as u8;
            reach |= self.reach[other];
        }
        self.reach[root] = reach;
    }

    /// Whether a stone of a role on an empty point has a liberty without capturing: its own, or
    /// another one of a group that it joins.
    #[inline]
    pub fn has_room(&mut self, points: &Points, point: u32, role_idx: usize) -> bool {
        let beside = points.beside[point as usize];
        beside & self.empty != 0 || self.any(beside & self.stones[role_idx], false)
    }

    /// Whether a stone of a role on an empty point takes the last liberty of a group.
    #[inline]
    pub fn captures(&mut self, points: &Points, point: u32, role_idx: usize) -> bool {
        let beside = points.beside[point as usize];
        self.any(beside & self.stones[1 - role_idx], true)
    }

    /// Whether any of these stones belongs to a group with a single liberty, or with several.
    #[inline]
    fn any(&mut self, mut stones: u64, single: bool) -> bool {
        while stones != 0 {
            let liberties = self.reach[self.root(stones.trailing_zeros())] & self.empty;
            if (liberties & liberties.wrapping_sub(1) == 0) == single {
                return true;
            }
            stones &= stones - 1;
        }
        false
    }

    /// The root of a stone's group, with path halving.
    #[inline]
    fn root(&mut self, stone: u32) -> usize {
        let mut stone = stone as usize & 63;
        loop {
            let parent = self.parents[stone] as usize & 63;
            if parent == stone {
                return stone;
            }
            self.parents[stone] = self.parents[parent];
            stone = self.parents[stone] as usize & 63;
        }
    }
}

/// Points in any order, drawn without replacement.
#[derive(Clone, Debug)]
pub struct Urn {
    points: [u8; 64],
    /// The number of points.
    pub len: usize,
}

impl Urn {
    /// All points of a set.
    pub fn new(set: u64) -> Self {
        let mut urn = Urn { points: [0; 64], len: 0 };
        for point in crate::bits::members(set) {
            urn.points[urn.len] = point as u8;
            urn.len += 1;
        }
        urn
    }

    /// Moves the point at an index to the end of the first `len`, and returns it.
    #[inline]
    pub fn put_last(&mut self, at: usize, len: usize) -> u32 {
        self.points.swap(at & 63, (len - 1) & 63);
        u32::from(self.points[(len - 1) & 63])
    }
}
