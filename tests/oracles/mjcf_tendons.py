"""Figures of MuJoCo for the spatial tendons of mjcf_tendons.xml: lengths, moment
arms and accelerations, for tests/multibody/parsing/mjcf_tendons_test.cc.

Run it with a Python that has mujoco (made with 3.3.7):
  python3 tests/oracles/mjcf_tendons.py > tests/oracles/mjcf_tendons.txt

Of each of 40 random states: a line of q, v and u (the controls), a line with
the lengths of the tendons, a line with the moment arms dL/dq, tendon by tendon,
and a line with the accelerations, without contacts. Then a line with the
lengths at which the springs rest, two a tendon.
"""

import pathlib

import mujoco
import numpy as np


def show(row):
    print(*(f"{x:.17g}" for x in np.ravel(row)))


def main():
    path = pathlib.Path(__file__).with_suffix(".xml")
    model = mujoco.MjModel.from_xml_path(str(path))
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    data = mujoco.MjData(model)
    rng = np.random.default_rng(5)
    for _ in range(40):
        data.qpos[:] = rng.uniform(-1, 1, model.nq)
        data.qvel[:] = rng.uniform(-1, 1, model.nv)
        data.ctrl[:] = rng.uniform(-2, 2, model.nu)
        mujoco.mj_forward(model, data)
        moments = np.zeros((model.ntendon, model.nv))
        if mujoco.mj_isSparse(model):
            mujoco.mju_sparse2dense(moments, data.ten_J.ravel(),
                                    data.ten_J_rownnz, data.ten_J_rowadr,
                                    data.ten_J_colind.ravel())
        else:
            moments[:] = data.ten_J.reshape(model.ntendon, model.nv)
        show(np.concatenate([data.qpos, data.qvel, data.ctrl]))
        show(data.ten_length)
        show(moments)
        show(data.qacc_smooth)
    show(model.tendon_lengthspring)


main()
