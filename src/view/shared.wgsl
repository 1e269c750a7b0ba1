#define_import_path carom::shared

// Shared by canvas.wgsl, discs.wgsl and furniture.wgsl: the uniforms `Shared` of render.rs, with linear colours, and a
// few functions.
struct Shared {
    // 2 divided by the size of the window, then the cosine and sine of the rotation of the view.
    per_size: vec4<f32>,
    // The depth of the lowest sheet, and the difference in depth between one sheet and the next.
    depth: vec4<f32>,
    ball_white: vec4<f32>,
    ball_dot: vec4<f32>,
    number: vec4<f32>,
    flash: vec4<f32>,
    shadow: vec4<f32>,
}

@group(0) @binding(0) var<uniform> view: Shared;

// Rotates a point by an angle, given as cosine and sine.
fn rotated(point: vec2<f32>, turn: vec2<f32>) -> vec2<f32> {
    return vec2<f32>(point.x * turn.x - point.y * turn.y, point.x * turn.y + point.y * turn.x);
}

// A corner of a quad, from -1 to 1. Each sheet has six separate vertex indices, which identify it.
fn corner_of(vertex: u32) -> vec2<f32> {
    let nth = vertex % 6u;
    return vec2<f32>(f32((0x1au >> nth) & 1u), f32((0x2cu >> nth) & 1u)) * 2.0 - 1.0;
}

// The clip position of a point of a sheet, given in logical pixels from the middle. The depth is clamped, so a close
// camera does not clip a sheet.
fn in_clip(point: vec2<f32>, vertex: u32) -> vec4<f32> {
    let depth = view.depth.x + f32(vertex / 6u) * view.depth.y;
    return vec4<f32>(rotated(point, view.per_size.zw) * view.per_size.xy, clamp(depth, 0.0, 1.0), 1.0);
}

fn rounded_box(point: vec2<f32>, half: vec2<f32>, corner: f32) -> f32 {
    let q = abs(point) - half + corner;
    return length(max(q, vec2<f32>(0.0))) + min(max(q.x, q.y), 0.0) - corner;
}

// The direction away from the nearest edge of a rounded box.
fn outward(point: vec2<f32>, half: vec2<f32>, corner: f32) -> vec2<f32> {
    let q = abs(point) - half + corner;
    var away = vec2<f32>(0.0, 1.0);
    if min(q.x, q.y) > 0.0 {
        away = normalize(q);
    } else if q.x > q.y {
        away = vec2<f32>(1.0, 0.0);
    }
    return away * sign(point);
}

fn hash(point: vec2<f32>) -> f32 {
    var p = fract(vec3<f32>(point.xyx) * 0.1031);
    p += dot(p, p.yzx + 33.33);
    return fract((p.x + p.y) * p.z);
}

fn noise(point: vec2<f32>) -> f32 {
    let cell = floor(point);
    let f = fract(point);
    let t = f * f * (3.0 - 2.0 * f);
    let low = mix(hash(cell), hash(cell + vec2<f32>(1.0, 0.0)), t.x);
    let high = mix(hash(cell + vec2<f32>(0.0, 1.0)), hash(cell + vec2<f32>(1.0, 1.0)), t.x);
    return mix(low, high, t.y);
}

fn grain(point: vec2<f32>, light: vec3<f32>, dark: vec3<f32>) -> vec3<f32> {
    let sway = noise(point * vec2<f32>(0.22, 0.9)) * 2.2;
    let rings = noise(vec2<f32>(point.x * 0.12, point.y * 3.1 + sway * 2.0));
    let fibres = noise(vec2<f32>(point.x * 0.9, point.y * 17.0 + sway));
    return mix(light, dark, clamp(0.62 * rings + 0.3 * fibres - 0.06, 0.0, 1.0));
}
