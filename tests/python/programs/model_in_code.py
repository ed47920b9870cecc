"""A cart with a pendulum, built from bodies and joints, and a trajectory."""
import numpy as np
from pydrake.math import RigidTransform, RollPitchYaw
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import (
    PrismaticJoint, RevoluteJoint, SpatialInertia, UnitInertia)
from pydrake.trajectories import PiecewisePolynomial


def run(models):
    """Returns poses, derivatives and values of the trajectory."""
    plant = MultibodyPlant(0.0)
    cart = plant.AddRigidBody(
        "cart", SpatialInertia(2.0, [0, 0, 0], UnitInertia.SolidBox(1, 1, 1)))
    rod = plant.AddRigidBody(
        "rod", SpatialInertia(0.7, [0, 0, -0.4], UnitInertia(
            0.2, 0.2, 0.01)))
    rail = plant.AddJoint(PrismaticJoint(
        "rail", plant.world_frame(), cart.body_frame(), [1, 0, 0]))
    pin = plant.AddJoint(RevoluteJoint(
        "pin", cart.body_frame(), rod.body_frame(), [0, 1, 0], 0.1))
    plant.AddJointActuator("motor", rail)
    plant.Finalize()
    context = plant.CreateDefaultContext()
    plant.get_actuation_input_port().FixValue(context, [3.0])
    rail.set_translation(context, 0.2)
    pin.set_angle(context, 0.6)
    pin.set_angular_rate(context, -1.5)
    derivatives = plant.EvalTimeDerivatives(context).CopyToVector()
    pose = RigidTransform(RollPitchYaw(0.1, 0.2, 0.3), [1, 2, 3])
    pose = pose @ rod.EvalPoseInWorld(context)
    path = PiecewisePolynomial.CubicShapePreserving(
        [0.0, 1.0, 3.0], np.array([[0.0, 1.0, 4.0], [2.0, 2.0, -1.0]]), True)
    parts = [derivatives, pose.GetAsMatrix4(),
             pose.inverse().multiply(np.array([1.0, 0.0, 2.0])),
             path.value(0.7), path.EvalDerivative(2.2, 1),
             plant.CalcMassMatrix(context)]
    return [float(x) for part in parts for x in np.ravel(part)]
