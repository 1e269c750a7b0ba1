//! Rendering: the shapes of the canvas and the discs. Each list is one buffer of instances, drawn as quads whose
//! fragments measure the distance to the edge.
//!
//! Seven draw calls make a view, from bottom to top: the floor, a billiard table, marks on it, disc shadows, terrain
//! and trails, the discs, and everything above them. Discs have no entity, mesh or material for rendering. No storage
//! buffer is used, so it also runs on WebGL2.

use bevy::{
    asset::{embedded_asset, load_embedded_asset},
    camera::visibility::RenderLayers,
    core_pipeline::core_2d::{CORE_2D_DEPTH_FORMAT, Transparent2d},
    ecs::{
        entity::EntityHashMap,
        query::ROQueryItem,
        system::{
            SystemParamItem,
            lifetimeless::{Read, SRes},
        },
    },
    math::FloatOrd,
    mesh::VertexBufferLayout,
    prelude::*,
    render::{
        Extract, ExtractSchedule, MainWorld, Render, RenderApp, RenderStartup, RenderSystems,
        render_phase::{
            AddRenderCommand, DrawFunctions, PhaseItemExtraIndex, RenderCommand, RenderCommandResult, SetItemPipeline,
            TrackedRenderPass, ViewSortedRenderPhases,
        },
        render_resource::{
            BindGroup, BindGroupEntries, BindGroupLayoutDescriptor, BindGroupLayoutEntries, BlendState, BufferUsages,
            ColorTargetState, ColorWrites, CompareFunction, DepthBiasState, DepthStencilState, FragmentState,
            MultisampleState, PipelineCache, RawBufferVec, RenderPipelineDescriptor, ShaderStages, ShaderType,
            SpecializedRenderPipeline, SpecializedRenderPipelines, StencilState, TextureFormat, UniformBuffer,
            VertexAttribute, VertexFormat, VertexState, VertexStepMode, binding_types::uniform_buffer,
        },
        renderer::{RenderDevice, RenderQueue},
        sync_world::{MainEntity, RenderEntity, SyncToRenderWorld},
        view::{ExtractedView, Msaa as ViewMsaa},
    },
    shader::load_shader_library,
};
use core::ops::Range;

use super::{
    View2d, ViewCamera,
    camera::current_view::{CurrentView, DrawView},
    canvas::{Canvas, Layer, SHAPE_WORDS},
    scene::{
        discs::DiscInstances,
        furniture::{Furniture, Shape},
        terrain,
    },
    theme::Theme,
};
use crate::view::scene::instance::Instance;

/// The data that all draw calls of a view share.
#[derive(Component, Debug, Default)]
pub(super) struct Composition {
    shapes: Vec<[f32; SHAPE_WORDS]>,
    /// The ranges of shapes of each [`Sheet::canvas`].
    ranges: [Range<u32>; 4],
    table: Option<Shape>,
    discs: Vec<Instance>,
    balls: bool,
    shared: Shared,
}

/// The shared data of all instances, as the shaders read it. Colours are linear.
#[derive(ShaderType, Clone, Copy, Debug, Default)]
struct Shared {
    /// 2 divided by the size of the view in logical pixels, and the cosine and sine of its rotation.
    per_size: Vec4,
    /// The depth of the lowest sheet, and the difference in depth between one sheet and the next.
    depth: Vec4,
    ball_white: Vec4,
    ball_dot: Vec4,
    number: Vec4,
    flash: Vec4,
    shadow: Vec4,
}

impl Shared {
    fn of(view: &CurrentView, theme: &Theme) -> Self {
        let size = view.frame().size().max(Vec2::ONE);
        let colours = [theme.balls.white, theme.balls.dot, theme.balls.number, theme.marks.flash, theme.ground.shadow];
        let [ball_white, ball_dot, number, flash, shadow] = colours.map(|colour| LinearRgba::from(colour).to_vec4());
        let [cos, sin] = if view.is_turned() { [0.0, 1.0] } else { [1.0, 0.0] };
        let per_size = Vec4::new(2.0 / size.x, 2.0 / size.y, cos, sin);
        // The render world sets the depths.
        Self { per_size, depth: Vec4::ZERO, ball_white, ball_dot, number, flash, shadow }
    }
}

/// The draw calls of a view, in order. Each has a separate entity, as a phase holds one item per entity.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[require(SyncToRenderWorld)]
enum Sheet {
    /// Shapes of the canvas, by the index of their range.
    Canvas(u8),
    Table,
    Shadows,
    Discs,
}

/// The distance of a sheet below its nominal height, metres. So anything that a game draws at that height covers the
/// sheet.
const BELOW: f32 = 1e-3;

impl Sheet {
    const ALL: [Self; 7] =
        [Self::Canvas(0), Self::Table, Self::Canvas(1), Self::Shadows, Self::Canvas(2), Self::Discs, Self::Canvas(3)];

    /// The layers of the canvas on each of its sheets.
    const LAYERS: [&[Layer]; 4] = [
        &[Layer::Ground],
        &[Layer::Marks],
        &[Layer::Shadow, Layer::Terrain, Layer::Trail],
        &[Layer::Highlight, Layer::Arrow, Layer::Lesson, Layer::Gesture],
    ];
}

/// The height of a sheet, metres, from its index among all sheets.
fn height(place: usize) -> f32 {
    place as f32 - BELOW
}

/// The depth of the lowest sheet as a camera sees it, and the difference in depth between one sheet and the next.
fn depth_of_sheets(view: &ExtractedView) -> Vec4 {
    let clip_from_world = view.clip_from_view * view.world_from_view.to_matrix().inverse();
    let [lowest, next] = [0, 1].map(|place| clip_from_world.project_point3(Vec3::Z * height(place)).z);
    Vec4::new(lowest, next - lowest, 0.0, 0.0)
}

/// Adds the sheets and their rendering.
pub(super) fn plugin(app: &mut App) {
    load_shader_library!(app, "shared.wgsl");
    embedded_asset!(app, "canvas.wgsl");
    embedded_asset!(app, "discs.wgsl");
    embedded_asset!(app, "furniture.wgsl");
    app.add_systems(Startup, spawn_sheets).add_systems(PostUpdate, clear_with.run_if(resource_changed::<Theme>));
    let Some(render_app) = app.get_sub_app_mut(RenderApp) else { return };
    render_app
        .init_resource::<ViewBuffers>()
        .init_resource::<SpecializedRenderPipelines<SheetPipeline>>()
        .add_render_command::<Transparent2d, DrawSheet>()
        .add_systems(RenderStartup, init_pipeline)
        .add_systems(ExtractSchedule, (take_compositions, find_sheets))
        .add_systems(
            Render,
            (queue.in_set(RenderSystems::Queue), write_buffers.in_set(RenderSystems::PrepareResources)),
        );
}

fn spawn_sheets(mut commands: Commands) {
    commands.spawn_batch(Sheet::ALL.map(|sheet| (Name::new(format!("{sheet:?}")), sheet)));
}

/// Builds the instance lists of the current [`CurrentView`] and stores them on its camera.
pub(super) fn compose(world: &mut World) {
    let camera = world.resource::<CurrentView>().camera;
    let Some(mut composition) = world.get_mut::<Composition>(camera).map(|mut it| std::mem::take(&mut *it)) else {
        return;
    };
    let Composition { shapes, ranges, table, discs: instances, balls, shared } = &mut composition;
    let (canvas, view) = (world.resource::<Canvas>(), world.resource::<CurrentView>());
    shapes.clear();
    for (range, layers) in ranges.iter_mut().zip(Sheet::LAYERS) {
        let first = shapes.len() as u32;
        canvas.pack(layers, view, shapes);
        *range = first..shapes.len() as u32;
    }
    *table = world.resource::<Furniture>().0;
    *shared = Shared::of(view, world.resource::<Theme>());
    let mut discs = world.resource_mut::<DiscInstances>();
    *balls = discs.are_balls();
    std::mem::swap(instances, discs.instances_mut());
    if let Some(mut into) = world.get_mut::<Composition>(camera) {
        *into = composition;
    }
}

/// Clears windows with the theme's colour, unless the game has set a [`ClearColor`].
fn clear_with(mut clear: ResMut<ClearColor>, theme: Res<Theme>, mut ours: Local<Option<Color>>) {
    if clear.0 == ClearColor::default().0 || Some(clear.0) == *ours {
        clear.0 = theme.ground.room_edge.into();
        *ours = Some(clear.0);
    }
}

/// The shapes of a view in GPU buffers.
struct Buffers {
    shapes: RawBufferVec<[f32; SHAPE_WORDS]>,
    ranges: [Range<u32>; 4],
    table: UniformBuffer<Shape>,
    /// Whether there is a table.
    has_table: bool,
    discs: RawBufferVec<Instance>,
    /// Whether the discs are balls, which take two instances each.
    balls: bool,
    shared: UniformBuffer<Shared>,
    bind_group: Option<BindGroup>,
}

impl Default for Buffers {
    fn default() -> Self {
        Self {
            shapes: RawBufferVec::new(BufferUsages::VERTEX),
            ranges: [0..0, 0..0, 0..0, 0..0],
            table: UniformBuffer::from(Shape::default()),
            has_table: false,
            discs: RawBufferVec::new(BufferUsages::VERTEX),
            balls: false,
            shared: UniformBuffer::from(Shared::default()),
            bind_group: None,
        }
    }
}

/// The buffers of all views, by the camera's entity in the main world.
#[derive(Resource, Default)]
struct ViewBuffers(EntityHashMap<Buffers>);

/// Swaps the lists with the previous frame's, so that their memory is reused.
fn take_compositions(mut main: ResMut<MainWorld>, mut buffers_of: ResMut<ViewBuffers>) {
    let mut compositions = main.query::<(Entity, &mut Composition)>();
    buffers_of.0.retain(|camera, _| main.get::<Composition>(*camera).is_some());
    for (camera, composition) in compositions.iter_mut(&mut main) {
        let buffers = buffers_of.0.entry(camera).or_default();
        let composition = composition.into_inner();
        std::mem::swap(&mut composition.shapes, buffers.shapes.values_mut());
        std::mem::swap(&mut composition.discs, buffers.discs.values_mut());
        buffers.ranges.clone_from(&composition.ranges);
        buffers.balls = composition.balls;
        buffers.has_table = composition.table.is_some();
        buffers.table.set(composition.table.unwrap_or_default());
        buffers.shared.set(composition.shared);
    }
}

/// The sheets as phase items.
#[derive(Resource, Debug, Default)]
struct Sheets(Vec<(Sheet, Entity, MainEntity)>);

fn find_sheets(mut commands: Commands, sheets: Extract<Query<(Entity, RenderEntity, &Sheet)>>) {
    let sheets = sheets.iter().map(|(main, render, sheet)| (*sheet, render, MainEntity::from(main)));
    commands.insert_resource(Sheets(sheets.collect()));
}

#[derive(Resource)]
struct SheetPipeline {
    layout: BindGroupLayoutDescriptor,
    canvas: Handle<Shader>,
    discs: Handle<Shader>,
    table: Handle<Shader>,
}

fn init_pipeline(mut commands: Commands, assets: Res<AssetServer>) {
    let entries = BindGroupLayoutEntries::sequential(
        ShaderStages::VERTEX_FRAGMENT,
        (uniform_buffer::<Shared>(false), uniform_buffer::<Shape>(false)),
    );
    commands.insert_resource(SheetPipeline {
        layout: BindGroupLayoutDescriptor::new("view", &entries),
        canvas: load_embedded_asset!(assets.as_ref(), "canvas.wgsl"),
        discs: load_embedded_asset!(assets.as_ref(), "discs.wgsl"),
        table: load_embedded_asset!(assets.as_ref(), "furniture.wgsl"),
    });
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum PipelineKind {
    Canvas,
    Table,
    Discs { balls: bool, shadows: bool },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct SheetKey {
    kind: PipelineKind,
    format: TextureFormat,
    samples: u32,
}

impl SpecializedRenderPipeline for SheetPipeline {
    type Key = SheetKey;

    fn specialize(&self, key: SheetKey) -> RenderPipelineDescriptor {
        use VertexFormat::{Float32x2, Float32x3, Float32x4, Snorm16x4, Uint32x2, Unorm8x4};
        let (shader, formats): (_, &[VertexFormat]) = match key.kind {
            PipelineKind::Canvas => (&self.canvas, &[Float32x4, Float32x4, Float32x2, Float32x4, Float32x4]),
            // All data of its single quad is in the uniforms.
            PipelineKind::Table => (&self.table, &[]),
            PipelineKind::Discs { balls: false, .. } => (&self.discs, &[Float32x3, Unorm8x4]),
            PipelineKind::Discs { balls: true, .. } => (&self.discs, &[Float32x3, Unorm8x4, Snorm16x4, Uint32x2]),
        };
        let mut offset = 0;
        let attributes = (0..).zip(formats).map(|(shader_location, &format)| {
            let attribute = VertexAttribute { format, offset, shader_location };
            offset += format.size();
            attribute
        });
        let attributes = attributes.collect();
        let mut shader_defs = Vec::new();
        if let PipelineKind::Discs { balls, shadows } = key.kind {
            shader_defs.extend(balls.then_some("BALL".into()));
            shader_defs.extend(shadows.then_some("SHADOW".into()));
        }
        let instances = VertexBufferLayout { array_stride: offset, step_mode: VertexStepMode::Instance, attributes };
        RenderPipelineDescriptor {
            label: Some("view".into()),
            layout: vec![self.layout.clone()],
            vertex: VertexState {
                shader: shader.clone(),
                shader_defs: shader_defs.clone(),
                buffers: if formats.is_empty() { Vec::new() } else { vec![instances] },
                ..default()
            },
            fragment: Some(FragmentState {
                shader: shader.clone(),
                shader_defs,
                targets: vec![Some(ColorTargetState {
                    format: key.format,
                    blend: Some(BlendState::ALPHA_BLENDING),
                    write_mask: ColorWrites::ALL,
                })],
                ..default()
            }),
            // Opaque objects are drawn before and hide sheets below them. Sheets do not hide each other; they only
            // blend in order.
            depth_stencil: Some(DepthStencilState {
                format: CORE_2D_DEPTH_FORMAT,
                depth_write_enabled: Some(false),
                depth_compare: Some(CompareFunction::GreaterEqual),
                stencil: StencilState::default(),
                bias: DepthBiasState::default(),
            }),
            multisample: MultisampleState { count: key.samples, ..default() },
            ..default()
        }
    }
}

fn queue(
    (sheets, mut buffers_of): (Option<Res<Sheets>>, ResMut<ViewBuffers>),
    draw_functions: Res<DrawFunctions<Transparent2d>>,
    pipeline: Res<SheetPipeline>,
    mut pipelines: ResMut<SpecializedRenderPipelines<SheetPipeline>>,
    cache: Res<PipelineCache>,
    mut phases: ResMut<ViewSortedRenderPhases<Transparent2d>>,
    views: Query<(&ExtractedView, &ViewMsaa)>,
) {
    let Some(sheets) = sheets else { return };
    let draw_function = draw_functions.read().id::<DrawSheet>();
    for (view, msaa) in &views {
        let camera = view.retained_view_entity.main_entity.id();
        let Some(buffers) = buffers_of.0.get_mut(&camera) else { continue };
        buffers.shared.get_mut().depth = depth_of_sheets(view);
        let Some(phase) = phases.get_mut(&view.retained_view_entity) else { continue };
        for &(sheet, render, main) in &sheets.0 {
            let Some(place) = Sheet::ALL.iter().position(|&each| each == sheet) else { continue };
            let kind = match sheet {
                Sheet::Canvas(_) => PipelineKind::Canvas,
                Sheet::Table => PipelineKind::Table,
                Sheet::Shadows => PipelineKind::Discs { balls: buffers.balls, shadows: true },
                Sheet::Discs => PipelineKind::Discs { balls: buffers.balls, shadows: false },
            };
            let key = SheetKey { kind, format: view.target_format, samples: msaa.samples() };
            phase.add_transient(Transparent2d {
                sort_key: FloatOrd(height(place)),
                entity: (render, main),
                pipeline: pipelines.specialize(&cache, &pipeline, key),
                draw_function,
                batch_range: 0..1,
                extracted_index: place,
                extra_index: PhaseItemExtraIndex::None,
                indexed: false,
            });
        }
    }
}

fn write_buffers(
    mut buffers_of: ResMut<ViewBuffers>,
    (device, render_queue): (Res<RenderDevice>, Res<RenderQueue>),
    pipeline: Res<SheetPipeline>,
    cache: Res<PipelineCache>,
) {
    for buffers in buffers_of.0.values_mut() {
        buffers.shapes.write_buffer(&device, &render_queue);
        buffers.discs.write_buffer(&device, &render_queue);
        buffers.shared.write_buffer(&device, &render_queue);
        buffers.table.write_buffer(&device, &render_queue);
        if buffers.bind_group.is_none()
            && let (Some(shared), Some(table)) = (buffers.shared.binding(), buffers.table.binding())
        {
            let layout = cache.get_bind_group_layout(&pipeline.layout);
            buffers.bind_group =
                Some(device.create_bind_group("view", &layout, &BindGroupEntries::sequential((shared, table))));
        }
    }
}

type DrawSheet = (SetItemPipeline, DrawInstances);

struct DrawInstances;

impl RenderCommand<Transparent2d> for DrawInstances {
    type Param = SRes<ViewBuffers>;
    type ViewQuery = Read<ExtractedView>;
    type ItemQuery = ();

    fn render<'w>(
        item: &Transparent2d,
        view: ROQueryItem<'w, '_, Self::ViewQuery>,
        _: Option<ROQueryItem<'w, '_, Self::ItemQuery>>,
        buffers_of: SystemParamItem<'w, '_, Self::Param>,
        pass: &mut TrackedRenderPass<'w>,
    ) -> RenderCommandResult {
        let Some(buffers) = buffers_of.into_inner().0.get(&view.retained_view_entity.main_entity.id()) else {
            return RenderCommandResult::Skip;
        };
        let Some(&sheet) = Sheet::ALL.get(item.extracted_index) else { return RenderCommandResult::Skip };
        let (buffer, range) = match sheet {
            Sheet::Canvas(nth) => (buffers.shapes.buffer(), buffers.ranges[usize::from(nth)].clone()),
            Sheet::Table => (None, 0..u32::from(buffers.has_table)),
            Sheet::Shadows | Sheet::Discs => {
                (buffers.discs.buffer(), 0..(buffers.discs.len() / if buffers.balls { 2 } else { 1 }) as u32)
            }
        };
        let (Some(bind_group), false) = (&buffers.bind_group, range.is_empty()) else {
            return RenderCommandResult::Skip;
        };
        pass.set_bind_group(0, bind_group, &[]);
        match (sheet, buffer) {
            (Sheet::Table, _) => {}
            (_, Some(buffer)) => pass.set_vertex_buffer(0, buffer.slice(..)),
            _ => return RenderCommandResult::Skip,
        }
        // Two triangles. The vertex index encodes their corners and their sheet.
        let first = 6 * item.extracted_index as u32;
        pass.draw(first..first + 6, range);
        RenderCommandResult::Success
    }
}

/// Draws the views of all cameras.
pub(super) fn draw_views(
    world: &mut World,
    cameras: &mut QueryState<(Entity, &View2d, &Camera, Option<&RenderLayers>), With<ViewCamera>>,
) {
    let mut views: Vec<_> = cameras
        .iter(world)
        .filter(|(_, _, camera, _)| camera.is_active)
        .map(|(entity, view, camera, layers)| {
            let layers = layers.unwrap_or_default().clone();
            (camera.order, CurrentView::new(entity, view.clone(), layers))
        })
        .collect();
    views.sort_by_key(|(order, view)| (*order, view.camera));
    for (_, view) in views {
        world.insert_resource(view);
        world.resource_scope(|world, mut canvas: Mut<Canvas>| {
            canvas.clear();
            terrain::draw_floor(&mut canvas, world.resource::<CurrentView>(), world.resource::<Theme>());
        });
        world.run_schedule(DrawView);
        compose(world);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_cleared_with_the_themes_colour_unless_a_game_has_set_its_own() {
        let mut app = App::new();
        app.add_plugins(MinimalPlugins)
            .init_resource::<ClearColor>()
            .init_resource::<Theme>()
            .add_systems(PostUpdate, clear_with.run_if(resource_changed::<Theme>));
        let cleared = |app: &mut App, edge: Srgba| {
            app.world_mut().resource_mut::<Theme>().ground.room_edge = edge;
            app.update();
            app.world().resource::<ClearColor>().0
        };
        assert_eq!(cleared(&mut app, Srgba::RED), Srgba::RED.into());
        assert_eq!(cleared(&mut app, Srgba::GREEN), Srgba::GREEN.into(), "it follows the theme");
        app.insert_resource(ClearColor(Color::BLACK));
        assert_eq!(cleared(&mut app, Srgba::BLUE), Color::BLACK, "a game's own stays");
    }
}
