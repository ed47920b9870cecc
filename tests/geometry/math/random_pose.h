#pragma once

/** @file
Repeatable random vectors and frames for tests. */

#include <random>

#include "wyvern/geometry/math/rigid_transform.h"

namespace wyvern::test {

/** Draws vectors, rotations and poses; the same on every run. */
class RandomPose {
 public:
  explicit RandomPose(unsigned seed = 1) : generator_(seed) {}

  /** Uniform in [low, high). */
  double Scalar(double low = -1, double high = 1) {
    return std::uniform_real_distribution<double>(low, high)(generator_);
  }
  Eigen::Vector3d Vector3(double scale = 1) {
    return Eigen::Vector3d(Scalar(-scale, scale), Scalar(-scale, scale),
                           Scalar(-scale, scale));
  }
  Eigen::Matrix<double, 6, 1> Vector6(double scale = 1) {
    Eigen::Matrix<double, 6, 1> v;
    v << Vector3(scale), Vector3(scale);
    return v;
  }
  Eigen::Vector3d UnitVector3() {
    std::normal_distribution<double> normal;
    return Eigen::Vector3d(normal(generator_), normal(generator_),
                           normal(generator_))
        .normalized();
  }
  Eigen::Quaterniond Quaternion() {
    std::normal_distribution<double> normal;
    return Eigen::Quaterniond(normal(generator_), normal(generator_),
                              normal(generator_), normal(generator_))
        .normalized();
  }
  math::RotationMatrixd Rotation() {
    return math::RotationMatrixd(Quaternion());
  }
  math::RigidTransformd Pose() {
    return math::RigidTransformd(Quaternion(), Vector3());
  }

 private:
  std::mt19937 generator_;
};

}  // namespace wyvern::test
