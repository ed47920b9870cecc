#include "wyvern/multibody/fem/fem_stepper.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include "tests/multibody/fem/test_bodies.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"

namespace wyvern::multibody::fem::internal {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using test::Gravity;
using test::kMaterials;
using test::MakeBox;
using test::MakeConfig;
using test::MakeIrregularCube;
using wyvern::test::Near;

const Vector3d kGravity(0, 0, -9.81);

FemModel MakeCube(MaterialModel material) {
  return FemModel("cube", MakeIrregularCube(2), MakeConfig(material));
}

// A body somewhat out of shape, as it moves.
FemState MakeShaken(const FemModel& model, double strain = 0.05) {
  FemState state = MakeDefaultState(model);
  const int n = static_cast<int>(state.q.size());
  state.q += test::RandomVector(n, strain);
  state.v = test::RandomVector(n, 1).reverse();
  return state;
}

double CalcEnergy(const FemModel& model, const FemState& state) {
  return CalcKineticEnergy(model, state.v) +
         model.CalcElasticEnergy(state.q, state.q);
}

VectorX<double> Momentum(const FemModel& model, const VectorX<double>& v) {
  VectorX<double> p = VectorX<double>::Zero(v.size());
  model.AddMassProduct(v, &p);
  return p;
}

VectorX<double> NoForce(const FemModel& model) {
  return VectorX<double>::Zero(3 * model.num_vertices());
}

// How far it sinks where x is largest, at rest: one step of a long time.
double CalcSag(const FemModel& model, int axis) {
  FemState state = MakeDefaultState(model);
  const double dt = 1e6;
  FemStepper(&model, dt)
      .Step(Gravity(model, Vector3d::Unit(axis) * -9.81), &state);
  double x = -1e9, sag = 0;
  int count = 0;
  for (int v = 0; v < model.num_vertices(); ++v) {
    const Vector3d p = model.reference_positions().segment<3>(3 * v);
    if (p.x() > x + 1e-9) {
      x = p.x();
      sag = count = 0;
    }
    if (p.x() < x - 1e-9) continue;
    sag += p[axis] - state.q[3 * v + axis];
    ++count;
  }
  return sag / count;
}

// A bar along x, fixed at its lower end.
FemModel MakeBar(double length, double side, double hint, double nu,
                 double E = 1e6) {
  FemModel model("bar", MakeBox({length, side, side}, hint),
                 MakeConfig(MaterialModel::kLinear, E, nu));
  test::FixBehindWall({-0.499999 * length, 0, 0}, {1, 0, 0}, &model);
  return model;
}

TEST(FemStepper, FallsAsTheSchemesSay) {
  for (const MaterialModel material : kMaterials) {
    const FemModel model = MakeCube(material);
    const double dt = 0.01;
    FemState euler = MakeDefaultState(model), newmark = euler;
    FemStepper stepper(&model, dt);
    FemStepper other(&model, dt, TimeScheme::Newmark(0.5, 0.25));
    newmark.a = test::Move(model, Matrix3d::Zero(), kGravity);
    const int k = 20;
    for (int i = 0; i < k; ++i) {
      stepper.Step(Gravity(model, kGravity), &euler);
      other.Step(Gravity(model, kGravity), &newmark);
    }
    const double t = k * dt;
    const VectorX<double> q = model.reference_positions();
    EXPECT_TRUE(Near(
        euler.q,
        test::Move(model, Matrix3d::Identity(), kGravity * t * (t + dt) / 2),
        1e-9));
    EXPECT_TRUE(Near(
        newmark.q,
        test::Move(model, Matrix3d::Identity(), kGravity * t * t / 2), 1e-9));
    EXPECT_TRUE(
        Near(euler.v, test::Move(model, Matrix3d::Zero(), kGravity * t), 1e-8));
  }
}

TEST(FemStepper, KeepsLinearMomentumAndAngularMomentumToFirstOrder) {
  for (const MaterialModel material : kMaterials) {
    if (material == MaterialModel::kLinear) continue;  // Of small rotations.
    const FemModel model = MakeCube(material);
    double last = HUGE_VAL;
    for (const double dt : {2e-3, 1e-3}) {
      FemState state = MakeShaken(model);
      const Vector3d p = test::SumOf(Momentum(model, state.v));
      const Vector3d L = test::MomentOf(state.q, Momentum(model, state.v));
      FemStepper stepper(&model, dt);
      for (int i = 0; i < 0.02 / dt; ++i) stepper.Step(NoForce(model), &state);
      EXPECT_TRUE(Near(test::SumOf(Momentum(model, state.v)), p, 1e-7));
      const double drift =
          (test::MomentOf(state.q, Momentum(model, state.v)) - L).norm();
      EXPECT_LT(drift, 0.03 * L.norm());
      EXPECT_LT(drift, 0.65 * last);
      last = drift;
    }
  }
}

TEST(FemStepper, ImplicitEulerNeverGainsEnergy) {
  for (const MaterialModel material : kMaterials) {
    const FemModel model = MakeCube(material);
    // A rotation that is frozen for a step has no energy of its own.
    const double gain =
        material == MaterialModel::kLinearCorotated ? 1e-7 : 1e-12;
    for (const double dt : {1e-3, 1e-2, 0.1}) {
      FemState state = MakeShaken(model);
      FemStepper stepper(&model, dt);
      double energy = CalcEnergy(model, state);
      for (int i = 0; i < 20; ++i) {
        stepper.Step(NoForce(model), &state);
        const double next = CalcEnergy(model, state);
        EXPECT_LE(next, energy * (1 + gain)) << static_cast<int>(material);
        energy = next;
      }
    }
  }
}

TEST(FemStepper, TheTrapezoidKeepsTheEnergyOfLinearMotion) {
  const FemModel model = MakeCube(MaterialModel::kLinear);
  FemState state = MakeShaken(model);
  // Its acceleration at the start, by a step of no length.
  FemState still = state;
  FemStepper(&model, 1e-9).Step(NoForce(model), &still);
  state.a = still.a;
  FemStepper stepper(&model, 1e-2, TimeScheme::Newmark(0.5, 0.25));
  stepper.Step(NoForce(model), &state);
  const double energy = CalcEnergy(model, state);
  for (int i = 0; i < 100; ++i) stepper.Step(NoForce(model), &state);
  EXPECT_NEAR(CalcEnergy(model, state), energy, 1e-6 * energy);
}

TEST(FemStepper, MassDampingStopsABodyAsTheClosedFormSays) {
  DeformableBodyConfig<double> config =
      MakeConfig(MaterialModel::kLinearCorotated);
  config.set_mass_damping_coefficient(3);
  const FemModel model("cube", MakeIrregularCube(2), config);
  FemState state = MakeDefaultState(model);
  state.v = test::Move(model, Matrix3d::Zero(), Vector3d(1, 2, 3));
  FemStepper stepper(&model, 0.01);
  stepper.Step(NoForce(model), &state);
  EXPECT_TRUE(Near(
      state.v,
      test::Move(model, Matrix3d::Zero(), Vector3d(1, 2, 3) / (1 + 3 * 0.01)),
      1e-10));
}

TEST(FemStepper, StiffnessDampingSlowsStrainButNoRigidMotion) {
  for (const MaterialModel material : kMaterials) {
    DeformableBodyConfig<double> config = MakeConfig(material);
    config.set_stiffness_damping_coefficient(0.05);
    const FemModel damped("cube", MakeIrregularCube(2), config);
    const FemModel free = MakeCube(material);
    FemState a = MakeShaken(damped, 0.02), b = a;
    const Vector3d p = test::SumOf(Momentum(free, a.v));
    FemStepper on_a(&damped, 1e-3), on_b(&free, 1e-3);
    for (int i = 0; i < 20; ++i) {
      on_a.Step(NoForce(free), &a);
      on_b.Step(NoForce(free), &b);
    }
    EXPECT_LT(CalcEnergy(free, a), 0.7 * CalcEnergy(free, b));
    EXPECT_TRUE(Near(test::SumOf(Momentum(free, a.v)), p, 1e-7));
  }
}

// At the distance s below the top, u' = rho g (L - s) / E.
TEST(FemStepper, ABarHangsAsItsWeightSays) {
  const double length = 1, exact = 1000 * 9.81 * length * length / (2 * 1e6);
  double last = HUGE_VAL;
  for (const double hint : {0.2, 0.1, 0.05}) {
    FemModel model = MakeBar(length, 0.1, hint, 0);
    const double error = std::abs(CalcSag(model, 0)) / exact - 1;
    EXPECT_NEAR(error, 0, 0.05 * hint / 0.2);
    EXPECT_LE(std::abs(error), 0.5 * last + 1e-9);
    last = std::abs(error);
  }
}

// Timoshenko: w L⁴ / (8 E I) + w L² / (2 k G A), k = 5/6 for nu = 0.
TEST(FemStepper, ACantileverSagsAsBeamTheorySaysUnderRefinement) {
  const double L = 1, h = 0.2, E = 1e6, w = 1000 * 9.81 * h * h;
  const double I = h * h * h * h / 12, G = E / 2;
  const double exact =
      w * L * L * L * L / (8 * E * I) + w * L * L / (2 * 5.0 / 6 * G * h * h);
  std::vector<double> errors;
  for (const double hint : {0.1, 0.05, 0.025}) {
    const FemModel model = MakeBar(L, h, hint, 0);
    errors.push_back(1 - CalcSag(model, 2) / exact);
  }
  // Linear tetrahedra are too stiff in bending; the error falls nearly with the
  // square of the elements' size.
  EXPECT_LT(errors[0], 0.5);
  EXPECT_GT(errors[0], 2.5 * errors[1]);
  EXPECT_GT(errors[1], 2.5 * errors[2]);
  EXPECT_GT(errors[2], 0);
  EXPECT_NEAR((4 * errors[2] - errors[1]) / 3, 0, 0.015);
}

// The least frequency w of K x = w² M x, rad/s, and x, by inverse iteration.
double CalcLeastFrequency(const FemModel& model, VectorX<double>* mode) {
  const VectorX<double>& q = model.reference_positions();
  VectorX<double> gradient(q.size());
  VectorX<double>& x = *mode;
  x = test::RandomVector(q.size(), 1);
  VectorX<double> Mx(q.size());
  std::vector<Block> K(model.pattern().num_blocks());
  model.CalcElasticity(q, q, Wanted::kStiffness, &gradient, &K);
  BlockCholesky3 cholesky(&model.pattern());
  cholesky.Analyze(model.is_fixed(), {});
  EXPECT_TRUE(cholesky.Factor(K));
  double square = 0;
  for (int i = 0; i < 60; ++i) {
    Mx.setZero();
    model.AddMassProduct(x, &Mx);
    cholesky.Solve(Mx, &x);
    square = x.dot(Mx);
    const double mass = Momentum(model, x).dot(x);
    square /= mass;
    x /= std::sqrt(mass);
  }
  return std::sqrt(square);
}

TEST(FemStepper, ABeamSwingsAtItsNaturalFrequency) {
  const double L = 1, h = 0.1, E = 1e6, rho = 1000;
  const double beam =
      1.87510407 * 1.87510407 * h * std::sqrt(E / (12 * rho)) / (L * L);
  VectorX<double> mode;
  const double coarse = CalcLeastFrequency(MakeBar(L, h, 0.05, 0), &mode);
  const double fine = CalcLeastFrequency(MakeBar(L, h, 0.025, 0), &mode);
  // Elements are too stiff.
  EXPECT_GT(coarse, fine);
  EXPECT_GT(fine, beam);
  EXPECT_LT(fine, 1.08 * beam);
  // Where the elements' size goes to 0; shear and the turning of cross sections
  // take about 1 % off a thin beam's.
  EXPECT_NEAR((4 * fine - coarse) / 3, 0.99 * beam, 0.015 * beam);
}

TEST(FemStepper, ABarLetGoSwingsWithThatFrequency) {
  const FemModel model = MakeBar(1, 0.2, 0.1, 0);
  VectorX<double> mode;
  const double period = 2 * std::numbers::pi / CalcLeastFrequency(model, &mode);
  FemState state = MakeDefaultState(model);
  state.q += 0.1 * mode;
  const int steps = 400;
  FemStepper(&model, 1e-9).Step(NoForce(model), &state);
  state.v.setZero();
  FemStepper stepper(&model, period / steps, TimeScheme::Newmark(0.5, 0.25));
  for (const double expected : {0.0, -1.0, 0.0, 1.0}) {
    for (int i = 0; i < steps / 4; ++i) stepper.Step(NoForce(model), &state);
    const VectorX<double> u = state.q - model.reference_positions();
    // The trapezoid's period is (w dt)² / 12 longer, in parts of itself.
    EXPECT_TRUE(Near(u, 0.1 * expected * mode, 3e-4 * mode.norm()));
  }
}

TEST(FemStepper, ElementsInsideOutRecover) {
  for (const MaterialModel material : kMaterials) {
    DeformableBodyConfig<double> config = MakeConfig(material, 1e5, 0.4);
    config.set_mass_damping_coefficient(5);
    const FemModel model("cube", MakeIrregularCube(2), config);
    FemState state = MakeDefaultState(model);
    // A corner pushed through the body; and all of it, flat.
    for (const bool is_flat : {false, true}) {
      state = MakeDefaultState(model);
      if (is_flat) {
        state.q += test::RandomVector(state.q.size(), 0.01);
        for (int i = 2; i < state.q.size(); i += 3) state.q[i] = 0;
        state.q += test::RandomVector(state.q.size(), 1e-3);
      } else {
        state.q.head<3>() = Vector3d(0.4, 0.3, 0.35);
      }
      FemStepper stepper(&model, 0.01);
      for (int i = 0; i < 400; ++i) stepper.Step(NoForce(model), &state);
      EXPECT_LT(model.CalcElasticEnergy(state.q, state.q), 1e-3)
          << static_cast<int>(material) << is_flat;
      for (const ElementBatch& batch : model.batches()) {
        GradientLanes lanes;
        CalcDeformationGradients(batch, state.q, &lanes);
        for (int l = 0; l < kLanes; ++l) {
          Matrix3d F;
          for (int k = 0; k < 9; ++k) F.data()[k] = lanes[k][l];
          EXPECT_NEAR(F.determinant(), 1, 1e-3);
        }
      }
    }
  }
}

TEST(FemStepper, ABodySpinsOn) {
  const FemModel model("cube", MakeIrregularCube(2),
                       MakeConfig(MaterialModel::kLinearCorotated, 1e7));
  FemState state = MakeDefaultState(model);
  const Vector3d w(0, 0, 2);
  for (int i = 0; i < model.num_vertices(); ++i) {
    state.v.segment<3>(3 * i) = w.cross(Vector3d(state.q.segment<3>(3 * i)));
  }
  FemStepper stepper(&model, 1e-3);
  for (int i = 0; i < 500; ++i) stepper.Step(NoForce(model), &state);
  const Matrix3d R(Eigen::AngleAxisd(1.0, Vector3d::UnitZ()));
  // First order in time: 0.5 w² dt t of its spin is lost, about.
  EXPECT_TRUE(Near(state.q, test::Move(model, R), 5e-3));
}

TEST(FemStepper, FixedVerticesStayAndAllMayBe) {
  FemModel model = MakeCube(MaterialModel::kNeoHookean);
  test::FixBehindWall({0, 0, 0.4}, {0, 0, -1}, &model);
  FemState state = MakeShaken(model);
  FemStepper stepper(&model, 0.01);
  stepper.Step(Gravity(model, kGravity), &state);
  for (int i = 0; i < model.num_vertices(); ++i) {
    const Vector3d p = model.reference_positions().segment<3>(3 * i);
    if (!model.is_fixed()[i]) {
      EXPECT_GT(state.v.segment<3>(3 * i).norm(), 0);
      continue;
    }
    EXPECT_EQ(Vector3d(state.q.segment<3>(3 * i)), p);
    EXPECT_EQ(Vector3d(state.v.segment<3>(3 * i)), Vector3d::Zero());
  }
  for (int i = 0; i < model.num_vertices(); ++i) model.FixVertex(i);
  stepper.Step(Gravity(model, kGravity), &state);
  EXPECT_EQ(state.q, model.reference_positions());
  EXPECT_EQ(state.v.norm(), 0);
}

TEST(FemStepper, TheSameStepTwiceIsTheSameBitsWithoutAnyMemory) {
  for (const MaterialModel material : kMaterials) {
    const FemModel model = MakeCube(material);
    FemState a = MakeShaken(model), b = a;
    FemStepper one(&model, 0.01);
    one.Step(NoForce(model), &a);
    const FemState there = a;
    FemState other = b;
    const VectorX<double> f = Gravity(model, kGravity);
    const wyvern::test::AllocationGuard guard;
    one.Step(f, &a);
    EXPECT_EQ(guard.count(), 0);
    FemStepper two(&model, 0.01);
    b = there;
    two.Step(f, &other);  // Something else before.
    two.Step(f, &b);
    EXPECT_EQ(a.q, b.q);
    EXPECT_EQ(a.v, b.v);
    EXPECT_EQ(a.a, b.a);
  }
}

// M a+ + dE/dq(q+) = f, as far as velocities to 1e-9 say, and soon: a tangent
// that is not the energy's own takes half as many again.
TEST(FemStepper, AStepSolvesItsEquationInFewIterations) {
  for (const MaterialModel material : kMaterials) {
    const FemModel model = MakeCube(material);
    for (const double dt : {0.003, 0.02}) {
      FemState state = MakeShaken(model);
      const VectorX<double> q0 = state.q, v0 = state.v;
      const VectorX<double> f = Gravity(model, kGravity);
      FemStepper stepper(&model, dt);
      stepper.Step(f, &state);
      VectorX<double> gradient(f.size()), inertia = Momentum(model, state.a);
      model.CalcElasticity(q0, state.q, Wanted::kForce, &gradient, nullptr);
      // A change of v by 1e-9 changes each side by 1e-9 of about this.
      const VectorX<double> dv = 1e-9 * state.v.lpNorm<Eigen::Infinity>() *
                                 VectorX<double>::Ones(f.size());
      const double scale =
          Momentum(model, dv).norm() / dt + 1e-9 * gradient.norm();
      EXPECT_LE((inertia + gradient - f).norm(), 10 * scale)
          << static_cast<int>(material) << " " << dt;
      EXPECT_LE(stepper.num_iterations(), 4);
    }
  }
}

// Pressed together by a third, a bar gives way to all sides: its matrix is not
// positive, and its elements' tangents have to be made so.
TEST(FemStepper, ABarInCompressionFindsItsWayOut) {
  for (const MaterialModel material :
       {MaterialModel::kCorotated, MaterialModel::kNeoHookean}) {
    const FemModel model("bar", MakeBox({1, 0.1, 0.1}, 0.05),
                         MakeConfig(material));
    FemState state = MakeDefaultState(model);
    const Matrix3d F = Vector3d(0.67, 1, 1).asDiagonal();
    state.q = test::Move(model, F) + test::RandomVector(state.q.size(), 1e-4);
    const double before = model.CalcElasticEnergy(state.q, state.q);
    FemStepper stepper(&model, 0.5);
    stepper.Step(NoForce(model), &state);
    EXPECT_LT(CalcEnergy(model, state), 0.5 * before);
  }
}

// Almost incompressible, or almost without any resistance to volume: a step is
// found, or refused by the body's name.
TEST(FemStepper, PoissonsRatioMayBeAtItsLimits) {
  for (const MaterialModel material : kMaterials) {
    for (const double nu : {std::nextafter(0.5, 0), 0.5 - 1e-9, 1e-9 - 1.0,
                            std::nextafter(-1.0, 0)}) {
      const FemModel model("cube", MakeIrregularCube(2),
                           MakeConfig(material, 1e5, nu));
      FemState state = MakeShaken(model);
      FemStepper stepper(&model, 0.01);
      try {
        stepper.Step(NoForce(model), &state);
      } catch (const std::runtime_error& error) {
        EXPECT_NE(std::string(error.what()).find("body 'cube'"),
                  std::string::npos);
      }
      EXPECT_TRUE(state.q.allFinite() && state.v.allFinite());
      EXPECT_LT(state.q.cwiseAbs().maxCoeff(), 10) << nu;
    }
  }
}

TEST(FemStepper, SaysWhatIsWrongAndLeavesTheState) {
  const FemModel model = MakeCube(MaterialModel::kLinearCorotated);
  EXPECT_THROWS_MESSAGE(FemStepper(&model, 0), std::logic_error, "dt is 0");
  EXPECT_THROWS_MESSAGE(TimeScheme::Newmark(0.4, 0.3), std::logic_error,
                        "gamma is 0.4");
  EXPECT_THROWS_MESSAGE(TimeScheme::Newmark(0.5, 0.1), std::logic_error,
                        "beta is 0.1");
  FemStepper stepper(&model, 0.01);
  FemState state = MakeShaken(model);
  EXPECT_THROWS_MESSAGE(stepper.Step(VectorX<double>::Zero(3), &state),
                        std::logic_error, "body 'cube': forces");
  FemState bad = state;
  bad.v[4] = NAN;
  EXPECT_THROWS_MESSAGE(stepper.Step(NoForce(model), &bad), std::logic_error,
                        "body 'cube': velocities[4] is nan");
  // Beyond what a double can say.
  const VectorX<double> f = NoForce(model);
  state.v[0] = 1e308;
  const FemState before = state;
  EXPECT_THROWS_MESSAGE(stepper.Step(f, &state), std::runtime_error,
                        "Deformable body 'cube': a step of 0.01 s");
  EXPECT_EQ(state.q, before.q);
  EXPECT_EQ(state.v, before.v);
}

// Impulses on participants change their velocities as their inertia says.
TEST(FemStepper, ImpulsesActOnTheInertiaOfTheParticipants) {
  for (const MaterialModel material : kMaterials) {
    FemModel model = MakeCube(material);
    model.FixVertex(0);
    const FemState state = MakeShaken(model);
    const std::vector<int> participants{1, 4, 7, 12};
    FemStepper stepper(&model, 0.01);
    stepper.BeginStep(NoForce(model), state, participants);
    const VectorX<double> before = stepper.velocities();
    Eigen::MatrixXd A(12, 12);
    stepper.CalcInertia(A);
    EXPECT_TRUE(Near(A, A.transpose(), 0));
    const VectorX<double> j = test::RandomVector(12, 1);
    stepper.AddImpulses(participants, j);
    const VectorX<double> dv = stepper.velocities() - before;
    VectorX<double> of_participants(12);
    for (int i = 0; i < 4; ++i) {
      of_participants.segment<3>(3 * i) = dv.segment<3>(3 * participants[i]);
    }
    EXPECT_TRUE(Near(A * of_participants, j, 1e-9));
    EXPECT_EQ(dv.head<3>().norm(), 0);
    EXPECT_GT(dv.segment<3>(60).norm(), 0);  // Others follow.
    // And the same velocities without participants.
    FemStepper other(&model, 0.01);
    other.BeginStep(NoForce(model), state);
    EXPECT_TRUE(Near(other.velocities(), before, 1e-9 * before.norm()));
  }
}

TEST(FemStepper, AnyNumberOfThreadsGivesTheSameBits) {
  for (const MaterialModel material : kMaterials) {
    DeformableBodyConfig<double> config = MakeConfig(material);
    config.set_stiffness_damping_coefficient(0.01);
    const FemModel model("cube", MakeIrregularCube(8), config);
    const FemState start = MakeShaken(model, 0.02);
    const VectorX<double> none = NoForce(model);
    std::vector<int> participants;
    for (int v = 0; v < 150; ++v) participants.push_back(v);
    FemState expected = start;
    FemStepper alone(&model, 0.01);
    alone.BeginStep(none, start, participants);
    alone.EndStep(&expected);
    for (const int threads : {2, 3}) {
      wyvern::internal::WorkerThreads workers(threads);
      FemState state = start;
      FemStepper stepper(&model, 0.01);
      stepper.BeginStep(none, start, participants, &workers);
      stepper.EndStep(&state);
      EXPECT_EQ(state.q, expected.q);
      EXPECT_EQ(state.v, expected.v);
      const wyvern::test::AllocationGuard guard;
      stepper.BeginStep(none, start, participants, &workers);
      EXPECT_EQ(guard.count(), 0);
    }
  }
}

// Returns the share of a free body's angular momentum that is lost in 0.2 s.
double CalcLossOfSpin(const FemModel& model, double dt) {
  FemState state = MakeDefaultState(model);
  // Strained by a tenth, and turning.
  const Matrix3d F = Vector3d(1.1, 0.95, 1).asDiagonal();
  state.q = test::Move(model, F);
  const Vector3d w(0.5, 1, 3);
  for (int i = 0; i < state.q.size(); i += 3) {
    const Vector3d p = state.q.segment<3>(i);
    state.v.segment<3>(i) = w.cross(p);
  }
  const auto spin = [&] {
    return test::MomentOf(state.q, Momentum(model, state.v));
  };
  const Vector3d before = spin();
  FemStepper stepper(&model, dt);
  const VectorX<double> none = NoForce(model);
  for (int i = 0; i < std::lround(0.2 / dt); ++i) stepper.Step(none, &state);
  return (spin() - before).norm() / before.norm();
}

TEST(FemStepper, AngularMomentumIsKeptToTheOrderOfTheStepWithDamping) {
  for (const MaterialModel material :
       {MaterialModel::kLinearCorotated, MaterialModel::kCorotated,
        MaterialModel::kNeoHookean}) {
    DeformableBodyConfig<double> config = MakeConfig(material, 1e4);
    config.set_stiffness_damping_coefficient(0.05);
    const FemModel model("cube", MakeIrregularCube(2), config);
    const double coarse = CalcLossOfSpin(model, 2e-3);
    const double fine = CalcLossOfSpin(model, 5e-4);
    EXPECT_LT(coarse, 0.02) << static_cast<int>(material);
    EXPECT_LT(fine, 0.3 * coarse) << static_cast<int>(material);
  }
}

}  // namespace
}  // namespace wyvern::multibody::fem::internal
