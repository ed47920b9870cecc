// Outputs that a step leaves for the ports: shared, not copied, and complete
// after saves and changes of scalar.
#include <atomic>
#include <numeric>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/plant/contact_scene.h"
#include "tests/support/allocation_guard.h"
#include "wyvern/multibody/plant/step/last_step_outputs.h"
#include "wyvern/systems/framework/context_serialization.h"

namespace wyvern::multibody {
namespace step_outputs_test {

using internal::LastStepOutputs;
using internal::RecycledValue;
using internal::SharedValue;
using internal::StepOutputs;
using wyvern::test::AllocationGuard;
using List = std::vector<int>;

const StepOutputs<double>& SampleIn(const systems::Context<double>& context) {
  return *context.get_abstract_state<LastStepOutputs>(0).get_if<double>();
}

// A ball that slides on the ground.
class SlidingBall : public testing::Test {
 protected:
  SlidingBall() {
    const RigidBody<double>& ball = scene_.AddBall("ball", 2, 0.1);
    scene_.Finish();
    scene_.plant->SetFreeBodyPose(
        scene_.context, ball,
        math::RigidTransformd(Eigen::Vector3d(0, 0, 0.0999)));
    scene_.plant->SetFreeBodySpatialVelocity(
        scene_.context, ball,
        SpatialVelocity<double>(Vector3<double>(0, 0, 0),
                                Vector3<double>(1, 0, 0)));
  }
  const systems::Context<double>& context() const { return *scene_.context; }

  test::ContactScene scene_{1e-3};
};

TEST_F(SlidingBall, LeavesASampleThatCopiesOfTheStateShare) {
  scene_.simulator->AdvanceTo(0.01);
  ASSERT_EQ(SampleIn(context()).contacts.size(), 1u);
  const auto root = scene_.simulator->get_context().Clone();
  const auto& copy = scene_.plant->GetMyContextFromRoot(*root);
  EXPECT_EQ(&SampleIn(copy), &SampleIn(context()));
  const std::vector<PointPairContactInfo<double>>& shown =
      scene_.plant->get_contact_results_output_port()
          .Eval<ContactResults<double>>(context())
          .point_pairs();
  ASSERT_EQ(shown.size(), 1u);
  EXPECT_EQ(shown[0].contact_force(),
            SampleIn(context()).contacts[0].contact_force());
  EXPECT_LT(shown[0].contact_force()[0], -1);  // On the ball, which is B.
}

TEST_F(SlidingBall, LeavesCopiesOfTheStateAsTheyWereWhenItGoesOn) {
  scene_.simulator->AdvanceTo(0.01);
  const auto root = scene_.simulator->get_context().Clone();
  const auto& copy = scene_.plant->GetMyContextFromRoot(*root);
  const VectorX<double> v = SampleIn(copy).v;
  scene_.simulator->AdvanceTo(0.02);
  EXPECT_EQ(SampleIn(copy).v, v);
  EXPECT_LT(SampleIn(context()).v[3], v[3] - 0.01);
}

TEST_F(SlidingBall, AllocatesNothingAfterTheFirstStepWithItsOutputsRead) {
  if (!AllocationGuard::is_active()) GTEST_SKIP() << "malloc is not counted";
  const auto& port = scene_.plant->get_contact_results_output_port();
  const auto step = [&](double time) {
    scene_.simulator->AdvanceTo(time);
    return port.Eval<ContactResults<double>>(context())
        .num_point_pair_contacts();
  };
  step(1e-3);
  const AllocationGuard guard;
  for (int i = 2; i < 20; ++i) EXPECT_EQ(step(1e-3 * i), 1);
  EXPECT_EQ(guard.count(), 0);
}

// The sum of the absolute numbers in each field of a sample.
struct Sums {
  void operator()(bool x) { sums.push_back(x ? 1 : 0); }
  template <typename T>
  void operator()(const VectorX<T>& x) {
    sums.push_back(ToDouble(x).cwiseAbs().sum());
  }
  template <typename T>
  void operator()(const std::vector<Vector6<T>>& list) {
    double sum = 0;
    for (const auto& x : list) sum += ToDouble(x).cwiseAbs().sum();
    sums.push_back(sum);
  }
  template <typename T>
  void operator()(const std::vector<PointPairContactInfo<T>>& list) {
    double sum = 0;
    for (const auto& x : list) {
      sum += ToDouble(x.contact_force()).cwiseAbs().sum() +
             ToDouble(x.slip_speed()) + ToDouble(x.point_pair().depth);
    }
    sums.push_back(sum);
  }
  template <typename T>
  void operator()(const std::vector<HydroelasticContactInfo<T>>& list) {
    double sum = 0;
    for (const auto& x : list) {
      sum += ToDouble(x.F_Ac_W().get_coeffs()).cwiseAbs().sum() +
             ToDouble(x.contact_surface().total_area());
    }
    sums.push_back(sum);
  }
  template <typename T>
  void operator()(const std::vector<DeformableContactInfo<T>>& list) {
    double sum = 0;
    for (const auto& x : list) {
      sum += ToDouble(x.F_Ac_W().get_coeffs()).cwiseAbs().sum() +
             ToDouble(x.contact_mesh().total_area());
    }
    sums.push_back(sum);
  }
  std::vector<double> sums;
};

template <typename T>
std::vector<double> SumsOf(const StepOutputs<T>& outputs) {
  Sums sums;
  StepOutputs<T>::VisitSampled([&](const auto& field) { sums(field); },
                               outputs);
  return sums.sums;
}

TEST_F(SlidingBall, LeavesASampleThatIsWholeOnAnotherScalar) {
  scene_.simulator->AdvanceTo(0.01);
  const StepOutputs<double>& sample = SampleIn(context());
  const std::vector<double> expected = SumsOf(sample);
  EXPECT_EQ(expected.size(), 12u);
  const LastStepOutputs state{SharedValue(sample)};
  const StepOutputs<AutoDiffXd> other = state.Convert<AutoDiffXd>();
  EXPECT_EQ(SumsOf(other), expected);
  const LastStepOutputs there{SharedValue(other)};
  EXPECT_EQ(there.get_if<double>(), nullptr);
  EXPECT_EQ(SumsOf(there.Convert<double>()), expected);
}

TEST_F(SlidingBall, LeavesASampleThatIsWholeInASavedContext) {
  scene_.simulator->AdvanceTo(0.01);
  std::stringstream stream;
  systems::SaveContext(scene_.simulator->get_context(), &stream);
  const auto other = scene_.simulator->get_system().CreateDefaultContext();
  const auto& loaded = scene_.plant->GetMyContextFromRoot(*other);
  EXPECT_FALSE(SampleIn(loaded).is_valid);
  systems::LoadContext(&stream, other.get());
  EXPECT_EQ(SumsOf(SampleIn(loaded)), SumsOf(SampleIn(context())));
}

TEST(SharedValue, IsOneForAllCopiesAndChangesOnlyWhileThereAreNone) {
  SharedValue<List> one(List{1, 2});
  ASSERT_NE(one.get_mutable_if_alone(), nullptr);
  one.get_mutable_if_alone()->push_back(3);
  {
    const SharedValue<List> two(one);
    EXPECT_EQ(&two.get(), &one.get());
    EXPECT_EQ(one.get_mutable_if_alone(), nullptr);
  }
  EXPECT_NE(one.get_mutable_if_alone(), nullptr);
  const SharedValue<List> other(List{4});
  one = other;
  one = *&one;
  EXPECT_EQ(&one.get(), &other.get());
  EXPECT_EQ(one.get(), List{4});
}

TEST(SharedValue, MayBeLetGoOfByThreads) {
  for (int round = 0; round < 100; ++round) {
    SharedValue<List> value(List(100, 1));
    std::atomic<int> sum{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) {
      threads.emplace_back([copy = value, &sum] {
        sum += std::accumulate(copy.get().begin(), copy.get().end(), 0);
      });
    }
    List* alone = nullptr;
    for (std::thread& thread : threads) thread.join();
    threads.clear();
    alone = value.get_mutable_if_alone();
    ASSERT_NE(alone, nullptr);
    alone->clear();
    EXPECT_EQ(sum, 300);
  }
}

TEST(RecycledValue, IsWrittenAnewWhileOthersKeepWhatItWas) {
  RecycledValue<List> renewed(List{0});
  renewed.Renew()->assign({1});
  const SharedValue<List> first = renewed.share();
  renewed.Renew()->assign({2});
  SharedValue<List> kept = renewed.share();
  renewed.Renew()->assign({3});
  EXPECT_EQ(first.get(), List{1});
  EXPECT_EQ(kept.get(), List{2});
  EXPECT_EQ(renewed.get(), List{3});
  const RecycledValue<List> copy(renewed);
  EXPECT_NE(&copy.get(), &renewed.get());
}

TEST(RecycledValue, AllocatesNothingOnceThereAreAsManyAsAreKept) {
  if (!AllocationGuard::is_active()) GTEST_SKIP() << "malloc is not counted";
  RecycledValue<List> renewed(List(10));
  renewed.MakeSpare();
  SharedValue<List> kept = renewed.share();
  const AllocationGuard guard;
  for (int i = 0; i < 10; ++i) {
    renewed.Renew()->assign(10, i);
    kept = renewed.share();
    EXPECT_EQ(kept.get()[9], i);
  }
  EXPECT_EQ(guard.count(), 0);
}

}  // namespace step_outputs_test
}  // namespace wyvern::multibody
