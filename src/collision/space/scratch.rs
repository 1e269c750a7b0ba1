//! Scratch memory of the steps of a [`PhysicsSpace`](super::PhysicsSpace).

use core::{
    any::{Any, TypeId},
    fmt,
};

/// Data that steps keep between ticks for speed, one value per type. Results never depend on it: a copy starts empty.
#[derive(Default)]
pub struct Scratch(Vec<(TypeId, Box<dyn Any + Send + Sync>)>);

impl Scratch {
    /// The value of a type, created when first requested.
    #[inline]
    pub fn get<T: Any + Default + Send + Sync>(&mut self) -> &mut T {
        let kind = TypeId::of::<T>();
        let known = self.0.iter().position(|(of, _)| *of == kind);
        let at = known.unwrap_or_else(|| {
            self.0.push((kind, Box::<T>::default()));
            self.0.len() - 1
        });
        self.0[at].1.downcast_mut().expect("it has been found by its type")
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
