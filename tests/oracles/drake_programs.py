"""Drake's figures for the programs in tests/drake/programs, each made by the
same steps through pydrake. Writes drake_programs.txt next to this file: a line
"program figure value value ..." for each. Needs pydrake 1.51."""
import math
import pathlib

import numpy as np
from pydrake.all import (
    AddContactMaterial, AddMultibodyPlant, AddMultibodyPlantSceneGraph, AffineSystem,
    ConstantVectorSource, ContactModel, CoulombFriction,
    DiagramBuilder, DiscreteContactApproximation,
    DiscreteTimeLinearQuadraticRegulator, FixedOffsetFrame, HalfSpace,
    InitializeAutoDiff, JacobianWrtVariable, LeafSystem, LeafSystem_,
    LinearBushingRollPitchYaw, LinearQuadraticRegulator, Linearize,
    LogVectorOutput, MultibodyForces, MultibodyPlant, MultibodyPlantConfig,
    OutputPortSelection, Parser, PiecewisePolynomial, ProximityProperties, RigidTransform,
    ResetIntegratorFromFlags, RollPitchYaw_, RotationMatrix, RotationMatrix_,
    Simulator, SpatialInertia, Sphere, TemplateSystem, TrajectorySource,
    UnitInertia, UnrestrictedUpdateEvent, WitnessFunctionDirection,
    ExtractGradient, ExtractValue)

HERE = pathlib.Path(__file__).resolve().parent
MODELS = HERE.parent / "drake/programs/models"
figures = []


def put(program, name, values):
    values = np.asarray(values, dtype=float).reshape(-1)
    figures.append(f"{program} {name} " + " ".join(f"{x:.16g}" for x in values))


def advance(simulator, time):
    simulator.AdvanceTo(time)


# Pendulum --------------------------------------------------------------------
@TemplateSystem.define("PendulumPlant_")
def PendulumPlant_(T):
    class Impl(LeafSystem_[T]):
        def _construct(self, converter=None):
            LeafSystem_[T].__init__(self, converter)
            self.DeclareVectorInputPort("tau", 1)
            state = self.DeclareContinuousState(1, 1, 0)
            self.DeclareStateOutputPort("state", state)

        def _construct_copy(self, other, converter=None):
            Impl._construct(self, converter=converter)

        def DoCalcTimeDerivatives(self, context, derivatives):
            q, v = context.get_continuous_state_vector().CopyToVector()
            tau = self.get_input_port(0).Eval(context)[0]
            m, l, b, g = 1.0, 0.5, 0.1, 9.81
            sin = math.sin if T is float else np.sin
            derivatives.get_mutable_vector().SetFromVector(
                [v, (tau - m * g * l * sin(q) - b * v) / (m * l * l)])
    return Impl


def pendulum():
    Plant = PendulumPlant_[float]
    builder = DiagramBuilder()
    source = builder.AddSystem(ConstantVectorSource([0.4]))
    plant = builder.AddSystem(Plant())
    builder.Connect(source.get_output_port(), plant.get_input_port(0))
    logger = LogVectorOutput(plant.get_output_port(0), builder, 0.5)
    diagram = builder.Build()
    simulator = Simulator(diagram)
    context = simulator.get_mutable_context()
    mine = diagram.GetMutableSubsystemContext(plant, context)
    mine.get_mutable_continuous_state_vector().SetFromVector([1.2, -0.3])
    simulator.get_mutable_integrator().set_target_accuracy(1e-10)
    simulator.Initialize()
    advance(simulator, 3.0)
    log = logger.FindLog(context)
    put("pendulum", "times", log.sample_times())
    put("pendulum", "states", log.data())
    q, v = mine.get_continuous_state_vector().CopyToVector()
    put("pendulum", "energy",
        [(0.5 * v) ** 2 / 2 - 9.81 * 0.5 * math.cos(q)])
    upright = plant.CreateDefaultContext()
    upright.SetContinuousState([math.pi, 0])
    plant.get_input_port(0).FixValue(upright, [0.0])
    linear = Linearize(plant, upright)
    put("pendulum", "A", linear.A())
    put("pendulum", "B", linear.B())


# Van der Pol -----------------------------------------------------------------
@TemplateSystem.define("VanDerPol_")
def VanDerPol_(T):
    class Impl(LeafSystem_[T]):
        def _construct(self, converter=None):
            LeafSystem_[T].__init__(self, converter)
            self.DeclareContinuousState(2)

        def _construct_copy(self, other, converter=None):
            Impl._construct(self, converter=converter)

        def DoCalcTimeDerivatives(self, context, derivatives):
            q, v = context.get_continuous_state_vector().CopyToVector()
            derivatives.get_mutable_vector().SetFromVector(
                [v, -1.5 * (q * q - 1.0) * v - q])
    return Impl


def van_der_pol():
    system = VanDerPol_[float]()
    simulator = Simulator(system)
    ResetIntegratorFromFlags(simulator, "runge_kutta3", 0.05)
    simulator.get_mutable_integrator().set_target_accuracy(1e-9)
    simulator.get_mutable_context().SetContinuousState([0.5, 0])
    for t in (1, 5, 10):
        advance(simulator, t)
        put("van_der_pol", f"state_{t}",
            simulator.get_context().get_continuous_state_vector().CopyToVector())
    autodiff = system.ToAutoDiffXd()
    context = autodiff.CreateDefaultContext()
    context.SetContinuousState(InitializeAutoDiff([0.7, -1.1]).reshape(-1))
    xdot = autodiff.EvalTimeDerivatives(context).CopyToVector()
    put("van_der_pol", "xdot", ExtractValue(xdot))
    put("van_der_pol", "gradient", ExtractGradient(xdot))


# Bouncing ball ---------------------------------------------------------------
class BouncingBall(LeafSystem):
    def __init__(self, restitution):
        LeafSystem.__init__(self)
        self.restitution = restitution
        self.DeclareContinuousState(1, 1, 1)
        self.distance = self.MakeWitnessFunction(
            "Signed distance",
            WitnessFunctionDirection.kPositiveThenNonPositive,
            lambda context: context.get_continuous_state_vector()[0],
            UnrestrictedUpdateEvent(self.bounce))

    def DoCalcTimeDerivatives(self, context, derivatives):
        v = context.get_continuous_state_vector()[1]
        derivatives.get_mutable_vector().SetFromVector([v, -9.81, 0])

    def DoGetWitnessFunctions(self, context):
        return [self.distance]

    def bounce(self, context, event, state):
        x = context.get_continuous_state_vector().CopyToVector()
        state.get_mutable_continuous_state().get_mutable_vector().SetFromVector(
            [0, -self.restitution * x[1], x[2] + 1])


def bouncing_ball():
    ball = BouncingBall(0.8)
    simulator = Simulator(ball)
    simulator.get_mutable_integrator().set_target_accuracy(1e-9)
    simulator.get_mutable_context().SetContinuousState([10, 0, 0])
    simulator.get_mutable_context().SetAccuracy(1e-9)
    simulator.Initialize()
    for t in (2, 4, 6, 8):
        advance(simulator, t)
        put("bouncing_ball", f"state_{t}",
            simulator.get_context().get_continuous_state_vector().CopyToVector())


# Quadrotor -------------------------------------------------------------------
@TemplateSystem.define("QuadrotorPlant_")
def QuadrotorPlant_(T):
    class Impl(LeafSystem_[T]):
        def _construct(self, converter=None):
            LeafSystem_[T].__init__(self, converter)
            self.DeclareVectorInputPort("propeller_force", 4)
            state = self.DeclareContinuousState(12)
            self.DeclareStateOutputPort("state", state)

        def _construct_copy(self, other, converter=None):
            Impl._construct(self, converter=converter)

        def DoCalcTimeDerivatives(self, context, derivatives):
            x = context.get_continuous_state_vector().CopyToVector()
            u = self.get_input_port(0).Eval(context)
            m, g, L, kM = 0.775, 9.81, 0.15, 0.0245
            I = np.array([0.0015, 0.0025, 0.0035])
            rpy = RollPitchYaw_[T](x[3:6])
            R_WB = RotationMatrix_[T](rpy)
            thrust = np.array([T(0), T(0), u.sum()])
            tau = np.array([L * (u[1] - u[3]), L * (u[2] - u[0]),
                            kM * (u[0] - u[1] + u[2] - u[3])])
            a = R_WB.multiply(thrust) / m + np.array([0, 0, -g])
            w = rpy.CalcAngularVelocityInChildFromRpyDt(x[9:])
            alpha = (tau - np.cross(w, I * w)) / I
            # Angles' second derivatives: those without acceleration, by the
            # rate of the map from w to the angles' rates, plus the map's.
            rpyDDt = calc_rpy_ddt(rpy, x[9:], alpha)
            derivatives.get_mutable_vector().SetFromVector(
                np.concatenate([x[6:], a, rpyDDt]))
    return Impl


def calc_rpy_ddt(rpy, rate, alpha_B):
    # w_B = N(rpy) rate; alpha_B = N rate' + N' rate, roll, pitch, yaw angles.
    s1, c1 = np.sin(rpy.roll_angle()), np.cos(rpy.roll_angle())
    s2, c2 = np.sin(rpy.pitch_angle()), np.cos(rpy.pitch_angle())
    r, p, y = rate
    Ndot_rate = np.array([
        -c2 * p * y,
        -s1 * r * p + (c1 * c2 * r - s1 * s2 * p) * y,
        -c1 * r * p + (-s1 * c2 * r - c1 * s2 * p) * y])
    b = alpha_B - Ndot_rate
    yaw = (s1 * b[1] + c1 * b[2]) / c2
    return np.array([b[0] + s2 * yaw, c1 * b[1] - s1 * b[2], yaw])


def quadrotor():
    plant_type = QuadrotorPlant_[float]
    builder = DiagramBuilder()
    plant = builder.AddSystem(plant_type())
    hover = plant.CreateDefaultContext()
    hover.SetContinuousState(np.zeros(12))
    plant.get_input_port(0).FixValue(hover, np.full(4, 0.775 * 9.81 / 4))
    Q = np.diag([10.0] * 6 + [1.0] * 6)
    controller = builder.AddSystem(
        LinearQuadraticRegulator(plant, hover, Q, np.eye(4)))
    builder.Connect(plant.get_output_port(0), controller.get_input_port(0))
    builder.Connect(controller.get_output_port(0), plant.get_input_port(0))
    put("quadrotor", "minus_K", controller.D())
    diagram = builder.Build()
    simulator = Simulator(diagram)
    simulator.get_mutable_integrator().set_target_accuracy(1e-9)
    context = simulator.get_mutable_context()
    diagram.GetMutableSubsystemContext(plant, context).SetContinuousState(
        [1, -0.5, 0.3, 0.1, -0.2, 0.4, 0, 0.2, -0.1, 0.3, 0, -0.5])
    simulator.Initialize()
    for t in (0.5, 2):
        advance(simulator, t)
        put("quadrotor", f"state_{t}",
            context.get_continuous_state_vector().CopyToVector())


# Acrobot ---------------------------------------------------------------------
class SwingUp(LeafSystem):
    def __init__(self, plant):
        LeafSystem.__init__(self)
        self.plant = plant
        self.plant_context = plant.CreateDefaultContext()
        plant.SetPositions(self.plant_context, [math.pi, 0])
        self.upright_energy = self.energy()
        self.DeclareVectorInputPort("state", 4)
        self.DeclareVectorOutputPort("torque", 1, self.calc)

    def energy(self):
        return (self.plant.CalcKineticEnergy(self.plant_context)
                + self.plant.CalcPotentialEnergy(self.plant_context))

    def calc(self, context, output):
        x = self.get_input_port(0).Eval(context)
        self.plant.SetPositionsAndVelocities(self.plant_context, x)
        M = self.plant.CalcMassMatrix(self.plant_context)
        f = (self.plant.CalcGravityGeneralizedForces(self.plant_context)
             - self.plant.CalcBiasTerm(self.plant_context))
        elbow = -10 * x[1] - 2 * x[3]
        u = ((M[1, 1] - M[1, 0] * M[0, 1] / M[0, 0]) * elbow
             + M[1, 0] / M[0, 0] * f[0] - f[1]
             + (self.upright_energy - self.energy()) * x[3])
        output.SetFromVector([u])


def make_acrobot():
    plant = MultibodyPlant(0.0)
    Parser(plant).AddModels(str(MODELS / "acrobot.urdf"))
    plant.Finalize()
    return plant


def simulate_acrobot(plant, builder, x0, time, accuracy):
    diagram = builder.Build()
    simulator = Simulator(diagram)
    context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    plant.SetPositionsAndVelocities(context, x0)
    simulator.get_mutable_integrator().set_target_accuracy(accuracy)
    simulator.Initialize()
    advance(simulator, time)
    return plant.GetPositionsAndVelocities(context)


def acrobot():
    builder = DiagramBuilder()
    plant = builder.AddSystem(make_acrobot())
    upright = plant.CreateDefaultContext()
    plant.get_actuation_input_port().FixValue(upright, [0.0])
    plant.SetPositions(upright, [math.pi, 0])
    lqr = builder.AddSystem(LinearQuadraticRegulator(
        plant, upright, np.diag([10., 10, 1, 1]), [[1.0]], np.zeros((0, 0)),
        int(plant.get_actuation_input_port().get_index())))
    builder.Connect(plant.get_state_output_port(), lqr.get_input_port(0))
    builder.Connect(lqr.get_output_port(0), plant.get_actuation_input_port())
    put("acrobot", "minus_K", lqr.D())
    put("acrobot", "balanced", simulate_acrobot(
        plant, builder, [math.pi + 0.01, -0.02, 0, 0], 2, 1e-9))

    builder = DiagramBuilder()
    model = make_acrobot()
    plant = builder.AddSystem(make_acrobot())
    controller = builder.AddSystem(SwingUp(model))
    builder.Connect(plant.get_state_output_port(), controller.get_input_port(0))
    builder.Connect(controller.get_output_port(0),
                    plant.get_actuation_input_port())
    put("acrobot", "swung_up",
        simulate_acrobot(plant, builder, [0.3, -0.1, 0, 0], 2, 1e-6))


# Cart-pole -------------------------------------------------------------------
def load_cart_pole(plant):
    Parser(plant).AddModels(str(MODELS / "cart_pole.sdf"))
    plant.Finalize()


def cart_pole():
    plant = MultibodyPlant(1e-3)
    load_cart_pole(plant)
    simulator = Simulator(plant)
    context = simulator.get_mutable_context()
    plant.get_actuation_input_port().FixValue(context, [3.0])
    plant.GetJointByName("hinge").set_angle(context, 1.5)
    plant.GetJointByName("slide").set_translation(context, 0.2)
    advance(simulator, 1.0)
    put("cart_pole", "swung", plant.GetPositionsAndVelocities(context))
    put("cart_pole", "energies", [plant.CalcKineticEnergy(context),
                                  plant.CalcPotentialEnergy(context)])

    builder = DiagramBuilder()
    plant = builder.AddSystem(MultibodyPlant(1e-2))
    plant.SetUseSampledOutputPorts(False)
    load_cart_pole(plant)
    upright = plant.CreateDefaultContext()
    plant.get_actuation_input_port().FixValue(upright, [0.0])
    goal = np.array([0, math.pi, 0, 0])
    plant.SetPositionsAndVelocities(upright, goal)
    linear = Linearize(plant, upright,
                       plant.get_actuation_input_port().get_index(),
                       OutputPortSelection.kNoOutput)
    put("cart_pole", "A", linear.A())
    put("cart_pole", "B", linear.B())
    K, _ = DiscreteTimeLinearQuadraticRegulator(linear.A(), linear.B(),
                                                np.eye(4), np.eye(1))
    put("cart_pole", "K", K)
    controller = builder.AddSystem(AffineSystem(
        np.zeros((0, 0)), np.zeros((0, 4)), np.zeros(0), np.zeros((1, 0)),
        -K, K @ goal))
    builder.Connect(plant.get_state_output_port(), controller.get_input_port())
    builder.Connect(controller.get_output_port(),
                    plant.get_actuation_input_port())
    diagram = builder.Build()
    simulator = Simulator(diagram)
    context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    plant.SetPositionsAndVelocities(context, goal + [0, 0.2, 0, 0])
    advance(simulator, 1.5)
    put("cart_pole", "balanced", plant.GetPositionsAndVelocities(context))


# Gripper ---------------------------------------------------------------------
def gripper():
    builder = DiagramBuilder()
    plant, scene_graph = AddMultibodyPlantSceneGraph(builder, 1e-3)
    plant.set_contact_model(ContactModel.kPoint)
    plant.set_discrete_contact_approximation(DiscreteContactApproximation.kSap)
    Parser(plant).AddModels(str(MODELS / "gripper.sdf"))
    plant.Finalize()
    knots = np.array([[0, 0, 0, 0.05], [0, 0.008, 0.008, 0.008],
                      [0, 0.008, 0.008, 0.008]])
    path = PiecewisePolynomial.CubicWithContinuousSecondDerivatives(
        [0, 0.2, 0.3, 0.8], knots, np.zeros(3), np.zeros(3))
    source = builder.AddSystem(TrajectorySource(path, 1))
    instance = plant.GetModelInstanceByName("gripper")
    builder.Connect(source.get_output_port(),
                    plant.get_desired_state_input_port(instance))
    diagram = builder.Build()
    simulator = Simulator(diagram)
    advance(simulator, 0.25)
    context = plant.GetMyContextFromRoot(simulator.get_context())
    contacts = plant.get_contact_results_output_port().Eval(context)
    n = contacts.num_point_pair_contacts()
    put("gripper", "number_of_contacts", [n])
    put("gripper", "sum_of_forces",
        [sum(np.linalg.norm(contacts.point_pair_contact_info(i).contact_force())
             for i in range(n))])
    advance(simulator, 1.0)
    put("gripper", "gripper", plant.GetPositions(context, instance))
    put("gripper", "ball", plant.EvalBodyPoseInWorld(
        context, plant.GetBodyByName("ball")).translation())
    put("gripper", "net_actuation",
        plant.get_net_actuation_output_port().Eval(context))


# Inclined plane --------------------------------------------------------------
def inclined_plane():
    builder = DiagramBuilder()
    config = MultibodyPlantConfig(
        time_step=1e-3, discrete_contact_approximation="sap",
        contact_model="point")
    plant, scene_graph = AddMultibodyPlant(config, builder)
    radius, mass = 0.05, 0.3

    def surface(friction):
        properties = ProximityProperties()
        AddContactMaterial(point_stiffness=1e5, properties=properties,
                           friction=CoulombFriction(friction, friction))
        properties.AddProperty("material", "relaxation_time", 0.02)
        return properties

    X_WP = RigidTransform(RotationMatrix.MakeYRotation(0.3))
    plant.RegisterCollisionGeometry(plant.world_body(), X_WP, HalfSpace(),
                                    "plane", surface(0.5))
    M_B = SpatialInertia(mass, np.zeros(3), UnitInertia.SolidSphere(radius))
    for name, friction in (("grippy", 0.5), ("slippery", 0.02)):
        body = plant.AddRigidBody(name, M_B)
        plant.RegisterCollisionGeometry(
            body, RigidTransform(), Sphere(radius), name, surface(friction))
    plant.Finalize()
    diagram = builder.Build()
    simulator = Simulator(diagram)
    context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    for name, y in (("grippy", 0.5), ("slippery", -0.5)):
        plant.SetFreeBodyPose(context, plant.GetBodyByName(name),
                              X_WP @ RigidTransform([0, y, radius - 1e-5]))
    advance(simulator, 1.0)
    for name in ("grippy", "slippery"):
        body = plant.GetBodyByName(name)
        put("inclined_plane", name + "_position",
            plant.EvalBodyPoseInWorld(context, body).translation())
        put("inclined_plane", name + "_velocity",
            plant.EvalBodySpatialVelocityInWorld(context, body).get_coeffs())
    contacts = plant.get_contact_results_output_port().Eval(context)
    force = np.zeros(3)
    for i in range(contacts.num_point_pair_contacts()):
        info = contacts.point_pair_contact_info(i)
        plane_is_b = info.bodyB_index() == plant.world_body().index()
        force += (1 if plane_is_b else -1) * info.contact_force()
    put("inclined_plane", "force_on_plane", force)


# Four-bar --------------------------------------------------------------------
def assembled_angles():
    coupler, rocker = 0.8, 0.7
    crank_end, hinge = np.array([0, 0.3]), np.array([0.9, 0])
    between = hinge - crank_end
    d = np.linalg.norm(between)
    along = (d * d + coupler ** 2 - rocker ** 2) / (2 * d)
    across = math.sqrt(coupler ** 2 - along ** 2)
    unit = between / d
    pin = crank_end + along * unit + across * np.array([-unit[1], unit[0]])
    c, r = pin - crank_end, pin - hinge
    return [math.pi / 2, math.atan2(c[1], c[0]) - math.pi / 2,
            math.atan2(r[1], r[0])]


def four_bar():
    def simulate(name, plant):
        simulator = Simulator(plant)
        context = simulator.get_mutable_context()
        if plant.time_step() == 0:
            ResetIntegratorFromFlags(simulator, "runge_kutta3", 1e-3)
            simulator.get_mutable_integrator().set_target_accuracy(1e-8)
        plant.SetPositions(context, assembled_angles())
        simulator.Initialize()
        advance(simulator, 0.4)
        put("four_bar", name, plant.GetPositionsAndVelocities(context))

    plant = MultibodyPlant(0.0)
    Parser(plant).AddModels(str(MODELS / "four_bar.urdf"))
    axes = RotationMatrix.MakeXRotation(math.pi / 2)  # z is the pin's axis.
    end = plant.AddFrame(FixedOffsetFrame(
        "coupler_end", plant.GetFrameByName("coupler"),
        RigidTransform(axes, [0.8, 0, 0])))
    pin = plant.AddFrame(FixedOffsetFrame(
        "rocker_end", plant.GetFrameByName("rocker"),
        RigidTransform(axes, [0.7, 0, 0])))
    plant.AddForceElement(LinearBushingRollPitchYaw(
        end, pin, np.zeros(3), np.zeros(3), np.full(3, 3e4), np.full(3, 1.5e2)))
    plant.Finalize()
    simulate("bushing", plant)

    plant = MultibodyPlant(1e-3)
    plant.set_discrete_contact_approximation(DiscreteContactApproximation.kSap)
    Parser(plant).AddModels(str(MODELS / "four_bar.urdf"))
    plant.AddBallConstraint(plant.GetBodyByName("coupler"), [0.8, 0, 0],
                            plant.GetBodyByName("rocker"), [0.7, 0, 0])
    plant.Finalize()
    simulate("ball_constraint", plant)


# Arm -------------------------------------------------------------------------
class InverseDynamicsControl(LeafSystem):
    def __init__(self, plant):
        LeafSystem.__init__(self)
        self.plant = plant
        self.plant_context = plant.CreateDefaultContext()
        self.DeclareVectorInputPort("state", 14)
        self.DeclareVectorInputPort("desired", 21)
        self.DeclareVectorOutputPort("torques", 7, self.calc)

    def calc(self, context, output):
        x = self.get_input_port(0).Eval(context)
        d = self.get_input_port(1).Eval(context)
        self.plant.SetPositionsAndVelocities(self.plant_context, x)
        vdot = d[14:] + 100 * (d[:7] - x[:7]) + 20 * (d[7:14] - x[7:])
        forces = MultibodyForces(self.plant)
        self.plant.CalcForceElementsContribution(self.plant_context, forces)
        output.SetFromVector(self.plant.CalcInverseDynamics(
            self.plant_context, vdot, forces))


def arm():
    builder = DiagramBuilder()
    plant = builder.AddSystem(MultibodyPlant(0.0))
    Parser(plant).AddModels(str(HERE.parents[1] / "examples/models/arm.urdf"))
    plant.Finalize()
    knots = np.reshape([0, 0.3, 0.5, 0.2, 0.5, 0.1, 0, -0.4, 0.2, 0.6, 0.9, 0.5,
                        0, 0.2, -0.2, 0.3, 0.5, 0.1, 0, -0.5, 0.4], (7, 3))
    path = PiecewisePolynomial.CubicWithContinuousSecondDerivatives(
        [0, 0.8, 1.5], knots, np.zeros(7), np.zeros(7))
    source = builder.AddSystem(TrajectorySource(path, 2))
    control = builder.AddSystem(InverseDynamicsControl(plant))
    builder.Connect(source.get_output_port(), control.get_input_port(1))
    builder.Connect(plant.get_state_output_port(), control.get_input_port(0))
    builder.Connect(control.get_output_port(0),
                    plant.get_actuation_input_port())
    diagram = builder.Build()
    simulator = Simulator(diagram)
    root = simulator.get_mutable_context()
    context = plant.GetMyMutableContextFromRoot(root)
    plant.SetPositions(context, path.value(0))
    simulator.get_mutable_integrator().set_target_accuracy(1e-8)
    simulator.Initialize()
    advance(simulator, 1.0)
    put("arm", "state", plant.GetPositionsAndVelocities(context))
    put("arm", "wanted", path.value(1.0))
    put("arm", "torques", control.get_output_port(0).Eval(
        control.GetMyContextFromRoot(root)))
    tool = plant.GetFrameByName("tool")
    put("arm", "tool_pose", tool.CalcPoseInWorld(context).GetAsMatrix4())
    put("arm", "jacobian", plant.CalcJacobianSpatialVelocity(
        context, JacobianWrtVariable.kV, tool, np.zeros(3),
        plant.world_frame(), plant.world_frame()))


import sys

PROGRAMS = (acrobot, arm, bouncing_ball, cart_pole, four_bar, gripper,
                inclined_plane, pendulum, quadrotor, van_der_pol)
for program in PROGRAMS:
    if len(sys.argv) == 1 or program.__name__ in sys.argv[1:]:
        program()
        print(program.__name__, "done", flush=True)
(HERE / "drake_programs.txt").write_text("\n".join(figures) + "\n")
