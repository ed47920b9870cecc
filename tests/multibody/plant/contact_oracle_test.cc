// Contact scenes against figures of other engines: see
// tests/oracles/contact_scenes.py.

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/plant/contact_scene.h"
#include "tests/support/near.h"

namespace wyvern::multibody {
namespace contact_oracle_test {

using Eigen::Map;
using Eigen::Vector3d;
using Eigen::VectorXd;
using wyvern::test::Near;
using Approximation = DiscreteContactApproximation;
using Scene = test::ContactScene;

struct Sample {
  double time{};
  std::vector<double> numbers;
};

std::vector<Sample> ReadSamples(const std::string& scene,
                                const std::string& approximation) {
  std::ifstream file(WYVERN_SOURCE_DIR "/tests/oracles/contact_scenes.txt");
  std::vector<Sample> samples;
  std::string line, name, kind;
  while (std::getline(file, line)) {
    std::istringstream stream(line);
    Sample sample;
    stream >> name >> kind >> sample.time;
    if (name != scene || kind != approximation) continue;
    for (double x; stream >> x;) sample.numbers.push_back(x);
    samples.push_back(sample);
  }
  EXPECT_GT(samples.size(), 0) << scene << " " << approximation;
  return samples;
}

std::string NameOf(Approximation approximation) {
  const std::map<Approximation, std::string> names{
      {Approximation::kTamsi, "tamsi"},
      {Approximation::kSap, "sap"},
      {Approximation::kSimilar, "similar"},
      {Approximation::kLagged, "lagged"}};
  return names.at(approximation);
}

class ContactOracle : public ::testing::TestWithParam<Approximation> {
 protected:
  ContactOracle()
      : scene(1e-3, GetParam(),
              {.mu = 0.5,
               .stiffness = 2e4,
               .dissipation = 2,
               .relaxation_time = 0.02}) {
    scene.plant->set_stiction_tolerance(1e-3);
  }
  const RigidBody<double>& AddBall(double mass, double radius) {
    balls.push_back(
        &scene.AddBall("ball" + std::to_string(balls.size()), mass, radius));
    return *balls.back();
  }
  void Throw(int i, const Vector3d& p, const Vector3d& w, const Vector3d& v) {
    scene.Place(*balls[i], origin + p);
    scene.plant->SetFreeBodySpatialVelocity(scene.context, *balls[i],
                                            SpatialVelocity<double>(w, v));
  }
  // Compares position, angular velocity and velocity of each ball.
  void Compare(const std::string& name, double tolerance) {
    for (const Sample& sample : ReadSamples(name, NameOf(GetParam()))) {
      scene.simulator->AdvanceTo(sample.time);
      VectorXd numbers(9 * balls.size());
      for (std::size_t i = 0; i < balls.size(); ++i) {
        const auto V = scene.plant->EvalBodySpatialVelocityInWorld(
            *scene.context, *balls[i]);
        numbers.segment<9>(9 * i) << scene.Position(*balls[i]) - origin,
            V.rotational(), V.translational();
      }
      EXPECT_TRUE(Near(
          numbers,
          Map<const VectorXd>(sample.numbers.data(), sample.numbers.size()),
          tolerance))
          << name << " at " << sample.time;
    }
  }

  Scene scene;
  Vector3d origin{Vector3d::Zero()};
  std::vector<const RigidBody<double>*> balls;
};

INSTANTIATE_TEST_SUITE_P(All, ContactOracle, test::AllApproximations());

// Drake solves a step to a relative residual of 1e-6 or so; that adds up over
// the hundreds of steps of a scene.
constexpr double kTolerance = 1e-4;

TEST_P(ContactOracle, ABallDropsAndRestsAsInDrake) {
  AddBall(1, 0.1);
  scene.Finish();
  Throw(0, Vector3d(0, 0, 0.15), Vector3d::Zero(), Vector3d::Zero());
  Compare("drop", kTolerance);
}

TEST_P(ContactOracle, ABallSlidesAndRollsAsInDrake) {
  AddBall(1, 0.1);
  scene.Finish();
  Throw(0, Vector3d(0, 0, 0.0995), Vector3d(0, -5, 3), Vector3d(1, 0.5, -0.2));
  // Angular velocities are ten times the velocities.
  Compare("roll",
          (GetParam() == Approximation::kTamsi ? 100 : 10) * kTolerance);
}

TEST_P(ContactOracle, TwoBallsCollideAsInDrake) {
  AddBall(2, 0.1);
  AddBall(1, 0.05);
  scene.plant->mutable_gravity_field().set_gravity_vector(Vector3d::Zero());
  scene.Finish();
  origin = Vector3d(0, 0, 10);  // Far from the ground.
  Throw(0, Vector3d::Zero(), Vector3d(0, 0, 10), Vector3d(1, 0, 0));
  Throw(1, Vector3d(0.2, 0.05, 0.02), Vector3d::Zero(), Vector3d::Zero());
  // kTamsi regularizes friction in another way there.
  Compare("collide",
          (GetParam() == Approximation::kTamsi ? 100 : 10) * kTolerance);
}

// MuJoCo's box slides to rest on another model of contact: what they share is
// Coulomb's friction, so that they agree to a few millimetres.
TEST(ContactOracleOfMujoco, ABoxSlidesAsFar) {
  Scene scene(5e-4);
  const auto& box = scene.AddBox("box", 1, 0.2);
  scene.Finish();
  scene.Place(box, Vector3d(0, 0, 0.1));
  scene.Throw(box, Vector3d(2, 0, 0));
  for (const Sample& sample : ReadSamples("slide", "mujoco")) {
    scene.simulator->AdvanceTo(sample.time);
    EXPECT_NEAR(scene.Position(box).x(), sample.numbers[0], 5e-3)
        << sample.time;
  }
}

}  // namespace contact_oracle_test
}  // namespace wyvern::multibody
