"""Mechanisms of tests/published in Drake: trees in continuous mode, by accuracy;
loops, which Drake has in discrete mode alone, by step size; contact both ways."""

import math
import time

import numpy as np
from pydrake.geometry import (AddContactMaterial, Cylinder, HalfSpace,
                              ProximityProperties, Sphere)
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.math import SpatialVelocity
from pydrake.multibody.plant import (AddMultibodyPlantSceneGraph,
                                     CoulombFriction, MultibodyPlant)
from pydrake.multibody.tree import (FixedOffsetFrame, LinearSpringDamper,
                                    PrismaticJoint, RevoluteJoint,
                                    RotationalInertia, SpatialInertia)
from pydrake.systems.analysis import (ApplySimulatorConfig, Simulator,
                                      SimulatorConfig)
from pydrake.systems.framework import DiagramBuilder

import measure


class Model:
    """A System with a plant, the start of a Context, and the error at `end`."""

    def __init__(self, name, end, plant, start, error, system=None):
        self.name, self.end, self.plant = name, end, plant
        self.start, self.error = start, error
        self.system = system or plant

    def run(self, scheme=None, accuracy=None):
        simulator = Simulator(self.system)
        if scheme is not None:
            ApplySimulatorConfig(SimulatorConfig(
                integration_scheme=scheme, max_step_size=0.1,
                accuracy=accuracy, use_error_control=True), simulator)
        context = self.plant.GetMyMutableContextFromRoot(
            simulator.get_mutable_context())
        self.start(context)
        simulator.Initialize()
        start = time.thread_time()
        simulator.AdvanceTo(self.end)
        end = time.thread_time()
        # Python has no counter of derivatives.
        steps = (simulator.get_integrator().get_num_steps_taken()
                 if scheme is not None else
                 simulator.get_num_discrete_updates())
        return self.error(context), steps, start, end


def planar(mechanism, h):
    plant = MultibodyPlant(h)
    plant.mutable_gravity_field().set_gravity_vector(
        [0, -mechanism["gravity"], 0])
    pins = []

    def body(i):
        return plant.world_body() if i < 0 else pins[i].child_body()

    def attach(parent, p, name):
        return plant.AddFrame(FixedOffsetFrame(
            name, parent.body_frame(), RigidTransform([*p, 0])))

    for b in mechanism["bodies"]:
        child = plant.AddRigidBody(b["name"],
                                   SpatialInertia.MakeFromCentralInertia(
            b["mass"], [*b["center"], 0],
            RotationalInertia(*[b["moment"]] * 3)))
        pins.append(plant.AddJoint(RevoluteJoint(
            b["name"], attach(body(b["parent"]), b["pin"], b["name"] + "_at"),
            child.body_frame(), [0, 0, 1])))
    for a, b in mechanism["loops"]:
        plant.AddBallConstraint(body(a["body"]), [*a["p"], 0],
                                body(b["body"]), [*b["p"], 0])
    for s in mechanism["springs"]:
        a, b = s["ends"]
        plant.AddForceElement(LinearSpringDamper(
            body(a["body"]), [*a["p"], 0], body(b["body"]), [*b["p"], 0],
            s["rest"], s["stiffness"], 0))
    if mechanism["torque"]:
        plant.AddJointActuator("motor", pins[0])
    plant.Finalize()

    def start(context):
        for pin, b in zip(pins, mechanism["bodies"]):
            pin.set_angle(context, b["q"])
            pin.set_angular_rate(context, b["v"])
        if mechanism["torque"]:
            plant.get_actuation_input_port().FixValue(
                context, [mechanism["torque"]])

    def error(context):
        return measure.calc_planar_error(
            mechanism, [pin.get_angle(context) for pin in pins],
            [pin.get_angular_rate(context) for pin in pins])

    return Model(mechanism["name"], mechanism["end"], plant, start, error)


def governor():
    plant = MultibodyPlant(0.0)

    def box(m, *sizes):
        return SpatialInertia.SolidBoxWithMass(m, *sizes)

    shaft = plant.AddRigidBody("shaft", box(0.3, 0.01, 0.01, 1))
    slider = plant.AddRigidBody("slider", box(3, 0.1, 0.1, 0.1))
    spin = plant.AddJoint(RevoluteJoint(
        "spin", plant.AddFrame(FixedOffsetFrame(
            "base", plant.world_frame(), RigidTransform([0, 0, 0.5]))),
        shaft.body_frame(), [0, 0, 1]))
    lift = plant.AddJoint(PrismaticJoint(
        "lift", shaft.body_frame(), slider.body_frame(), [0, 0, 1]))
    pins = []
    for side in (1, -1):
        rod = box(0.3, 1, 0.01, 0.01).Shift([-0.5 * side, 0, 0])
        rod += SpatialInertia.MakeFromCentralInertia(
            5, [side, 0, 0], RotationalInertia(0, 0, 0))
        body = plant.AddRigidBody(f"rod{side}", rod)
        pins.append(plant.AddJoint(RevoluteJoint(
            f"pin{side}", plant.AddFrame(FixedOffsetFrame(
                f"at{side}", shaft.body_frame(),
                RigidTransform([0.05 * side, 0, 0.5]))),
            body.body_frame(), [0, side, 0])))
        plant.AddForceElement(LinearSpringDamper(
            slider, [0.05 * side, 0, 0], body, [0.5 * side, 0, 0], 0.5, 8e5,
            4e4))
    plant.Finalize()

    def start(context):
        spin.set_angular_rate(context, 2 * math.pi)
        for pin in pins:
            pin.set_angle(context, math.pi / 6)

    def error(context):
        return abs(0.5 + lift.get_translation(context) - 0.619622917061)

    return Model("A05 governor", 10, plant, start, error)


def free_rotation():
    problem = measure.FreeRotation
    plant = MultibodyPlant(0.0)
    plant.mutable_gravity_field().set_gravity_vector([0, 0, 0])
    body = plant.AddRigidBody("body", SpatialInertia.MakeFromCentralInertia(
        1, [0, 0, 0], RotationalInertia(*problem.I)))
    plant.Finalize()

    def start(context):
        plant.SetFreeBodySpatialVelocity(
            body, SpatialVelocity(w=problem.w, v=[0, 0, 0]), context)

    def error(context):
        R = plant.EvalBodyPoseInWorld(context, body).rotation()
        V = plant.EvalBodySpatialVelocityInWorld(context, body)
        return problem.error(R.inverse().multiply(V.rotational()))

    return Model("free rotation", problem.end, plant, start, error)


def on_ground(name, problem, h, moments, X_BG, shape, pose, velocity, error):
    builder = DiagramBuilder()
    plant, _ = AddMultibodyPlantSceneGraph(builder, h)
    properties = ProximityProperties()
    mu = problem.friction
    AddContactMaterial(problem.dissipation, 2e6, CoulombFriction(mu, mu),
                       properties)
    plant.RegisterCollisionGeometry(plant.world_body(), RigidTransform(),
                                    HalfSpace(), "ground", properties)
    body = plant.AddRigidBody("body", SpatialInertia.MakeFromCentralInertia(
        1, [0, 0, 0], RotationalInertia(*moments)))
    plant.RegisterCollisionGeometry(body, X_BG, shape, "body", properties)
    plant.set_stiction_tolerance(1e-4)
    plant.Finalize()

    def start(context):
        plant.SetFreeBodyPose(context, body, pose)
        plant.SetFreeBodySpatialVelocity(body, velocity, context)

    return Model(name, problem.end, plant, start,
                 lambda context: error(
                     plant.EvalBodyPoseInWorld(context, body),
                     plant.EvalBodySpatialVelocityInWorld(context, body)),
                 builder.Build())


def rolling_ball(h):
    problem = measure.RollingBall
    r = problem.radius
    return on_ground(
        "rolling ball", problem, h, [0.4 * r * r] * 3, RigidTransform(),
        Sphere(r), RigidTransform([0, 0, r - measure.PRESSED_IN]),
        SpatialVelocity(w=[0, 0, 0], v=[1, 0, 0]),
        lambda X, V: problem.error(X.translation()[0], V.translational()[0]))


def bouncing_ball(h):
    problem = measure.BouncingBall
    return on_ground(
        "bouncing ball", problem, h, [0.004] * 3, RigidTransform(),
        Sphere(problem.radius), RigidTransform([0, 0, problem.height]),
        SpatialVelocity(w=[0, 0, 0], v=[0, 0, 0]),
        lambda X, V: problem.error(X.translation(), V.translational()))


def eulers_disk(h):
    problem = measure.EulersDisk
    moment = 0.25 * problem.radius**2
    return on_ground(
        "Euler's disk", problem, h, [moment, moment, 2 * moment],
        RigidTransform([0, 0, problem.thickness / 2]),
        Cylinder(problem.radius, problem.thickness),
        RigidTransform(RotationMatrix.MakeYRotation(problem.tilt),
                       [0, 0, problem.height]),
        SpatialVelocity(w=problem.spin * np.array(problem.down), v=[0, 0, 0]),
        lambda X, V: problem.error(X.rotation().matrix()[:, 2]))


def main():
    pendulum, *loops = measure.load_problems()["planar"]
    for model in (planar(pendulum, 0.0), governor(), free_rotation()):
        for scheme in ("runge_kutta3", "radau3"):
            measure.measure(model.name, "Drake", scheme,
                            measure.tolerances(2, 9),
                            lambda a: model.run(scheme, a))
    for make in (rolling_ball, eulers_disk, bouncing_ball):
        model = make(0.0)
        for scheme in ("runge_kutta3", "cenic"):
            measure.measure(model.name, "Drake", scheme,
                            measure.tolerances(2, 7),
                            lambda a: model.run(scheme, a))
        measure.measure(model.name, "Drake", "discrete",
                        measure.steps(model.end), lambda h: make(h).run())
    for mechanism in loops:
        most = min(1e-2, 1e-3 * mechanism["end"])
        measure.measure(mechanism["name"], "Drake", "discrete",
                        measure.steps(mechanism["end"], most),
                        lambda h: planar(mechanism, h).run())


if __name__ == "__main__":
    main()
