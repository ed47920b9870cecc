"""Figures of MuJoCo's dynamics of MJCF files: writes a file that
tests/multibody/parsing/mjcf_dynamics_test.cc reads.

Run it with a Python that has mujoco (made with 4.0):
  python3 tests/oracles/mjcf_dynamics.py FOLDER FIGURES

For the models of the tests:
  python3 tests/oracles/mjcf_dynamics.py tests/multibody/parsing/models/mjcf \
      tests/oracles/mjcf_dynamics.txt

Those of others come with wheels and stay out of the repository:
  pip download --no-deps dm_control==1.0.50 gymnasium==1.4.0 \
      robosuite==1.5.2 gymnasium-robotics==1.4.2 metaworld==3.1.1 \
      playground==0.2.0 mujoco-mjx==3.17.0 mujoco-warp==4.0.0 mjlab==1.6.0 \
      brax==0.14.2 gym-aloha==0.1.5 orca-arm==0.0.0 myosuite==3.0.0 \
      dm-robotics-moma==0.10.0 dm-robotics-panda==0.4.8 \
      safety-gymnasium==1.0.0 trossen-arm-sim==0.2.3
  for w in *.whl; do unzip -q $w -d WHEELS; done
  pip download --no-deps openarm-mujoco==2.3.0; tar xf openarm* -C WHEELS
  python3 tests/oracles/mjcf_dynamics.py WHEELS WHEELS/figures.txt
  WYVERN_MJCF_DIR=WHEELS bin/multibody_parsing_test --gtest_filter='*Mjcf*'

MuJoCo Menagerie comes the same way, from a folder with its models.

Of each file in the folder that MuJoCo compiles: a line `model path`, a line
`size nq nv`, a line `masses n` with a line `mass name` for each named body,
then blocks `name rows cols` with the rows on the lines that follow: the state
qpos and qvel, and M, bias (Coriolis, centrifugal and gravity) and passive
(springs and dampers) there, in MuJoCo's coordinates. Hinges and slides are
within 1 of where they are drawn; MuJoCo's ranges are not heeded. Files of which
MuJoCo compiles nothing that moves have no blocks.

MuJoCo keeps the vertices of meshes as floats, so bodies whose mass is that of a
mesh agree to 1e-7 alone. Its principal axes of a full inertia, given or of
meshes, are found by an iteration that leaves up to 1e-5 of the inertia, and
a face of four corners is split along its shorter diagonal.
"""

import pathlib
import sys

import mujoco
import numpy as np


def write(file, name, matrix):
    matrix = np.atleast_2d(matrix)
    print(name, *matrix.shape, file=file)
    for row in matrix:
        print(*(f"{x:.17g}" for x in row), file=file)


def random_state(model, rng):
    qpos = model.qpos0.copy()
    for j in range(model.njnt):
        a = model.jnt_qposadr[j]
        kind = mujoco.mjtJoint(model.jnt_type[j])
        if kind == mujoco.mjtJoint.mjJNT_FREE:
            qpos[a:a + 3] += rng.uniform(-1, 1, 3)
            a += 3
        if kind in (mujoco.mjtJoint.mjJNT_FREE, mujoco.mjtJoint.mjJNT_BALL):
            quaternion = rng.normal(size=4)
            qpos[a:a + 4] = quaternion / np.linalg.norm(quaternion)
        else:
            qpos[a] += rng.uniform(-1, 1)
    return qpos, rng.uniform(-1, 1, model.nv)


def figures(file, folder, path):
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    rng = np.random.default_rng(1)
    qpos, qvel = random_state(model, rng)
    data.qpos[:] = qpos
    data.qvel[:] = qvel
    mujoco.mj_forward(model, data)
    print("model", path.relative_to(folder).as_posix(), file=file)
    print("size", model.nq, model.nv, file=file)
    named = [model.body(i) for i in range(1, model.nbody)
             if model.body(i).name and " " not in model.body(i).name]
    print("masses", len(named), file=file)
    for body in named:
        print(f"{body.mass[0]:.17g}", body.name, file=file)
    if model.nv == 0:
        return
    M = np.zeros((model.nv, model.nv))
    for i in range(model.nv):
        mujoco.mj_mulM(model, data, M[i], np.eye(model.nv)[i])
    write(file, "qpos", qpos)
    write(file, "qvel", qvel)
    write(file, "M", M)
    write(file, "bias", data.qfrc_bias)
    # Weight that actuators bear by themselves counts as passive, too.
    passive = data.qfrc_passive.copy()
    by_actuators = model.jnt_actgravcomp[model.dof_jntid] != 0
    passive[by_actuators] += data.qfrc_gravcomp[by_actuators]
    write(file, "passive", passive)


def main():
    # MuJoCo loses files that an included file names if the path is relative.
    folder = pathlib.Path(sys.argv[1]).resolve()
    with open(sys.argv[2], "w") as file:
        for path in sorted(folder.rglob("*.xml")):
            if "<mujoco" not in path.read_text(errors="replace"):
                continue
            if path.read_text(errors="replace").find("<mujocoinclude") >= 0:
                continue
            try:
                figures(file, folder, path)
            except ValueError as error:
                print(f"MuJoCo refuses {path}: {str(error).splitlines()[0]}")


main()
