//! Roles, moves, and values by role.

use std::ops::{Index, IndexMut};

/// A role of a game, numbered in the order of the rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Role(pub u8);

impl Role {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The first `n` roles.
    pub fn all(n: usize) -> impl DoubleEndedIterator<Item = Role> + ExactSizeIterator {
        (0..n).map(|role_idx| Role(role_idx as u8))
    }
}

/// A move, numbered densely within its game, so that any policy's table is a flat array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Move(pub u32);

impl Move {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One value for each role.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct PerRole<T>(Vec<T>);

/// The payoff of each role, in `0.0..=1.0`: a goal value divided by 100.
pub type Payoffs = PerRole<f32>;

impl<T> PerRole<T> {
    /// How many roles there are.
    pub fn n_roles(&self) -> usize {
        self.0.len()
    }

    /// The values in role order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }

    /// The values in role order, mutable.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.0.iter_mut()
    }

    /// The values as a slice in role order.
    pub fn as_slice(&self) -> &[T] {
        &self.0
    }

    /// Each role with its value.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = (Role, &T)> {
        Role::all(self.0.len()).zip(&self.0)
    }
}

impl<T: Clone> PerRole<T> {
    /// The same value for each of `n_roles` roles.
    pub fn filled(n_roles: usize, value: T) -> Self {
        PerRole(vec![value; n_roles])
    }

    /// Resizes to `n_roles` roles, new ones with `value`; keeps allocations.
    pub fn resize(&mut self, n_roles: usize, value: T) {
        self.0.resize(n_roles, value);
    }
}

impl<T> From<Vec<T>> for PerRole<T> {
    fn from(values: Vec<T>) -> Self {
        PerRole(values)
    }
}

impl<T> Index<Role> for PerRole<T> {
    type Output = T;
    fn index(&self, role: Role) -> &T {
        &self.0[role.index()]
    }
}

impl<T> IndexMut<Role> for PerRole<T> {
    fn index_mut(&mut self, role: Role) -> &mut T {
        &mut self.0[role.index()]
    }
}

impl<'a, T> IntoIterator for &'a PerRole<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut PerRole<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter_mut()
    }
}

/// A set of roles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct RoleSet(u64);

impl RoleSet {
    /// Games with more roles than this are refused when they are loaded.
    pub const MAX_ROLES: usize = 64;

    /// Adds a role.
    pub fn insert(&mut self, role: Role) {
        self.0 |= 1 << role.0;
    }

    /// Whether the role is in the set.
    pub fn contains(self, role: Role) -> bool {
        self.0 >> role.0 & 1 == 1
    }

    /// Whether no role is in the set.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}
