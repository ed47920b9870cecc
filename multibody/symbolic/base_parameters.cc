#include "wyvern/multibody/symbolic/base_parameters.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "wyvern/multibody/symbolic/composite_inertia.h"

namespace wyvern::multibody::internal {

using dynamics::Model;
using dynamics::ModelParameters;
using dynamics::NodeConstants;
using symbolic::Expression;

namespace {

// A few roundings of numbers about 1.
constexpr double kSnapped = 1e-15;

// Nearest of those of 0, 1 and -1 that are within rounding of a number.
void Snap(Expression* entry, double scale) {
  const double x =
      KnownNumberOr(*entry, std::numeric_limits<double>::infinity());
  if (std::abs(x) <= kSnapped * scale) *entry = 0;
  if (scale == 1 && std::abs(std::abs(x) - 1) <= kSnapped) {
    *entry = x > 0 ? 1 : -1;
  }
}

// The size of entries that are numbers.
template <typename Entries>
double LargestOf(const Entries& entries) {
  double largest = 0;
  for (const Expression& entry : entries) {
    largest = std::max(largest, std::abs(KnownNumberOr(entry, 0)));
  }
  return largest;
}

// Adds an inertia in the parent's axes, about the point p there.
void AddToParent(const CompositeInertia& c, const Vector3<Expression>& p,
                 NodeConstants<Expression>* parent) {
  CompositeInertia sum = CompositeOf(*parent);
  AddShifted(c, p, &sum);
  parent->mass = sum.m;
  parent->h = sum.h;
  for (int i = 0; i < 3; ++i) parent->I[i] = sum.I(i, i);
  parent->I[3] = sum.I(0, 1);
  parent->I[4] = sum.I(0, 2);
  parent->I[5] = sum.I(1, 2);
}

void MoveFromTurning(NodeConstants<Expression>* node,
                     NodeConstants<Expression>* parent) {
  const Vector3<Expression> z = node->R_PF.col(2);
  const Expression a = node->I[1];
  const Matrix3<Expression> I =
      a * (Matrix3<Expression>::Identity() - z * z.transpose());
  AddToParent({node->mass, node->h[2] * z, I}, node->p_PF, parent);
  parent->gravity_mass += node->gravity_mass;
  parent->gravity_h += node->gravity_h[2] * z + node->gravity_mass * node->p_PF;
  node->I[0] -= a;
  node->I[1] = 0;
  node->mass = node->h[2] = 0;
  node->gravity_mass = node->gravity_h[2] = 0;
}

void MoveFromSliding(NodeConstants<Expression>* node,
                     NodeConstants<Expression>* parent) {
  const Vector3<Expression> zero = Vector3<Expression>::Zero();
  const Matrix3<Expression> I_P = Turn(CompositeOf(*node), node->R_PF).I;
  AddToParent({0, zero, I_P}, zero, parent);
  node->I.fill(0);
}

}  // namespace

ModelParameters<Expression> ToBaseParameters(
    const Model& model, ModelParameters<Expression> parameters) {
  for (auto& node : parameters.nodes) {
    for (Expression& entry : node.R_PF.reshaped()) Snap(&entry, 1);
    const double length = LargestOf(node.p_PF);
    for (Expression& entry : node.p_PF) Snap(&entry, length);
  }
  for (int i = model.num_nodes() - 1; i > 0; --i) {
    NodeConstants<Expression>& node = parameters.nodes[i];
    // Sizes before what is large is taken away.
    const double inertia = LargestOf(node.I), moment = LargestOf(node.h);
    NodeConstants<Expression>& parent = parameters.nodes[model.nodes[i].parent];
    if (model.nodes[i].type == dynamics::MobilizerType::kRevolute) {
      MoveFromTurning(&node, &parent);
    } else if (model.nodes[i].type == dynamics::MobilizerType::kPrismatic) {
      MoveFromSliding(&node, &parent);
    }
    for (Expression& entry : node.I) Snap(&entry, inertia);
    for (Expression& entry : node.h) Snap(&entry, moment);
    for (Expression& entry : node.gravity_h) Snap(&entry, moment);
  }
  return parameters;
}

}  // namespace wyvern::multibody::internal
