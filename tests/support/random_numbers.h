#pragma once

#include <random>

#include <Eigen/Core>

namespace wyvern::test {

/** Random numbers that are the same in each run. */
class RandomNumbers {
 public:
  explicit RandomNumbers(unsigned seed) : generator_(seed) {}
  double Uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(generator_);
  }
  /** `high` included. */
  int Integer(int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(generator_);
  }
  /** Entries from -1 to 1. */
  Eigen::MatrixXd Matrix(int rows, int columns) {
    return Eigen::MatrixXd::NullaryExpr(rows, columns,
                                        [this] { return Uniform(-1, 1); });
  }

 private:
  std::mt19937 generator_;
};

}  // namespace wyvern::test
