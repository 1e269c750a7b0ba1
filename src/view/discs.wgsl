// The discs, in one draw call. Plain discs have a bevelled rim; with BALL they are shaded as spheres. With SHADOW it
// draws the shadows of the same discs, below all of them. Lengths are logical pixels. No storage buffers, so it runs on
// WebGL2.

#import carom::shared::{corner_of, in_clip, view}

struct Disc {
    @builtin(vertex_index) vertex: u32,
    // The centre relative to the middle of the window, y up, and the radius.
    @location(0) place: vec3<f32>,
    // Its colour, and the brightness of its flash, from 0 to 1.
    @location(1) colour: vec4<f32>,
#ifdef BALL
    // The rotation of a ball, a quaternion.
    @location(2) turn: vec4<f32>,
    // Bit 0: striped; bit 1: a spot with its number; bit 2: the dots of a cue ball; bits 8 to 15: the number. Then its
    // depth in a pocket, from 0 to 255, and from bit 8 on its height above the cloth, in parts of 1/256 of its radius.
    @location(3) paint: vec2<u32>,
#endif
}

struct Fragment {
    @builtin(position) position: vec4<f32>,
    @location(0) point: vec2<f32>,
    // The radius, the opacity of a disc smaller than a pixel, and the flash.
    @location(1) @interpolate(flat) measures: vec3<f32>,
    @location(2) @interpolate(flat) colour: vec3<f32>,
#ifdef BALL
    @location(3) @interpolate(flat) turn: vec4<f32>,
    @location(4) @interpolate(flat) paint: u32,
    @location(5) @interpolate(flat) sunk: f32,
    // The height of its lowest point above the cloth, in radii.
    @location(6) @interpolate(flat) above: f32,
#endif
}

#ifdef BALL
// The distance of the eye, in radii, and the offset of the shadow per height above the cloth: as in above.rs.
const EYE: f32 = 16.0;
const SHADOW_PER_HEIGHT = vec2<f32>(0.4, -0.65);

// The offset of a ball's shadow, in radii.
fn shadow_offset(above: f32) -> vec2<f32> {
    return vec2<f32>(0.22, -0.36) + SHADOW_PER_HEIGHT * above;
}

// The width of the edge of a ball's soft shadow, in radii: the higher the ball, the softer.
fn softness(above: f32) -> f32 {
    return min(0.34 + 0.04 * above, 0.8);
}
#endif

fn to_linear(colour: vec3<f32>) -> vec3<f32> {
    return select(pow((colour + 0.055) / 1.055, vec3<f32>(2.4)), colour / 12.92, colour <= vec3<f32>(0.04045));
}

@vertex
fn vertex(disc: Disc) -> Fragment {
    var out: Fragment;
    let corner = corner_of(disc.vertex);
    var radius = disc.place.z;
    var centre = disc.place.xy;
#ifdef BALL
    let above = f32(disc.paint.y >> 8u) / 256.0;
#ifdef SHADOW
    // The shadow is on the cloth, where nothing looks larger.
    radius /= 1.0 + above / EYE;
#endif
#endif
    // A disc smaller than a pixel is drawn as large as a pixel, and correspondingly fainter.
    let shown = max(radius, 0.5);
    var reach = shown + 1.5;
#ifdef SHADOW
#ifdef BALL
    let lift = softness(above) * radius;
    centre += radius * shadow_offset(above);
    let least = 2.0;
#else
    let lift = min(0.12 * radius, 9.0);
    centre += lift * vec2<f32>(0.4, -0.9);
    let least = 5.0;
#endif
    reach = radius + 3.0 * lift;
    // A shadow too small to be visible is left out.
    if radius < least {
        reach = 0.0;
    }
#endif
    let faint = (radius / shown) * (radius / shown);
    out.position = in_clip(centre + corner * reach, disc.vertex);
    out.point = corner * reach;
    out.measures = vec3<f32>(shown, faint, disc.colour.a);
    out.colour = to_linear(disc.colour.rgb);
#ifdef BALL
    out.turn = disc.turn;
    out.paint = disc.paint.x;
    out.sunk = f32(disc.paint.y & 255u) / 255.0;
    out.above = above;
#endif
    return out;
}

#ifdef BALL
// A point of the ball before its rotation.
fn turned_back(turn: vec4<f32>, point: vec3<f32>) -> vec3<f32> {
    let t = 2.0 * cross(-turn.xyz, point);
    return point + turn.w * t + cross(-turn.xyz, t);
}

fn segment(point: vec2<f32>, a: vec2<f32>, b: vec2<f32>) -> f32 {
    let along = b - a;
    let share = clamp(dot(point - a, along) / dot(along, along), 0.0, 1.0);
    return length(point - a - along * share);
}

// The distance to a digit in a box of 1 by 2 around the origin, drawn as strokes.
fn digit(point: vec2<f32>, value: u32) -> f32 {
    // Bits: top, upper right, lower right, bottom, lower left, upper left, middle.
    var strokes = array<u32, 10>(0x3fu, 0x06u, 0x5bu, 0x4fu, 0x66u, 0x6du, 0x7du, 0x07u, 0x7fu, 0x6fu);
    let on = strokes[value];
    let w = 0.42;
    let h = 0.82;
    var d = 9.0;
    if (on & 1u) != 0u { d = min(d, segment(point, vec2<f32>(-w, h), vec2<f32>(w, h))); }
    if (on & 2u) != 0u { d = min(d, segment(point, vec2<f32>(w, h), vec2<f32>(w, 0.0))); }
    if (on & 4u) != 0u { d = min(d, segment(point, vec2<f32>(w, 0.0), vec2<f32>(w, -h))); }
    if (on & 8u) != 0u { d = min(d, segment(point, vec2<f32>(-w, -h), vec2<f32>(w, -h))); }
    if (on & 16u) != 0u { d = min(d, segment(point, vec2<f32>(-w, 0.0), vec2<f32>(-w, -h))); }
    if (on & 32u) != 0u { d = min(d, segment(point, vec2<f32>(-w, h), vec2<f32>(-w, 0.0))); }
    if (on & 64u) != 0u { d = min(d, segment(point, vec2<f32>(-w, 0.0), vec2<f32>(w, 0.0))); }
    return d;
}

// The distance to a number of one or two digits.
fn number_distance(point: vec2<f32>, number: u32) -> f32 {
    if number < 10u {
        return digit(point, number);
    }
    let left = digit(point + vec2<f32>(0.68, 0.0), number / 10u);
    return min(left, digit(point - vec2<f32>(0.68, 0.0), number % 10u));
}

// The axes of a cue ball's dots, as rows. None is upright, so two dots are visible before the ball has rolled.
const DOT_AXES = mat3x3<f32>(vec3<f32>(-0.35998, 0.87843, 0.31427), vec3<f32>(0.27999, -0.21961, 0.93455), vec3<f32>(0.88996, 0.42441, -0.16689));

// The colour of the white area around a number, at a point of the plane below it.
fn numbered(point: vec2<f32>, pixel: f32, number: u32, white: vec3<f32>) -> vec3<f32> {
    if number == 0u {
        return white;
    }
    let size = select(1.0, 1.18, number >= 10u);
    let d = number_distance(point / 0.215 * size, min(number, 99u)) / size * 0.215;
    return mix(view.number.rgb, white, smoothstep(0.028 - pixel, 0.028 + pixel, d));
}

// The colour of a ball's surface at a point of the unit sphere, before its rotation. The number faces along the z axis,
// on both sides. The stripe runs around the y axis. The number also appears on the white poles, so that a striped ball
// seen from there does not look like the cue ball. The cue ball has six dots, at the ends of three separate axes.
fn painted(point: vec3<f32>, pixel: f32, paint: u32, colour: vec3<f32>) -> vec3<f32> {
    var base = colour;
    let number = (paint >> 8u) & 255u;
    if (paint & 1u) != 0u {
        var cap = view.ball_white.rgb;
        if length(point.xz) < 0.46 {
            cap = numbered(vec2<f32>(point.x * -sign(point.y), point.z), pixel, number, cap);
        }
        base = mix(colour, cap, smoothstep(0.62 - pixel, 0.62 + pixel, abs(point.y)));
    }
    if (paint & 2u) != 0u {
        let away = length(point.xy);
        var spot = view.ball_white.rgb;
        if away < 0.46 {
            spot = numbered(vec2<f32>(point.x * sign(point.z), point.y), pixel, number, spot);
        }
        base = mix(spot, base, smoothstep(0.46 - pixel, 0.46 + pixel, away));
    }
    if (paint & 4u) != 0u {
        let along = abs(DOT_AXES * point);
        let nearest = max(along.x, max(along.y, along.z));
        let away = sqrt(max(1.0 - nearest * nearest, 0.0));
        base = mix(view.ball_dot.rgb, base, smoothstep(0.23 - pixel, 0.23 + pixel, away));
    }
    return base;
}

fn shaded_ball(point: vec2<f32>, pixel: f32, in: Fragment) -> vec3<f32> {
    let squared = min(dot(point, point), 1.0);
    let height = sqrt(1.0 - squared);
    let normal = vec3<f32>(point, height);
    let base = painted(turned_back(in.turn, normal), pixel / max(height, 0.25), in.paint, in.colour);
    let light = normalize(vec3<f32>(-0.42, 0.58, 0.78));
    let lit = max(dot(normal, light), 0.0);
    let sky = 0.5 + 0.5 * normal.y;
    var shade = base * (0.34 + 0.74 * lit + 0.07 * sky);
    // The rim turns away from the light and is a little darker.
    shade *= 1.0 - 0.42 * pow(1.0 - height, 2.0);
    let halfway = normalize(light + vec3<f32>(0.0, 0.0, 1.0));
    let gleam = pow(max(dot(normal, halfway), 0.0), 70.0);
    let bloom = pow(max(dot(normal, halfway), 0.0), 12.0);
    return shade + vec3<f32>(0.62 * gleam + 0.07 * bloom);
}
#else
fn bevelled(point: vec2<f32>, radius: f32, pixel: f32, colour: vec3<f32>) -> vec3<f32> {
    if radius <= 3.0 {
        return colour;
    }
    let width = min(0.34 * radius, 16.0);
    let distance = length(point);
    let edge = distance - radius;
    let away = point / max(distance, 1e-3);
    let lit = dot(away, normalize(vec2<f32>(-0.5, 0.8)));
    let slope = smoothstep(-width, 0.0, edge);
    let rim = smoothstep(-0.25 * width - pixel, 0.0, edge);
    return colour * (1.0 + 0.30 * lit * slope - 0.22 * rim * (1.0 - lit) * 0.5);
}
#endif

@fragment
fn fragment(in: Fragment) -> @location(0) vec4<f32> {
    let distance = length(in.point);
    let radius = in.measures.x;
    // The size of a screen pixel in logical pixels.
    let pixel = max(length(vec2<f32>(dpdx(in.point.x), dpdy(in.point.x))), 1e-6);
#ifdef SHADOW
#ifdef BALL
    // A sinking ball approaches the ground, so its shadow fades. That of a rising ball fades slowly.
    let strength = view.shadow.a * (1.0 - in.sunk) / (1.0 + 0.03 * in.above);
    // The soft shadow from the lamp, and the dark spot where the ball touches the cloth, or is close to it.
    let edge = softness(in.above);
    let soft = 1.0 - smoothstep((0.92 - edge) * radius, (0.92 + edge) * radius, distance);
    let below = length(in.point + radius * shadow_offset(in.above));
    let contact = (1.0 - smoothstep(0.91 * radius, 1.15 * radius, below)) * (1.0 - smoothstep(0.0, 0.6, in.above));
    let dark = 1.0 - (1.0 - strength * soft) * (1.0 - 0.7 * strength * contact);
#else
    let strength = view.shadow.a;
    let lift = min(0.12 * radius, 9.0);
    let dark = strength * (1.0 - smoothstep(radius - lift, radius + lift, distance));
#endif
    return vec4<f32>(view.shadow.rgb, dark);
#else
#ifdef BALL
    let shaded = shaded_ball(in.point / radius, pixel / radius, in) * (1.0 - 0.95 * in.sunk);
#else
    let shaded = bevelled(in.point, radius, pixel, in.colour);
#endif
    let colour = mix(shaded, view.flash.rgb, in.measures.z);
    let coverage = clamp(0.5 - (distance - radius) / pixel, 0.0, 1.0);
    return vec4<f32>(colour, in.measures.y * coverage);
#endif
}
