"""Figures of tests/multibody/parsing/mjcf_forces_test.cc, by MuJoCo (3.3.7).

    python mjcf_forces.py

Each model is text of the test with the same name.
"""

import mujoco
import numpy as np

np.set_printoptions(precision=15, linewidth=200)

ARM = """<mujoco model="m"><compiler angle="radian"/>{}<worldbody>
<body name="a"><joint name="j1" axis="0 1 0" springref="0.2"/>
<geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.05" mass="1"/>
<body name="b" pos="0.5 0 0" gravcomp="{}"><joint name="j2" axis="0 1 0"/>
<geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.05" mass="1"/>
</body></body></worldbody>{}</mujoco>"""

TENDON = """<tendon><fixed name="t" {}><joint joint="j1" coef="1"/>
<joint joint="j2" coef="-0.5"/></fixed></tendon>"""


def acceleration(text, q, v):
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    data.qpos[:] = q
    data.qvel[:] = v
    mujoco.mj_forward(model, data)
    return data.qacc_smooth


def show_arms():
    q, v = [0.3, -0.7], [0.4, 1.1]
    for fraction in ("1", "0.4", "-0.5"):
        print("gravcomp", fraction, acceleration(ARM.format("", fraction, ""), q, v))
    medium = '<option density="700" viscosity="2" wind="0.3 0.2 -0.1"/>'
    print("medium", acceleration(ARM.format(medium, "0", ""), q, v))
    for spring in ('', 'springlength="0.1"', 'springlength="-1 0.8"',
                   'springlength="0.2 0.5"'):
        tendon = TENDON.format('stiffness="20" damping="3" ' + spring)
        print("tendon", spring, acceleration(ARM.format("", "0", tendon), q, v))


def show_tendon_actuators():
    q, v = [0.3, -0.7], [0.4, 1.1]
    for actuator in ('<motor tendon="t" gear="3"/>',
                     '<position tendon="t" gear="2" kp="50" kv="4"/>',
                     '<position tendon="t" gear="2" kp="50" dampratio="0.7"/>',
                     '<velocity tendon="t" gear="2" kv="3"/>',
                     '<position tendon="t" gear="2" kp="50" '
                     'forcerange="-0.4 0.4"/>'):
        text = ARM.format("", "0", TENDON.format("") + "<actuator>" + actuator
                          + "</actuator>")
        model = mujoco.MjModel.from_xml_string(text)
        data = mujoco.MjData(model)
        data.qpos[:] = q
        data.qvel[:] = v
        data.ctrl[:] = 0.6
        mujoco.mj_forward(model, data)
        print(actuator, data.qacc_smooth)


FLUID = """<mujoco model="m"><compiler angle="radian"/><option density="700"
 viscosity="2" wind="0.3 0.2 -0.1"/><asset><mesh name="m"
 vertex="0 0 0 1 0 0 0 2 0 0 0 3"/></asset><worldbody><body name="a">
<joint name="j1" axis="1 1 0"/><geom {} fluidshape="ellipsoid" pos="0.3 0 0.1"
 euler="0.1 0.2 0.3"/><body name="b" pos="0.5 0 0"><joint name="j2"
 axis="0 1 0.5"/><geom type="box" size="0.1 0.2 0.05" mass="1"/></body></body>
</worldbody></mujoco>"""


def show_fluid_shapes():
    q, v = [0.3, -0.7], [0.4, 1.1]
    for geom in ('size="0.1"', 'type="capsule" size="0.1 0.2"',
                 'type="cylinder" size="0.1 0.2"',
                 'type="box" size="0.1 0.2 0.05"',
                 'type="ellipsoid" size="0.1 0.2 0.05" '
                 'fluidcoef="0.7 0.1 2 0.5 1.5"',
                 'type="mesh" mesh="m" mass="2"'):
        print(geom, acceleration(FLUID.format(geom), q, v))


BODIES = """<mujoco><worldbody>
<body pos="0 0 1"><freejoint align="true"/><geom type="box" size=".3 .2 .1"
 pos=".5 0 0" euler="10 20 30" mass="2"/></body>
<body pos="0 0 1"><freejoint align="true"/><inertial pos="0 1 0" mass="1"
 diaginertia="1 2 2.5" quat="1 1 0 0"/></body>
<body pos="0 0 1"><freejoint align="true"/><inertial pos="0 1 0" mass="1"
 fullinertia="1 2 2.5 .1 .2 .3"/></body>
<body pos="0 0 1"><freejoint align="true"/><geom size=".1" pos="1 0 0"/>
<geom size=".2" pos="0 1 0"/><geom size=".1" pos="0 .3 .7"/></body>
</worldbody></mujoco>"""

MESH = """<mujoco><compiler fitaabb="{}"/><asset><mesh name="m"
 vertex="0 0 0 1 0 0 0 2 0 0 0 3"/></asset><worldbody><body>
<geom type="{}" mesh="m" fitscale="1.5" pos="1 2 3" euler="10 20 30"/>
</body></worldbody></mujoco>"""


def show_poses():
    print("aligned")
    print(mujoco.MjModel.from_xml_string(BODIES).qpos0.reshape(-1, 7))
    for box in ("false", "true"):
        for shape in ("sphere", "capsule", "cylinder", "ellipsoid", "box"):
            model = mujoco.MjModel.from_xml_string(MESH.format(box, shape))
            print(box, shape, model.geom_size[0], model.geom_pos[0],
                  model.geom_quat[0], model.body_mass[1])


show_arms()
show_tendon_actuators()
show_fluid_shapes()
show_poses()
