#define_import_path carom::shared

// What all instances of canvas.wgsl and discs.wgsl have in common, `Shared` in render.rs; the colours are linear.
struct Shared {
    // Two over the size of the window, and nothing twice.
    per_window: vec4<f32>,
    ball_white: vec4<f32>,
    number: vec4<f32>,
    flash: vec4<f32>,
    shadow: vec4<f32>,
}

@group(0) @binding(0) var<uniform> picture: Shared;
