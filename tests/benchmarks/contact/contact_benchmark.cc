// Times of a step of a scene that scenes.py wrote, phase by phase.
//   contact_benchmark SCENE_FILE [STICTION_TOLERANCE]
// The tolerance is in m/s, 1e-3 if not given.
// Prints one line of JSON, as peers.py does.

#include <ctime>

#include <algorithm>
#include <array>
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

// A phase of the motion: it ends at this time, where the next begins.
struct Phase {
  std::string name;
  double end{};
};

struct Settings {
  double dt{}, mu{}, stiffness{}, dissipation{}, half_period{};
  std::vector<Phase> phases;
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
  Scene(const std::string& path, double stiction_tolerance) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot read " + path);
    std::string word;
    int num_phases;
    file >> word >> settings.dt >> settings.mu >> settings.stiffness >>
        settings.dissipation >> settings.half_period;
    const Vector3d gravity = ReadVector(&file);
    file >> num_phases;
    settings.phases.resize(num_phases);
    for (Phase& phase : settings.phases) file >> phase.name >> phase.end;
    if (!file || word != "scene") {
      throw std::runtime_error(path + " starts as no scene of scenes.py does");
    }
    auto items = multibody::AddMultibodyPlantSceneGraph(&builder_, settings.dt);
    plant = &items.plant;
    plant->set_stiction_tolerance(stiction_tolerance);
    plant->mutable_gravity_field().set_gravity_vector(gravity);
    geometry::AddContactMaterial(
        settings.dissipation, settings.stiffness,
        multibody::CoulombFriction<double>(settings.mu, settings.mu),
        &properties_);
    plant->RegisterCollisionGeometry(
        plant->world_body(), {}, geometry::HalfSpace(), "ground", properties_);
    while (file >> word) {
      if (word == "body") {
        ReadBody(&file);
      } else if (word == "geom") {
        ReadGeometry(&file);
      } else {
        throw std::runtime_error(path + " has '" + word +
                                 "' where a body or a geom is wanted");
      }
    }
    plant->Finalize();
    diagram_ = builder_.Build();
    simulator = std::make_unique<systems::Simulator<double>>(*diagram_);
    context =
        &plant->GetMyMutableContextFromRoot(&simulator->get_mutable_context());
    for (const FreeBody& free : free_bodies_) {
      plant->SetFreeBodyPose(context, *free.body, free.X_WB);
      plant->SetFreeBodySpatialVelocity(context, *free.body,
                                        {Vector3d::Zero(), free.v_WB});
    }
    SetTargets(0);
  }

  // Takes the joints to their first or second posture.
  void SetTargets(int posture) {
    const int n = plant->num_actuated_dofs();
    if (n == 0) return;
    Eigen::VectorXd desired = Eigen::VectorXd::Zero(2 * n);
    for (int i = 0; i < n; ++i) desired[i] = targets_[posture][i];
    plant->get_desired_state_input_port(multibody::default_model_instance())
        .FixValue(context, desired);
  }

  // At the first time, after first steps that are taken back: they make memory
  // and caches what they are in later ones, as peers.py does for its engines.
  // Half a second of them lets the processor reach its speed, which the peers'
  // imports do.
  void Start() {
    const auto first = simulator->get_context().Clone();
    do {
      AdvanceTo(std::min(200 * settings.dt, settings.phases.front().end));
      simulator->get_mutable_context().SetTimeStateAndParametersFrom(*first);
      SetTargets(0);
      num_turns_ = 1;
      simulator->Initialize();
    } while (CpuTime() < 0.5);
  }

  // The postures take turns, each for half a period.
  void AdvanceTo(double end) {
    while (settings.half_period > 0 &&
           num_turns_ * settings.half_period < end - 1e-9) {
      simulator->AdvanceTo(num_turns_ * settings.half_period);
      SetTargets(num_turns_ % 2);
      ++num_turns_;
    }
    simulator->AdvanceTo(end);
  }

  // Returns the positions of the free bodies.
  Eigen::Matrix3Xd Positions() const {
    Eigen::Matrix3Xd p(3, free_bodies_.size());
    for (int i = 0; i < p.cols(); ++i) {
      p.col(i) = plant->EvalBodyPoseInWorld(*context, *free_bodies_[i].body)
                     .translation();
    }
    return p;
  }

  Settings settings;
  multibody::MultibodyPlant<double>* plant{};
  std::unique_ptr<systems::Simulator<double>> simulator;
  systems::Context<double>* context{};

 private:
  struct FreeBody {
    const RigidBody<double>* body;
    RigidTransformd X_WB;
    Vector3d v_WB;
  };

  void ReadBody(std::istream* in) {
    const std::string name = "body" + std::to_string(bodies_.size());
    int parent;
    double mass, kp, damping, first, second;
    *in >> parent >> mass;
    const Vector3d inertia = ReadVector(in), com = ReadVector(in);
    const RigidTransformd X_PB = ReadPose(in);
    const Vector3d axis = ReadVector(in);
    *in >> kp >> damping >> first >> second;
    const Vector3d velocity = ReadVector(in);
    const auto& body = plant->AddRigidBody(
        name, multibody::SpatialInertia<double>::MakeFromCentralInertia(
                  mass, com, {inertia[0], inertia[1], inertia[2]}));
    bodies_.push_back(&body);
    if (parent < 0) {
      free_bodies_.push_back({&body, X_PB, velocity});
      return;
    }
    const auto& joint = plant->AddJoint<multibody::RevoluteJoint>(
        "joint_" + name, *bodies_[parent], X_PB, body, {}, axis, damping);
    const auto& actuator = plant->AddJointActuator("motor_" + name, joint);
    plant->get_mutable_joint_actuator(actuator.index())
        .set_controller_gains({kp, 0});
    targets_[0].push_back(first);
    targets_[1].push_back(second);
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
    if (shape == "hull") {
      int num_points;
      *in >> num_points;
      Eigen::Matrix3Xd points(3, num_points);
      for (int i = 0; i < num_points; ++i) points.col(i) = ReadVector(in);
      add(geometry::Convex(points, name));
    } else if (shape == "ellipsoid") {
      add(geometry::Ellipsoid(size));
    } else if (shape == "box") {
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
  std::vector<FreeBody> free_bodies_;
  std::array<std::vector<double>, 2> targets_;
  int num_turns_{1};
  int num_geometries_{};
};

void Run(const std::string& path, double stiction_tolerance) {
  Scene scene(path, stiction_tolerance);
  const auto& plant = *scene.plant;
  const auto& context = *scene.context;
  scene.Start();
  double begin = 0;
  std::cout << "{\"engine\": \"wyvern\", \"nv\": " << plant.num_velocities()
            << ", \"phases\": [";
  for (const Phase& phase : scene.settings.phases) {
    const Eigen::Matrix3Xd from = scene.Positions();
    const double start = CpuTime();
    scene.AdvanceTo(phase.end);
    const double time = CpuTime() - start;
    const Eigen::Matrix3Xd moved = scene.Positions() - from;
    const auto& results = plant.get_contact_results_output_port()
                              .Eval<multibody::ContactResults<double>>(context);
    double depth = 0;
    for (int i = 0; i < results.num_point_pair_contacts(); ++i) {
      depth = std::max(depth,
                       results.point_pair_contact_info(i).point_pair().depth);
    }
    const double steps = std::round((phase.end - begin) / scene.settings.dt);
    std::cout << (begin > 0 ? ", " : "") << "{\"name\": \"" << phase.name
              << "\", \"us\": " << time / steps * 1e6
              << ", \"contacts\": " << results.num_point_pair_contacts()
              << ", \"depth\": " << depth
              << ", \"drift\": " << moved.colwise().norm().maxCoeff()
              << ", \"energy\": "
              << plant.CalcKineticEnergy(context) +
                     plant.CalcPotentialEnergy(context)
              << "}";
    begin = phase.end;
  }
  std::cout << "]}\n";
}

}  // namespace
}  // namespace wyvern

int main(int argc, char** argv) {
  try {
    if (argc < 2) throw std::runtime_error("give a scene file");
    wyvern::Run(argv[1], argc > 2 ? std::stod(argv[2]) : 1e-3);
  } catch (const std::exception& error) {
    std::cerr << "contact_benchmark: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
