#include "tests/benchmarks/multibody/model_description.h"

#include <fstream>
#include <numbers>
#include <random>
#include <sstream>
#include <stdexcept>

#include <Eigen/Geometry>

namespace wyvern::bench {
namespace {

using Eigen::Vector3d;

// A rod of the given length along z, as a box 8 cm wide.
BodyDescription Rod(int parent, const Vector3d& axis, double at, double mass,
                    double length) {
  BodyDescription body;
  body.parent = parent;
  body.axis = axis;
  body.position = {0.01, 0, at};
  body.mass = mass;
  body.com = {0, 0.01, length / 2};
  const double width = 0.08 * 0.08, height = length * length;
  body.inertia.diagonal() << mass * (width + height) / 12,
      mass * (width + height) / 12, mass * 2 * width / 12;
  return body;
}

// Adds a limb of rods, their axes x, y or z in turn; returns its last body.
int AddLimb(int parent, const std::string& axes, double mass, double length,
            ModelDescription* model) {
  double at = 0.1;
  for (char axis : axes) {
    model->bodies.push_back(
        Rod(parent, Vector3d::Unit(axis - 'x'), at, mass, length));
    parent = static_cast<int>(model->bodies.size()) - 1;
    at = length;
  }
  return parent;
}

ModelDescription FloatingTrunk(const std::string& name, double mass) {
  ModelDescription model{name, {Rod(-1, {0, 0, 1}, 0, mass, 0.5)}};
  model.bodies[0].position.setZero();
  model.bodies[0].type = 'F';
  return model;
}

// Rz(yaw) Ry(pitch) Rx(roll), each given in quarter turns.
Eigen::Matrix3d QuarterTurns(int roll, int pitch, int yaw) {
  const double quarter = std::numbers::pi / 2;
  return (Eigen::AngleAxisd(yaw * quarter, Vector3d::UnitZ()) *
          Eigen::AngleAxisd(pitch * quarter, Vector3d::UnitY()) *
          Eigen::AngleAxisd(roll * quarter, Vector3d::UnitX()))
      .toRotationMatrix();
}

}  // namespace

ModelDescription MakeIiwa14() {
  struct Link {
    Vector3d position;
    int roll, pitch, yaw;
    double mass;
    Vector3d com, inertia;
  };
  const Link links[] = {
      {{0, 0, 0.1575}, 0, 0, 0, 5.76, {0, -0.03, 0.12}, {.033, .0333, .0123}},
      {{0, 0, 0.2025}, 1, 0, 2, 6.35, {0, 0.059, 0.042}, {.0305, .0304, .011}},
      {{0, 0.2045, 0}, 1, 0, 2, 3.5, {0, 0.03, 0.13}, {.025, .0238, .0076}},
      {{0, 0, 0.2155}, 1, 0, 0, 3.5, {0, 0.067, 0.034}, {.017, .0164, .006}},
      {{0, 0.1845, 0}, -1, 2, 0, 3.5, {0, 0.021, 0.076}, {.01, .0087, .0045}},
      {{0, 0, 0.2155}, 1, 0, 0, 1.8, {0, 0.001, 0.001}, {.0049, .0047, .0036}},
      {{0, 0.081, 0}, -1, 2, 0, 1.2, {0, 0, 0.02}, {.001, .001, .001}}};
  ModelDescription model{"iiwa14", {}};
  for (const Link& link : links) {
    BodyDescription body;
    body.parent = static_cast<int>(model.bodies.size()) - 1;
    body.position = link.position;
    body.rotation = QuarterTurns(link.roll, link.pitch, link.yaw);
    body.mass = link.mass;
    body.com = link.com;
    body.inertia.diagonal() = link.inertia;
    model.bodies.push_back(body);
  }
  return model;
}

ModelDescription MakeBiped() {
  ModelDescription model = FloatingTrunk("biped22", 30);
  for (int leg = 0; leg < 2; ++leg) AddLimb(0, "zxyyyx", 2.5, 0.2, &model);
  for (int arm = 0; arm < 2; ++arm) AddLimb(0, "yx", 1.5, 0.3, &model);
  return model;
}

ModelDescription MakeHumanoid() {
  ModelDescription model = FloatingTrunk("humanoid38", 15);
  for (int leg = 0; leg < 2; ++leg) AddLimb(0, "zxyyyx", 2.5, 0.2, &model);
  const int torso = AddLimb(0, "zy", 8, 0.3, &model);
  for (int arm = 0; arm < 2; ++arm) {
    AddLimb(torso, "zxzyzxyx", 1.2, 0.15, &model);
  }
  AddLimb(torso, "yz", 1, 0.1, &model);
  return model;
}

ModelDescription MakeChain(int n) {
  ModelDescription model{"chain" + std::to_string(n), {}};
  std::string axes;
  for (int i = 0; i < n; ++i) axes += "xyz"[i % 3];
  AddLimb(-1, axes, 1, 0.2, &model);
  return model;
}

ModelDescription ReadModelFile(const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    throw std::runtime_error("ReadModelFile(): cannot read '" + path +
                             "'; give the path of a model file.");
  }
  const size_t slash = path.find_last_of('/') + 1;
  ModelDescription model{path.substr(slash), {}};
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream in(line);
    BodyDescription body;
    in >> body.parent >> body.type;
    for (int i = 0; i < 3; ++i) in >> body.axis[i];
    for (int i = 0; i < 3; ++i) in >> body.position[i];
    for (int i = 0; i < 9; ++i) in >> body.rotation(i / 3, i % 3);
    in >> body.mass;
    for (int i = 0; i < 3; ++i) in >> body.com[i];
    auto& I = body.inertia;
    in >> I(0, 0) >> I(0, 1) >> I(1, 1) >> I(0, 2) >> I(1, 2) >> I(2, 2);
    I(1, 0) = I(0, 1);
    I(2, 0) = I(0, 2);
    I(2, 1) = I(1, 2);
    model.bodies.push_back(body);
  }
  return model;
}

std::vector<Sample> MakeSamples(const ModelDescription& model, int count) {
  std::mt19937 random(7);
  const auto numbers = [&random](int n, double size) {
    std::uniform_real_distribution<double> uniform(-size, size);
    return Eigen::VectorXd::NullaryExpr(n, [&]() { return uniform(random); })
        .eval();
  };
  std::vector<Sample> samples(count);
  for (Sample& sample : samples) {
    sample.base_quaternion = numbers(4, 1).normalized();
    sample.base_position = numbers(3, 1);
    sample.joint_q = numbers(model.num_joints(), 3);
    sample.v = numbers(model.num_v(), 1);
    sample.vdot = numbers(model.num_v(), 1);
    sample.tau = numbers(model.num_v(), 10);
  }
  return samples;
}

}  // namespace wyvern::bench
