// A billiard table from above, as one quad: cloth, cushions with their jaws, holes, leather and wooden rails. The four
// quarters of a table are equal, and its corners are symmetric about their diagonals. So the data of one corner pocket
// and one side pocket are enough. Every border is a distance in metres, exact at any zoom. No storage buffers, so it
// runs on WebGL2. The numbers are those of `Shape` in furniture.rs.

#import carom::shared::{corner_of, in_clip, rotated, rounded_box, outward, hash, noise, grain}

struct Shape {
    // The middle of the table relative to the middle of the window in logical pixels, y up; logical pixels per metre; 1
    // with pockets, else 0.
    place: vec4<f32>,
    // The direction of the table's x axis in the world: cosine, sine.
    axis: vec4<f32>,
    // Half the playing field, the width of a cushion, the width of cushion and rail.
    half: vec4<f32>,
    // The lines on the cloth: x of the head string, x of the baulk line, radius of the D, width. Lines that a table
    // lacks are far away.
    lines: vec4<f32>,
    // The corner pocket, then the side pocket. First the rounding of the jaw (centre, radius), then the normal of the
    // jaw's face and its distance from the pocket. Both are in the frame of a jaw: along the nose away from the pocket,
    // and outward. Then, along the pocket's axis, the hole (centre, radius) and the liner (centre, radius).
    pockets: array<vec4<f32>, 6>,
    cloth: vec4<f32>,
    cloth_edge: vec4<f32>,
    cloth_mark: vec4<f32>,
    cushion: vec4<f32>,
    nose: vec4<f32>,
    shade: vec4<f32>,
    wood: vec4<f32>,
    wood_dark: vec4<f32>,
    joint: vec4<f32>,
    leather: vec4<f32>,
    hole: vec4<f32>,
}

@group(0) @binding(1) var<uniform> table: Shape;

struct Fragment {
    @builtin(position) position: vec4<f32>,
    // In the frame of the table, metres.
    @location(0) point: vec2<f32>,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Fragment {
    var out: Fragment;
    let corner = corner_of(index);
    let reach = table.half.xy + table.half.w + 2.0 / table.place.z;
    out.point = corner * reach;
    out.position = in_clip(table.place.xy + rotated(out.point, table.axis.xy) * table.place.z, index);
    return out;
}

// The direction of the light, in the world.
const LIGHT = vec2<f32>(-0.53, 0.848);

// The width of the leather around a pocket, metres.
const LEATHER = 0.016;

// The share of a pixel of this size that is inside a border at this signed distance.
fn covered(distance: f32, pixel: f32) -> f32 {
    return clamp(0.5 - distance / pixel, 0.0, 1.0);
}

// The same for a line of this half width. A line thinner than a pixel is fainter.
fn line(distance: f32, half_width: f32, pixel: f32) -> f32 {
    let shown = max(half_width, 0.5 * pixel);
    return covered(abs(distance) - shown, pixel) * half_width / shown;
}

// The distance to the jaw of a pocket, and its outward normal, in the frame of the jaw.
fn jaw(which: i32, point: vec2<f32>) -> vec3<f32> {
    let round = table.pockets[which].xyz;
    let face = table.pockets[which + 1].xyz;
    let offset = point - round.xy;
    if offset.x <= 0.0 && offset.x * face.y - offset.y * face.x <= 0.0 {
        let away = length(offset);
        return vec3<f32>(away - round.z, offset / max(away, 1e-6));
    }
    let behind_face = dot(face.xy, point) - face.z;
    if behind_face > -point.y {
        return vec3<f32>(behind_face, face.xy);
    }
    return vec3<f32>(-point.y, 0.0, -1.0);
}

fn larger(a: vec3<f32>, b: vec3<f32>) -> vec3<f32> {
    if a.x > b.x {
        return a;
    }
    return b;
}

// The distance to the front of the nearest cushion, its normal, and the distance to the whole cushion.
fn cushions(point: vec2<f32>) -> vec4<f32> {
    let half = table.half.xy;
    let a = abs(point);
    let behind = a - half;
    var front: vec3<f32>;
    var back: f32;
    if table.place.w > 0.5 {
        let corner = jaw(0, vec2<f32>(-behind.x, behind.y));
        let side = jaw(3, vec2<f32>(a.x, behind.y));
        let long = larger(vec3<f32>(corner.x, -corner.y, corner.z), side);
        let end = jaw(0, vec2<f32>(-behind.y, behind.x));
        let short = vec3<f32>(end.x, end.z, -end.y);
        let of_long = max(long.x, behind.y - table.half.z);
        let of_short = max(short.x, behind.x - table.half.z);
        if of_long < of_short {
            front = long;
            back = of_long;
        } else {
            front = short;
            back = of_short;
        }
    } else if behind.y > behind.x {
        front = vec3<f32>(-behind.y, 0.0, -1.0);
        back = max(-behind.y, behind.y - table.half.z);
    } else {
        front = vec3<f32>(-behind.x, -1.0, 0.0);
        back = max(-behind.x, behind.x - table.half.z);
    }
    let signs = select(vec2<f32>(-1.0), vec2<f32>(1.0), point >= vec2<f32>(0.0));
    return vec4<f32>(front.x, front.yz * signs, back);
}

@fragment
fn fragment(in: Fragment) -> @location(0) vec4<f32> {
    let point = in.point;
    let half = table.half.xy;
    // In the frame of the table.
    let light = rotated(LIGHT, vec2<f32>(table.axis.x, -table.axis.y));
    let cushion_width = table.half.z;
    let rail_width = table.half.w;
    let a = abs(point);
    let signs = select(vec2<f32>(-1.0), vec2<f32>(1.0), point >= vec2<f32>(0.0));
    let behind = a - half;
    let pixel = max(length(vec2<f32>(dpdx(point.x), dpdy(point.x))), 1e-7);
    let pockets = table.place.w > 0.5;

    // The nearest pocket: its hole and liner, and the directions along and across its axis.
    let diagonal = vec2<f32>(behind.x + behind.y, behind.x - behind.y) * 0.70710678;
    var pocket = table.pockets[2];
    var along = diagonal;
    var outward_axis = signs * 0.70710678;
    var across_axis = signs * vec2<f32>(0.70710678, -0.70710678);
    if a.x < 0.5 * half.x {
        pocket = table.pockets[5];
        along = vec2<f32>(behind.y, a.x);
        outward_axis = vec2<f32>(0.0, signs.y);
        across_axis = vec2<f32>(signs.x, 0.0);
    }
    let from_hole = along - vec2<f32>(pocket.x, 0.0);
    let from_liner = along - vec2<f32>(pocket.z, 0.0);
    var to_hole = 9.0;
    var to_liner = 9.0;
    if pockets {
        to_hole = length(from_hole) - pocket.y;
        to_liner = length(from_liner) - pocket.w;
    }
    // Everything except wood: the field, the cushions, and the area inside the liners.
    let open = min(max(behind.x, behind.y) - cushion_width, to_liner);
    let outer_half = half + rail_width;
    let corner = 0.5 * rail_width;
    let outer = rounded_box(point, outer_half, corner);

    // The cloth, its weave if the camera is close, and the lines on it.
    let reach = point / half;
    var colour = mix(table.cloth.rgb, table.cloth_edge.rgb, smoothstep(0.1, 1.5, dot(reach, reach)));
    let weave = clamp(1.0 - pixel * 1500.0, 0.0, 1.0);
    colour *= 1.0 + 0.09 * weave * (noise(vec2<f32>(point.x * 2600.0, point.y * 1700.0)) - 0.5);
    var mark = max(line(point.x - table.lines.x, table.lines.w, pixel), line(point.x - table.lines.y, table.lines.w, pixel));
    if point.x < table.lines.y {
        mark = max(mark, line(length(point - vec2<f32>(table.lines.y, 0.0)) - table.lines.z, table.lines.w, pixel));
    }
    colour = mix(colour, table.cloth_mark.rgb, table.cloth_mark.a * mark);

    // The cushions shade the cloth away from the light, and a little on all sides.
    let cushion = cushions(point);
    let thrown = cushions(point + light * 0.28 * cushion_width);
    let thrown_shade = 1.0 - smoothstep(-0.22 * cushion_width, 0.3 * cushion_width, thrown.w);
    let around = 1.0 - smoothstep(0.0, 0.35 * cushion_width, cushion.w);
    let shade = table.shade.a * max(thrown_shade, 0.6 * around);
    // Little light reaches the cloth between the jaws.
    let throat = select(0.0, 0.35 * smoothstep(0.0, 0.9 * cushion_width, max(behind.x, behind.y)), pockets);
    colour = mix(colour, table.shade.rgb, max(shade, throat));

    // The cloth bends down into the hole.
    let inward = -(outward_axis * from_hole.x + across_axis * from_hole.y) / max(length(from_hole), 1e-6);
    let lip = 1.0 - smoothstep(0.0, 0.006, to_hole);
    colour *= 1.0 + lip * (0.42 * dot(inward, light) - 0.12);

    // The hole: dark, with its leather visible deep down on the side that the light reaches.
    let radial = (outward_axis * from_liner.x + across_axis * from_liner.y) / max(length(from_liner), 1e-6);
    let depth = length(from_liner) / max(pocket.w, 1e-6);
    let facing = clamp(0.42 - 0.58 * dot(radial, light), 0.0, 1.0);
    let wall = smoothstep(0.30, 1.02, depth);
    let ridge = 1.0 - 0.25 * smoothstep(0.86, 1.0, depth);
    var inside = mix(table.hole.rgb, table.leather.rgb * (0.10 + 0.62 * facing * facing) * ridge, wall * wall);
    // The edge of the slate and the cloth on it cast a shadow into the hole.
    inside = mix(inside, table.hole.rgb, 0.75 * (1.0 - smoothstep(0.0, 0.3 * pocket.y, -to_hole)));
    let jaws_cast = 1.0 - smoothstep(-0.1 * cushion_width, 0.4 * cushion_width, thrown.w);
    inside = mix(inside, table.hole.rgb, 0.6 * jaws_cast);
    colour = mix(colour, inside, covered(to_hole, pixel) * covered(open, pixel));

    // The rails: boards with mitred corners and a joint behind the side pockets.
    let board = 0.5 * (rail_width - cushion_width);
    let is_short = behind.x > behind.y;
    let middle = half + cushion_width + board;
    var lying = vec2<f32>(point.x, point.y - signs.y * middle.y) / board;
    lying += vec2<f32>(17.0 * select(0.0, signs.x, pockets), 5.0 * signs.y + 3.0);
    var joint = line((behind.x - behind.y) * 0.70710678, 0.0007, pixel);
    if is_short {
        lying = vec2<f32>(point.y, point.x - signs.x * middle.x) / board;
        lying += vec2<f32>(41.0, 7.0 * signs.x + 11.0);
    } else if pockets {
        joint = max(joint, line(point.x, 0.0007, pixel));
    }
    var wood = grain(lying, table.wood.rgb, table.wood_dark.rgb);
    let rim = outward(point, outer_half, corner);
    wood *= 1.0 + 0.16 * dot(rim, light) * smoothstep(-0.5 * board, 0.0, outer);
    wood = mix(wood, table.joint.rgb, 0.6 * joint);
    wood = mix(wood, table.joint.rgb, 0.55 * smoothstep(-0.11 * board - pixel, -0.11 * board + pixel, outer));
    // A groove along the inner edge of the rails holds the cloth of the cushions.
    wood = mix(wood, table.joint.rgb, 0.75 * (1.0 - smoothstep(0.10 * board - pixel, 0.10 * board + pixel, max(behind.x, behind.y) - cushion_width)));

    // The leather around a pocket, rounded and sewn, and its shadow on the wood.
    if pockets {
        let share = clamp(to_liner / LEATHER, 0.0, 1.0);
        wood = mix(wood, table.joint.rgb, 0.6 * (1.0 - smoothstep(0.0, 0.006, to_liner - LEATHER)));
        let slope = 2.0 * share - 1.0;
        var leather = table.leather.rgb * (1.05 + 0.75 * slope * dot(radial, light) - 0.3 * slope * slope);
        let fine = clamp(1.0 - pixel * 900.0, 0.0, 1.0);
        leather *= 1.0 + 0.22 * fine * (noise(point * 900.0) - 0.5);
        leather += table.leather.rgb * 0.8 * pow(max(1.0 - abs(slope - 0.45 * dot(radial, light)), 0.0), 6.0);
        let turn = atan2(from_liner.y, from_liner.x) * (pocket.w + LEATHER) / 0.0062;
        let stitch = covered(max(abs(to_liner - 0.72 * LEATHER) - 0.0006, (abs(fract(turn) - 0.5) - 0.3) * 0.0062), pixel);
        leather = mix(leather, table.leather.rgb * 2.6 + 0.02, 0.75 * stitch * clamp(1.4 - pixel * 700.0, 0.0, 1.0));
        wood = mix(wood, leather, covered(to_liner - LEATHER, pixel));
    }
    colour = mix(colour, wood, covered(-open, pixel));

    // The cushions slope down to their noses, which catch the light.
    let lit = dot(cushion.yz, light);
    let slope = 1.0 - smoothstep(0.0, 0.62 * cushion_width, -cushion.x);
    let crest = 1.0 - smoothstep(0.0, 0.16 * cushion_width, -cushion.x);
    var top = table.cushion.rgb * (1.06 + 0.26 * lit * slope + 0.10 * lit * crest);
    top *= 1.0 + 0.09 * weave * (noise(vec2<f32>(point.x * 1700.0, point.y * 2600.0)) - 0.5);
    // Where the cloth is tucked under the rail.
    top = mix(top, table.joint.rgb, 0.45 * (1.0 - smoothstep(0.0, 0.07 * cushion_width, cushion_width - max(behind.x, behind.y))));
    let nose = line(cushion.x + 0.00125, max(0.00125, 0.75 * pixel), pixel);
    top = mix(top, table.nose.rgb, table.nose.a * (1.0 + 0.8 * lit) * nose);
    if !pockets {
        top = mix(top, table.shade.rgb, 0.5 * line((behind.x - behind.y) * 0.70710678, 0.0006, pixel));
    }
    colour = mix(colour, top, covered(cushion.w, pixel));

    // Half a step of noise hides the bands that soft gradients show on dark screens.
    let dither = (hash(in.position.xy) - 0.5) / 255.0;
    colour += dither * 1.4 * sqrt(max(colour, vec3<f32>(0.0)));
    return vec4<f32>(max(colour, vec3<f32>(0.0)), covered(outer, pixel));
}
