//! A disc in the layout of the shader.

/// An instance in the layout of the GPU buffer. A plain disc has x, y and radius in logical pixels, and a colour whose
/// fourth byte is the brightness of the flash. So does the first half of a ball. The second half of a ball has two
/// numbers for its rotation, its paint, and its depth in a pocket, from 0 to 255, plus 65 536 times its height above the
/// cloth in radii, in steps of 256.
pub type Instance = [u32; 4];
