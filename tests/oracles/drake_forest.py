"""Figures of Drake's MultibodyPlant for a random forest with a joint of every
type: writes drake_forest.txt, which tests/multibody/dynamics/
drake_forest_test.cc reads.

Run it with a Python that has pydrake (made with 1.51):
  python3 tests/oracles/drake_forest.py

The file: a line `name rows cols` and then the matrix, a row a line. A row of
`bodies`, in depth-first order, is
  parent type X_PF(12, R by row, then p) X_BM(12) axis(3) pitch mass com(3)
  I_BBo(xx xy xz yy yz zz) reflected_inertia
with type an index in TYPES.
"""

import pathlib

import numpy as np
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody import tree as mt
from pydrake.multibody.math import SpatialForce
from pydrake.multibody.plant import ExternallyAppliedSpatialForce
from pydrake.multibody.plant import MultibodyPlant
from pydrake.common.eigen_geometry import Quaternion

TYPES = ["weld", "revolute", "prismatic", "screw", "universal", "planar",
         "rpy_ball", "quaternion_ball", "rpy_floating", "quaternion_floating"]
# (type, parent) of each body, depth first; parent 0 is the world.
FOREST = [("revolute", 0), ("screw", 1), ("weld", 2), ("rpy_ball", 3),
          ("prismatic", 3), ("universal", 1), ("revolute", 6),
          ("quaternion_floating", 0), ("planar", 8), ("revolute", 9),
          ("rpy_floating", 8), ("weld", 0), ("prismatic", 12),
          ("revolute", 13), ("rpy_ball", 14)]

random = np.random.default_rng(2024)


def numbers(n):
    return random.uniform(-1, 1, n)


def pose():
    q = numbers(4)
    return RigidTransform(Quaternion(q / np.linalg.norm(q)), numbers(3))


def inertia():
    """Mass, com and rotational inertia about the origin of five points."""
    masses = random.uniform(0.1, 1, 5)
    points = random.uniform(-0.5, 0.5, (5, 3))
    com = masses @ points / masses.sum()
    about_origin = sum(m * (p @ p * np.eye(3) - np.outer(p, p))
                       for m, p in zip(masses, points))
    return masses.sum(), com, about_origin


def flat(X):
    return list(X.rotation().matrix().flatten()) + list(X.translation())


def make_joint(kind, name, frame_P, frame_C, axis, pitch):
    if kind == "weld":
        return mt.WeldJoint(name, frame_P, frame_C, RigidTransform())
    if kind == "revolute":
        return mt.RevoluteJoint(name, frame_P, frame_C, axis)
    if kind == "prismatic":
        return mt.PrismaticJoint(name, frame_P, frame_C, axis)
    if kind == "screw":
        return mt.ScrewJoint(name, frame_P, frame_C, axis, pitch, 0.0)
    if kind == "universal":
        return mt.UniversalJoint(name, frame_P, frame_C)
    if kind == "planar":
        return mt.PlanarJoint(name, frame_P, frame_C)
    if kind == "rpy_ball":
        return mt.BallRpyJoint(name, frame_P, frame_C)
    if kind == "rpy_floating":
        return mt.RpyFloatingJoint(name, frame_P, frame_C)
    return mt.QuaternionFloatingJoint(name, frame_P, frame_C)


def build():
    plant = MultibodyPlant(0.0)
    plant.mutable_gravity_field().set_gravity_vector([0.5, -1, -9.81])
    bodies, joints, rows = [plant.world_body()], [None], []
    for i, (kind, parent) in enumerate(FOREST, start=1):
        mass, com, I = inertia()
        unit = mt.UnitInertia(I[0, 0] / mass, I[1, 1] / mass, I[2, 2] / mass,
                              I[0, 1] / mass, I[0, 2] / mass, I[1, 2] / mass)
        body = plant.AddRigidBody(f"b{i}", mt.SpatialInertia(mass, com, unit))
        X_PF, X_BM, axis = pose(), pose(), numbers(3)
        axis /= np.linalg.norm(axis)
        pitch = numbers(1)[0]
        F = plant.AddFrame(mt.FixedOffsetFrame(f"F{i}", bodies[parent], X_PF))
        M = plant.AddFrame(mt.FixedOffsetFrame(f"M{i}", body, X_BM))
        joint = plant.AddJoint(make_joint(kind, f"j{i}", F, M, axis, pitch))
        reflected = 0.0
        if kind in ("revolute", "prismatic") and i % 2 == 1:
            actuator = plant.AddJointActuator(f"a{i}", joint)
            actuator.set_default_rotor_inertia(0.02)
            actuator.set_default_gear_ratio(5.0)
            reflected = 0.02 * 25
        bodies.append(body)
        joints.append(joint)
        rows.append([parent, TYPES.index(kind)] + flat(X_PF) + flat(X_BM)
                    + list(axis) + [pitch, mass] + list(com)
                    + [I[0, 0], I[0, 1], I[0, 2], I[1, 1], I[1, 2], I[2, 2]]
                    + [reflected])
    plant.Finalize()
    starts = [j.velocity_start() for j in joints[1:] if j.num_velocities()]
    assert starts == sorted(starts), "Drake numbers the joints otherwise"
    return plant, bodies, joints, np.array(rows)


def applied_forces(plant, bodies):
    """Spatial forces on bodies at their origins, in W."""
    rows, forces = [np.zeros(6)], mt.MultibodyForces(plant)
    external = []
    for body in bodies[1:]:
        F = numbers(6)
        rows.append(F)
        spatial = SpatialForce(F[:3], F[3:])
        item = ExternallyAppliedSpatialForce()
        item.body_index = body.index()
        item.p_BoBq_B = np.zeros(3)
        item.F_Bq_W = spatial
        external.append(item)
        body.AddInForceInWorld(plant_context, spatial, forces)
    return np.array(rows), forces, external


plant, bodies, joints, rows = build()
plant_context = plant.CreateDefaultContext()
q = 0.8 * numbers(plant.num_positions())
for joint in joints[1:]:
    if joint.type_name() == "quaternion_floating":
        s = joint.position_start()
        q[s:s + 4] /= np.linalg.norm(q[s:s + 4])
v = numbers(plant.num_velocities())
vdot = numbers(plant.num_velocities())
tau = numbers(plant.num_velocities())
plant.SetPositions(plant_context, q)
plant.SetVelocities(plant_context, v)
W = plant.world_frame()

figures = {"bodies": rows, "gravity": [0.5, -1, -9.81], "q": q, "v": v,
           "vdot": vdot, "tau": tau}
F_BBo_W, forces, external = applied_forces(plant, bodies)
figures["F_BBo_W"] = F_BBo_W
figures["X_WB"] = [flat(plant.EvalBodyPoseInWorld(plant_context, b))
                   for b in bodies]
figures["V_WB"] = [plant.EvalBodySpatialVelocityInWorld(plant_context, b)
                   .get_coeffs() for b in bodies]
figures["M"] = plant.CalcMassMatrix(plant_context)
figures["Cv"] = plant.CalcBiasTerm(plant_context)
figures["g"] = plant.CalcGravityGeneralizedForces(plant_context)
figures["inverse_dynamics"] = plant.CalcInverseDynamics(plant_context, vdot,
                                                        forces)
figures["qdot"] = plant.MapVelocityToQDot(plant_context, v)
tip = bodies[-1].body_frame()
p = np.array([0.1, -0.2, 0.3])
figures["p_BQ"] = p
figures["J"] = plant.CalcJacobianSpatialVelocity(
    plant_context, mt.JacobianWrtVariable.kV, tip, p, W, W)
figures["Jdot_v"] = plant.CalcBiasSpatialAcceleration(
    plant_context, mt.JacobianWrtVariable.kV, tip, p, W, W).get_coeffs()
figures["center_of_mass"] = plant.CalcCenterOfMassPositionInWorld(
    plant_context)
figures["center_of_mass_velocity"] = (
    plant.CalcCenterOfMassTranslationalVelocityInWorld(plant_context))
figures["momentum_about_Wo"] = plant.CalcSpatialMomentumInWorldAboutPoint(
    plant_context, np.zeros(3)).get_coeffs()
figures["energies"] = [plant.EvalKineticEnergy(plant_context),
                       plant.EvalPotentialEnergy(plant_context)]

# Forward dynamics with tau and the spatial forces applied through ports.
plant.get_applied_generalized_force_input_port().FixValue(plant_context, tau)
plant.get_applied_spatial_force_input_port().FixValue(plant_context, external)
figures["forward_dynamics"] = plant.get_generalized_acceleration_output_port(
    ).Eval(plant_context)
A = plant.get_body_spatial_accelerations_output_port().Eval(plant_context)
figures["A_WB"] = [A[b.index()].get_coeffs() for b in bodies]
reactions = plant.get_reaction_forces_output_port().Eval(plant_context)
rows = [np.zeros(6)]
for joint in joints[1:]:
    F_CJc_Jc = reactions[joint.index()]
    R = joint.frame_on_child().CalcPoseInWorld(plant_context).rotation()
    rows.append(np.concatenate([R @ F_CJc_Jc.rotational(),
                                R @ F_CJc_Jc.translational()]))
figures["F_BMo_W"] = rows

with open(pathlib.Path(__file__).with_suffix(".txt"), "w") as out:
    for name, value in figures.items():
        matrix = np.asarray(value, dtype=float)
        if matrix.ndim == 1:
            matrix = matrix[:, None]
        out.write(f"{name} {matrix.shape[0]} {matrix.shape[1]}\n")
        for row in matrix:
            out.write(" ".join(f"{x:.16g}" for x in row) + "\n")
