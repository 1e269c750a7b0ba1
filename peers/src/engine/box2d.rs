//! Box2D 3 through its C interface, with its own scheduler for more than one thread.
//!
//! Every setting is its default, with these exceptions: sleeping is off, friction is 0, and gravity and restitution are
//! those of the scene. It runs 4 substeps, as its documentation advises.

use boxdd_sys::ffi;

use super::{Body, Engine, walls};
use crate::scene::{DENSITY, State, TIME_STEP};

const SUBSTEPS: i32 = 4;

/// A world and its discs.
pub struct Box2d {
    world: ffi::b2WorldId,
    discs: Vec<ffi::b2BodyId>,
}

impl Box2d {
    /// A world with these discs, solved by this many threads.
    pub fn new(state: &State, threads: usize) -> Self {
        // SAFETY: the definition is Box2D's own default, with plain numbers and switches changed; no pointer in it is
        // set.
        let world = unsafe {
            let mut definition = ffi::b2DefaultWorldDef();
            definition.gravity = vector([0.0, state.gravity]);
            definition.enableSleep = false;
            definition.workerCount = i32::try_from(threads).expect("the number of threads is small");
            ffi::b2CreateWorld(&raw const definition)
        };
        // SAFETY: both functions only fill structures with defaults.
        let (mut body, mut shape) = unsafe { (ffi::b2DefaultBodyDef(), ffi::b2DefaultShapeDef()) };
        shape.material.friction = 0.0;
        shape.material.restitution = state.restitution;
        shape.density = DENSITY;
        for (centre, half_size) in walls(state) {
            body.position = vector(centre);
            // SAFETY: the world was just created; Box2D copies the definitions and the polygon.
            unsafe {
                let wall = ffi::b2CreateBody(world, &raw const body);
                let rectangle = ffi::b2MakeBox(half_size[0], half_size[1]);
                ffi::b2CreatePolygonShape(wall, &raw const shape, &raw const rectangle);
            }
        }
        body.type_ = ffi::b2BodyType_b2_dynamicBody;
        let discs = state.discs.iter().map(|disc| {
            body.position = vector(disc.position);
            body.linearVelocity = vector(disc.velocity);
            let circle = ffi::b2Circle { center: vector([0.0; 2]), radius: disc.radius };
            // SAFETY: as for the walls.
            unsafe {
                let id = ffi::b2CreateBody(world, &raw const body);
                ffi::b2CreateCircleShape(id, &raw const shape, &raw const circle);
                id
            }
        });
        Self { world, discs: discs.collect() }
    }
}

impl Engine for Box2d {
    fn step(&mut self) {
        // SAFETY: the world lives until `drop`, and `&mut self` guarantees exclusive use.
        unsafe { ffi::b2World_Step(self.world, TIME_STEP, SUBSTEPS) };
    }

    fn bodies(&self) -> Vec<Body> {
        let read = |&id: &ffi::b2BodyId| {
            // SAFETY: the bodies live as long as the world, and no step runs while `self` is borrowed.
            let (position, velocity) = unsafe { (ffi::b2Body_GetPosition(id), ffi::b2Body_GetLinearVelocity(id)) };
            Body { position: [position.x, position.y], velocity: [velocity.x, velocity.y] }
        };
        self.discs.iter().map(read).collect()
    }
}

impl Drop for Box2d {
    fn drop(&mut self) {
        // SAFETY: the world was created in `new` and is destroyed once, here.
        unsafe { ffi::b2DestroyWorld(self.world) };
    }
}

/// Name and version as the linked library reports them, and whether it was compiled with its assertions.
pub fn version() -> String {
    // SAFETY: the function takes nothing and returns three numbers.
    let ffi::b2Version { major, minor, revision } = unsafe { ffi::b2GetVersion() };
    let has_assertions = !option_env!("CFLAGS").unwrap_or_default().contains("NDEBUG");
    format!("Box2D {major}.{minor}.{revision}{}", if has_assertions { " with assertions" } else { "" })
}

fn vector([x, y]: [f32; 2]) -> ffi::b2Vec2 {
    ffi::b2Vec2 { x, y }
}
