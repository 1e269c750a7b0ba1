//! Lists beside the arrays, for properties that few discs have, sorted by disc index.

/// An entry of such a list.
pub trait OfDisc {
    /// The disc, as an index into [`Discs`](super::Discs).
    fn disc(&self) -> u32;
}

/// The place of the entry of a disc in its list, or where to insert it.
#[inline]
pub fn place_of<T: OfDisc>(list: &[T], i: usize) -> Result<usize, usize> {
    list.binary_search_by_key(&(i as u32), T::disc)
}

/// The entry of a disc, if any.
#[inline]
pub fn entry_of<T: OfDisc>(list: &[T], i: usize) -> Option<&T> {
    place_of(list, i).ok().map(|at| &list[at])
}
