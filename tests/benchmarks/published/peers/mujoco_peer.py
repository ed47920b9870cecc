"""Mechanisms of tests/published in MuJoCo, by step size.

Loops are closed by equality constraints, with a solver reference of two steps,
the stiffest that MuJoCo advises.
"""

import math

import mujoco
import numpy as np

import measure

PENDULUM = """
<mujoco><option gravity="0 -9.81 0"/><worldbody><body>
  <joint axis="0 0 1"/>
  <inertial pos="1 0 0" mass="1" diaginertia="1e-9 1e-9 1e-9"/>
</body></worldbody></mujoco>"""

FREE_BODY = """
<mujoco><option gravity="0 0 0"/><worldbody><body>
  <freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 2 3"/>
</body></worldbody></mujoco>"""


def rod(name, x, inner=""):
    # Thin rods have no moment about their axis; MuJoCo wants a positive one.
    return f"""<body name="{name}" pos="{x} 0 0">
      <joint name="{name}" axis="0 0 1"/>
      <inertial pos="0.5 0 0" mass="1"
        diaginertia="1e-3 {1 / 12} {1 / 12}"/>{inner}</body>"""


FOUR_BARS = f"""
<mujoco><option gravity="0 -9.81 0"/><worldbody>
  {rod("crank0", 0, rod("coupler0", 1))}
  {rod("crank1", 1, rod("coupler1", 1))}
  {rod("crank2", 2)}
  </worldbody><equality>
    <connect body1="coupler0" body2="crank1" anchor="1 0 0"/>
    <connect body1="coupler1" body2="crank2" anchor="1 0 0"/>
  </equality></mujoco>"""


def load(text, integrator, h):
    spec = mujoco.MjSpec.from_string(text)
    spec.option.timestep = h
    spec.option.integrator = integrator
    return spec


def run(model, data, end):
    steps = round(end / model.opt.timestep)
    for _ in range(steps):
        mujoco.mj_step(model, data)
    return steps


def main():
    RK4 = mujoco.mjtIntegrator.mjINT_RK4
    implicit = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    for method, integrator in (("RK4", RK4), ("implicitfast", implicit)):
        for nominal in (1e-2, 3e-3, 1e-3, 3e-4, 1e-4):

            def pendulum():
                end = measure.A01_END
                h = end / math.ceil(end / nominal)
                model = load(PENDULUM, integrator, h).compile()
                data = mujoco.MjData(model)
                steps = run(model, data, end)
                return abs(data.qpos[0]), steps

            def four_bars():
                h = 10 / math.ceil(10 / nominal)
                # Anchors are where the model is compiled, flat; the start is
                # upright, and each anchor is given in its first body.
                spec = load(FOUR_BARS, integrator, h)
                for pair in spec.equalities:
                    pair.solref = [2 * h, 1]
                model = spec.compile()
                data = mujoco.MjData(model)
                for joint, q, v in (("crank", math.pi / 2, -1.0),
                                    ("coupler", -math.pi / 2, 1.0)):
                    for i in range(3 if joint == "crank" else 2):
                        j = model.joint(f"{joint}{i}")
                        data.qpos[j.qposadr[0]] = q
                        data.qvel[j.dofadr[0]] = v
                # Both anchors of a pair are at the ends of their rods.
                for i in range(model.neq):
                    model.eq_data[i, 0:3] = [1, 0, 0]
                    model.eq_data[i, 3:6] = [1, 0, 0]
                steps = run(model, data, 10)
                a = data.qpos[model.joint("crank0").qposadr[0]]
                return (math.hypot(math.cos(a) - measure.A02_TIP[0],
                                   math.sin(a) - measure.A02_TIP[1]), steps)

            def free_body():
                _, w, end = measure.free_rotation()
                h = end / math.ceil(end / nominal)
                model = load(FREE_BODY, integrator, h).compile()
                data = mujoco.MjData(model)
                data.qvel[3:] = w
                steps = run(model, data, end)
                return np.abs(data.qvel[3:] - w).max(), steps

            measure.row("A01 pendulum", "MuJoCo", method, nominal, pendulum)
            measure.row("A02 four-bars", "MuJoCo", method, nominal, four_bars)
            measure.row("free rotation", "MuJoCo", method, nominal, free_body)


if __name__ == "__main__":
    main()
