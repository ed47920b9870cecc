// Bodies put exactly onto each other, or within rounding of that, are in
// contact from the first step on: they neither fall into each other nor hop.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/plant/box_hull.h"
#include "tests/multibody/plant/contact_scene.h"

namespace wyvern::multibody {
namespace touching_bodies_test {

using Eigen::Vector3d;
using geometry::ProximityProperties;
using geometry::Shape;
using math::RigidTransformd;
using math::RotationMatrixd;
using test::kGravity;
using test::MakeBoxMesh;
using test::MakeProperties;
using test::Material;
using Approximation = DiscreteContactApproximation;

constexpr double kDt = 1e-2,
                 kInfinity = std::numeric_limits<double>::infinity();

struct Body {
  std::string name;
  std::shared_ptr<const Shape> shape;
  RotationMatrixd R;
  double height;  // Of the origin over the lowest point, and below the highest.
};

// With flat faces.
std::vector<Body> MakeFlatBodies() {
  using std::make_shared;
  const auto box = make_shared<geometry::Box>(0.3, 0.2, 0.1);
  return {{"box", box, {}, 0.05},
          {"turned box", box, RotationMatrixd::MakeZRotation(0.5), 0.05},
          {"cylinder", make_shared<geometry::Cylinder>(0.1, 0.1), {}, 0.05},
          {"hull",
           make_shared<geometry::Convex>(MakeBoxMesh(0.1, 0.1, 0.05)),
           {},
           0.05},
          {"mesh",
           make_shared<geometry::Mesh>(MakeBoxMesh(0.1, 0.1, 0.05)),
           {},
           0.05}};
}

std::vector<Body> MakeRoundBodies() {
  using std::make_shared;
  const auto lying = RotationMatrixd::MakeXRotation(std::numbers::pi / 2);
  const auto capsule = make_shared<geometry::Capsule>(0.05, 0.2);
  return {{"lying cylinder", make_shared<geometry::Cylinder>(0.05, 0.1), lying,
           0.05},
          {"lying capsule", capsule, lying, 0.05},
          {"capsule", capsule, {}, 0.15},
          {"ball", make_shared<geometry::Sphere>(0.1), {}, 0.1},
          {"ellipsoid",
           make_shared<geometry::Ellipsoid>(0.15, 0.1, 0.05),
           {},
           0.05}};
}

class Scene {
 public:
  Scene(ContactModel model, Approximation approximation,
        const Vector3d& origin) {
    plant_ = &AddMultibodyPlantSceneGraph(&builder_, kDt).plant;
    plant_->set_discrete_contact_approximation(approximation);
    plant_->set_contact_model(model);
    origin_ = origin;
    const Material material{.dissipation = 2};
    soft_ = hard_ = slab_ = MakeProperties(material);
    if (model == ContactModel::kPoint) return;
    geometry::AddCompliantHydroelasticProperties(0.02, 1e7, &soft_);
    geometry::AddCompliantHydroelasticPropertiesForHalfSpace(0.05, 1e7, &slab_);
    geometry::AddRigidHydroelasticProperties(0.02, &hard_);
  }
  void AddGround(const Body& ground, const ProximityProperties& properties) {
    plant_->RegisterCollisionGeometry(
        plant_->world_body(),
        RigidTransformd(ground.R, origin_ - Vector3d(0, 0, ground.height)),
        *ground.shape, "ground", properties);
  }
  void AddPlane(const ProximityProperties& properties) {
    plant_->RegisterCollisionGeometry(
        plant_->world_body(), RigidTransformd(origin_), geometry::HalfSpace(),
        "ground", properties);
  }
  const RigidBody<double>& Add(const Body& body,
                               const ProximityProperties& properties) {
    const auto& result = plant_->AddRigidBody(
        body.name + std::to_string(plant_->num_bodies()),
        SpatialInertia<double>::SolidBoxWithMass(1, 0.3, 0.2, 0.1));
    plant_->RegisterCollisionGeometry(result, {}, *body.shape, result.name(),
                                      properties);
    return result;
  }
  void Finish() {
    plant_->Finalize();
    diagram_ = builder_.Build();
    simulator_ = std::make_unique<systems::Simulator<double>>(*diagram_);
    context_ = &plant_->GetMyMutableContextFromRoot(
        &simulator_->get_mutable_context());
  }
  // At a height, or the next number from it towards `side`.
  void Place(const RigidBody<double>& body, const RotationMatrixd& R,
             double height, double side = 0) {
    Vector3d p = origin_ + Vector3d(0, 0, height);
    if (side != 0) p[2] = std::nextafter(p[2], side);
    plant_->SetFreeBodyPose(context_, body, RigidTransformd(R, p));
  }
  void Step() { simulator_->AdvanceTo(++step_ * kDt); }
  double Height(const RigidBody<double>& body) const {
    return (plant_->EvalBodyPoseInWorld(*context_, body).translation() -
            origin_)[2];
  }
  // Returns the body's fall as a share of a free body's fall.
  double Fall(const RigidBody<double>& body) const {
    return -plant_->EvalBodySpatialVelocityInWorld(*context_, body)
                .translational()[2] /
           (kGravity * kDt);
  }

  const ProximityProperties& soft() const { return soft_; }
  const ProximityProperties& hard() const { return hard_; }
  const ProximityProperties& slab() const { return slab_; }

 private:
  systems::DiagramBuilder<double> builder_;
  MultibodyPlant<double>* plant_{};
  Vector3d origin_;
  ProximityProperties soft_, hard_, slab_;
  std::unique_ptr<systems::Diagram<double>> diagram_;
  std::unique_ptr<systems::Simulator<double>> simulator_;
  systems::Context<double>* context_{};
  int step_{0};
};

// Puts a body onto what `add_ground` adds, at two places, exactly and off by
// one bit to either side, and returns the most that it falls in a step.
template <typename AddGround>
double CalcFall(ContactModel model, Approximation approximation,
                const Body& upper, bool is_hard, const AddGround& add_ground) {
  double most = -kInfinity;
  for (const Vector3d& origin : {Vector3d(0, 0, 0), Vector3d(1, 0.37, -7.3)}) {
    for (const double side : {-kInfinity, 0.0, kInfinity}) {
      Scene scene(model, approximation, origin);
      add_ground(&scene);
      const auto& body =
          scene.Add(upper, is_hard ? scene.hard() : scene.soft());
      scene.Finish();
      scene.Place(body, upper.R, upper.height, side);
      scene.Step();
      most = std::max(most, scene.Fall(body));
    }
  }
  return most;
}

void ExpectNoHop(Scene* scene, const RigidBody<double>& body, double height,
                 const std::string& name) {
  double most = -kInfinity;
  for (int i = 0; i < 50; ++i) {
    scene->Step();
    most = std::max(most, scene->Height(body) - height);
  }
  EXPECT_LE(most, kGravity * kDt * kDt) << name;
}

class TouchingBodies : public testing::TestWithParam<Approximation> {};

// A contact holds with dt^2 k = 10 kg a body of 1 kg.
TEST_P(TouchingBodies, OfAllShapesHoldAtTheirPoints) {
  std::vector<Body> all = MakeFlatBodies();
  for (const Body& body : MakeRoundBodies()) all.push_back(body);
  for (const Body& upper : all) {
    for (const Body& lower : all) {
      EXPECT_LT(CalcFall(ContactModel::kPoint, GetParam(), upper, false,
                         [&](Scene* s) { s->AddGround(lower, s->hard()); }),
                0.2)
          << upper.name << " on " << lower.name;
    }
    EXPECT_LT(CalcFall(ContactModel::kPoint, GetParam(), upper, false,
                       [](Scene* s) { s->AddPlane(s->hard()); }),
              0.2)
        << upper.name << " on a plane";
  }
}

TEST_P(TouchingBodies, WithFlatFacesHoldOnThem) {
  const Body block{
      "block", std::make_shared<geometry::Box>(1, 1, 0.5), {}, 0.25};
  const auto calc_fall = [&](const Body& upper, bool is_hard,
                             const auto& add_ground) {
    return CalcFall(ContactModel::kHydroelastic, GetParam(), upper, is_hard,
                    add_ground);
  };
  const auto wall = [](Scene* s) { s->AddPlane(s->hard()); };
  const auto slab = [](Scene* s) { s->AddPlane(s->slab()); };
  const auto hard = [&](Scene* s) { s->AddGround(block, s->hard()); };
  const auto soft = [&](Scene* s) { s->AddGround(block, s->soft()); };
  for (const Body& upper : MakeFlatBodies()) {
    EXPECT_LT(calc_fall(upper, false, wall), 0.1) << upper.name;
    EXPECT_LT(calc_fall(upper, false, slab), 0.1) << upper.name;
    EXPECT_LT(calc_fall(upper, true, slab), 0.1) << upper.name;
    EXPECT_LT(calc_fall(upper, false, hard), 0.1) << upper.name;
    EXPECT_LT(calc_fall(upper, false, soft), 0.1) << upper.name;
    EXPECT_LT(calc_fall(upper, true, soft), 0.1) << upper.name;
  }
}

// A round body that touches in a point or along a line has no surface until it
// has fallen for a step, by g dt^2. It does not hop farther than that.
TEST_P(TouchingBodies, ThatAreRoundHopNoFartherThanTheyFallInAStep) {
  const Body block{
      "block", std::make_shared<geometry::Box>(1, 1, 0.5), {}, 0.25};
  const std::vector<std::pair<std::string, std::function<void(Scene*)>>>
      grounds = {{"wall", [](Scene* s) { s->AddPlane(s->hard()); }},
                 {"slab", [](Scene* s) { s->AddPlane(s->slab()); }},
                 {"hard", [&](Scene* s) { s->AddGround(block, s->hard()); }},
                 {"soft", [&](Scene* s) { s->AddGround(block, s->soft()); }}};
  for (const Body& upper : MakeRoundBodies()) {
    for (const auto& [name, add_ground] : grounds) {
      for (const bool is_hard : {false, true}) {
        if (is_hard && name != "slab" && name != "soft") continue;
        Scene scene(ContactModel::kHydroelastic, GetParam(), Vector3d::Zero());
        add_ground(&scene);
        const auto& body =
            scene.Add(upper, is_hard ? scene.hard() : scene.soft());
        scene.Finish();
        scene.Place(body, upper.R, upper.height);
        ExpectNoHop(&scene, body, upper.height, upper.name + " on " + name);
      }
    }
  }
}

TEST_P(TouchingBodies, StackedExactlyDoNotHop) {
  for (const ContactModel model :
       {ContactModel::kPoint, ContactModel::kHydroelastic}) {
    Scene scene(model, GetParam(), Vector3d::Zero());
    scene.AddPlane(scene.hard());
    const Body box = MakeFlatBodies()[0];
    std::vector<const RigidBody<double>*> boxes;
    for (int i = 0; i < 5; ++i) boxes.push_back(&scene.Add(box, scene.soft()));
    scene.Finish();
    for (int i = 0; i < 5; ++i) {
      scene.Place(*boxes[i], {}, box.height + 0.1 * i);
    }
    for (int k = 0; k < 100; ++k) {
      scene.Step();
      for (int i = 0; i < 5; ++i) {
        EXPECT_LT(scene.Height(*boxes[i]), box.height + 0.1 * i + 1e-6) << i;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EachLaw, TouchingBodies, test::AllApproximations());

}  // namespace touching_bodies_test
}  // namespace wyvern::multibody
