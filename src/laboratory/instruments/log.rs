//! A list that only grows at its end. Copies share their memory, so the history can keep one for every tick.

use std::sync::Arc;

/// A list that only grows at its end. A clone takes constant time and shares the values.
#[derive(Debug)]
pub struct Log<T> {
    last: Option<Arc<Node<T>>>,
    len: usize,
}

#[derive(Debug)]
struct Node<T> {
    value: T,
    before: Option<Arc<Node<T>>>,
}

impl<T> Log<T> {
    /// The number of values.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a value.
    pub fn push(&mut self, value: T) {
        self.last = Some(Arc::new(Node { value, before: self.last.take() }));
        self.len += 1;
    }

    /// The values, newest first.
    pub fn newest_first(&self) -> impl Iterator<Item = &T> {
        std::iter::successors(self.last.as_deref(), |node| node.before.as_deref()).map(|node| &node.value)
    }

    /// Keeps the newest values only.
    pub fn keep_newest(&mut self, count: usize)
    where
        T: Clone,
    {
        if self.len <= count {
            return;
        }
        let mut kept: Vec<T> = self.newest_first().take(count).cloned().collect();
        *self = Self::default();
        while let Some(value) = kept.pop() {
            self.push(value);
        }
    }
}

impl<T> Default for Log<T> {
    fn default() -> Self {
        Self { last: None, len: 0 }
    }
}

impl<T> Clone for Log<T> {
    fn clone(&self) -> Self {
        Self { last: self.last.clone(), len: self.len }
    }
}

impl<T: PartialEq> PartialEq for Log<T> {
    fn eq(&self, other: &Self) -> bool {
        if self.len != other.len {
            return false;
        }
        let (mut own, mut its) = (&self.last, &other.last);
        while let (Some(a), Some(b)) = (own, its) {
            if Arc::ptr_eq(a, b) {
                return true;
            }
            if a.value != b.value {
                return false;
            }
            (own, its) = (&a.before, &b.before);
        }
        true
    }
}

impl<T> Drop for Log<T> {
    /// One after the other: a long list would overflow the stack.
    fn drop(&mut self) {
        let mut last = self.last.take();
        while let Some(node) = last.and_then(Arc::into_inner) {
            last = node.before;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_share_their_values_and_grow_apart() {
        let mut log = Log::default();
        (0..1_000_000).for_each(|i| log.push(i));
        let mut copy = log.clone();
        assert!(copy == log);
        copy.push(-1);
        log.push(-2);
        assert!(copy != log && copy.len() == log.len());
        assert_eq!(copy.newest_first().take(2).copied().collect::<Vec<_>>(), [-1, 999_999]);
        copy.keep_newest(3);
        assert_eq!(copy.newest_first().copied().collect::<Vec<_>>(), [-1, 999_999, 999_998]);
    }
}
