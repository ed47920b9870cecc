"""The laws of tests/honest on Drake.

The diagrams are those of Wyvern's tests, because both have Drake's interface.
"""
import numpy as np
from pydrake.all import (
    ApplySimulatorConfig, ConstantValueSource, ConstantVectorSource,
    DiagramBuilder,
    DiscreteContactApproximation, DiscreteDerivative, DiscreteTimeDelay,
    DiscreteTimeIntegrator, EventStatus, Gain, Integrator, LeafSystem,
    LinearSystem, LogVectorOutput, MatrixGain, MultibodyPlant, Multiplexer,
    PassThrough, PdControllerGains, PidController, PiecewisePolynomial,
    PublishEvent, RevoluteJoint, Simulator, SimulatorConfig, Sine,
    SpatialInertia, SymbolicVectorSystem, TrajectorySource,
    UnrestrictedUpdateEvent, Value, Variable, WitnessFunctionDirection,
    ZeroOrderHold, sin)

NOT_APPLICABLE = {17: "no delay of continuous signals",
                  18: "no state machine"}
SCHEMES = ["runge_kutta3", "runge_kutta5", "bogacki_shampine3"]


def choose(simulator, scheme, max_step=0.1):
    ApplySimulatorConfig(SimulatorConfig(
        integration_scheme=scheme, max_step_size=max_step), simulator)


def make_logged_sine(period):
    builder = DiagramBuilder()
    sine = builder.AddSystem(Sine(1, 2, 0, 1))
    integrator = builder.AddSystem(Integrator(1))
    builder.Connect(sine.get_output_port(0), integrator.get_input_port())
    log = LogVectorOutput(integrator.get_output_port(), builder, period)
    return builder.Build(), log


def law_1():
    for scheme, period, stops in [("runge_kutta3", 0.1, 1),
                                  ("runge_kutta5", 0.1, 77),
                                  ("bogacki_shampine3", 0.3, 77),
                                  ("runge_kutta3", 1.0, 1)]:
        diagram, log = make_logged_sine(period)
        simulator = Simulator(diagram)
        choose(simulator, scheme)
        for i in range(1, stops + 1):
            simulator.AdvanceTo(10_000 * period if i == stops else
                                10_000 * period / stops * i)
        times = log.FindLog(simulator.get_context()).sample_times()
        wrong = int(np.sum(times != period * np.arange(len(times))))
        if len(times) != 10_001 or wrong:
            return (f"does not: {len(times):,} rows, {wrong:,} wrong stamps "
                    f"({period} s, {scheme}, {stops} stops)")
    return "holds"


class Diary(LeafSystem):
    def __init__(self):
        super().__init__()
        self.entries = []
        self.DeclareContinuousState(1)
        for p in (0.0007, 0.001, 0.0015):
            self.DeclarePeriodicPublishEvent(
                p, 0, lambda context, p=p: self.entries.append(
                    (context.get_time(), p)))

    def DoCalcTimeDerivatives(self, context, derivatives):
        derivatives.get_mutable_vector().SetAtIndex(0, 1)


def law_2():
    diary = Diary()
    simulator = Simulator(diary)
    integrator = simulator.get_mutable_integrator()
    integrator.set_maximum_step_size(0.01)
    integrator.set_fixed_step_mode(True)
    simulator.AdvanceTo(2.1)
    counts = [sum(q == p for _, q in diary.entries)
              for p in (0.0007, 0.001, 0.0015)]
    times = [t for t, _ in diary.entries]
    if counts != [3001, 2101, 1401] or times != sorted(times):
        return f"does not: {counts[0]:,} of 3,001 events of 0.7 ms"
    return "holds"


class Counter(LeafSystem):
    def __init__(self):
        super().__init__()
        self.count = 0
        self.witness = self.MakeWitnessFunction(
            "crossing", WitnessFunctionDirection.kCrossesZero,
            lambda context: np.sin(2 * np.pi * 500 * context.get_time() + 0.1),
            PublishEvent(system_callback=Counter.add))

    def add(self, context, event):
        self.count += 1
        return EventStatus.Succeeded()

    def DoGetWitnessFunctions(self, context):
        return [self.witness]


def law_3():
    def run(accuracy, max_step):
        x, v = Variable("x"), Variable("v")
        builder = DiagramBuilder()
        counter = builder.AddSystem(Counter())
        builder.AddSystem(SymbolicVectorSystem(
            state=[x, v], dynamics=[v, -x], output=[x]))
        simulator = Simulator(builder.Build())
        simulator.get_mutable_integrator().set_maximum_step_size(max_step)
        context = simulator.get_mutable_context()
        context.SetAccuracy(accuracy)
        context.SetContinuousState([1, 0])
        simulator.AdvanceTo(10)
        return counter.count
    counts = [run(accuracy, 0.1) for accuracy in (1e-1, 1e-3, 1e-6)]
    if set(counts) == {10_000}:
        return "holds"
    # A bound of the step, which the user must know, is Drake's advice.
    return (f"does not: {min(counts):,} to {max(counts):,} of 10,000; "
            f"{run(1e-3, 3e-4):,} if steps are bounded by 0.3 ms")


def make_loop(observers):
    th, w, u = Variable("th"), Variable("w"), Variable("u")
    builder = DiagramBuilder()
    arm = builder.AddSystem(SymbolicVectorSystem(
        state=[th, w], input=[u], dynamics=[w, -9.81 * sin(th) - u],
        output=[th, w]))
    hold = builder.AddSystem(ZeroOrderHold(0.013, 2))
    brake = builder.AddSystem(MatrixGain(np.array([[0, 0.3]])))
    builder.Connect(arm.get_output_port(), hold.get_input_port())
    builder.Connect(hold.get_output_port(), brake.get_input_port())
    builder.Connect(brake.get_output_port(), arm.get_input_port())
    for i in range(observers):
        LogVectorOutput(arm.get_output_port(), builder)
        LogVectorOutput(arm.get_output_port(), builder, 0.0071 * (i + 1))
        LogVectorOutput(arm.get_output_port(), builder, 0.01)
    return builder.Build()


def start_loop(diagram, scheme="runge_kutta3"):
    simulator = Simulator(diagram)
    choose(simulator, scheme, 0.02)
    simulator.get_mutable_context().get_mutable_continuous_state_vector(
        ).SetFromVector([2, 0])
    return simulator


def law_4():
    def run(scheme, observers):
        simulator = start_loop(make_loop(observers), scheme)
        simulator.AdvanceTo(3)
        return (simulator.get_context().get_continuous_state_vector()
                .CopyToVector())
    error = max(np.abs(run(s, n) - run(s, 0)).max()
                for s in SCHEMES for n in (1, 5))
    return f"does not: changes by up to {error:.1g}" if error else "holds"


def law_5():
    wrong, total, largest = 0, 0, 0.0
    for scheme in SCHEMES:
        diagram, log = make_logged_sine(0.03)
        simulator = Simulator(diagram)
        choose(simulator, scheme)
        simulator.AdvanceTo(1)
        rows = log.FindLog(simulator.get_context())
        for t, row in zip(rows.sample_times(), rows.data()[0]):
            again, _ = make_logged_sine(0.03)
            stopped = Simulator(again)
            choose(stopped, scheme)
            stopped.AdvanceTo(t)
            error = abs(stopped.get_context()
                        .get_continuous_state_vector()[0] - row)
            wrong += error > 0
            total += 1
            largest = max(error, largest)
    return (f"does not: {wrong} of {total} rows, by up to {largest:.1g}"
            if wrong else "holds")


def law_6():
    one = np.eye(1)
    blocks = {"hold": (ZeroOrderHold(1.0, 1), [0, 1, 2]),
              "delay": (DiscreteTimeDelay(1.0, 1, 1), [0, 0, 1]),
              "integrator": (DiscreteTimeIntegrator(1, 1.0), [0, 1, 3]),
              "derivative": (DiscreteDerivative(1, 1.0, False), [0, 1, 1]),
              "derivative without transient":
                  (DiscreteDerivative(1, 1.0, True), [0, 0, 1]),
              "linear system":
                  (LinearSystem(one / 2, one, one, 0 * one, 1.0), [0, 1, 2.5])}
    faults = []
    for name, (block, expected) in blocks.items():
        builder = DiagramBuilder()
        ramp = builder.AddSystem(TrajectorySource(
            PiecewisePolynomial.FirstOrderHold([0, 10], [[1, 11]])))
        added = builder.AddSystem(block)
        builder.Connect(ramp.get_output_port(), added.get_input_port())
        log = LogVectorOutput(added.get_output_port(), builder, 1.0)
        simulator = Simulator(builder.Build())
        simulator.AdvanceTo(2)
        row = list(map(float, log.FindLog(simulator.get_context()).data()[0]))
        if row != expected:
            faults.append(f"{name} {row}")
    return "does not: " + "; ".join(faults) if faults else "holds"


def make_crossed():
    builder = DiagramBuilder()
    down = builder.AddNamedSystem("down", PassThrough(1))
    up = builder.AddNamedSystem("up", PassThrough(1))
    builder.ExportInput(down.get_input_port(), "u0")
    builder.ExportInput(up.get_input_port(), "u1")
    builder.ExportOutput(up.get_output_port(), "y0")
    builder.ExportOutput(down.get_output_port(), "y1")
    return builder.Build()


def law_7():
    builder = DiagramBuilder()
    source = builder.AddSystem(ConstantVectorSource([3.0]))
    crossed = builder.AddSystem(make_crossed())
    builder.Connect(source.get_output_port(), crossed.get_input_port(1))
    builder.Connect(crossed.get_output_port(0), crossed.get_input_port(0))
    builder.ExportOutput(crossed.get_output_port(1), "y")
    diagram = builder.Build()
    if diagram.get_output_port().Eval(diagram.CreateDefaultContext())[0] != 3:
        return "does not: wrong value"
    builder = DiagramBuilder()
    crossed = builder.AddNamedSystem("crossed", make_crossed())
    builder.Connect(crossed.get_output_port(1), crossed.get_input_port(0))
    builder.ExportInput(crossed.get_input_port(1), "u")
    try:
        builder.Build()
    except RuntimeError as error:
        return "holds" if "u0" in str(error) else "does not: no ports named"
    return "does not: no error"


def law_8():
    # Connect() throws for each mistake by itself; an input that is not
    # connected is found when it is first read.
    def attempt(connect):
        builder = DiagramBuilder()
        gain, wide = (builder.AddSystem(Gain(2, n)) for n in (1, 2))
        try:
            connect(builder, gain, wide)
        except BaseException as error:
            return type(error).__name__
        return "nothing"

    def twice(builder, gain, wide):
        source = builder.AddSystem(ConstantVectorSource([1.0]))
        for _ in range(2):
            builder.Connect(source.get_output_port(), gain.get_input_port())
    raised = [
        attempt(lambda builder, gain, wide: builder.Connect(
            wide.get_output_port(), gain.get_input_port())),
        attempt(lambda builder, gain, wide: builder.Connect(
            Gain(2, 1).get_output_port(), gain.get_input_port())),
        attempt(lambda builder, gain, wide: builder.Connect(
            builder.AddSystem(ConstantValueSource(Value("text")))
            .get_output_port(), gain.get_input_port())),
        attempt(lambda builder, gain, wide: builder.Build()),
        attempt(twice)]
    # In 1.51.1 a second connection to an input fails a check within Drake's
    # own error path (diagram_builder.cc:490), which pydrake makes SystemExit.
    text = "does not: one error each"
    if raised[3] == "nothing":
        text += ", an unconnected input is found when it is read"
    if raised[4] == "SystemExit":
        text += ", a second connection fails an internal check"
    return text


def make_bob():
    return SpatialInertia.SolidSphereWithMass(1.3, 0.05).Shift([0, 0, 0.6])


def make_pendulum(time_step, kp=None, kd=0.0, gravity=9.81):
    plant = MultibodyPlant(time_step)
    body = plant.AddRigidBody("body", make_bob())
    joint = plant.AddJoint(RevoluteJoint(
        "joint", plant.world_frame(), body.body_frame(), [0, 1, 0]))
    if kp is not None:
        plant.AddJointActuator("motor", joint).set_controller_gains(
            PdControllerGains(p=kp, d=kd))
    plant.mutable_gravity_field().set_gravity_vector([0, 0, -gravity])
    plant.Finalize()
    return plant, body, joint


def law_9():
    gain = Gain(2, 1)
    context = gain.CreateDefaultContext()
    value = gain.get_input_port().FixValue(context, [1.0])
    gain.get_output_port().Eval(context)
    value.GetMutableData().get_mutable_value().SetAtIndex(0, 5)
    if gain.get_output_port().Eval(context)[0] != 10:
        return "does not: a fixed port"
    plant, body, joint = make_pendulum(0.01)
    context = plant.CreateDefaultContext()
    joint.set_angle(context, 1)
    before = plant.CalcGravityGeneralizedForces(context)[0]
    body.SetMass(context, 2.6)
    if abs(plant.CalcGravityGeneralizedForces(context)[0] - 2 * before) > 1e-12:
        return "does not: a mass"
    for late in (lambda: plant.AddModelInstance("late"),
                 lambda: plant.set_discrete_contact_approximation(
                     DiscreteContactApproximation.kSap)):
        try:
            late()
            return "does not: a late setter is ignored"
        except RuntimeError:
            pass
    return "holds"


def law_10():
    # Gains of actuators are implicit in the step of Drake's discrete plant.
    refused, rising, uneven, worst = 0, 0, 0, 0.0
    gains = [(h, kp, kd) for h in (1e-4, 1e-3, 1e-2, 1e-1)
             for kp in (1e1, 1e3, 1e5, 1e8) for kd in (0.0, 1.0, 1e2, 1e5)]

    def start(h, kp, kd, gravity):
        plant, _, joint = make_pendulum(h, kp, kd, gravity)
        simulator = Simulator(plant)
        context = simulator.get_mutable_context()
        plant.get_desired_state_input_port(
            joint.model_instance()).FixValue(context, [0.7, 0])
        return plant, joint, simulator, context

    def rises(h, kp, kd):
        plant, joint, simulator, context = start(h, kp, kd, 0)
        last = kp / 2 * 0.49
        for i in range(1, 201):
            simulator.AdvanceTo(i * h)
            energy = (plant.CalcKineticEnergy(context) +
                      kp / 2 * (joint.get_angle(context) - 0.7)**2)
            if not energy <= last * (1 + 1e-12) + kp * 1e-30:
                return True
            last = energy
        return False

    def drift(h, kp, kd):
        _, joint, simulator, context = start(h, kp, kd, 9.81)
        q, weight = 0.7, 1.3 * 9.81 * 0.6
        for _ in range(50):
            q -= ((kp * (q - 0.7) + weight * np.sin(q)) /
                  (kp + weight * np.cos(q)))
        joint.set_angle(context, q)
        simulator.AdvanceTo(300 * h)
        return abs(joint.get_angle(context) - q)

    for case in gains:
        try:
            rising += rises(*case)
            error = drift(*case)
            worst = max(worst, error)
            uneven += not error < 1e-9
        except RuntimeError:  # "...solver failed to converge..."
            refused += 1
    return (f"does not: of 64 cases energy rises in {rising}, {uneven} leave "
            f"the equilibrium (by up to {worst:.1g} rad), {refused} end with "
            "an error" if rising or uneven or refused else "holds")


def law_11():
    A = np.array([[1, 0.002], [-0.02, 0.99]])
    B, K = np.array([[0.0], [0.002]]), np.array([[30.0, 4.0]])
    builder = DiagramBuilder()
    plant = builder.AddSystem(LinearSystem(
        A, B, np.eye(2), np.zeros((2, 1)), 0.002))
    control = builder.AddSystem(LinearSystem(
        np.zeros((1, 1)), -K, np.eye(1), np.zeros((1, 2)), 0.003))
    builder.Connect(plant.get_output_port(), control.get_input_port())
    builder.Connect(control.get_output_port(), plant.get_input_port())
    simulator = Simulator(builder.Build())
    mine = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    x, u = np.array([1.0, -1.0]), np.zeros(1)
    mine.SetDiscreteState(x)
    for ms in range(601):
        before = x
        if ms % 2 == 0:
            x = A @ before + B @ u
        if ms % 3 == 0:
            u = -K @ before
    simulator.AdvanceTo(0.6)
    simulator.AdvancePendingEvents()
    error = np.abs(mine.get_discrete_state_vector().CopyToVector() - x).max()
    return "holds" if error < 1e-14 else f"does not: wrong by {error:.1g}"


def law_12():
    diagram = make_loop(1)
    simulator = start_loop(diagram)
    wrong = []

    def compare(context):
        fresh = diagram.CreateDefaultContext()
        fresh.SetTimeStateAndParametersFrom(context)
        for system in diagram.GetSystems():
            for i in range(system.num_output_ports()):
                port = system.get_output_port(i)
                a, b = (port.Eval(system.GetMyContextFromRoot(c))
                        for c in (context, fresh))
                if not np.array_equal(a, b):
                    wrong.append(context.get_time())
    simulator.set_monitor(compare)
    simulator.AdvanceTo(0.3)
    return f"does not: {len(wrong)} ports" if wrong else "holds in monitors"


def law_13():
    plant = MultibodyPlant(0.001)
    for name in ("first", "second"):
        body = plant.AddRigidBody(name, make_bob())
        joint = plant.AddJoint(RevoluteJoint(
            name, plant.world_frame(), body.body_frame(), [0, 1, 0]))
        plant.AddJointActuator(name, joint)
    plant.Finalize()

    class Source(LeafSystem):
        def __init__(self):
            super().__init__()
            self.DeclareVectorOutputPort("effort", 2, self.calc,
                                         {self.time_ticket()})

        def calc(self, context, output):
            output.SetFromVector(
                [1, 0 if context.get_time() < 0.5 else np.nan])
    builder = DiagramBuilder()
    source = builder.AddNamedSystem("effort", Source())
    builder.AddNamedSystem("plant", plant)
    builder.Connect(source.get_output_port(), plant.get_actuation_input_port())
    simulator = Simulator(builder.Build())
    try:
        simulator.AdvanceTo(1)
    except RuntimeError as error:
        text = str(error)
        has = [word for word, key in (("block", "effort"),
                                      ("element", "element 1"),
                                      ("time", "0.5")) if key in text]
        return ("holds" if len(has) == 3 else
                f"does not: ends with \"{text.splitlines()[0][:120]}\"")
    return "does not: no error"


class Ball(LeafSystem):
    def __init__(self):
        super().__init__()
        self.count = 0
        self.DeclareContinuousState(1, 1, 0)
        self.witness = self.MakeWitnessFunction(
            "impact", WitnessFunctionDirection.kPositiveThenNonPositive,
            lambda context: context.get_continuous_state_vector()[0],
            UnrestrictedUpdateEvent(system_callback=Ball.bounce))

    def bounce(self, context, event, state):
        self.count += 1
        x = state.get_mutable_continuous_state().get_mutable_vector()
        x.SetFromVector([0, -0.5 * x[1]])
        return EventStatus.Succeeded()

    def DoCalcTimeDerivatives(self, context, derivatives):
        derivatives.get_mutable_vector().SetFromVector(
            [context.get_continuous_state_vector()[1], -9.81])

    def DoGetWitnessFunctions(self, context):
        return [self.witness]


def law_14():
    results = []
    for max_step in (0.1, 0.001):  # Drake's default, and a careful one.
        ball = Ball()
        simulator = Simulator(ball)
        simulator.get_mutable_integrator().set_maximum_step_size(max_step)
        context = simulator.get_mutable_context()
        context.SetAccuracy(1e-6)
        context.SetContinuousState([1, 0])
        try:
            simulator.AdvanceTo(3)
        except RuntimeError as error:
            if "impact" in str(error):
                continue
            results.append(f"\"{str(error)[:100]}\"")
        else:
            height = context.get_continuous_state_vector()[0]
            results.append(f"{ball.count} bounces, then {height:.3g} m")
    return ("does not: no error, " + "; ".join(results) + " with steps of at "
            "most 0.1 s and 1 ms" if results else "holds")


def law_15():
    size = 1_000_000
    breaks = np.arange(size + 1) * 0.001
    table = PiecewisePolynomial.ZeroOrderHold(
        breaks, np.arange(size + 1.0).reshape(1, -1))
    values = table.vector_values(breaks[:size]).ravel()
    wrong = int(np.sum(values != np.arange(size)))
    return f"does not: {wrong:,} of {size:,} wrong" if wrong else "holds"


def law_16():
    # u = kp e + ki/s e + kd s e, for e = sin(w t) and its derivative.
    kp, ki, kd, w = 3.0, 2.0, 0.5, 4.0
    builder = DiagramBuilder()
    pid = builder.AddSystem(PidController(kp=[kp], ki=[ki], kd=[kd]))
    sine = builder.AddSystem(Sine(1, w, 0, 1))
    target = builder.AddSystem(Multiplexer(2))
    for i in (0, 1):
        builder.Connect(sine.get_output_port(i), target.get_input_port(i))
    zero = builder.AddSystem(ConstantVectorSource([0.0, 0.0]))
    builder.Connect(zero.get_output_port(),
                    pid.get_input_port_estimated_state())
    builder.Connect(target.get_output_port(),
                    pid.get_input_port_desired_state())
    simulator = Simulator(builder.Build())
    simulator.get_mutable_integrator().set_target_accuracy(1e-12)
    simulator.AdvanceTo(2)
    u = pid.get_output_port_control().Eval(
        pid.GetMyContextFromRoot(simulator.get_context()))[0]
    exact = (kp * np.sin(2 * w) + ki * (1 - np.cos(2 * w)) / w +
             kd * w * np.cos(2 * w))
    error = abs(u - exact)
    return "holds" if error < 1e-10 else f"does not: wrong by {error:.1g}"


def law_20():
    w = 2 * np.pi * 1000
    x, v = Variable("x"), Variable("v")
    simulator = Simulator(SymbolicVectorSystem(
        state=[x, v], dynamics=[v, -w * w * x], output=[x]))
    context = simulator.get_mutable_context()
    context.SetContinuousState([1e-9, 0])
    simulator.AdvanceTo(0.1)
    x, v = context.get_continuous_state_vector().CopyToVector()
    growth = np.hypot(x, v / w) / 1e-9
    return ("holds" if abs(growth - 1) < 0.01 else
            f"does not: {growth:.2g} times the amplitude after 0.1 s")
