#!/usr/bin/env python3
"""Position of a slider at 1 m/s from 7 m, its log and that of a hold of 200 Hz,
by pydrake 1.51: see docs/sampling.md."""
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import PrismaticJoint, SpatialInertia
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder
from pydrake.systems.primitives import LogVectorOutput, ZeroOrderHold

for sampled in (True, False):
    builder = DiagramBuilder()
    plant = builder.AddSystem(MultibodyPlant(1e-3))
    plant.SetUseSampledOutputPorts(sampled)
    plant.mutable_gravity_field().set_gravity_vector([0, 0, 0])
    body = plant.AddRigidBody(
        "body", SpatialInertia.SolidBoxWithMass(1e6, 0.1, 0.1, 0.1))
    plant.AddJoint(PrismaticJoint(
        "slider", plant.world_frame(), body.body_frame(), [1, 0, 0]))
    plant.Finalize()
    hold = builder.AddSystem(ZeroOrderHold(5e-3, 2))
    builder.Connect(plant.get_state_output_port(), hold.get_input_port())
    state_log = LogVectorOutput(plant.get_state_output_port(), builder, 1e-3)
    hold_log = LogVectorOutput(hold.get_output_port(), builder, 1e-3)
    simulator = Simulator(builder.Build())
    context = plant.GetMyMutableContextFromRoot(
        simulator.get_mutable_context())
    plant.SetPositions(context, [7.0])
    plant.SetVelocities(context, [1.0])
    simulator.AdvanceTo(8e-3)
    print("sampled outputs" if sampled else "live outputs")
    for log in (state_log, hold_log):
        print([float(round(x, 6)) for x in log.FindLog(simulator.get_context()).data()[0]])
