"""Drake's figures for a trolley on a track that hangs from a hinge: pose, mass
matrix, bias, gravity. Writes curvilinear_joint.txt next to this file. Needs
pydrake 1.51. The track is two lines of 1 m with half circles of 1 m radius."""
import math
import pathlib

import numpy as np
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant

SDF = """<sdf version="1.7" xmlns:drake="http://drake.mit.edu">
<model name="m">
  <link name="a"><inertial><pose>0.1 0.2 0.3 0 0 0</pose><mass>3</mass>
    <inertia><ixx>0.4</ixx><iyy>0.5</iyy><izz>0.6</izz></inertia>
  </inertial></link>
  <link name="b"><inertial><pose>-0.1 0.3 0.2 0 0 0</pose><mass>2</mass>
    <inertia><ixx>0.1</ixx><iyy>0.2</iyy><izz>0.25</izz></inertia>
  </inertial></link>
  <joint name="hinge" type="revolute"><parent>world</parent><child>a</child>
    <axis><xyz>0.6 0 0.8</xyz></axis></joint>
  <drake:joint name="track" type="curvilinear">
    <drake:parent>a</drake:parent><drake:child>b</drake:child>
    <drake:initial_tangent><xyz>0.6 0.8 0</xyz></drake:initial_tangent>
    <drake:plane_normal><xyz>0.8 -0.6 0</xyz></drake:plane_normal>
    <drake:is_periodic>{periodic}</drake:is_periodic>
    <drake:curves>{curve}{curve}</drake:curves>
  </drake:joint>
</model></sdf>"""
CURVE = f"""
  <drake:line_segment><drake:length>1</drake:length></drake:line_segment>
  <drake:circular_arc><drake:radius>1</drake:radius>
    <drake:angle>{math.pi!r}</drake:angle></drake:circular_arc>"""

lines = []
for periodic in [False, True]:
    plant = MultibodyPlant(0.0)
    Parser(plant).AddModelsFromString(
        SDF.format(curve=CURVE, periodic=str(periodic).lower()), "sdf")
    plant.Finalize()
    context = plant.CreateDefaultContext()
    hinge, track = (plant.GetJointByName(name).velocity_start()
                    for name in ("hinge", "track"))
    for s in [-1.5, 0.5, 2.0, 4.5, 6.0, 9.5]:
        q, v = np.zeros(2), np.zeros(2)
        q[hinge], q[track] = 0.4, s
        v[hinge], v[track] = -0.7, 1.3
        plant.SetPositions(context, q)
        plant.SetVelocities(context, v)
        X_AB = plant.GetFrameByName("b").CalcPose(
            context, plant.GetFrameByName("a")).GetAsMatrix34()
        order = [hinge, track]
        M = plant.CalcMassMatrixViaInverseDynamics(context)[
            np.ix_(order, order)]
        Cv = plant.CalcBiasTerm(context)[order]
        tau_g = plant.CalcGravityGeneralizedForces(context)[order]
        row = [float(periodic), s, *X_AB.flatten(), *M.flatten(), *Cv, *tau_g]
        lines.append(" ".join(f"{x:.17g}" for x in row))
(pathlib.Path(__file__).with_suffix(".txt")).write_text("\n".join(lines) + "\n")
