//! A disc as the shader has it.

/// An instance of a plain disc as the graphics card reads it, or the first half of that of a ball: x, y and radius in
/// logical pixels, and a colour, whose fourth byte says how brightly the disc flashes. The second half of a ball: two
/// numbers of its turn, its paint, and how far it has sunk into a pocket, from 0 to 255.
pub type Instance = [u32; 4];
