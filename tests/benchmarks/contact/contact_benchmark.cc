// Time of a step at rest of a scene that scenes.py wrote.
//   contact_benchmark SCENE_FILE [REPETITIONS]
// Prints one line of JSON, as peers.py does.

#include <ctime>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/multibody/tree/revolute_joint.h"
#include "wyvern/simulator/simulator.h"

namespace wyvern {
namespace {

using Eigen::Vector3d;
using math::RigidTransformd;
using math::RotationMatrixd;
using multibody::RigidBody;

double CpuTime() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) +
         1e-9 * static_cast<double>(time.tv_nsec);
}

struct Settings {
  double dt{}, mu{}, settle{};
  int steps{};
};

Vector3d ReadVector(std::istream* in) {
  Vector3d v;
  *in >> v[0] >> v[1] >> v[2];
  return v;
}

RigidTransformd ReadPose(std::istream* in) {
  const Vector3d p = ReadVector(in);
  Eigen::Quaterniond q;
  *in >> q.w() >> q.x() >> q.y() >> q.z();
  return RigidTransformd(RotationMatrixd(q.normalized()), p);
}

class Scene {
 public:
  explicit Scene(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot read " + path);
    std::string word;
    file >> word >> settings.dt >> settings.mu >> settings.settle >>
        settings.steps;
    auto items = multibody::AddMultibodyPlantSceneGraph(&builder_, settings.dt);
    plant = &items.plant;
    geometry::AddContactMaterial({}, {}, Friction(), &properties_);
    plant->RegisterCollisionGeometry(
        plant->world_body(), {}, geometry::HalfSpace(), "ground", properties_);
    while (file >> word) {
      if (word == "body") {
        ReadBody(&file);
      } else {
        ReadGeometry(&file);
      }
    }
    plant->Finalize();
    diagram_ = builder_.Build();
    simulator = std::make_unique<systems::Simulator<double>>(*diagram_);
    context =
        &plant->GetMyMutableContextFromRoot(&simulator->get_mutable_context());
    for (const auto& [body, X_WB] : free_bodies_) {
      plant->SetFreeBodyPose(context, *body, X_WB);
    }
    const int n = plant->num_actuated_dofs();
    if (n == 0) return;
    plant->get_desired_state_input_port(multibody::default_model_instance())
        .FixValue(context, Eigen::VectorXd::Zero(2 * n));
  }

  Settings settings;
  multibody::MultibodyPlant<double>* plant{};
  std::unique_ptr<systems::Simulator<double>> simulator;
  systems::Context<double>* context{};

 private:
  multibody::CoulombFriction<double> Friction() const {
    return {settings.mu, settings.mu};
  }

  void ReadBody(std::istream* in) {
    const std::string name = "body" + std::to_string(bodies_.size());
    int parent;
    double mass, kp, damping;
    *in >> parent >> mass;
    const Vector3d inertia = ReadVector(in), com = ReadVector(in);
    const RigidTransformd X_PB = ReadPose(in);
    const Vector3d axis = ReadVector(in);
    *in >> kp >> damping;
    const auto& body = plant->AddRigidBody(
        name, multibody::SpatialInertia<double>::MakeFromCentralInertia(
                  mass, com, {inertia[0], inertia[1], inertia[2]}));
    bodies_.push_back(&body);
    if (parent < 0) {
      free_bodies_.emplace_back(&body, X_PB);
      return;
    }
    const auto& joint = plant->AddJoint<multibody::RevoluteJoint>(
        "joint_" + name, *bodies_[parent], X_PB, body, {}, axis, damping);
    const auto& actuator = plant->AddJointActuator("motor_" + name, joint);
    plant->get_mutable_joint_actuator(actuator.index())
        .set_controller_gains({kp, 0});
  }

  void ReadGeometry(std::istream* in) {
    int owner;
    std::string shape;
    *in >> owner >> shape;
    const Vector3d size = ReadVector(in);
    const RigidTransformd X_BG = ReadPose(in);
    const auto& body = owner < 0 ? plant->world_body() : *bodies_[owner];
    const std::string name = "geometry" + std::to_string(num_geometries_++);
    const auto add = [&](const auto& s) {
      plant->RegisterCollisionGeometry(body, X_BG, s, name, properties_);
    };
    if (shape == "box") {
      add(geometry::Box(Vector3d(2 * size)));
    } else if (shape == "sphere") {
      add(geometry::Sphere(size[0]));
    } else if (shape == "capsule") {
      add(geometry::Capsule(size[0], 2 * size[1]));
    } else {
      add(geometry::Cylinder(size[0], 2 * size[1]));
    }
  }

  systems::DiagramBuilder<double> builder_;
  std::unique_ptr<systems::Diagram<double>> diagram_;
  geometry::ProximityProperties properties_;
  std::vector<const RigidBody<double>*> bodies_;
  std::vector<std::pair<const RigidBody<double>*, RigidTransformd>>
      free_bodies_;
  int num_geometries_{};
};

void Run(const std::string& path, int repetitions) {
  Scene scene(path);
  const Settings& s = scene.settings;
  double end = s.settle;
  scene.simulator->AdvanceTo(end);
  double best = 1e9;
  for (int i = 0; i < repetitions; ++i) {
    end += s.steps * s.dt;
    const double start = CpuTime();
    scene.simulator->AdvanceTo(end);
    best = std::min(best, CpuTime() - start);
  }
  const auto& results =
      scene.plant->get_contact_results_output_port()
          .Eval<multibody::ContactResults<double>>(*scene.context);
  std::cout
      << "{\"engine\": \"wyvern\", \"us\": " << best / s.steps * 1e6
      << ", \"contacts\": " << results.num_point_pair_contacts()
      << ", \"speed\": "
      << scene.plant->GetVelocities(*scene.context).lpNorm<Eigen::Infinity>()
      << ", \"nv\": " << scene.plant->num_velocities() << "}\n";
}

}  // namespace
}  // namespace wyvern

int main(int argc, char** argv) {
  try {
    if (argc < 2) throw std::runtime_error("give a scene file");
    wyvern::Run(argv[1], argc > 2 ? std::stoi(argv[2]) : 3);
  } catch (const std::exception& error) {
    std::cerr << "contact_benchmark: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
