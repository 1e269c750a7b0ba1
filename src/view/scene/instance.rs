//! A disc in the layout of the shader.

/// An instance of a plain disc in the layout of the GPU buffer, or the first half of a ball: x, y and radius in logical
/// pixels, and a colour whose fourth byte is the brightness of the flash. The second half of a ball has two numbers for
/// its rotation, its paint, and its depth in a pocket, from 0 to 255.
pub type Instance = [u32; 4];
