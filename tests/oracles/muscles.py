"""Figures of MuJoCo for the muscles of muscles.xml: forces, rates of activation
and accelerations, for tests/multibody/control/muscle_actuation_test.cc.

Run it with a Python that has mujoco (made with 3.3.7):
  python3 tests/oracles/muscles.py > tests/oracles/muscles.txt

Of each of 40 random states: a line of q, v, the controls and the activations of
the five muscles; a line with the force of each actuator, after its gear; a line
with the rates of the activations; a line with the accelerations.
"""

import pathlib

import mujoco
import numpy as np


def show(*rows):
    print(*(f"{x:.17g}" for x in np.concatenate([np.ravel(r) for r in rows])))


def main():
    path = pathlib.Path(__file__).with_suffix(".xml")
    model = mujoco.MjModel.from_xml_path(str(path))
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    data = mujoco.MjData(model)
    rng = np.random.default_rng(7)
    for _ in range(40):
        data.qpos[:] = rng.uniform(-1.5, 1.5, model.nq)
        data.qvel[:] = rng.uniform(-3, 3, model.nv)
        data.ctrl[:] = rng.uniform(-0.2, 1.2, model.nu)
        data.act[:] = rng.uniform(0, 1, model.na)
        mujoco.mj_forward(model, data)
        show(data.qpos, data.qvel, data.ctrl, data.act)
        show(data.actuator_force * model.actuator_gear[:, 0])
        show(data.act_dot)
        show(data.qacc_smooth)


main()
