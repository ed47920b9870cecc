"""Figures of other engines for contact scenes: writes contact_scenes.txt next
to this file, a line "scene approximation time numbers..." for each sample.
Scenes with one contact point a pair by Drake (its boxes have one point too, so
they are not comparable); a box that slides to rest by MuJoCo.
Needs pydrake 1.51 and mujoco."""
import pathlib

import mujoco
import numpy as np
from pydrake.geometry import HalfSpace, ProximityProperties, Sphere
from pydrake.geometry import AddContactMaterial
from pydrake.math import RigidTransform
from pydrake.multibody.math import SpatialVelocity
from pydrake.multibody.plant import (AddMultibodyPlantSceneGraph,
                                     CoulombFriction,
                                     DiscreteContactApproximation)
from pydrake.multibody.tree import SpatialInertia
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

HERE = pathlib.Path(__file__).resolve().parent
TIME_STEP = 1e-3
lines = []


def material():
    properties = ProximityProperties()
    AddContactMaterial(dissipation=2.0, point_stiffness=2e4,
                       friction=CoulombFriction(0.5, 0.5),
                       properties=properties)
    properties.AddProperty("material", "relaxation_time", 0.02)
    return properties


class Scene:
    """Balls [(mass, radius)] over the ground, or without gravity."""

    def __init__(self, approximation, balls, has_gravity=True):
        builder = DiagramBuilder()
        self.plant, _ = AddMultibodyPlantSceneGraph(builder, TIME_STEP)
        self.plant.set_discrete_contact_approximation(approximation)
        self.plant.set_stiction_tolerance(1e-3)
        if has_gravity:
            self.plant.RegisterCollisionGeometry(
                self.plant.world_body(), RigidTransform(), HalfSpace(),
                "ground", material())
        else:
            self.plant.mutable_gravity_field().set_gravity_vector(np.zeros(3))
        self.balls = []
        for i, (mass, radius) in enumerate(balls):
            body = self.plant.AddRigidBody(
                f"ball{i}",
                SpatialInertia.SolidSphereWithMass(mass, radius))
            self.plant.RegisterCollisionGeometry(
                body, RigidTransform(), Sphere(radius), f"ball{i}",
                material())
            self.balls.append(body)
        self.plant.Finalize()
        self.simulator = Simulator(builder.Build())
        self.context = self.plant.GetMyMutableContextFromRoot(
            self.simulator.get_mutable_context())

    def place(self, i, p, w=(0, 0, 0), v=(0, 0, 0)):
        self.plant.SetFreeBodyPose(self.context, self.balls[i],
                                   RigidTransform(p))
        self.plant.SetFreeBodySpatialVelocity(
            context=self.context, body=self.balls[i],
            V_JpJc=SpatialVelocity(w, v))

    def log(self, name, approximation, times):
        for time in times:
            time = round(time, 3)  # As the file has it.
            self.simulator.AdvanceTo(time)
            numbers = []
            for body in self.balls:
                X = self.plant.EvalBodyPoseInWorld(self.context, body)
                V = self.plant.EvalBodySpatialVelocityInWorld(
                    self.context, body)
                numbers += [*X.translation(), *V.rotational(),
                            *V.translational()]
            lines.append(f"{name} {approximation} {time:.3f} "
                         + " ".join(f"{x:.12g}" for x in numbers))


for key, approximation in [
        ("tamsi", DiscreteContactApproximation.kTamsi),
        ("sap", DiscreteContactApproximation.kSap),
        ("similar", DiscreteContactApproximation.kSimilar),
        ("lagged", DiscreteContactApproximation.kLagged)]:
    scene = Scene(approximation, [(1.0, 0.1)])
    scene.place(0, [0, 0, 0.15])
    scene.log("drop", key, np.arange(1, 11) * 0.1)
    scene = Scene(approximation, [(1.0, 0.1)])
    scene.place(0, [0, 0, 0.0995], w=[0, -5, 3], v=[1, 0.5, -0.2])
    scene.log("roll", key, np.arange(1, 11) * 0.05)
    scene = Scene(approximation, [(2.0, 0.1), (1.0, 0.05)], False)
    scene.place(0, [0, 0, 0], w=[0, 0, 10], v=[1, 0, 0])
    scene.place(1, [0.2, 0.05, 0.02])
    scene.log("collide", key, np.arange(1, 7) * 0.05)

MODEL = """
<mujoco>
  <option timestep="0.0005" cone="elliptic" impratio="10"/>
  <worldbody>
    <geom type="plane" size="5 5 1" friction="0.5 0 0" priority="1"/>
    <body pos="0 0 0.1"><freejoint/>
      <geom type="box" size="0.1 0.1 0.1" mass="1" friction="0.5 0 0"/>
    </body>
  </worldbody>
</mujoco>"""
model = mujoco.MjModel.from_xml_string(MODEL)
data = mujoco.MjData(model)
data.qvel[0] = 2.0
for i in range(1, 13):
    while data.time < 0.05 * i - 1e-9:
        mujoco.mj_step(model, data)
    lines.append(f"slide mujoco {data.time:.3f} "
                 f"{data.qpos[0]:.12g} {data.qvel[0]:.12g}")

(HERE / "contact_scenes.txt").write_text("\n".join(lines) + "\n")
