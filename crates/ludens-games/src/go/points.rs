//! Points of a square board, their neighbours and groups, as bit sets.

use crate::square::Square;

/// A board.
#[derive(Clone, Debug)]
pub struct Points {
    /// Its points.
    pub square: Square,
    /// The neighbours of each point.
    pub beside: Vec<u64>,
    /// The four neighbours of each point; off the board, the point itself.
    around: Vec<[u8; 4]>,
    /// For each point, [`Points::surroundings`] on an empty board.
    borders: Vec<u32>,
}

impl Points {
    /// The board with this side length.
    pub fn new(size: u32) -> Self {
        let square = Square::new(size);
        let mut points =
            Points { square, beside: Vec::new(), around: Vec::new(), borders: Vec::new() };
        for point in 0..square.n_cells() {
            points.beside.push(points.neighbours(1 << point));
            let (x, y) = square.place(point);
            let last = size - 1;
            let around = [(x > 0, point.wrapping_sub(1)), (x < last, point + 1)];
            let around =
                [around[0], around[1], (y > 0, point.wrapping_sub(size)), (y < last, point + size)];
            points
                .around
                .push(around.map(|(is_on, other)| if is_on { other } else { point } as u8));
            let border =
                |code: u32, (is_on, _): &(bool, u32)| code << 2 | if *is_on { 0 } else { 3 };
            points.borders.push(around.iter().fold(0, border));
        }
        points
    }

    /// The neighbours of a set, possibly including its own points.
    #[inline]
    pub fn neighbours(&self, set: u64) -> u64 {
        let Square { size, all, first_column } = self.square;
        let right = set << 1 & !first_column;
        let left = (set & !first_column) >> 1;
        (right | left | set << size | set >> size) & all
    }

    /// The points that have at least two neighbours in a set.
    #[inline]
    fn twice_beside(&self, set: u64) -> u64 {
        let Square { size, first_column, .. } = self.square;
        let (right, left) = (set << 1 & !first_column, (set & !first_column) >> 1);
        let (up, down) = (set << size, set >> size);
        right & left | up & down | (right | left) & (up | down)
    }

    /// The points of `within` that are connected to `seeds` inside it.
    #[inline]
    pub fn connected(&self, seeds: u64, within: u64) -> u64 {
        let mut group = seeds & within;
        loop {
            let grown = (group | self.neighbours(group)) & within;
            if grown == group {
                return group;
            }
            group = grown;
        }
    }

    /// The stones of a colour whose groups have at least two liberties.
    #[inline]
    pub fn safe(&self, stones: u64, empty: u64) -> u64 {
        // Most groups have a stone with two liberties of its own; these are found together.
        let mut safe = self.connected(stones & self.twice_beside(empty), stones);
        let mut rest = stones & !safe;
        while rest != 0 {
            let group = self.connected(rest & rest.wrapping_neg(), rest);
            let liberties = self.neighbours(group) & empty;
            if liberties & liberties.wrapping_sub(1) != 0 {
                safe |= group;
            }
            rest &= !group;
        }
        safe
    }

    /// The neighbours of a point, two bits each: 0 for empty, 1 and 2 for stones of the first and the
    /// second role, 3 for off the board.
    #[inline]
    pub fn surroundings(&self, [first, second]: [u64; 2], point: u32) -> u32 {
        let colour = |at: u8| (first >> at & 1 | (second >> at & 1) << 1) as u32;
        let around = self.around[point as usize].iter();
        // At the border, the neighbour is the point itself, which is empty.
        around.fold(0, |code, &at| code << 2 | colour(at)) | self.borders[point as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_stay_on_the_board() {
        for size in 3..=8 {
            let points = Points::new(size);
            let counts: Vec<u32> = points.beside.iter().map(|set| set.count_ones()).collect();
            let n = |count| counts.iter().filter(|&&c| c == count).count() as u32;
            assert_eq!((n(2), n(3), n(4)), (4, 4 * (size - 2), (size - 2).pow(2)));
        }
    }

    #[test]
    fn surroundings_encode_colours_and_borders() {
        let points = Points::new(3);
        // Left, right, below and above of each point, from 0 at the lower left.
        assert_eq!(points.surroundings([0, 0], 0), 0b11_00_11_00);
        assert_eq!(points.surroundings([1 << 1, 1 << 3], 0), 0b11_01_11_10);
        assert_eq!(points.surroundings([1 << 3 | 1 << 7, 1 << 5 | 1 << 1], 4), 0b01_10_10_01);
        assert_eq!(points.surroundings([0, 0], 8), 0b00_11_00_11);
    }

    #[test]
    fn groups_with_one_liberty_are_not_safe() {
        let points = Points::new(3);
        // b b .      The lower left corner is 0. Black holds 6, 7 and 0, White 3, 4 and 1.
        // w w .
        // b w .
        let (black, white) = (1 << 6 | 1 << 7 | 1, 1 << 3 | 1 << 4 | 1 << 1);
        let empty = points.square.all & !(black | white);
        assert_eq!(points.safe(black, empty), 0);
        assert_eq!(points.safe(white, empty), white);
    }
}
