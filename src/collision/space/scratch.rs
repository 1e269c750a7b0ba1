//! Memory that the steps of a [`Space`](super::Space) keep for themselves.

use core::{any::Any, fmt};

/// What steps keep from tick to tick to be faster, one of each kind. No result depends on it: a copy begins without
/// any.
#[derive(Default)]
pub struct Scratch(Vec<Box<dyn Any + Send + Sync>>);

impl Scratch {
    /// That of a kind, made when it is first asked for.
    pub fn get<T: Any + Default + Send + Sync>(&mut self) -> &mut T {
        let known = self.0.iter().position(|memory| memory.is::<T>());
        let at = known.unwrap_or_else(|| {
            self.0.push(Box::<T>::default());
            self.0.len() - 1
        });
        self.0[at].downcast_mut().expect("it has been found by its type")
    }
}

impl Clone for Scratch {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl fmt::Debug for Scratch {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.debug_struct("Scratch").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_kept_and_a_copy_has_none() {
        let mut scratch = Scratch::default();
        scratch.get::<Vec<u32>>().push(7);
        *scratch.get::<u8>() = 3;
        assert_eq!((scratch.get::<Vec<u32>>().len(), *scratch.get::<u8>()), (1, 3));
        assert_eq!(scratch.clone().get::<Vec<u32>>().len(), 0);
    }
}
