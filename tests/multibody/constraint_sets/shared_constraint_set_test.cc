// A ConstraintSet that is read alone, with systems that the callers own.
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/constraint_sets/random_constrained_plant.h"
#include "tests/support/expect_throws.h"
#include "wyvern/multibody/constraint_sets/assembly.h"
#include "wyvern/multibody/constraint_sets/constrained_inverse_dynamics.h"

namespace wyvern::multibody {
namespace shared_constraint_set_test {

using test::RandomConstrainedPlant;

// All that the functions give for one state.
struct Answers {
  std::vector<VectorX<double>> numbers;
  void Add(const Eigen::Ref<const VectorX<double>>& x) { numbers.push_back(x); }
};

Answers AskAll(const RandomConstrainedPlant& model,
               const systems::Context<double>& context,
               const ConstraintSet<double>& set,
               ConstrainedSystem<double>* system) {
  Answers answers;
  const auto& plant = model.plant;
  const MultibodyForces<double>* forces = model.forces.get();
  VectorX<double> vdot(plant.num_velocities());
  shared::ForwardDynamicsConstraintsDirect<double>(plant, context, model.tau,
                                                   set, system, &vdot, forces);
  answers.Add(vdot);
  answers.Add(system->force);
  shared::ForwardDynamicsConstraintsRangeSpaceSparse<double>(
      plant, context, model.tau, set, system, &vdot, forces);
  answers.Add(vdot);
  shared::ForwardDynamicsConstraintsNullSpace<double>(
      plant, context, model.tau, set, system, &vdot, forces);
  answers.Add(vdot);
  shared::ComputeConstraintImpulsesDirect<double>(plant, context, set, system,
                                                  &vdot);
  answers.Add(vdot);
  answers.Add(system->impulse);
  shared::CalcAssemblyQDot<double>(plant, context, set, system, &vdot,
                                   VectorX<double>::Ones(vdot.size()));
  answers.Add(vdot);
  VectorX<double> error(set.size());
  shared::CalcConstraintsVelocityError<double>(plant, context, set, system,
                                               &error);
  answers.Add(error);
  return answers;
}

TEST(SharedConstraintSet, GivesWhatASetOfItsOwnGives) {
  RandomConstrainedPlant model(3);
  ConstraintSet<double> set = model.DrawIndependentConstraints(true);
  const ConstraintSet<double>& shared = set;
  ConstrainedSystem<double> system = shared.MakeSystem();
  VectorX<double> vdot(model.plant.num_velocities()), own(vdot);
  shared::ForwardDynamicsConstraintsDirect<double>(model.plant, *model.context,
                                                   model.tau, shared, &system,
                                                   &vdot, model.forces.get());
  // The set's own system was not touched.
  EXPECT_TRUE(set.force().isZero(0));
  EXPECT_FALSE(system.force.isZero(0));
  ForwardDynamicsConstraintsDirect<double>(
      model.plant, *model.context, model.tau, &set, &own, model.forces.get());
  EXPECT_EQ(vdot, own);
  EXPECT_EQ(system.force, set.force());
  EXPECT_EQ(system.H, set.H());
  EXPECT_EQ(system.C, set.C());
  EXPECT_EQ(system.G, set.G());
  EXPECT_EQ(system.gamma, set.gamma());
  // Forces on bodies are those of the system that is given.
  ConstrainedSystem<double> empty = shared.MakeSystem();
  std::vector<BodyIndex> bodies;
  std::vector<math::RigidTransform<double>> frames;
  std::vector<SpatialForce<double>> forces, own_forces;
  set.CalcForcesOf(system, 0, model.plant, *model.context, &bodies, &frames,
                   &forces);
  set.CalcForces(0, model.plant, *model.context, &bodies, &frames, &own_forces);
  ASSERT_EQ(forces.size(), own_forces.size());
  EXPECT_EQ(forces[0].get_coeffs(), own_forces[0].get_coeffs());
  EXPECT_THROWS_MESSAGE(set.CalcForcesOf(empty, 0, model.plant, *model.context,
                                         &bodies, &frames, &forces),
                        std::logic_error, "there are no multipliers yet");
}

TEST(SharedConstraintSet, ServesManyThreads) {
  constexpr int kThreads = 8, kStates = 20;
  RandomConstrainedPlant model(5);
  const ConstraintSet<double> set = model.DrawIndependentConstraints(true);
  std::vector<std::unique_ptr<systems::Context<double>>> contexts;
  for (int k = 0; k < kStates; ++k) {
    contexts.push_back(model.context->Clone());
    model.plant.SetVelocities(contexts.back().get(),
                              model.Numbers(model.plant.num_velocities()));
  }
  std::vector<Answers> alone;
  {
    ConstrainedSystem<double> system = set.MakeSystem();
    for (const auto& context : contexts) {
      alone.push_back(AskAll(model, *context, set, &system));
    }
  }
  std::vector<std::vector<Answers>> answers(kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      ConstrainedSystem<double> system = set.MakeSystem();
      for (const auto& context : contexts) {
        const auto mine = context->Clone();
        answers[i].push_back(AskAll(model, *mine, set, &system));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < kThreads; ++i) {
    ASSERT_EQ(answers[i].size(), alone.size());
    for (int k = 0; k < kStates; ++k) {
      EXPECT_EQ(answers[i][k].numbers, alone[k].numbers) << i << ", " << k;
    }
  }
}

TEST(SharedConstraintSet, RefusesSystemsThatAreNotItsOwn) {
  RandomConstrainedPlant model(3);
  ConstraintSet<double> free;
  EXPECT_THROWS_MESSAGE(free.MakeSystem(), std::logic_error,
                        "MakeSystem() was called before Bind()");
  const ConstraintSet<double> set = model.DrawIndependentConstraints(true);
  VectorX<double> vdot(model.plant.num_velocities());
  const auto solve = [&](ConstrainedSystem<double>* system) {
    shared::ForwardDynamicsConstraintsDirect<double>(
        model.plant, *model.context, model.tau, set, system, &vdot);
  };
  EXPECT_THROWS_MESSAGE(solve(nullptr), std::logic_error,
                        "ForwardDynamicsConstraintsDirect");
  ConstrainedSystem<double> none;
  EXPECT_THROWS_MESSAGE(solve(&none), std::logic_error,
                        "for 0 rows on 0 velocities");
  RandomConstrainedPlant other_model(4);
  ConstraintSet<double> one;
  one.AddContactConstraint(BodyIndex(1), Vector3<double>::Zero(),
                           Vector3<double>::UnitZ());
  one.Bind(other_model.plant);
  ConstrainedSystem<double> other = one.MakeSystem();
  EXPECT_THROWS_MESSAGE(solve(&other), std::logic_error, "MakeSystem() made");
}

}  // namespace shared_constraint_set_test
}  // namespace wyvern::multibody
