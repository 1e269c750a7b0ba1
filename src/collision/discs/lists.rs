//! Lists beside the arrays: what few of the discs have, by their indices in ascending order.

/// An entry of such a list.
pub trait OfDisc {
    /// The disc, as an index into [`Discs`](super::Discs).
    fn disc(&self) -> u32;
}

/// Where the entry of a disc is in its list, or where it would go.
#[inline]
pub fn place_of<T: OfDisc>(list: &[T], i: usize) -> Result<usize, usize> {
    list.binary_search_by_key(&(i as u32), T::disc)
}

/// The entry of a disc, if it has one.
#[inline]
pub fn entry_of<T: OfDisc>(list: &[T], i: usize) -> Option<&T> {
    place_of(list, i).ok().map(|at| &list[at])
}
