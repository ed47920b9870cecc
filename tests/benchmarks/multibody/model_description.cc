#include "tests/benchmarks/multibody/model_description.h"

#include <fstream>
#include <random>
#include <sstream>
#include <stdexcept>

namespace wyvern::bench {
namespace {

// A rod of the given length along z, as a box 8 cm wide.
BodyDescription Rod(int parent, const Eigen::Vector3d& axis, double at,
                    double mass, double length) {
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
int AddLimb(int parent, const std::string& axes, double length,
            ModelDescription* model) {
  double at = 0.1;
  for (char axis : axes) {
    model->bodies.push_back(
        Rod(parent, Eigen::Vector3d::Unit(axis - 'x'), at, 2.5, length));
    parent = static_cast<int>(model->bodies.size()) - 1;
    at = length;
  }
  return parent;
}

}  // namespace

ModelDescription MakeArm() {
  ModelDescription model{"arm7", {}};
  AddLimb(-1, "zyzyzyz", 0.2, &model);
  return model;
}

ModelDescription MakeHumanoid() {
  ModelDescription model{"humanoid34", {}};
  model.bodies.push_back(Rod(-1, {0, 0, 1}, 0, 20, 0.5));
  model.bodies[0].type = 'F';
  for (int leg = 0; leg < 2; ++leg) AddLimb(0, "zxyyyx", 0.2, &model);
  for (int arm = 0; arm < 2; ++arm) AddLimb(0, "yxzyzxy", 0.15, &model);
  AddLimb(0, "zy", 0.1, &model);
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
  const int joints =
      static_cast<int>(model.bodies.size()) - (model.is_floating() ? 1 : 0);
  std::vector<Sample> samples(count);
  for (Sample& sample : samples) {
    sample.base_quaternion = numbers(4, 1).normalized();
    sample.base_position = numbers(3, 1);
    sample.q = numbers(joints, 1.5);
    sample.v = numbers(joints, 1);
    sample.vdot = numbers(joints, 1);
    sample.tau = numbers(joints, 10);
  }
  return samples;
}

}  // namespace wyvern::bench
