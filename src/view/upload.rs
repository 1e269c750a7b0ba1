//! From the canvas to the screen: all shapes become the quads of one mesh, drawn in one call by `canvas.wgsl`.
//!
//! The quads are laid out in window coordinates here, around the eye, so that a view far from the origin of the world is as
//! sharp as one at it.

use bevy::{
    asset::{RenderAssetUsages, embedded_asset, embedded_path},
    camera::visibility::NoFrustumCulling,
    mesh::{Indices, MeshVertexAttribute, MeshVertexBufferLayoutRef, PrimitiveTopology, VertexFormat},
    prelude::*,
    render::render_resource::{AsBindGroup, RenderPipelineDescriptor, SpecializedMeshPipelineError},
    shader::ShaderRef,
    sprite_render::{AlphaMode2d, Material2d, Material2dKey, Material2dPlugin},
};

use super::{Canvas, Eye, ViewCamera, ViewSystems, canvas::Shape, theme};

const BOUNDS: MeshVertexAttribute = MeshVertexAttribute::new("Canvas_Bounds", 0xca40_0001, VertexFormat::Float32x4);
const STYLE: MeshVertexAttribute = MeshVertexAttribute::new("Canvas_Style", 0xca40_0002, VertexFormat::Float32x4);
const TURN: MeshVertexAttribute = MeshVertexAttribute::new("Canvas_Turn", 0xca40_0003, VertexFormat::Float32x2);
const COLOUR: MeshVertexAttribute = MeshVertexAttribute::new("Canvas_Colour", 0xca40_0004, VertexFormat::Float32x4);
const SECOND: MeshVertexAttribute = MeshVertexAttribute::new("Canvas_Second", 0xca40_0005, VertexFormat::Float32x4);

/// What the mesh of the canvas is drawn with.
#[derive(Asset, TypePath, AsBindGroup, Clone, Debug, Default)]
struct CanvasMaterial {}

impl Material2d for CanvasMaterial {
    fn vertex_shader() -> ShaderRef {
        shader()
    }

    fn fragment_shader() -> ShaderRef {
        shader()
    }

    fn alpha_mode(&self) -> AlphaMode2d {
        AlphaMode2d::Blend
    }

    fn specialize(
        descriptor: &mut RenderPipelineDescriptor,
        layout: &MeshVertexBufferLayoutRef,
        _key: Material2dKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        descriptor.vertex.buffers = vec![layout.0.get_layout(&[
            Mesh::ATTRIBUTE_POSITION.at_shader_location(0),
            BOUNDS.at_shader_location(1),
            STYLE.at_shader_location(2),
            TURN.at_shader_location(3),
            COLOUR.at_shader_location(4),
            SECOND.at_shader_location(5),
        ])?];
        descriptor.primitive.cull_mode = None;
        Ok(())
    }
}

fn shader() -> ShaderRef {
    let path = bevy::asset::AssetPath::from_path_buf(embedded_path!("canvas.wgsl"));
    ShaderRef::Path(path.with_source("embedded"))
}

/// The mesh of the canvas.
#[derive(Resource)]
struct CanvasMesh(Handle<Mesh>);

/// Adds the material, the camera and the one mesh.
pub(super) fn plugin(app: &mut App) {
    embedded_asset!(app, "canvas.wgsl");
    app.add_plugins(Material2dPlugin::<CanvasMaterial>::default())
        .insert_resource(ClearColor(theme::ROOM_EDGE.into()))
        .add_systems(Startup, set_up)
        .add_systems(PostUpdate, upload.in_set(ViewSystems::Upload));
}

fn set_up(mut commands: Commands, mut meshes: ResMut<Assets<Mesh>>, mut materials: ResMut<Assets<CanvasMaterial>>) {
    // Edges are smoothed by the shader; several samples a pixel would only cost.
    commands.spawn((Camera2d, Msaa::Off, ViewCamera));
    let mesh = meshes.add(Quads::default().into_mesh());
    commands.spawn((
        Name::new("Canvas"),
        Mesh2d(mesh.clone()),
        MeshMaterial2d(materials.add(CanvasMaterial::default())),
        NoFrustumCulling,
    ));
    commands.insert_resource(CanvasMesh(mesh));
}

fn upload(
    canvas: Res<Canvas>,
    eye: Res<Eye>,
    mesh: Option<Res<CanvasMesh>>,
    mut meshes: ResMut<Assets<Mesh>>,
) -> Result {
    let Some(mesh) = mesh else { return Ok(()) };
    let mut quads = Quads::with_capacity(canvas.len());
    for shape in canvas.shapes() {
        quads.push(shape, &eye);
    }
    meshes.insert(&mesh.0, quads.into_mesh())?;
    Ok(())
}

/// The vertices of all quads, four each.
#[derive(Default)]
struct Quads {
    position: Vec<[f32; 3]>,
    bounds: Vec<[f32; 4]>,
    style: Vec<[f32; 4]>,
    turn: Vec<[f32; 2]>,
    colour: Vec<[f32; 4]>,
    second: Vec<[f32; 4]>,
}

impl Quads {
    fn with_capacity(quads: usize) -> Self {
        let n = 4 * quads;
        Self {
            position: Vec::with_capacity(n),
            bounds: Vec::with_capacity(n),
            style: Vec::with_capacity(n),
            turn: Vec::with_capacity(n),
            colour: Vec::with_capacity(n),
            second: Vec::with_capacity(n),
        }
    }

    /// Adds a shape if any of it is in the window.
    fn push(&mut self, shape: &Shape, eye: &Eye) {
        let scale = eye.pixels_per_metre;
        let window = eye.window_size();
        let centre = eye.to_screen(shape.centre);
        let exact = shape.half * scale;
        if !(centre.is_finite() && exact.is_finite()) {
            return;
        }
        // What is thinner than a pixel is drawn one pixel wide and as much fainter.
        let half = exact.max(Vec2::splat(0.5));
        let faint = (exact.x / half.x) * (exact.y / half.y);
        let spill = 1.5 + shape.spill() * scale;
        let reach = half + spill;
        let circle = reach.length();
        let nearest = centre.clamp(Vec2::ZERO, window);
        if centre.distance_squared(nearest) > circle * circle {
            return;
        }
        let corner = (shape.corner * scale).max(0.0).min(half.min_element());
        let corner = if exact == half { corner } else { corner.max(half.min_element().min(0.5)) };
        let style = [corner, shape.parameter * scale, shape.kind(), shape.extra];
        let colour = shape.colour.to_f32_array();
        let colour = [colour[0], colour[1], colour[2], colour[3] * faint];
        for side in [Vec2::new(-1.0, -1.0), Vec2::new(1.0, -1.0), Vec2::ONE, Vec2::new(-1.0, 1.0)] {
            let local = side * reach;
            // The window's y axis points down, the shape's up.
            let at = centre + shape.turn.rotate(local) * Vec2::new(1.0, -1.0);
            let in_window = at / window * 2.0 - 1.0;
            self.position.push([in_window.x, -in_window.y, 0.0]);
            self.bounds.push([local.x, local.y, half.x, half.y]);
            self.style.push(style);
            self.turn.push(shape.turn.to_array());
            self.colour.push(colour);
            self.second.push(shape.second.to_f32_array());
        }
    }

    fn into_mesh(mut self) -> Mesh {
        if self.position.is_empty() {
            self.position.resize(4, [0.0; 3]);
            self.bounds.resize(4, [0.0; 4]);
            self.style.resize(4, [0.0; 4]);
            self.turn.resize(4, [0.0; 2]);
            self.colour.resize(4, [0.0; 4]);
            self.second.resize(4, [0.0; 4]);
        }
        let quads = (self.position.len() / 4) as u32;
        let indices = (0..quads).flat_map(|quad| [0, 1, 2, 0, 2, 3].map(|corner| 4 * quad + corner)).collect();
        Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
            .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, self.position)
            .with_inserted_attribute(BOUNDS, self.bounds)
            .with_inserted_attribute(STYLE, self.style)
            .with_inserted_attribute(TURN, self.turn)
            .with_inserted_attribute(COLOUR, self.colour)
            .with_inserted_attribute(SECOND, self.second)
            .with_inserted_indices(Indices::U32(indices))
    }
}
