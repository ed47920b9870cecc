#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wyvern/systems/common/described_value.h"
#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/framework/system.h"

/** @file
Arithmetic, functions and logic as data. Each struct has the name of its block,
whose header says more. */

namespace wyvern::systems::blocks {

struct Adder {
  static constexpr char kSummary[] =
      "Sum of the inputs u0, u1, ... with signs. Output sum.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(signs, "A '+' or '-' for each input."));
    a->Visit(WYVERN_DNVP(size, "Size of the vectors."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<Adder> From(const System<double>& system);

  std::string signs{"++"};
  int size{1};
};

struct Product {
  static constexpr char kSummary[] =
      "Product or quotient of the inputs u0, u1, ..., element by element. "
      "Output product.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(operations, "A '*' or '/' for each input."));
    a->Visit(WYVERN_DNVP(size, "Size of the vectors."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<Product> From(const System<double>& system);

  std::string operations{"**"};
  int size{1};
};

struct DotProduct {
  static constexpr char kSummary[] =
      "Dot product of the inputs u0 and u1. Output product.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(size, "Size of the vectors."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<DotProduct> From(const System<double>& system);

  int size{1};
};

struct Gain {
  static constexpr char kSummary[] = "y0 = k u0, element by element.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(k, "Factor of each element."));
    a->Visit(WYVERN_DNVP(tunable, "Whether k is a parameter of the Context."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<Gain> From(const System<double>& system);

  VectorX<double> k{VectorX<double>::Ones(1)};
  bool tunable{false};
};

struct MatrixGain {
  static constexpr char kSummary[] = "y0 = D u0.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(D, "Matrix, row by row."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<MatrixGain> From(const System<double>& system);

  MatrixX<double> D{MatrixX<double>::Identity(1, 1)};
};

struct ElementwiseFunction {
  static constexpr char kSummary[] = "y = f(u), element by element.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(
        WYVERN_DNVP(function,
                    "Name of f: abs, sign, square, sqrt, signed_sqrt, "
                    "reciprocal, exp, log, sin, cos, tan, asin, acos, atan, "
                    "sinh, cosh, tanh, floor, ceil, round, truncate, not."));
    a->Visit(WYVERN_DNVP(size, "Size of the vectors."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<ElementwiseFunction> From(const System<double>& system);

  std::string function{"abs"};
  int size{1};
};

struct DeadZone {
  static constexpr char kSummary[] =
      "y = 0 for u from low to high, else u less the nearer limit.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(low, "Lower limit."));
    a->Visit(WYVERN_DNVP(high, "Upper limit."));
    a->Visit(WYVERN_DNVP(size, "Size of the vectors."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<DeadZone> From(const System<double>& system);

  double low{-1};
  double high{1};
  int size{1};
};

struct Quantizer {
  static constexpr char kSummary[] = "y = step round(u / step).";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(step, "Distance of the values of y."));
    a->Visit(WYVERN_DNVP(size, "Size of the vectors."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<Quantizer> From(const System<double>& system);

  double step{1};
  int size{1};
};

struct CoulombAndViscous {
  static constexpr char kSummary[] =
      "Friction: y = viscous u + coulomb sign(u).";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(coulomb, "Force of dry friction."));
    a->Visit(WYVERN_DNVP(viscous, "Force per speed."));
    a->Visit(WYVERN_DNVP(size, "Size of the vectors."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<CoulombAndViscous> From(const System<double>& system);

  double coulomb{0};
  double viscous{0};
  int size{1};
};

struct NaryFunction {
  static constexpr char kSummary[] = "y = u0 op u1 op ..., element by element.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(operation, "min, max, and, or, nand, nor or xor."));
    a->Visit(WYVERN_DNVP(num_inputs, "Number of inputs."));
    a->Visit(WYVERN_DNVP(size, "Size of the vectors."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<NaryFunction> From(const System<double>& system);

  std::string operation{"min"};
  int num_inputs{2};
  int size{1};
};

struct Comparison {
  static constexpr char kSummary[] =
      "y = 1 where the relation of a to b holds, else 0. Input b only without "
      "the field b.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(
        relation,
        "less, less_or_equal, equal, not_equal, greater_or_equal or greater."));
    a->Visit(WYVERN_DNVP(b, "Constants to compare with (default: an input)."));
    a->Visit(WYVERN_DNVP(size, "Size of the vectors, if b is an input."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<Comparison> From(const System<double>& system);

  std::string relation{"less"};
  std::optional<VectorX<double>> b{};
  int size{1};
};

struct LookupTable {
  static constexpr char kSummary[] =
      "y = f(x), interpolated on a rectangular grid.";
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(grid, "Rising grid points of each axis."));
    a->Visit(WYVERN_DNVP(
        values, "Value at each grid point; the last axis goes fastest."));
    a->Visit(WYVERN_DNVP(interpolation, "previous, linear or cubic."));
    a->Visit(
        WYVERN_DNVP(extrapolation, "Beyond the grid: hold, linear or error."));
  }
  std::unique_ptr<System<double>> Make() const;
  static std::optional<LookupTable> From(const System<double>& system);

  std::vector<std::vector<double>> grid{{{0, 1}}};
  std::vector<double> values{0, 1};
  std::string interpolation{"linear"};
  std::string extrapolation{"hold"};
};

}  // namespace wyvern::systems::blocks
