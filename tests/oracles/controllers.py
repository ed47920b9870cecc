"""Figures of Drake's controllers of a plant, for
tests/multibody/control/controller_oracle_test.cc:

    python3 controllers.py > controllers.txt

The plant is two damped hinges in a row, about y and x, with their motors in the
other order. Lines of the output: a name and the vector.
"""
from pydrake.math import RigidTransform
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import (
    FixedOffsetFrame,
    RevoluteJoint,
    SpatialInertia,
    UnitInertia,
)
from pydrake.systems.controllers import (
    InverseDynamics,
    InverseDynamicsController,
    JointStiffnessController,
)


def inertia(mass, z):
    return SpatialInertia(mass, [0, 0, z], UnitInertia(0.5, 0.5, 0.5))


plant = MultibodyPlant(0.0)
upper = plant.AddRigidBody("upper", inertia(1, -0.3))
lower = plant.AddRigidBody("lower", inertia(2, -0.2))
shoulder = plant.AddJoint(
    RevoluteJoint(
        "shoulder", plant.world_frame(), upper.body_frame(), [0, 1, 0], 0.3
    )
)
tip = plant.AddFrame(
    FixedOffsetFrame("tip", upper.body_frame(), RigidTransform([0, 0, -0.6]))
)
elbow = plant.AddJoint(
    RevoluteJoint("elbow", tip, lower.body_frame(), [1, 0, 0], 0.1)
)
plant.AddJointActuator("elbow", elbow)
plant.AddJointActuator("shoulder", shoulder)
plant.Finalize()

x = [0.4, -0.7, 0.5, 0.9]
x_d = [0.1, 0.2, 0.3, 0.4]
vdot_d = [0.5, -0.6]


def show(name, vector):
    print(name, *[f"{number:.17g}" for number in vector])


def evaluate(system, outputs, desired_state=True, acceleration=True):
    context = system.CreateDefaultContext()
    system.get_input_port(0).FixValue(context, x)
    if desired_state:
        system.GetInputPort("desired_state").FixValue(context, x_d)
    if acceleration:
        system.GetInputPort("desired_acceleration").FixValue(context, vdot_d)
    if hasattr(system, "set_integral_value"):
        system.set_integral_value(context, [0.1, -0.2])
    for port in outputs:
        name = f"{type(system).__name__.split('_')[0]}.{port}"
        show(name, system.GetOutputPort(port).Eval(context))


evaluate(InverseDynamics(plant), ["generalized_force"], desired_state=False)
gravity = InverseDynamics(plant, InverseDynamics.kGravityCompensation)
context = gravity.CreateDefaultContext()
gravity.get_input_port(0).FixValue(context, x)
show("GravityCompensation", gravity.get_output_port(0).Eval(context))
evaluate(
    InverseDynamicsController(plant, [10, 20], [1, 2], [3, 4], True),
    ["actuation", "generalized_force"],
)
evaluate(
    JointStiffnessController(plant, [10, 20], [3, 4]),
    ["actuation"],
    acceleration=False,
)
