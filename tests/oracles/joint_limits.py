#!/usr/bin/env python3
"""A hinge that falls onto its lower limit, by pydrake 1.51: time, angle and
rate, for tests/multibody/plant/limits_test.cc."""
from pydrake.multibody.plant import DiscreteContactApproximation, MultibodyPlant
from pydrake.multibody.tree import RevoluteJoint, SpatialInertia, UnitInertia
from pydrake.systems.analysis import Simulator


def fall(time_step, times):
    plant = MultibodyPlant(time_step)
    plant.set_discrete_contact_approximation(
        DiscreteContactApproximation.kLagged)
    bob = plant.AddRigidBody("bob", SpatialInertia(
        1.0, [0, 0, -0.5], UnitInertia(0.251, 0.251, 0.001)))
    hinge = plant.AddJoint(RevoluteJoint(
        "hinge", plant.world_frame(), bob.body_frame(), [0, 1, 0]))
    hinge.set_position_limits([0.2], [2.0])
    plant.Finalize()
    simulator = Simulator(plant)
    context = simulator.get_mutable_context()
    plant.SetPositions(context, [1.0])
    for time in times:
        simulator.AdvanceTo(time)
        print(f"{{{time}, {plant.GetPositions(context)[0]:.17g}, "
              f"{plant.GetVelocities(context)[0]:.17g}}},")


fall(1e-3, [0.3, 0.35, 0.4, 1.0])
print()
fall(1e-2, [0.3, 0.35, 0.36, 0.4, 0.5, 1.0])
