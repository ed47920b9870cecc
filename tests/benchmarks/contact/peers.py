"""One scene in another engine: time of a step at rest and number of contacts.

  python peers.py mujoco|mujoco_pyramidal|drake SCENE_NAME

The clock is around one call that takes thousands of steps inside the engine.
"""
import json
import sys
import time

import scenes


def mujoco_xml(scene, cone):
    def vec(v):
        return ' '.join(repr(float(x)) for x in v)

    def geom(g):
        return (f'<geom type="{g.shape}" size="{vec(g.size)}" '
                f'pos="{vec(g.pos)}" quat="{vec(g.quat)}" '
                f'friction="{scene.mu} 0 0" condim="3"/>')
    lines = [f'<mujoco><option timestep="{scene.dt}" cone="{cone}"/>',
             '<size memory="200M"/><compiler angle="radian"/><worldbody>',
             f'<geom type="plane" size="5 5 .1" friction="{scene.mu} 0 0" '
             'condim="3"/>']
    lines += [geom(g) for g in scene.walls]
    children = {}
    for i, b in enumerate(scene.bodies):
        children.setdefault(b.parent, []).append(i)

    def body(i):
        b = scene.bodies[i]
        lines.append(f'<body name="{b.name}" pos="{vec(b.pos)}" '
                     f'quat="{vec(b.quat)}">')
        if b.axis:
            lines.append(f'<joint name="j_{b.name}" type="hinge" '
                         f'axis="{vec(b.axis)}" damping="{b.damping}"/>')
        else:
            lines.append('<freejoint/>')
        lines.append(f'<inertial pos="{vec(b.com)}" mass="{b.mass}" '
                     f'diaginertia="{vec(b.inertia)}"/>')
        lines.extend(geom(g) for g in b.geoms)
        for child in children.get(i, []):
            body(child)
        lines.append('</body>')
    for root in children.get(-1, []):
        body(root)
    lines.append('</worldbody><actuator>')
    for b in scene.bodies:
        if b.axis:
            lines.append(f'<position joint="j_{b.name}" kp="{b.kp}"/>')
    lines.append('</actuator></mujoco>')
    return '\n'.join(lines)


def run_mujoco(scene, cone):
    import mujoco
    import numpy as np
    model = mujoco.MjModel.from_xml_string(mujoco_xml(scene, cone))
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, round(scene.settle / scene.dt))
    best = 1e9
    for _ in range(3):
        start = time.process_time()
        mujoco.mj_step(model, data, scene.steps)
        best = min(best, time.process_time() - start)
    return dict(engine='mujoco ' + mujoco.__version__ + ' ' + cone,
                us=best / scene.steps * 1e6, contacts=int(data.ncon),
                iterations=int(np.max(data.solver_niter)),
                speed=float(np.abs(data.qvel).max()),
                nv=int(model.nv))


def run_drake(scene):
    import numpy as np
    import pydrake.all as d
    builder = d.DiagramBuilder()
    plant, scene_graph = d.AddMultibodyPlantSceneGraph(builder, scene.dt)
    plant.set_contact_model(d.ContactModel.kPoint)
    plant.set_discrete_contact_approximation(
        d.DiscreteContactApproximation.kLagged)
    friction = d.CoulombFriction(scene.mu, scene.mu)

    def shape(g):
        if g.shape == 'box':
            return d.Box(*(2 * s for s in g.size))
        if g.shape == 'sphere':
            return d.Sphere(*g.size)
        kind = d.Capsule if g.shape == 'capsule' else d.Cylinder
        return kind(g.size[0], 2 * g.size[1])

    def pose(pos, quat):
        return d.RigidTransform(d.Quaternion(quat / np.linalg.norm(quat)), pos)

    flat = []

    def add(body, geoms):
        for i, g in enumerate(geoms):
            id = plant.RegisterCollisionGeometry(
                body, pose(g.pos, g.quat), shape(g), f'{body.name()}_{i}',
                friction)
            if not scene.stands or g.shape != 'box':
                continue
            flat.append(id)
            # One point would not carry a box: four small balls flush with its
            # lower face do.
            r = 1e-3
            for j in range(4):
                corner = [(g.size[0] - r) * (1 if j % 2 else -1),
                          (g.size[1] - r) * (1 if j // 2 else -1),
                          r - g.size[2]]
                plant.RegisterCollisionGeometry(
                    body, pose(np.array(g.pos) + corner, g.quat), d.Sphere(r),
                    f'{body.name()}_{i}_{j}', friction)
    flat.append(plant.RegisterCollisionGeometry(
        plant.world_body(), d.RigidTransform(), d.HalfSpace(), 'ground',
        friction))
    add(plant.world_body(), scene.walls)
    bodies = []
    for b in scene.bodies:
        inertia = d.SpatialInertia.MakeFromCentralInertia(
            b.mass, b.com, d.RotationalInertia(*b.inertia))
        body = plant.AddRigidBody(b.name, inertia)
        bodies.append(body)
        add(body, b.geoms)
        if b.axis:
            frame = plant.AddFrame(d.FixedOffsetFrame(
                'f_' + b.name, bodies[b.parent].body_frame(),
                d.RigidTransform(b.pos)))
            joint = plant.AddJoint(d.RevoluteJoint(
                'j_' + b.name, frame, body.body_frame(), b.axis, b.damping))
            actuator = plant.AddJointActuator('a_' + b.name, joint)
            actuator.set_controller_gains(d.PdControllerGains(p=b.kp, d=0))
    plant.Finalize()
    if scene.stands:
        scene_graph.collision_filter_manager().Apply(
            d.CollisionFilterDeclaration().ExcludeWithin(d.GeometrySet(flat)))
    diagram = builder.Build()
    simulator = d.Simulator(diagram)
    context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    for b, body in zip(scene.bodies, bodies):
        if not b.axis:
            plant.SetFreeBodyPose(context, body, pose(b.pos, b.quat))
    n = plant.num_actuated_dofs()
    if n:
        plant.get_desired_state_input_port(
            d.default_model_instance()).FixValue(context, np.zeros(2 * n))
    simulator.AdvanceTo(scene.settle)
    best = 1e9
    steps = min(scene.steps, 2000)
    end = scene.settle
    for _ in range(3):
        end += steps * scene.dt
        start = time.process_time()
        simulator.AdvanceTo(end)
        best = min(best, time.process_time() - start)
    results = plant.get_contact_results_output_port().Eval(context)
    return dict(engine='drake', us=best / steps * 1e6,
                contacts=results.num_point_pair_contacts(),
                speed=float(np.abs(plant.GetVelocities(context)).max()),
                nv=plant.num_velocities())


def main():
    engine, name = sys.argv[1:]
    scene = next(s for s in scenes.all_scenes() if s.name == name)
    if engine == 'drake':
        result = run_drake(scene)
    else:
        cone = 'pyramidal' if engine.endswith('pyramidal') else 'elliptic'
        result = run_mujoco(scene, cone)
    print(json.dumps(result))


if __name__ == '__main__':
    main()
