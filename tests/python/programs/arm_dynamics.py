"""Mass matrix, inverse dynamics, poses and Jacobians of a seven-joint arm."""
import numpy as np
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import JacobianWrtVariable, MultibodyForces


def run(models):
    """Returns all numbers of a configuration in one list."""
    plant = MultibodyPlant(time_step=0.0)
    Parser(plant).AddModels(str(models / "arm.urdf"))
    plant.Finalize()
    context = plant.CreateDefaultContext()
    n = plant.num_velocities()
    q = 0.3 * np.sin(1.0 + np.arange(plant.num_positions()))
    v = 0.5 * np.cos(2.0 + np.arange(n))
    plant.SetPositions(context, q)
    plant.SetVelocities(context, v)
    forces = MultibodyForces(plant)
    plant.CalcForceElementsContribution(context, forces)
    vdot = np.linspace(-1, 1, n)
    body = plant.get_body(plant.GetBodyIndices(
        plant.GetModelInstanceByName("arm"))[-1])
    pose = plant.EvalBodyPoseInWorld(context, body)
    jacobian = plant.CalcJacobianSpatialVelocity(
        context, JacobianWrtVariable.kV, body.body_frame(), [0.1, 0.2, 0.3],
        plant.world_frame(), plant.world_frame())
    points = plant.CalcPointsPositions(
        context, body.body_frame(), np.eye(3), plant.world_frame())
    parts = [
        plant.CalcMassMatrix(context), plant.CalcBiasTerm(context),
        plant.CalcGravityGeneralizedForces(context),
        plant.CalcInverseDynamics(context, vdot, forces),
        pose.rotation().matrix(), pose.translation(), jacobian, points,
        plant.MakeActuationMatrix(),
        [plant.CalcTotalMass(context)]]
    return [float(x) for part in parts for x in np.ravel(part)]
