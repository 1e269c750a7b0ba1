// Every shape of the canvas: a quad whose fragments measure the distance to the shape's edge, in logical pixels. The
// numbers of the kinds are those of `ShapeKind` in `canvas.rs`. No storage buffers, so it runs on WebGL2.

#import carom::shared::{corner_of, in_clip, rotated, rounded_box, outward, hash, grain}

struct Shape {
    @builtin(vertex_index) vertex: u32,
    // The centre relative to the middle of the window, y up, and half the shape's width and height.
    @location(0) place: vec4<f32>,
    // Corner radius, parameter, kind, unused.
    @location(1) style: vec4<f32>,
    // Cosine and sine of the shape's rotation.
    @location(2) turn: vec2<f32>,
    @location(3) colour: vec4<f32>,
    @location(4) second: vec4<f32>,
}

struct Fragment {
    @builtin(position) position: vec4<f32>,
    // The point in the shape's frame, and half the shape's width and height.
    @location(0) bounds: vec4<f32>,
    @location(1) @interpolate(flat) style: vec4<f32>,
    @location(2) @interpolate(flat) turn: vec2<f32>,
    @location(3) @interpolate(flat) colour: vec4<f32>,
    @location(4) @interpolate(flat) second: vec4<f32>,
}

@vertex
fn vertex(shape: Shape) -> Fragment {
    var out: Fragment;
    let corner = corner_of(shape.vertex);
    let kind = i32(shape.style.z + 0.5);
    // Soft and inflated shapes extend beyond their boxes. An inflated tip extends further than the inflation.
    let spill = 1.5 + select(0.0, 3.0 * shape.style.y, kind == 0 || kind == 2);
    let point = corner * (shape.place.zw + spill);
    out.position = in_clip(shape.place.xy + rotated(point, shape.turn), shape.vertex);
    out.bounds = vec4<f32>(point, shape.place.zw);
    out.style = shape.style;
    out.turn = shape.turn;
    out.colour = shape.colour;
    out.second = shape.second;
    return out;
}

@fragment
fn fragment(in: Fragment) -> @location(0) vec4<f32> {
    let point = in.bounds.xy;
    let half = in.bounds.zw;
    let corner = in.style.x;
    let parameter = in.style.y;
    let kind = i32(in.style.z + 0.5);
    // The size of a screen pixel in logical pixels.
    let pixel = max(length(vec2<f32>(dpdx(point.x), dpdy(point.x))), 1e-6);
    var edge = rounded_box(point, half, corner);
    var colour = in.colour;
    var coverage = 0.0;

    switch kind {
        case 1: {
            edge = abs(edge + 0.5 * parameter) - 0.5 * parameter;
        }
        case 2: {
            let side = normalize(vec2<f32>(half.y, 2.0 * half.x));
            edge = max(dot(vec2<f32>(point.x - half.x, abs(point.y)), side), -half.x - point.x) - parameter;
        }
        case 3: {
            let reach = mix(corner, parameter, clamp(0.5 + 0.5 * point.x / half.x, 0.0, 1.0));
            edge = max(abs(point.y) - reach, abs(point.x) - half.x);
            // Shaded as a cylinder: across it the surface turns from the light side to the dark side.
            let across = clamp(point.y / max(reach, 1e-3), -1.0, 1.0);
            let up = vec3<f32>(vec2<f32>(-in.turn.y, in.turn.x) * across, sqrt(1.0 - across * across));
            let lit = dot(up, normalize(vec3<f32>(-0.42, 0.58, 0.78)));
            colour = vec4<f32>(colour.rgb * (0.42 + 0.62 * max(lit, 0.0)) + vec3<f32>(0.25 * pow(max(lit, 0.0), 24.0)) * colour.a, colour.a);
        }
        case 4: {
            let reach = point / half;
            colour = mix(colour, in.second, smoothstep(0.1, 1.5, dot(reach, reach)));
        }
        case 5: {
            let away = outward(point, half, corner);
            let away_in_window = vec2<f32>(away.x * in.turn.x - away.y * in.turn.y, away.x * in.turn.y + away.y * in.turn.x);
            let lit = dot(away_in_window, normalize(vec2<f32>(-0.5, 0.8)));
            let slope = smoothstep(-parameter, 0.0, edge);
            let rim = smoothstep(-0.25 * parameter - pixel, 0.0, edge);
            colour = vec4<f32>(colour.rgb * (1.0 + 0.30 * lit * slope - 0.22 * rim * (1.0 - lit) * 0.5), colour.a);
        }
        case 6: {
            let scale = min(half.x, half.y);
            let wood = grain(point / scale + in.turn * 37.0 + half * 0.13, colour.rgb, in.second.rgb);
            let lit = dot(outward(point, half, corner), vec2<f32>(0.0, 1.0));
            colour = vec4<f32>(wood * (1.0 + 0.12 * lit * smoothstep(-0.3 * scale, 0.0, edge)), colour.a);
        }
        case 7: {
            edge = dot(abs(point) - vec2<f32>(half.x, 0.0), normalize(half.yx));
        }
        case 8: {
            let right = normalize(vec2<f32>(2.0 * half.y, half.x - parameter));
            let left = normalize(vec2<f32>(-2.0 * half.y, half.x + parameter));
            let sides = max(dot(point - vec2<f32>(half.x, -half.y), right), dot(point + half, left));
            // Neighbouring segments overlap by their soft edges, and a splinter reaches no further than other segments.
            edge = max(max(-half.y - point.y, sides), edge) - 0.5 * pixel;
        }
        default: {}
    }
    if kind == 0 && parameter > 0.0 {
        coverage = 1.0 - smoothstep(-parameter, parameter, edge);
    } else {
        coverage = clamp(0.5 - edge / pixel, 0.0, 1.0);
    }
    // Half a step of noise hides the bands that soft gradients show on dark screens.
    let dither = (hash(in.position.xy) - 0.5) / 255.0;
    var result = vec4<f32>(max(colour.rgb + dither * 1.4 * sqrt(max(colour.rgb, vec3<f32>(0.0))), vec3<f32>(0.0)), colour.a * coverage);
    return result;
}
