"""The environments of wyvern.gym keep the promises of Gymnasium."""
import importlib.util

import numpy as np
import pytest

if importlib.util.find_spec("gymnasium") is None:
    pytest.skip("gymnasium is not installed", allow_module_level=True)

import gymnasium
from gymnasium.utils.env_checker import check_env
from wyvern.gym import ArmReach, CartPole, GripperPick, Quadruped

CLASSES = [CartPole, ArmReach, GripperPick, Quadruped]
NAMES = [f"wyvern/{cls.__name__}-v0" for cls in CLASSES]


def episode(env, seed, num_steps=10):
    """Returns all that an episode of random actions shows."""
    observation, _ = env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    low, high = env.action_space.low, env.action_space.high
    shown = [observation]
    for _ in range(num_steps):
        observation, reward, terminated, _, _ = env.step(
            rng.uniform(low, high))
        shown += [observation, [reward, terminated]]
    return np.concatenate(shown)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", NAMES)
def test_an_environment_passes_the_check_of_gymnasium(name):
    check_env(gymnasium.make(name).unwrapped, skip_render_check=True)


@pytest.mark.parametrize("cls", CLASSES)
def test_a_seed_gives_the_same_episode_whatever_was_before(cls):
    env = cls()
    first = episode(env, 5)
    other = episode(env, 6)
    assert not np.array_equal(first, other)
    assert np.array_equal(episode(env, 5), first)
    assert np.array_equal(episode(cls(), 5), first)


def pose_numbers(plant, context, name):
    """Returns position, quaternion and spatial velocity of a body."""
    frame = plant.GetBodyByName(name).body_frame()
    pose = frame.CalcPoseInWorld(context)
    velocity = frame.CalcSpatialVelocityInWorld(context)
    return (pose.translation(), pose.rotation().ToQuaternion().wxyz(),
            velocity.rotational(), velocity.translational())


def expected_observation(plant, context, cls, first, actions):
    """Returns the observation of a state as the docstrings describe it.

    It is made of the state in `context`, the first observation and the actions
    since then; nothing comes from the environment."""
    x = plant.GetPositionsAndVelocities(context)
    if cls is CartPole:
        return x
    if cls is ArmReach:
        tool = plant.GetBodyByName("tool").body_frame()
        return np.concatenate([
            x, tool.CalcPoseInWorld(context).translation(), first[17:20]])
    if cls is GripperPick:
        gripper = plant.GetModelInstanceByName("gripper")
        desired = first[6:9] + 0.1 * 0.05 * np.sum(actions, axis=0)
        return np.concatenate([
            plant.GetPositionsAndVelocities(context, gripper), desired,
            *pose_numbers(plant, context, "crate")])
    position, quaternion, *velocity = pose_numbers(plant, context, "trunk")
    legs = [joint for joint in map(plant.get_joint, plant.GetJointIndices())
            if joint.num_positions() == 1]
    return np.concatenate([
        position[2:], quaternion, *velocity,
        [joint.GetOnePosition(context) for joint in legs],
        [joint.GetOneVelocity(context) for joint in legs]])


@pytest.mark.parametrize("cls", CLASSES)
def test_an_observation_is_that_of_a_fresh_context(cls):
    env, twin = cls(), cls()
    first, _ = env.reset(seed=1)
    before, actions = first, []
    for i in range(4):
        actions.append((0.2 + 0.1 * i) * np.ones(env.action_space.shape))
        observation, *_ = env.step(actions[-1])
        # Another plant, whose cache has nothing of the environment's.
        fresh = twin.plant.CreateDefaultContext()
        twin.plant.SetPositionsAndVelocities(
            fresh, env.plant.GetPositionsAndVelocities(env.context))
        expected = expected_observation(
            twin.plant, fresh, cls, first, actions)
        np.testing.assert_allclose(observation, expected, rtol=0, atol=1e-14)
        # A stale observation would show.
        assert np.abs(observation - before).max() > 1e-5
        before = observation


@pytest.mark.parametrize("cls", CLASSES)
def test_a_wrong_action_is_refused(cls):
    env = cls()
    env.reset(seed=0)
    size = env.action_space.shape[0]
    for action in (np.zeros(size + 1), np.full(size, np.nan), None, "left"):
        with pytest.raises((TypeError, ValueError)):
            env.step(action)
    # An action out of bounds counts as the bound.
    env.reset(seed=0)
    clipped = env.step(np.full(size, 1.0))[0]
    env.reset(seed=0)
    assert np.array_equal(env.step(np.full(size, 7.0))[0], clipped)


def test_environments_in_a_vector_are_those_alone():
    alone = CartPole()
    envs = gymnasium.make_vec("wyvern/CartPole-v0", num_envs=3)
    try:
        together, _ = envs.reset(seed=11)
        for _ in range(5):
            together, *_ = envs.step(0.3 * np.ones((3, 1)))
    finally:
        envs.close()
    for i in range(3):
        alone.reset(seed=11 + i)
        for _ in range(5):
            observation, *_ = alone.step(0.3 * np.ones(1))
        assert np.array_equal(together[i], observation)


def test_a_policy_balances_the_pole():
    env = gymnasium.make("wyvern/CartPole-v0")
    observation, _ = env.reset(seed=2)
    total, ended = 0.0, False
    while not ended:
        force = np.array([1.0, 45.0, 2.0, 9.0]) @ observation
        observation, reward, terminated, truncated, _ = env.step([force / 10])
        total, ended = total + reward, terminated or truncated
    assert total == 500 and not terminated
    _, _ = env.reset(seed=2)
    ended, count = False, 0
    while not ended:
        _, _, terminated, truncated, _ = env.step([0.0])
        ended, count = terminated or truncated, count + 1
    assert terminated and count < 200


def test_the_arm_reaches_by_the_transposed_jacobian():
    from wyvern.multibody.tree import JacobianWrtVariable

    env = ArmReach()
    observation, _ = env.reset(seed=3)
    frame = env.plant.GetBodyByName("tool").body_frame()
    world = env.plant.world_frame()
    start = np.linalg.norm(observation[14:17] - observation[17:20])
    terminated = False
    for _ in range(100):
        jacobian = env.plant.CalcJacobianTranslationalVelocity(
            env.context, JacobianWrtVariable.kV, frame, np.zeros((3, 1)),
            world, world)
        error = observation[17:20] - observation[14:17]
        observation, reward, terminated, *_ = env.step(
            jacobian.T @ error * 8)
        if terminated:
            break
    assert terminated and start > 0.1 and reward > -0.03


def test_the_gripper_lifts_the_crate():
    env = GripperPick()
    env.reset(seed=4)
    reward, terminated = 0.0, False
    for i in range(100):
        action = [0, 1, 1] if i < 14 else [1, 0, 0]
        _, reward, terminated, *_ = env.step(action)
        if terminated:
            break
    assert terminated and reward > 0.1
    # Without closing the fingers, the crate stays.
    env.reset(seed=4)
    for _ in range(20):
        _, reward, terminated, *_ = env.step([1, 0, 0])
    assert abs(reward) < 0.002 and not terminated


def test_the_quadruped_stands():
    env = Quadruped()
    env.reset(seed=5)
    for _ in range(50):
        observation, reward, terminated, *_ = env.step(np.zeros(8))
        assert not terminated
    assert 0.2 < observation[0] < 0.36
    assert abs(reward) < 0.02
