//! A disc in the layout of the shader.

/// An instance in the layout of the GPU buffer. A plain disc has x, y and radius in logical pixels, and a colour whose
/// fourth byte is the brightness of the flash. So does the first half of a ball. The second half of a ball has two
/// numbers for its rotation, then its paint. The lowest byte of the fourth number is its depth in a pocket. The others
/// are its height above the cloth, in parts of 1/256 of its radius.
pub type Instance = [u32; 4];
