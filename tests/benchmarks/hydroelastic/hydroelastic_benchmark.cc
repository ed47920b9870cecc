// Time of surface queries or steps of a scene that scenes.py wrote; the twin of
// peers.py.
//   hydroelastic_benchmark query|step SCENE_FILE
// For each number n on standard input it takes n queries or steps, and prints
// one line of JSON.

#include <ctime>

#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/simulator/simulator.h"

namespace wyvern {
namespace {

using Eigen::Vector3d;
using math::RigidTransformd;
using multibody::RigidBody;
using Representation = geometry::HydroelasticContactRepresentation;

double CpuTime() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) +
         1e-9 * static_cast<double>(time.tv_nsec);
}

Vector3d ReadVector(std::istream* in) {
  Vector3d v;
  *in >> v[0] >> v[1] >> v[2];
  return v;
}

class Scene {
 public:
  explicit Scene(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot read " + path);
    std::string word;
    file >> word >> dt_ >> mu_;
    auto items = multibody::AddMultibodyPlantSceneGraph(&builder_, dt_);
    plant_ = &items.plant;
    scene_graph_ = &items.scene_graph;
    plant_->set_contact_model(multibody::ContactModel::kHydroelastic);
    plant_->set_discrete_contact_approximation(
        multibody::DiscreteContactApproximation::kLagged);
    for (int i = 0; file >> word; ++i) ReadBody(&file, i);
    plant_->Finalize();
    diagram_ = builder_.Build();
    simulator_ = std::make_unique<systems::Simulator<double>>(*diagram_);
    auto* root = &simulator_->get_mutable_context();
    context_ = &plant_->GetMyMutableContextFromRoot(root);
    graph_context_ = &scene_graph_->GetMyContextFromRoot(*root);
    for (const auto& b : free_) {
      plant_->SetFreeBodyPose(context_, *b.body, b.X_WB);
      plant_->SetFreeBodySpatialVelocity(context_, *b.body,
                                         {Vector3d::Zero(), b.v});
    }
  }

  void Query(int n) const {
    const auto& query =
        scene_graph_->get_query_output_port()
            .Eval<geometry::QueryObject<double>>(*graph_context_);
    int faces = 0;
    const double start = CpuTime();
    for (int i = 0; i < n; ++i) {
      const auto surfaces =
          query.ComputeContactSurfaces(Representation::kPolygon);
      if (i > 0) continue;
      for (const auto& s : surfaces) faces += s.num_faces();
    }
    Print((CpuTime() - start) / n, faces);
  }

  void Step(int n) {
    end_ += n * dt_;
    const double start = CpuTime();
    simulator_->AdvanceTo(end_);
    const double used = CpuTime() - start;
    const auto& results =
        plant_->get_contact_results_output_port()
            .Eval<multibody::ContactResults<double>>(*context_);
    int faces = 0;
    for (int i = 0; i < results.num_hydroelastic_contacts(); ++i) {
      faces +=
          results.hydroelastic_contact_info(i).contact_surface().num_faces();
    }
    Print(used / n, faces);
  }

 private:
  struct FreeBody {
    const RigidBody<double>* body;
    RigidTransformd X_WB;
    Vector3d v;
  };

  void Print(double seconds, int faces) const {
    double height = 0;
    for (const auto& b : free_) {
      height +=
          plant_->EvalBodyPoseInWorld(*context_, *b.body).translation()[2] /
          static_cast<double>(free_.size());
    }
    std::cout << "{\"us\": " << 1e6 * seconds << ", \"faces\": " << faces
              << ", \"height\": " << height << "}" << std::endl;
  }

  void ReadBody(std::istream* in, int index) {
    bool is_free;
    double mass, inertia, modulus, margin;
    *in >> is_free >> mass >> inertia;
    const RigidTransformd X(ReadVector(in));
    const Vector3d v = ReadVector(in);
    std::string kind, shape;
    *in >> kind >> modulus >> margin >> shape;
    const RigidBody<double>* body = &plant_->world_body();
    if (is_free) {
      body = &plant_->AddRigidBody(
          "body" + std::to_string(index),
          multibody::SpatialInertia<double>::MakeFromCentralInertia(
              mass, Vector3d::Zero(), {inertia, inertia, inertia}));
      free_.push_back({body, X, v});
    }
    geometry::ProximityProperties properties;
    geometry::AddContactMaterial(
        0.5, {}, multibody::CoulombFriction<double>(mu_, mu_), &properties);
    properties.AddProperty("hydroelastic", "margin", margin);
    double thickness = 0;
    if (shape == "half_space") *in >> thickness;
    if (kind == "rigid") {
      geometry::AddRigidHydroelasticProperties(1, &properties);
    } else if (shape == "half_space") {
      geometry::AddCompliantHydroelasticPropertiesForHalfSpace(
          thickness, modulus, &properties);
    } else {
      geometry::AddCompliantHydroelasticProperties(1, modulus, &properties);
    }
    const auto add = [&](const auto& s) {
      plant_->RegisterCollisionGeometry(*body, is_free ? RigidTransformd() : X,
                                        s, "geometry" + std::to_string(index),
                                        properties);
    };
    if (shape == "half_space") {
      add(geometry::HalfSpace());
    } else if (shape == "box") {
      add(geometry::Box(ReadVector(in)));
    } else {
      std::string path;
      *in >> path;
      add(geometry::Mesh(path));
    }
  }

  double dt_{}, mu_{}, end_{0};
  systems::DiagramBuilder<double> builder_;
  std::unique_ptr<systems::Diagram<double>> diagram_;
  multibody::MultibodyPlant<double>* plant_{};
  geometry::SceneGraph<double>* scene_graph_{};
  std::unique_ptr<systems::Simulator<double>> simulator_;
  systems::Context<double>* context_{};
  const systems::Context<double>* graph_context_{};
  std::vector<FreeBody> free_;
};

void Run(const std::string& mode, const std::string& path) {
  Scene scene(path);
  for (int n; std::cin >> n;) {
    if (mode == "query") {
      scene.Query(n);
    } else {
      scene.Step(n);
    }
  }
}

}  // namespace
}  // namespace wyvern

int main(int argc, char** argv) {
  try {
    if (argc < 3) throw std::runtime_error("give query or step, and a scene");
    wyvern::Run(argv[1], argv[2]);
  } catch (const std::exception& error) {
    std::cerr << "hydroelastic_benchmark: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
