"""One scene in another engine: times of a step, phase by phase.

  python peers.py mujoco|mujoco_pyramidal|drake SCENE_NAME

The clock is around calls that take hundreds of steps inside the engine. It
starts after first steps that are taken back.
"""
import copy
import json
import sys
import time

import scenes


def mujoco_xml(scene, cone):
    def vec(v):
        return ' '.join(repr(float(x)) for x in v)

    meshes = []

    def geom(g):
        kind = f'type="{g.shape}" size="{vec(g.size)}"'
        if g.shape == 'hull':
            points = vec(x for p in g.points for x in p)
            meshes.append(f'<mesh name="m{len(meshes)}" vertex="{points}"/>')
            kind = f'type="mesh" mesh="m{len(meshes) - 1}"'
        return (f'<geom {kind} '
                f'pos="{vec(g.pos)}" quat="{vec(g.quat)}" '
                f'friction="{scene.mu} 0 0" condim="3"/>')
    lines = [f'<mujoco><option timestep="{scene.dt}" cone="{cone}" '
             f'gravity="{vec(scene.gravity)}"/>',
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
    lines.append('</actuator><asset>')
    lines += meshes
    lines.append('</asset></mujoco>')
    return '\n'.join(lines)


def end_of_first_steps(scene):
    return min(200 * scene.dt, scene.phases[0][1])


def measure(scene, advance, positions, state):
    """Phases as contact_benchmark prints them."""
    import numpy as np
    result, begin = [], 0
    for name, end in scene.phases:
        before = positions()
        start = time.process_time()
        advance(begin, end)
        used = time.process_time() - start
        drift = np.linalg.norm(positions() - before, axis=1).max()
        result.append(dict(name=name.replace(' ', '_'),
                           us=used / round((end - begin) / scene.dt) * 1e6,
                           drift=float(drift), **state()))
        begin = end
    return result


def run_mujoco(scene, cone):
    import mujoco
    import numpy as np
    model = mujoco.MjModel.from_xml_string(mujoco_xml(scene, cone))
    data = mujoco.MjData(model)
    free = [model.body(b.name).id for b in scene.bodies if not b.axis]
    for i, b in zip(free, (b for b in scene.bodies if not b.axis)):
        data.qvel[model.body_dofadr[i]:][:3] = b.velocity

    def advance(begin, end):
        for stop, posture in scenes.turns(scene, begin, end):
            steps = round((stop - begin) / scene.dt)
            if steps > 0:
                mujoco.mj_step(model, data, steps)
            if posture is not None:
                data.ctrl[:] = [b.targets[posture] for b in scene.bodies
                                if b.axis]
            begin = stop

    def state():
        mujoco.mj_energyPos(model, data)
        mujoco.mj_energyVel(model, data)
        depths = -data.contact.dist[:data.ncon]
        return dict(contacts=int(data.ncon), energy=float(sum(data.energy)),
                    depth=float(np.max(depths, initial=0)))
    data.ctrl[:] = [b.targets[0] for b in scene.bodies if b.axis]
    first = copy.copy(data)
    advance(0, end_of_first_steps(scene))
    mujoco.mj_copyData(data, model, first)
    mujoco.mj_forward(model, data)
    return dict(engine='mujoco ' + mujoco.__version__ + ' ' + cone,
                nv=int(model.nv),
                phases=measure(scene, advance, lambda: data.xpos[free].copy(),
                               state))


def run_drake(scene):
    import numpy as np
    import pydrake.all as d
    builder = d.DiagramBuilder()
    plant, scene_graph = d.AddMultibodyPlantSceneGraph(builder, scene.dt)
    plant.set_contact_model(d.ContactModel.kPoint)
    plant.set_discrete_contact_approximation(
        d.DiscreteContactApproximation.kLagged)
    plant.set_stiction_tolerance(1e-3)
    plant.mutable_gravity_field().set_gravity_vector(scene.gravity)
    properties = d.ProximityProperties()
    d.AddContactMaterial(
        dissipation=scene.dissipation, point_stiffness=scene.stiffness,
        friction=d.CoulombFriction(scene.mu, scene.mu), properties=properties)

    def shape(g):
        if g.shape == 'hull':
            return d.Convex(points=np.array(g.points).T, label='hull')
        if g.shape == 'ellipsoid':
            return d.Ellipsoid(*g.size)
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
                properties)
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
                    f'{body.name()}_{i}_{j}', properties)
    flat.append(plant.RegisterCollisionGeometry(
        plant.world_body(), d.RigidTransform(), d.HalfSpace(), 'ground',
        properties))
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
                pose(b.pos, b.quat)))
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
            plant.SetFreeBodySpatialVelocity(
                context=context, body=body,
                V_PB=d.SpatialVelocity(np.zeros(3), b.velocity))
    free = [body for b, body in zip(scene.bodies, bodies) if not b.axis]
    n = plant.num_actuated_dofs()

    def take(posture):
        if n == 0:
            return
        angles = [b.targets[posture] for b in scene.bodies if b.axis]
        plant.get_desired_state_input_port(
            d.default_model_instance()).FixValue(
                context, np.concatenate([angles, np.zeros(n)]))

    def advance(begin, end):
        for stop, posture in scenes.turns(scene, begin, end):
            simulator.AdvanceTo(stop)
            if posture is not None:
                take(posture)

    def positions():
        return np.array([plant.EvalBodyPoseInWorld(context, body).translation()
                         for body in free])

    def state():
        results = plant.get_contact_results_output_port().Eval(context)
        depths = [results.point_pair_contact_info(i).point_pair().depth
                  for i in range(results.num_point_pair_contacts())]
        return dict(contacts=len(depths), depth=max(depths, default=0),
                    energy=plant.CalcKineticEnergy(context) +
                    plant.CalcPotentialEnergy(context))
    take(0)
    first = simulator.get_context().Clone()
    advance(0, end_of_first_steps(scene))
    simulator.get_mutable_context().SetTimeStateAndParametersFrom(first)
    take(0)
    simulator.Initialize()
    return dict(engine='drake', nv=plant.num_velocities(),
                phases=measure(scene, advance, positions, state))


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
