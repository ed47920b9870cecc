// Identities of dynamics under constraints, on random plants.
#include <gtest/gtest.h>

#include "tests/multibody/constraint_sets/random_constrained_plant.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/near.h"
#include "wyvern/multibody/constraint_sets/contact_constraint.h"

namespace wyvern::multibody {
namespace {

using test::RandomConstrainedPlant;
using wyvern::test::Near;

class ConstrainedDynamics : public testing::TestWithParam<unsigned> {
 protected:
  ConstrainedDynamics() : set_(model_.DrawIndependentConstraints(true)) {}
  int nv() const { return model_.plant.num_velocities(); }
  double Scale() const { return 1 + set_.force().cwiseAbs().maxCoeff(); }
  VectorX<double> Direct(ConstraintSet<double>* set) {
    VectorX<double> vdot(nv());
    ForwardDynamicsConstraintsDirect<double>(model_.plant, *model_.context,
                                             model_.tau, set, &vdot,
                                             model_.forces.get());
    return vdot;
  }
  VectorX<double> RangeSpace(ConstraintSet<double>* set) {
    VectorX<double> vdot(nv());
    ForwardDynamicsConstraintsRangeSpaceSparse<double>(
        model_.plant, *model_.context, model_.tau, set, &vdot,
        model_.forces.get());
    return vdot;
  }
  VectorX<double> NullSpace(ConstraintSet<double>* set) {
    VectorX<double> vdot(nv());
    ForwardDynamicsConstraintsNullSpace<double>(model_.plant, *model_.context,
                                                model_.tau, set, &vdot,
                                                model_.forces.get());
    return vdot;
  }
  VectorX<double> Kokkevis(ConstraintSet<double>* set) {
    VectorX<double> vdot(nv());
    ForwardDynamicsContactsKokkevis<double>(model_.plant, *model_.context,
                                            model_.tau, set, &vdot,
                                            model_.forces.get());
    return vdot;
  }

  RandomConstrainedPlant model_{GetParam()};
  ConstraintSet<double> set_;
};

TEST_P(ConstrainedDynamics, SolversAgree) {
  const VectorX<double> vdot = Direct(&set_);
  const VectorX<double> force = set_.force();
  const double scale = 1 + vdot.cwiseAbs().maxCoeff();
  EXPECT_EQ(set_.dependent_rows().size(), 0);
  EXPECT_TRUE(Near(RangeSpace(&set_), vdot, 1e-9 * scale));
  EXPECT_TRUE(Near(set_.force(), force, 1e-9 * Scale()));
  EXPECT_TRUE(Near(NullSpace(&set_), vdot, 1e-9 * scale));
  EXPECT_TRUE(Near(set_.force(), force, 1e-9 * Scale()));
}

TEST_P(ConstrainedDynamics, ArticulatedResponseAgreesWithDirect) {
  ConstraintSet<double> set = model_.DrawIndependentConstraints(false);
  const VectorX<double> vdot = Direct(&set);
  const VectorX<double> force = set.force();
  const double scale = 1 + vdot.cwiseAbs().maxCoeff();
  EXPECT_TRUE(Near(Kokkevis(&set), vdot, 1e-9 * scale));
  EXPECT_TRUE(
      Near(set.force(), force, 1e-9 * (1 + force.cwiseAbs().maxCoeff())));
}

TEST_P(ConstrainedDynamics, EveryLinearSolverAgrees) {
  const VectorX<double> vdot = Direct(&set_);
  const VectorX<double> force = set_.force();
  const double tolerance = 1e-9 * (Scale() + vdot.cwiseAbs().maxCoeff());
  for (LinearSolver solver :
       {LinearSolver::kPartialPivLU, LinearSolver::kHouseholderQR,
        LinearSolver::kColPivHouseholderQR}) {
    set_.SetSolver(solver);
    EXPECT_TRUE(Near(Direct(&set_), vdot, tolerance));
    EXPECT_TRUE(Near(set_.force(), force, tolerance));
    EXPECT_TRUE(Near(RangeSpace(&set_), vdot, tolerance));
    EXPECT_TRUE(Near(set_.force(), force, tolerance));
    EXPECT_TRUE(Near(NullSpace(&set_), vdot, tolerance));
    EXPECT_TRUE(Near(set_.force(), force, tolerance));
  }
}

TEST_P(ConstrainedDynamics, EquationsOfMotionAndConstraintsHold) {
  const auto& plant = model_.plant;
  const auto& context = *model_.context;
  const VectorX<double> vdot = NullSpace(&set_);
  VectorX<double> applied(nv());
  plant.CalcGeneralizedForces(context, *model_.forces, &applied);
  MultibodyForces<double> gravity(plant);
  gravity.mutable_generalized_forces() =
      plant.CalcGravityGeneralizedForces(context);
  const VectorX<double> needed =
      plant.CalcInverseDynamics(context, vdot, gravity);
  const VectorX<double> given =
      model_.tau + applied + set_.G().transpose() * set_.force();
  EXPECT_TRUE(Near(needed, given, 1e-9 * Scale()));
  EXPECT_TRUE(Near(set_.G() * vdot, set_.gamma(), 1e-9 * Scale()));
}

TEST_P(ConstrainedDynamics, ForcesOnBodiesAreTheMultipliers) {
  const auto& plant = model_.plant;
  ConstraintSet<double> set = model_.DrawIndependentConstraints(false);
  Direct(&set);
  const VectorX<double> expected = set.G().transpose() * set.force();
  for (bool in_world : {false, true}) {
    VectorX<double> tau = VectorX<double>::Zero(nv());
    MatrixX<double> J(6, nv());
    for (int g = 0; g < set.num_groups(); ++g) {
      std::vector<BodyIndex> bodies, own_bodies;
      std::vector<math::RigidTransform<double>> frames, own_frames;
      std::vector<SpatialForce<double>> forces, own_forces;
      set.CalcForces(g, plant, *model_.context, &bodies, &frames, &forces,
                     in_world);
      // Which body and point of it, if all is told of in the world.
      set.CalcForces(g, plant, *model_.context, &own_bodies, &own_frames,
                     &own_forces);
      for (size_t i = 0; i < bodies.size(); ++i) {
        const auto& X_WB = plant.EvalBodyPoseInWorld(
            *model_.context, plant.get_body(own_bodies[i]));
        const auto X_WF = in_world ? frames[i] : X_WB * frames[i];
        EXPECT_EQ(bodies[i], in_world ? world_index() : own_bodies[i]);
        EXPECT_TRUE(Near(X_WF.translation(),
                         (X_WB * own_frames[i]).translation(), 1e-12));
        plant.CalcJacobianSpatialVelocity(
            *model_.context, JacobianWrtVariable::kV,
            plant.get_body(own_bodies[i]).body_frame(),
            own_frames[i].translation(), plant.world_frame(),
            plant.world_frame(), &J);
        const Matrix3<double> R = X_WF.rotation().matrix();
        tau += J.topRows(3).transpose() * R * forces[i].rotational() +
               J.bottomRows(3).transpose() * R * forces[i].translational();
      }
    }
    EXPECT_TRUE(
        Near(tau, expected, 1e-10 * (1 + set.force().cwiseAbs().maxCoeff())));
  }
}

TEST_P(ConstrainedDynamics, ImpulsesMeetTheWantedVelocities) {
  const auto& plant = model_.plant;
  const VectorX<double> v = plant.GetVelocities(*model_.context);
  const VectorX<double> v_plus = model_.Numbers(set_.size());
  set_.SetVPlus(v_plus);
  VectorX<double> after(nv());
  ComputeConstraintImpulsesDirect<double>(plant, *model_.context, &set_,
                                          &after);
  const VectorX<double> impulse = set_.impulse();
  MatrixX<double> M(nv(), nv());
  plant.CalcMassMatrix(*model_.context, &M);
  const double tolerance = 1e-9 * (1 + impulse.cwiseAbs().maxCoeff());
  EXPECT_TRUE(
      Near(M * after + set_.G().transpose() * impulse, M * v, tolerance));
  EXPECT_TRUE(Near(set_.G() * after, v_plus, tolerance));
  VectorX<double> other(nv());
  ComputeConstraintImpulsesRangeSpaceSparse<double>(plant, *model_.context,
                                                    &set_, &other);
  EXPECT_TRUE(Near(other, after, tolerance));
  EXPECT_TRUE(Near(set_.impulse(), impulse, tolerance));
  ComputeConstraintImpulsesNullSpace<double>(plant, *model_.context, &set_,
                                             &other);
  EXPECT_TRUE(Near(other, after, tolerance));
  EXPECT_TRUE(Near(set_.impulse(), impulse, tolerance));
}

TEST_P(ConstrainedDynamics, ConstraintForcesDoNoWorkOnMotionsThatMeetThem) {
  const auto& plant = model_.plant;
  for (int g = 0; g < set_.num_groups(); ++g) {
    set_.DisableBaumgarteStabilization(g);
  }
  VectorX<double> v(nv());
  ComputeConstraintImpulsesDirect<double>(plant, *model_.context, &set_, &v);
  model_.plant.SetVelocities(model_.context.get(), v);
  const VectorX<double> vdot = RangeSpace(&set_);
  VectorX<double> applied(nv());
  plant.CalcGeneralizedForces(*model_.context, *model_.forces, &applied);
  MultibodyForces<double> none(plant);
  const double rate_of_energy =
      v.dot(plant.CalcInverseDynamics(*model_.context, vdot, none));
  const double power =
      v.dot(model_.tau + applied +
            plant.CalcGravityGeneralizedForces(*model_.context));
  EXPECT_NEAR(rate_of_energy, power, 1e-9 * Scale());
}

TEST_P(ConstrainedDynamics, RepeatedConstraintsChangeNoAcceleration) {
  ConstraintSet<double> once = model_.DrawIndependentConstraints(false);
  const VectorX<double> vdot = Direct(&once);
  const VectorX<double> force = once.force();
  const VectorX<double> tau_constraints = once.G().transpose() * once.force();
  ConstraintSet<double> twice = once.Copy();
  const auto& foot = dynamic_cast<const BodyPairConstraint<double>&>(
      once.GetGroupConstraint(0));
  const int first = once.size();
  // The heel's first normal again, as if it were another point.
  std::vector<int> repeated;
  const auto& contact = dynamic_cast<const ContactConstraint<double>&>(
      once.GetGroupConstraint(0));
  repeated.push_back(twice.AddContactConstraint(
      foot.successor(), contact.p_BoC_B(), -contact.normals()[0]));
  twice.Bind(model_.plant);
  const double tolerance =
      1e-9 * (1 + force.cwiseAbs().maxCoeff() + vdot.cwiseAbs().maxCoeff());
  const auto check = [&](const VectorX<double>& found) {
    EXPECT_TRUE(Near(found, vdot, tolerance));
    EXPECT_TRUE(Near(twice.G().transpose() * twice.force(), tau_constraints,
                     10 * tolerance));
    ASSERT_EQ(twice.dependent_rows().size(), 1);
    EXPECT_EQ(twice.dependent_rows()[0], first);
    EXPECT_NEAR(twice.force()[0], 0.5 * force[0], tolerance);
    EXPECT_NEAR(twice.force()[first], -0.5 * force[0], tolerance);
  };
  check(Direct(&twice));
  check(RangeSpace(&twice));
  check(NullSpace(&twice));
  check(Kokkevis(&twice));
}

// Derivatives of v̇ and lambda by [q; v] in one direction, with a repeated row.
TEST_P(ConstrainedDynamics, AutoDiffAgreesWithCentralDifferences) {
  unsigned drawn{};
  ConstraintSet<double> set =
      model_.DrawIndependentConstraints(false, &drawn).Copy();
  auto set_ad = model_.DrawConstraints<AutoDiffXd>(drawn, false);
  const auto& contact =
      dynamic_cast<const ContactConstraint<double>&>(set.GetGroupConstraint(0));
  for (int i = 0; i < 2; ++i) {
    set.AddContactConstraint(contact.successor(), contact.p_BoC_B(),
                             contact.normals()[0]);
    set_ad.AddContactConstraint(contact.successor(), contact.p_BoC_B(),
                                contact.normals()[0]);
  }
  set.Bind(model_.plant);
  const auto plant = systems::System<double>::ToAutoDiffXd(model_.plant);
  set_ad.Bind(*plant);
  const auto context = plant->CreateDefaultContext();
  const VectorX<double> x =
      model_.plant.GetPositionsAndVelocities(*model_.context);
  const VectorX<double> direction = model_.Numbers(static_cast<int>(x.size()));
  VectorX<AutoDiffXd> x_ad(x.size());
  for (int i = 0; i < x.size(); ++i) {
    x_ad[i] = AutoDiffXd(x[i], VectorX<double>::Constant(1, direction[i]));
  }
  plant->SetPositionsAndVelocities(context.get(), x_ad);
  const auto stack = [](const auto& a, const auto& b) {
    auto result = a;
    result.conservativeResize(a.size() + b.size());
    result.tail(b.size()) = b;
    return result;
  };
  const auto check = [&](auto* f, auto* f_ad) {
    const auto at = [&](double h) {
      VectorX<double> vdot(nv());
      model_.plant.SetPositionsAndVelocities(model_.context.get(),
                                             (x + h * direction).eval());
      f(model_.plant, *model_.context, model_.tau, &set, &vdot, nullptr);
      return stack(vdot, set.force());
    };
    VectorX<AutoDiffXd> vdot(nv());
    f_ad(*plant, *context, model_.tau.cast<AutoDiffXd>(), &set_ad, &vdot,
         nullptr);
    const VectorX<AutoDiffXd> result = stack(vdot, set_ad.force());
    const double h = 1e-4;
    const VectorX<double> differences =
        (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
    const double scale = 1 + differences.cwiseAbs().maxCoeff();
    EXPECT_EQ(set_ad.dependent_rows().size(), 2);
    EXPECT_TRUE(Near(ToDouble(result), at(0),
                     1e-9 * (1 + at(0).cwiseAbs().maxCoeff())));
    for (int i = 0; i < result.size(); ++i) {
      ASSERT_EQ(result[i].derivatives().size(), 1) << i;
      // The difference is of fourth order; constraints that are far from
      // orthogonal amplify its error.
      EXPECT_NEAR(result[i].derivatives()[0], differences[i], 1e-6 * scale)
          << i;
    }
  };
  check(&ForwardDynamicsConstraintsDirect<double>,
        &ForwardDynamicsConstraintsDirect<AutoDiffXd>);
  check(&ForwardDynamicsConstraintsRangeSpaceSparse<double>,
        &ForwardDynamicsConstraintsRangeSpaceSparse<AutoDiffXd>);
  check(&ForwardDynamicsConstraintsNullSpace<double>,
        &ForwardDynamicsConstraintsNullSpace<AutoDiffXd>);
  check(&ForwardDynamicsContactsKokkevis<double>,
        &ForwardDynamicsContactsKokkevis<AutoDiffXd>);
}

TEST_P(ConstrainedDynamics, EveryMethodLeavesItsJacobian) {
  ConstraintSet<double> set = model_.DrawIndependentConstraints(false);
  Direct(&set);
  const MatrixX<double> G = set.G();
  set.Clear();
  Kokkevis(&set);
  EXPECT_TRUE(Near(set.G(), G, 1e-14));
}

TEST_P(ConstrainedDynamics, AllocateNothingOnceBound) {
  ConstraintSet<double> set = model_.DrawIndependentConstraints(false);
  VectorX<double> vdot(nv());
  const auto& plant = model_.plant;
  const auto& context = *model_.context;
  const auto run = [&] {
    for (auto* f : {&ForwardDynamicsConstraintsDirect<double>,
                    &ForwardDynamicsConstraintsRangeSpaceSparse<double>,
                    &ForwardDynamicsConstraintsNullSpace<double>,
                    &ForwardDynamicsContactsKokkevis<double>}) {
      f(plant, context, model_.tau, &set, &vdot, model_.forces.get());
    }
    for (auto* f : {&ComputeConstraintImpulsesDirect<double>,
                    &ComputeConstraintImpulsesRangeSpaceSparse<double>,
                    &ComputeConstraintImpulsesNullSpace<double>}) {
      f(plant, context, &set, &vdot);
    }
  };
  run();
  wyvern::test::AllocationGuard guard;
  run();
  EXPECT_EQ(guard.count(), 0);
}

INSTANTIATE_TEST_SUITE_P(Seeds, ConstrainedDynamics, testing::Range(0u, 12u));

}  // namespace
}  // namespace wyvern::multibody
