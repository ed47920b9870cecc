"""Drake's figures for examples/models/arm.urdf: dynamics, and steps of a
discrete plant under PD control. Writes arm_drake.txt next to this file.
Needs pydrake 1.51."""
import pathlib

import numpy as np
from pydrake.math import RigidTransform
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import DiscreteContactApproximation, MultibodyPlant
from pydrake.multibody.tree import JointActuatorIndex, PdControllerGains

HERE = pathlib.Path(__file__).resolve().parent
URDF = HERE.parents[1] / "examples/models/arm.urdf"
figures = {}


def make_plant(time_step, gains=None):
    plant = MultibodyPlant(time_step)
    if time_step > 0:
        plant.set_discrete_contact_approximation(
            DiscreteContactApproximation.kSap)
    instance, = Parser(plant).AddModels(str(URDF))
    if gains is not None:
        for index in plant.GetJointActuatorIndices():
            plant.get_joint_actuator(index).set_controller_gains(
                PdControllerGains(p=gains[0], d=gains[1]))
    plant.Finalize()
    return plant, instance


rng = np.random.default_rng(7)
plant, _ = make_plant(0.0)
n = plant.num_velocities()
q = rng.uniform(-1, 1, n)
v = rng.uniform(-1, 1, n)
vdot = rng.uniform(-1, 1, n)
u = rng.uniform(-5, 5, n)
figures.update(q=q, v=v, vdot=vdot, u=u)

context = plant.CreateDefaultContext()
plant.SetPositions(context, q)
plant.SetVelocities(context, v)
figures["mass_matrix"] = plant.CalcMassMatrix(context)
figures["bias"] = plant.CalcBiasTerm(context)
figures["gravity"] = plant.CalcGravityGeneralizedForces(context)
from pydrake.multibody.tree import MultibodyForces
forces = MultibodyForces(plant)
plant.CalcForceElementsContribution(context, forces)
figures["inverse_dynamics"] = plant.CalcInverseDynamics(context, vdot, forces)
plant.get_actuation_input_port().FixValue(context, u)
figures["acceleration"] = plant.get_generalized_acceleration_output_port().Eval(
    context)
reactions = plant.get_reaction_forces_output_port().Eval(context)
figures["reactions"] = [r.get_coeffs() for r in reactions]

# The second set of gains is stiff, and drives into the effort limits.
for name, gains, away in (("soft", (200.0, 20.0), 0.05),
                          ("stiff", (1e4, 100.0), 1.0)):
    dt = 1e-3
    plant, instance = make_plant(dt, gains)
    qd = q + away * rng.uniform(-1, 1, n)
    vd = rng.uniform(-1, 1, n)
    context = plant.CreateDefaultContext()
    plant.SetPositions(context, q)
    plant.SetVelocities(context, v)
    plant.get_actuation_input_port().FixValue(context, u)
    plant.get_desired_state_input_port(instance).FixValue(
        context, np.concatenate([qd, vd]))
    figures[f"{name}_gains"] = gains
    figures[f"{name}_desired"] = np.concatenate([qd, vd])
    plant.ExecuteForcedEvents(context)
    figures[f"{name}_state_1"] = plant.GetPositionsAndVelocities(context)
    figures[f"{name}_net_actuation"] = (
        plant.get_net_actuation_output_port().Eval(context))
    for _ in range(99):
        plant.ExecuteForcedEvents(context)
    figures[f"{name}_state_100"] = plant.GetPositionsAndVelocities(context)

with open(HERE / "arm_drake.txt", "w") as out:
    for name, value in figures.items():
        matrix = np.asarray(value, dtype=float)
        if matrix.ndim == 1:
            matrix = matrix[:, None]
        out.write(f"{name} {matrix.shape[0]} {matrix.shape[1]}\n")
        for row in matrix:
            out.write(" ".join(f"{x:.16g}" for x in row) + "\n")
