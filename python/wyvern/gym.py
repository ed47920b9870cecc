"""Environments for Gymnasium.

Importing this module registers them:

    import gymnasium
    import wyvern.gym

    env = gymnasium.make("wyvern/CartPole-v0")
    envs = gymnasium.make_vec("wyvern/CartPole-v0", num_envs=8)

Each environment owns a diagram with a MultibodyPlant of the models that come
with Wyvern. A reset makes a new Context, so that nothing is left of the episode
before. An observation follows from the plant's state and the task's values
alone."""

import numpy as np

from wyvern.math import RigidTransform, RollPitchYaw
from wyvern.multibody.parsing import Parser
from wyvern.multibody.plant import AddMultibodyPlantSceneGraph
from wyvern.multibody.tree import PdControllerGains
from wyvern.scenario import models_folder, scenarios_folder
from wyvern.systems.analysis import Simulator
from wyvern.systems.framework import DiagramBuilder

try:
    import gymnasium
except ImportError as error:
    raise ImportError("wyvern.gym needs the package gymnasium; install it with "
                      "pip install 'wyvern[gym]'.") from error

__all__ = ["ArmReach", "CartPole", "GripperPick", "PlantEnv", "Quadruped"]


class PlantEnv(gymnasium.Env):
    """An environment around a plant: what all environments here share.

    A derived class adds its models in add_models(), and says how a reset sets
    the state, what an action does, and what is observed and rewarded. All
    numbers are SI units."""

    metadata = {"render_modes": []}
    # Steps of the plant, and the time between two actions [s].
    time_step = 0.001
    frame_time = 0.02

    def __init__(self):
        builder = DiagramBuilder()
        self.plant, _ = AddMultibodyPlantSceneGraph(builder, self.time_step)
        self.add_models(Parser(self.plant))
        self.plant.Finalize()
        self.diagram = builder.Build()
        self._simulator = Simulator(self.diagram)
        self._num_frames = 0

    @property
    def context(self):
        """The plant's Context of the present episode."""
        return self.plant_context(self._simulator.get_context())

    def plant_context(self, root):
        """Returns the plant's part of a Context of the diagram."""
        return self.plant.GetMyMutableContextFromRoot(root)

    def reset(self, *, seed=None, options=None):
        """Begins an episode; the same seed gives the same state."""
        super().reset(seed=seed)
        self._simulator.reset_context(self.diagram.CreateDefaultContext())
        self._num_frames = 0
        context = self.context
        self.set_start(context)
        self._simulator.Initialize()
        return self.observe(context), self.info(context)

    def step(self, action):
        """Applies the action for frame_time [s]."""
        action = np.asarray(action, dtype=float)
        if action.shape != self.action_space.shape:
            raise ValueError(
                f"{type(self).__name__}.step(): the action has the shape "
                f"{action.shape}; its space has {self.action_space.shape}.")
        if not np.isfinite(action).all():
            raise ValueError(f"{type(self).__name__}.step(): the action "
                             f"{action.tolist()} is not finite.")
        action = np.clip(action, self.action_space.low, self.action_space.high)
        context = self.context
        self.apply(context, action)
        self._num_frames += 1
        self._simulator.AdvanceTo(self._num_frames * self.frame_time)
        reward, terminated = self.judge(context, action)
        return (self.observe(context), float(reward), bool(terminated), False,
                self.info(context))

    def add_models(self, parser):
        """Adds the models to the plant that is being built."""
        raise NotImplementedError

    def set_start(self, context):
        """Sets the state at the start, by self.np_random."""
        raise NotImplementedError

    def apply(self, context, action):
        """Fixes the plant's inputs; `action` is in its space."""
        raise NotImplementedError

    def observe(self, context):
        """Returns the observation of a Context of the plant."""
        raise NotImplementedError

    def judge(self, context, action):
        """Returns the reward, and whether the episode ends here."""
        raise NotImplementedError

    def info(self, context):
        """Returns what Gymnasium calls info: the time [s]."""
        return {"time": context.get_time()}

    def _unbounded(self, size):
        """Returns a space of observations."""
        return gymnasium.spaces.Box(-np.inf, np.inf, (size,), np.float64)

    def _symmetric(self, size):
        """Returns a space of actions from -1 to 1."""
        return gymnasium.spaces.Box(-1.0, 1.0, (size,), np.float64)

    def _set_gains(self, kp, kd):
        """Gives all motors PD controllers, in the order of their indices:
        [N/m, N·s/m] or [N·m/rad, N·m·s/rad]."""
        for index, (p, d) in enumerate(zip(kp, kd, strict=True)):
            actuator = self.plant.get_joint_actuator(index)
            actuator.set_controller_gains(PdControllerGains(p, d))

    def _hold(self, context, instance, q):
        """Sets the desired positions of a model's motors."""
        port = self.plant.get_desired_state_input_port(instance)
        port.FixValue(context, np.concatenate([q, np.zeros_like(q)]))

    def _joint_limits(self, instance):
        """Returns lower and upper limits of a model whose joints have one
        position each."""
        joints = [self.plant.get_joint(i)
                  for i in self.plant.GetJointIndices(instance)]
        limits = [(j.position_lower_limits()[0], j.position_upper_limits()[0])
                  for j in joints if j.num_positions() == 1]
        return np.array(limits).T


class CartPole(PlantEnv):
    """A pole that stands on a cart.

    Action: the force on the cart, in units of 10 N.
    Observation: position of the cart [m], angle of the pole [rad], and their
    rates. Reward: 1 for each step. An episode ends when the pole leans by more
    than 0.3 rad, or the cart is more than 2.4 m away."""

    force = 10.0

    def __init__(self):
        super().__init__()
        self.action_space = self._symmetric(1)
        self.observation_space = self._unbounded(4)

    def add_models(self, parser):
        parser.AddModels(scenarios_folder() / "cart_pole.urdf")

    def set_start(self, context):
        self.plant.SetPositionsAndVelocities(
            context, self.np_random.uniform(-0.05, 0.05, 4))
        self.apply(context, np.zeros(1))

    def apply(self, context, action):
        self.plant.get_actuation_input_port().FixValue(
            context, self.force * action)

    def observe(self, context):
        return self.plant.GetPositionsAndVelocities(context)

    def judge(self, context, action):
        x, angle = self.plant.GetPositions(context)
        return 1.0, abs(x) > 2.4 or abs(angle) > 0.3


class ArmReach(PlantEnv):
    """A seven-joint arm whose tool is to reach a point.

    Its weight is compensated, and its motors hold desired angles, which an
    action moves. Action: speeds of the desired angles, in units of 1 rad/s.
    Observation: angles (7), rates (7), position of the tool (3) and of the
    target (3), in the world. Reward: minus the distance [m]. An episode ends
    when the tool is within 0.03 m."""

    frame_time = 0.05
    speed = 1.0
    tolerance = 0.03

    def __init__(self):
        super().__init__()
        self._lower, self._upper = self._joint_limits(self._arm)
        self._tool = self.plant.GetBodyByName("tool")
        self._desired = np.zeros(7)
        self._target = np.zeros(3)
        self.action_space = self._symmetric(7)
        self.observation_space = self._unbounded(20)

    def add_models(self, parser):
        self._arm, = parser.AddModels(models_folder() / "arm.urdf")
        self.plant.set_gravity_enabled(self._arm, False)
        self._set_gains([400, 400, 200, 200, 60, 60, 20],
                        [40, 40, 20, 20, 6, 6, 2])

    def set_start(self, context):
        # The target is where the tool is for other angles.
        half = 0.4 * (self._upper - self._lower) / 2
        self.plant.SetPositions(context, self.np_random.uniform(-half, half))
        self._target = self._tool_position(context)
        self._desired = self.np_random.uniform(-half, half)
        self.plant.SetPositions(context, self._desired)
        self._hold(context, self._arm, self._desired)

    def apply(self, context, action):
        self._desired = np.clip(
            self._desired + self.speed * self.frame_time * action,
            self._lower, self._upper)
        self._hold(context, self._arm, self._desired)

    def observe(self, context):
        return np.concatenate([
            self.plant.GetPositionsAndVelocities(context),
            self._tool_position(context), self._target])

    def judge(self, context, action):
        distance = np.linalg.norm(self._tool_position(context) - self._target)
        return -distance, distance < self.tolerance

    def _tool_position(self, context):
        return self.plant.EvalBodyPoseInWorld(
            context, self._tool).translation()


class GripperPick(PlantEnv):
    """A gripper of two fingers that is to lift a crate.

    Action: speeds of the desired positions of the lift and of the fingers, in
    units of 0.1 m/s. Observation: positions and velocities of the gripper (3 +
    3), the desired positions (3), position (3), orientation as a quaternion w,
    x, y, z (4) and spatial velocity (6) of the crate. Reward: the height that
    the crate was lifted by [m]. An episode ends when it is 0.1 m."""

    frame_time = 0.05
    speed = 0.1
    height = 0.03
    goal = 0.1

    def __init__(self):
        super().__init__()
        self._crate = self.plant.GetBodyByName("crate")
        self._desired = np.zeros(3)
        # The lift ends where it can hold the crate up; the fingers would meet
        # at 0.07 m.
        self._highest = np.array([0.3, 0.06, 0.06])
        self.action_space = self._symmetric(3)
        self.observation_space = self._unbounded(22)

    def add_models(self, parser):
        folder = scenarios_folder()
        parser.AddModels(folder / "floor.urdf")
        self._gripper, = parser.AddModels(folder / "gripper.urdf")
        parser.AddModels(folder / "crate.urdf")
        self.plant.WeldFrames(self.plant.world_frame(),
                              self.plant.GetFrameByName("floor"))
        self._set_gains([4000, 500, 500], [200, 30, 30])

    def set_start(self, context):
        x, y = self.np_random.uniform(-0.005, 0.005, 2)
        yaw = self.np_random.uniform(-0.2, 0.2)
        self.plant.SetFreeBodyPose(context, self._crate, RigidTransform(
            RollPitchYaw(0.0, 0.0, yaw), [x, y, self.height]))
        self._desired = np.zeros(3)
        self._hold(context, self._gripper, self._desired)

    def apply(self, context, action):
        self._desired = np.clip(
            self._desired + self.speed * self.frame_time * action,
            0.0, self._highest)
        self._hold(context, self._gripper, self._desired)

    def observe(self, context):
        pose = self.plant.EvalBodyPoseInWorld(context, self._crate)
        velocity = self.plant.EvalBodySpatialVelocityInWorld(
            context, self._crate)
        return np.concatenate([
            self.plant.GetPositionsAndVelocities(context, self._gripper),
            self._desired, pose.translation(),
            pose.rotation().ToQuaternion().wxyz(),
            velocity.rotational(), velocity.translational()])

    def judge(self, context, action):
        pose = self.plant.EvalBodyPoseInWorld(context, self._crate)
        lifted = pose.translation()[2] - self.height
        return lifted, lifted > self.goal


class Quadruped(PlantEnv):
    """A trunk on four legs that is to walk along x.

    Action: desired angles of hips and knees relative to standing, in units of
    0.5 rad. Observation: height of the trunk [m], its orientation as a
    quaternion w, x, y, z (4), its spatial velocity (6), angles (8) and rates
    (8) of the joints. Reward: the velocity along x [m/s], less 0.05 times the
    mean square of the action. An episode ends when the trunk is below 0.15 m
    or its z axis leans by more than 1 rad."""

    scale = 0.5
    stance = np.array([0.6, -1.2] * 4)

    def __init__(self):
        super().__init__()
        self._trunk = self.plant.GetBodyByName("trunk")
        joints = [self.plant.get_joint(i) for i in
                  self.plant.GetJointIndices(self._robot)]
        self._legs = [j for j in joints if j.num_positions() == 1]
        self.action_space = self._symmetric(8)
        self.observation_space = self._unbounded(27)

    def add_models(self, parser):
        folder = scenarios_folder()
        parser.AddModels(folder / "floor.urdf")
        self._robot, = parser.AddModels(folder / "quadruped.urdf")
        self.plant.WeldFrames(self.plant.world_frame(),
                              self.plant.GetFrameByName("floor"))
        self._set_gains([200] * 8, [5] * 8)

    def set_start(self, context):
        self.plant.SetFreeBodyPose(
            context, self._trunk, RigidTransform([0.0, 0.0, 0.36]))
        angles = self.stance + self.np_random.uniform(-0.05, 0.05, 8)
        for joint, angle in zip(self._legs, angles):
            joint.SetPositions(context, [angle])
        self._hold(context, self._robot, self.stance)

    def apply(self, context, action):
        self._hold(context, self._robot, self.stance + self.scale * action)

    def observe(self, context):
        pose = self.plant.EvalBodyPoseInWorld(context, self._trunk)
        velocity = self.plant.EvalBodySpatialVelocityInWorld(
            context, self._trunk)
        return np.concatenate([
            pose.translation()[2:], pose.rotation().ToQuaternion().wxyz(),
            velocity.rotational(), velocity.translational(),
            [joint.GetOnePosition(context) for joint in self._legs],
            [joint.GetOneVelocity(context) for joint in self._legs]])

    def judge(self, context, action):
        pose = self.plant.EvalBodyPoseInWorld(context, self._trunk)
        velocity = self.plant.EvalBodySpatialVelocityInWorld(
            context, self._trunk)
        reward = velocity.translational()[0] - 0.05 * np.mean(action**2)
        upright = pose.rotation().matrix()[2, 2]
        return reward, pose.translation()[2] < 0.15 or upright < np.cos(1.0)


for _name, _steps in (("CartPole", 500), ("ArmReach", 100),
                      ("GripperPick", 120), ("Quadruped", 500)):
    gymnasium.register(f"wyvern/{_name}-v0", entry_point=f"wyvern.gym:{_name}",
                       max_episode_steps=_steps)
