// Bodies in motion on surfaces of contact against figures of Drake: see
// tests/oracles/hydroelastic_scenes.py.
#include <fstream>
#include <limits>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/simulator/simulator.h"

namespace wyvern::multibody {
namespace hydroelastic_oracle_test {

using Eigen::Vector3d;
using Eigen::VectorXd;
using math::RigidTransformd;

Vector3d ReadVector(std::istream* in) {
  Vector3d x;
  *in >> x[0] >> x[1] >> x[2];
  return x;
}

std::unique_ptr<geometry::Shape> MakeShape(const std::string& name,
                                           const std::vector<double>& x) {
  if (name == "box") return geometry::Box(x.at(0), x.at(1), x.at(2)).Clone();
  if (name == "sphere") return geometry::Sphere(x.at(0)).Clone();
  if (name == "half_space") return geometry::HalfSpace().Clone();
  if (name != "convex") throw std::runtime_error("no shape " + name);
  return geometry::Convex(
             Eigen::Map<const Eigen::Matrix3Xd>(
                 x.data(), 3, static_cast<Eigen::Index>(x.size()) / 3),
             "points")
      .Clone();
}

// Tolerances of positions [m], of velocities [m/s, rad/s], and of the force
// relative to its size.
struct Limits {
  double position{4e-3};
  double velocity{0.1};
  double force{0.03};
};

// For a hull on a flat side the remaining difference is friction and
// dissipation. These forces are not linear on a polygon, which has a few points
// here, but many there (tests/oracles). With the forces of polygons at their
// centroids, hulls that drop and roll would differ five times as much. A wedge
// that tumbles from corner to corner has its impacts a step earlier or later,
// but comes to rest at the same place. Two soft hulls have few triangles, and a
// box or a ball has other vertices there. Their final positions and forces
// agree to the resolution of one point per polygon.
Limits LimitsOf(const std::string& scene) {
  const auto has = [&scene](const char* word) {
    return scene.find(word) != std::string::npos;
  };
  constexpr double kAny = std::numeric_limits<double>::infinity();
  if (has("wedge")) return {.velocity = kAny, .force = kAny};
  if (has("box") || has("sphere")) {
    return {.position = 0.02, .velocity = kAny, .force = 0.5};
  }
  if (has("hull_falls_on_hull")) {
    return {.position = 0.015, .velocity = 0.12, .force = 0.06};
  }
  return {};
}

// A scene as its lines say.
class PeerScene {
 public:
  PeerScene(std::string scene_name, const std::string& approximation,
            const Vector3d& gravity)
      : name(std::move(scene_name) + " " + approximation) {
    const auto added = AddMultibodyPlantSceneGraph(&builder_, 1e-3);
    plant_ = &added.plant;
    plant_->set_discrete_contact_approximation(
        approximation == "sap" ? DiscreteContactApproximation::kSap
                               : DiscreteContactApproximation::kLagged);
    plant_->set_contact_model(ContactModel::kHydroelastic);
    plant_->set_stiction_tolerance(1e-3);
    plant_->mutable_gravity_field().set_gravity_vector(gravity);
  }
  void AddFixed(std::istream* in) {
    AddGeometry(plant_->world_body(), "fixed", in, true);
  }
  void AddBody(std::istream* in) {
    double mass{};
    *in >> mass;
    const Vector3d G = ReadVector(in);
    const std::string body_name = "body" + std::to_string(bodies_.size());
    bodies_.push_back(&plant_->AddRigidBody(
        body_name,
        SpatialInertia<double>(mass, Vector3d::Zero(),
                               UnitInertia<double>(G[0], G[1], G[2]))));
    poses_.push_back(AddGeometry(*bodies_.back(), body_name, in, false));
    const Vector3d w = ReadVector(in);
    velocities_.emplace_back(w, ReadVector(in));
  }
  // Numbers at a time as of the line's.
  void Compare(std::istream* in) {
    if (simulator_ == nullptr) Start();
    double time{};
    *in >> time;
    VectorXd wanted(9 * bodies_.size() + 3), given(wanted.size());
    for (double& x : wanted) *in >> x;
    simulator_->AdvanceTo(time);
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const auto V =
          plant_->EvalBodySpatialVelocityInWorld(*context_, *bodies_[i]);
      given.segment<9>(9 * i)
          << plant_->EvalBodyPoseInWorld(*context_, *bodies_[i]).translation(),
          V.rotational(), V.translational();
    }
    const auto& results =
        plant_->get_contact_results_output_port().Eval<ContactResults<double>>(
            *context_);
    given.tail<3>().setZero();
    for (int i = 0; i < results.num_hydroelastic_contacts(); ++i) {
      given.tail<3>() +=
          results.hydroelastic_contact_info(i).F_Ac_W().translational();
    }
    const std::string at = name + " at " + std::to_string(time);
    const Limits limits = LimitsOf(name);
    const auto n = 9 * static_cast<int>(bodies_.size());
    for (int i = 0; i < n; ++i) {
      EXPECT_NEAR(given[i], wanted[i],
                  i % 9 < 3 ? limits.position : limits.velocity)
          << at << ": " << i;
    }
    EXPECT_LE((given - wanted).tail<3>().norm(),
              limits.force * (1 + wanted.tail<3>().norm()))
        << at;
  }

  const std::string name;

 private:
  RigidTransformd AddGeometry(const RigidBody<double>& body,
                              const std::string& geometry_name,
                              std::istream* in, bool is_placed) {
    std::string kind, shape;
    int n{};
    *in >> kind >> shape >> n;
    std::vector<double> numbers(n);
    for (double& x : numbers) *in >> x;
    double modulus{}, thickness{}, hint{};
    Eigen::Quaterniond q;
    *in >> modulus >> thickness >> hint >> q.w() >> q.x() >> q.y() >> q.z();
    const RigidTransformd X(math::RotationMatrixd(q), ReadVector(in));
    geometry::ProximityProperties properties;
    geometry::AddContactMaterial(2.0, {}, CoulombFriction<double>(0.5, 0.5),
                                 &properties);
    properties.AddProperty("material", "relaxation_time", 0.01);
    if (kind == "rigid") {
      geometry::AddRigidHydroelasticProperties(hint, &properties);
    } else if (shape == "half_space") {
      geometry::AddCompliantHydroelasticPropertiesForHalfSpace(
          thickness, modulus, &properties);
    } else {
      geometry::AddCompliantHydroelasticProperties(hint, modulus, &properties);
    }
    plant_->RegisterCollisionGeometry(body, is_placed ? X : RigidTransformd(),
                                      *MakeShape(shape, numbers), geometry_name,
                                      properties);
    return X;
  }
  void Start() {
    plant_->Finalize();
    diagram_ = builder_.Build();
    simulator_ = std::make_unique<systems::Simulator<double>>(
        *diagram_, diagram_->CreateDefaultContext());
    context_ = &plant_->GetMyMutableContextFromRoot(
        &simulator_->get_mutable_context());
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      plant_->SetFreeBodyPose(context_, *bodies_[i], poses_[i]);
      plant_->SetFreeBodySpatialVelocity(context_, *bodies_[i], velocities_[i]);
    }
  }

  systems::DiagramBuilder<double> builder_;
  MultibodyPlant<double>* plant_{};
  std::vector<const RigidBody<double>*> bodies_;
  std::vector<RigidTransformd> poses_;
  std::vector<SpatialVelocity<double>> velocities_;
  std::unique_ptr<systems::Diagram<double>> diagram_;
  std::unique_ptr<systems::Simulator<double>> simulator_;
  systems::Context<double>* context_{};
};

TEST(HydroelasticOracle, BodiesMoveAsInDrake) {
  std::ifstream file(WYVERN_SOURCE_DIR
                     "/tests/oracles/hydroelastic_scenes.txt");
  std::unique_ptr<PeerScene> scene;
  int num_scenes = 0, num_samples = 0;
  for (std::string line, word; std::getline(file, line);) {
    std::istringstream in(line);
    in >> word;
    if (word == "scene") {
      std::string name, approximation;
      in >> name >> approximation;
      scene = std::make_unique<PeerScene>(name, approximation, ReadVector(&in));
      ++num_scenes;
    } else if (word == "fixed") {
      scene->AddFixed(&in);
    } else if (word == "body") {
      scene->AddBody(&in);
    } else {
      ASSERT_EQ(word, "sample");
      scene->Compare(&in);
      ++num_samples;
    }
    EXPECT_FALSE(in.fail()) << line;
  }
  EXPECT_EQ(num_scenes, 20);
  EXPECT_EQ(num_samples, 200);
}

}  // namespace hydroelastic_oracle_test
}  // namespace wyvern::multibody
