"""Mechanisms of tests/published in Drake.

Trees run in continuous mode, by accuracy. A02 has loops, which Drake has in
discrete mode alone: by step size.
"""

import math

import numpy as np
from pydrake.math import RigidTransform
from pydrake.multibody.math import SpatialVelocity
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import (FixedOffsetFrame, RevoluteJoint,
                                    RotationalInertia, SpatialInertia)
from pydrake.systems.analysis import ResetIntegratorFromFlags, Simulator

import measure


def pin(plant, name, parent, p, M):
    body = plant.AddRigidBody(name, M)
    frame = plant.AddFrame(FixedOffsetFrame(
        name + "_at", parent.body_frame(), RigidTransform(p)))
    return body, plant.AddJoint(RevoluteJoint(
        name, frame, body.body_frame(), [0, 0, 1]))


def simulate(plant, start, end, scheme, accuracy):
    simulator = Simulator(plant)
    context = simulator.get_mutable_context()
    start(context)
    if accuracy is not None:
        integrator = ResetIntegratorFromFlags(simulator, scheme, 0.1)
        integrator.set_target_accuracy(accuracy)
    simulator.Initialize()
    simulator.AdvanceTo(end)
    integrator = simulator.get_integrator()
    # Python has no counter of derivatives; a step of runge_kutta3 takes three.
    return context, integrator.get_num_steps_taken()


def pendulum():
    plant = MultibodyPlant(0.0)
    plant.mutable_gravity_field().set_gravity_vector([0, -9.81, 0])
    _, joint = pin(plant, "pendulum", plant.world_body(), [0, 0, 0],
                   SpatialInertia.PointMass(1, [1, 0, 0]))
    plant.Finalize()
    return plant, joint


def free_body():
    I, w, end = measure.free_rotation()
    plant = MultibodyPlant(0.0)
    plant.mutable_gravity_field().set_gravity_vector([0, 0, 0])
    body = plant.AddRigidBody("body", SpatialInertia.MakeFromCentralInertia(
        1, [0, 0, 0], RotationalInertia(*I)))
    plant.Finalize()

    def start(context):
        plant.SetFreeBodySpatialVelocity(
            body, SpatialVelocity(w=w, v=[0, 0, 0]), context)

    def error(context):
        R = plant.EvalBodyPoseInWorld(context, body).rotation()
        V = plant.EvalBodySpatialVelocityInWorld(context, body)
        return np.abs(R.inverse().multiply(V.rotational()) - w).max()

    return plant, start, error, end


def four_bars(h):
    plant = MultibodyPlant(h)
    plant.mutable_gravity_field().set_gravity_vector([0, -9.81, 0])
    rod = SpatialInertia.ThinRodWithMassAboutEnd(1, 1, [1, 0, 0])
    cranks, couplers = [], []
    for i in range(3):
        cranks.append(pin(plant, f"crank{i}", plant.world_body(), [i, 0, 0],
                          rod))
        if i < 2:
            couplers.append(pin(plant, f"coupler{i}", cranks[-1][0], [1, 0, 0],
                                rod))
    for i in range(2):
        plant.AddBallConstraint(couplers[i][0], [1, 0, 0], cranks[i + 1][0],
                                [1, 0, 0])
    plant.Finalize()

    def start(context):
        for _, joint in cranks:
            joint.set_angle(context, math.pi / 2)
            joint.set_angular_rate(context, -1)
        for _, joint in couplers:
            joint.set_angle(context, -math.pi / 2)
            joint.set_angular_rate(context, 1)

    return plant, start, cranks[0][1]


def main():
    plant, joint = pendulum()
    body_plant, body_start, body_error, body_end = free_body()
    for scheme in ("runge_kutta3", "radau3"):
        for digits in range(3, 10):
            a = 10.0**-digits

            def run_pendulum():
                context, steps = simulate(plant, lambda context: None,
                                          measure.A01_END, scheme, a)
                return abs(joint.get_angle(context)), steps

            def run_body():
                context, steps = simulate(body_plant, body_start, body_end,
                                          scheme, a)
                return body_error(context), steps

            measure.row("A01 pendulum", "Drake", scheme, a, run_pendulum)
            measure.row("free rotation", "Drake", scheme, a, run_body)
    for h in (1e-2, 3e-3, 1e-3, 3e-4, 1e-4):
        h = 10 / math.ceil(10 / h)
        bars, start, crank = four_bars(h)

        def run_bars():
            context, steps = simulate(bars, start, 10, None, None)
            angle = crank.get_angle(context)
            return (math.hypot(math.cos(angle) - measure.A02_TIP[0],
                               math.sin(angle) - measure.A02_TIP[1]),
                    round(10 / h))

        measure.row("A02 four-bars", "Drake", "discrete", h, run_bars)


if __name__ == "__main__":
    main()
