"""Mechanisms of tests/published in MuJoCo, by step size.

Loops are closed by equality constraints with a time constant of two steps, the
stiffest that MuJoCo advises, and so is contact, with elliptic cones.
"""

import math
import time

import mujoco
import numpy as np

import measure

METHODS = {"RK4": mujoco.mjtIntegrator.mjINT_RK4,
           "implicitfast": mujoco.mjtIntegrator.mjINT_IMPLICITFAST}


def run(text, method, h, end, start, error):
    """`text` has {h2} where two steps go; `start` sets the state."""
    spec = mujoco.MjSpec.from_string(text.replace("{h2}", str(2 * h)))
    spec.option.timestep = h
    spec.option.integrator = METHODS[method]
    model = spec.compile()
    data = mujoco.MjData(model)
    start(model, data)
    steps = round(end / h)
    begin = time.thread_time()
    for _ in range(steps):
        mujoco.mj_step(model, data)
    stop = time.thread_time()
    mujoco.mj_forward(model, data)
    if data.warning[mujoco.mjtWarning.mjWARN_BADQACC].number:
        raise RuntimeError("unstable: MuJoCo has reset the state")
    return error(model, data), steps, begin, stop


def planar_xml(m):
    def body(i):
        b = m["bodies"][i]
        inner = "".join(body(j) for j, c in enumerate(m["bodies"])
                        if c["parent"] == i)
        # MuJoCo wants positive moments; only those about z matter here.
        moment = max(b["moment"], 1e-9)
        sites = "".join(f'<site name="s{k}_{e}" pos="{p["p"][0]} {p["p"][1]} 0"/>'
                        for k, e, p in ends if p["body"] == i)
        return f"""<body name="{b["name"]}" pos="{b["pin"][0]} {b["pin"][1]} 0">
          <joint name="{b["name"]}" axis="0 0 1"/><inertial mass="{b["mass"]}"
            pos="{b["center"][0]} {b["center"][1]} 0"
            diaginertia="{moment} {moment} {moment}"/>{sites}{inner}</body>"""

    ends = [(k, e, p) for k, s in enumerate(m["springs"] + m["loops"])
            for e, p in enumerate(s["ends"] if "ends" in s else s)]
    ground = "".join(f'<site name="s{k}_{e}" pos="{p["p"][0]} {p["p"][1]} 0"/>'
                     for k, e, p in ends if p["body"] < 0)
    roots = "".join(body(i) for i, b in enumerate(m["bodies"])
                    if b["parent"] < 0)
    n = len(m["springs"])
    loops = "".join(f'<connect site1="s{n + k}_0" site2="s{n + k}_1" '
                    'solref="{h2} 1"/>' for k in range(len(m["loops"])))
    springs = "".join(
        f'<spatial springlength="{s["rest"]}" stiffness="{s["stiffness"]}">'
        f'<site site="s{k}_0"/><site site="s{k}_1"/></spatial>'
        for k, s in enumerate(m["springs"]))
    return f"""<mujoco><compiler angle="radian"/>
      <option gravity="0 {-m["gravity"]} 0"/>
      <worldbody>{ground}{roots}</worldbody>
      <equality>{loops}</equality><tendon>{springs}</tendon></mujoco>"""


def planar(m, method):
    text = planar_xml(m)

    def start(model, data):
        for b in m["bodies"]:
            joint = model.joint(b["name"])
            data.qpos[joint.qposadr[0]] = b["q"]
            data.qvel[joint.dofadr[0]] = b["v"]
        data.qfrc_applied[model.joint(m["bodies"][0]["name"]).dofadr[0]] = (
            m["torque"])

    def error(model, data):
        joints = [model.joint(b["name"]) for b in m["bodies"]]
        return measure.calc_planar_error(
            m, [data.qpos[j.qposadr[0]] for j in joints],
            [data.qvel[j.dofadr[0]] for j in joints])

    most = min(1e-2, 1e-3 * m["end"]) if m["loops"] else 1e-2
    measure.measure(m["name"], "MuJoCo", method, measure.steps(m["end"], most),
                    lambda h: run(text, method, h, m["end"], start, error))


def free_rotation(method):
    p = measure.FreeRotation
    text = f"""<mujoco><option gravity="0 0 0"/><worldbody><body><freejoint/>
      <inertial pos="0 0 0" mass="1"
        diaginertia="{p.I[0]} {p.I[1]} {p.I[2]}"/></body></worldbody></mujoco>"""

    def start(model, data):
        data.qvel[3:] = p.w

    measure.measure("free rotation", "MuJoCo", method, measure.steps(p.end),
                    lambda h: run(text, method, h, p.end, start,
                                  lambda model, data: p.error(data.qvel[3:])))


def on_ground(name, p, method, geometry, moments, start, error):
    text = f"""<mujoco><option gravity="0 0 {-measure.G}" cone="elliptic"
        impratio="100"/>
      <default><geom solref="{{h2}} 1" friction="{p.friction} 0 0"/></default>
      <worldbody><geom type="plane" size="10 10 1"/><body><freejoint/>
      <inertial pos="0 0 0" mass="1" diaginertia="{moments}"/>
      <geom {geometry}/></body></worldbody></mujoco>"""
    measure.measure(name, "MuJoCo", method, measure.steps(p.end),
                    lambda h: run(text, method, h, p.end, start, error))


def rolling_ball(method):
    p = measure.RollingBall
    moment = 0.4 * p.radius**2

    def start(model, data):
        data.qpos[2] = p.radius
        data.qvel[0] = 1

    on_ground("rolling ball", p, method, f'type="sphere" size="{p.radius}"',
              f"{moment} {moment} {moment}", start,
              lambda model, data: p.error(data.qpos[0], data.qvel[0]))


def eulers_disk(method):
    p = measure.EulersDisk
    moment = 0.25 * p.radius**2

    def start(model, data):
        data.qpos[2] = p.radius * math.sin(p.tilt)
        data.qpos[3:] = [math.cos(p.tilt / 2), 0, math.sin(p.tilt / 2), 0]
        data.qvel[3:] = [p.spin, 0, 0]  # In the frame of the body.

    half = p.thickness / 2
    on_ground("Euler's disk", p, method,
              f'type="cylinder" size="{p.radius} {half}" pos="0 0 {half}"',
              f"{moment} {moment} {2 * moment}", start,
              lambda model, data: p.error(
                  np.array(data.xmat[1]).reshape(3, 3)[:, 2]))


def main():
    mechanisms = measure.load_problems()["planar"]
    for method in METHODS:
        for mechanism in mechanisms:
            planar(mechanism, method)
        free_rotation(method)
        rolling_ball(method)
        eulers_disk(method)


if __name__ == "__main__":
    main()
