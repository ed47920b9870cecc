"""The laws of tests/honest on MuJoCo, as far as a physics engine has them."""
import mujoco
import numpy as np

NOT_APPLICABLE = {
    2: "no events", 3: "no witness functions", 6: "no discrete blocks",
    7: "no block diagrams", 11: "the user writes the loop",
    14: "contact is compliant, no events", 15: "no tables",
    16: "PID is a sampled plugin", 17: "no delays", 18: "no state machine",
}

PENDULUM = """<mujoco><option timestep="{h}" integrator="implicitfast"
gravity="0 0 {g}"/><worldbody><body><joint name="j" axis="0 1 0"/>
<geom type="sphere" size="0.05" pos="0 0 -0.6" mass="1.3"/>{more}</body>
</worldbody><actuator><position name="a" joint="j" kp="{kp}" kv="{kd}"/>
</actuator><sensor>{sensors}</sensor></mujoco>"""


def make(h=0.002, g=-9.81, kp=1, kd=0, more="", sensors=""):
    model = mujoco.MjModel.from_xml_string(PENDULUM.format(
        h=h, g=g, kp=kp, kd=kd, more=more, sensors=sensors))
    return model, mujoco.MjData(model)


def law_1():
    # MuJoCo has no log. Its clock is what a log of the user is stamped with.
    model, data = make(h=0.1)
    wrong = 0
    for k in range(1, 10_001):
        mujoco.mj_step(model, data)
        wrong += data.time != k * 0.1
    return (f"does not: no log, and its clock differs from k times the step "
            f"in {wrong:,} of 10,000 steps" if wrong else "holds")


def swing(sensors, steps=1000):
    model, data = make(sensors="<jointpos joint='j'/>" * sensors)
    data.qpos[0] = 2
    for _ in range(steps):
        mujoco.mj_step(model, data)
    return data.qpos[0], data.qvel[0]


def law_4():
    return ("holds for sensors" if swing(0) == swing(2) == swing(15) else
            "does not")


def law_5():
    model, data = make()
    data.qpos[0] = 2
    for k in range(1, 101):
        mujoco.mj_step(model, data)
        if swing(0, k)[0] != data.qpos[0]:
            return f"does not: step {k}"
    return "holds"


def law_8():
    names = ["lost1", "lost2", "lost3", "lost4", "lost5"]
    xml = """<mujoco><worldbody><body name="b"><joint name="j"/><geom size="1"/>
    </body></worldbody>
    <tendon><fixed><joint joint="lost1" coef="1"/></fixed></tendon>
    <actuator><motor joint="lost2"/></actuator>
    <sensor><jointpos joint="lost3"/></sensor>
    <equality><joint joint1="lost4"/></equality>
    <contact><exclude body1="b" body2="lost5"/></contact></mujoco>"""
    try:
        mujoco.MjModel.from_xml_string(xml)
    except ValueError as error:
        named = sum(name in str(error) for name in names)
        return "holds" if named == 5 else f"does not: names {named} of 5"
    return "does not: no error"


def law_9():
    # Masses are public numbers. Without mj_setConst, as its manual says, the
    # sums that were computed from them stay what they were.
    model, data = make(more="<body pos='1 0 0'><joint/><geom size='0.1' "
                       "mass='1.3'/></body>")
    mujoco.mj_forward(model, data)
    model.body_mass[2] *= 2
    mujoco.mj_forward(model, data)
    center = data.subtree_com[0].copy()
    mujoco.mj_setConst(model, data)
    mujoco.mj_resetData(model, data)
    mujoco.mj_forward(model, data)
    error = np.abs(center - data.subtree_com[0]).max()
    return (f"does not: a new body mass leaves the center of mass wrong by "
            f"{error:.2g} m until `mj_setConst()`" if error > 1e-12 else
            "holds")


def law_10():
    rising = uneven = 0
    for h in (1e-4, 1e-3, 1e-2, 1e-1):
        for kp in (1e1, 1e3, 1e5, 1e8):
            for kd in (0.0, 1.0, 1e2, 1e5):
                model, data = make(h, 0, kp, kd)
                inertia = 1.3 * 0.36 + 0.4 * 1.3 * 0.05**2
                data.ctrl[0] = 0.7
                energy = last = kp / 2 * 0.49
                for _ in range(200):
                    mujoco.mj_step(model, data)
                    if data.warning.number.any():
                        energy = np.inf
                    else:
                        energy = (inertia / 2 * data.qvel[0]**2 +
                                  kp / 2 * (data.qpos[0] - 0.7)**2)
                    if not energy <= last * (1 + 1e-12) + kp * 1e-30:
                        rising += 1
                        break
                    last = energy
                model, data = make(h, -9.81, kp, kd)
                q = 0.7
                weight = 1.3 * 9.81 * 0.6
                for _ in range(50):
                    q -= ((kp * (q - 0.7) + weight * np.sin(q)) /
                          (kp + weight * np.cos(q)))
                data.qpos[0], data.ctrl[0] = q, 0.7
                for _ in range(300):
                    mujoco.mj_step(model, data)
                uneven += not abs(data.qpos[0] - q) < 1e-9
    return (f"does not: energy rises in {rising} of 64 cases, {uneven} of 64 "
            "leave the equilibrium" if rising or uneven else "holds")


def law_12():
    # After mj_step, positions of bodies and sensors are those of the state
    # before the step, as its manual says.
    model, data = make(sensors="<jointpos joint='j'/>")
    data.qpos[0] = 2
    for _ in range(100):
        mujoco.mj_step(model, data)
    error = abs(data.sensordata[0] - data.qpos[0])
    return (f"does not: after `mj_step()` a sensor is late by one step, by "
            f"{error:.2g} rad here" if error else "holds")


def law_13():
    model, data = make()
    for k in range(500):
        data.ctrl[0] = 0 if k < 250 else np.nan
        mujoco.mj_step(model, data)
    number = data.warning[mujoco.mjtWarning.mjWARN_BADCTRL].number
    return (f"does not: goes on with a control of 0, {number} warnings with "
            "element and time")


def law_20():
    w = 2 * np.pi * 1000
    model = mujoco.MjModel.from_xml_string(f"""<mujoco><worldbody><body>
    <joint type="slide" stiffness="{w * w}"/><geom size="0.1" mass="1"/></body>
    </worldbody></mujoco>""")
    data = mujoco.MjData(model)
    model.opt.gravity[:] = 0
    data.qpos[0] = 1e-9
    largest = 0
    for _ in range(50):
        mujoco.mj_step(model, data)
        largest = max(largest, np.hypot(data.qpos[0], data.qvel[0] / w) / 1e-9)
    return ("holds" if abs(largest - 1) < 0.01 else
            f"does not: {largest:.2g} times the amplitude within 0.1 s")
