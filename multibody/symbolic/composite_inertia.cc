#include "wyvern/multibody/symbolic/composite_inertia.h"

namespace wyvern::multibody::internal {

using symbolic::Expression;

CompositeInertia CompositeOf(const dynamics::NodeConstants<Expression>& node) {
  CompositeInertia c{node.mass, node.h, {}};
  const auto& I = node.I;
  c.I << I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2];
  return c;
}

CompositeInertia Turn(const CompositeInertia& c,
                      const Matrix3<Expression>& R_PN) {
  return {c.m, R_PN * c.h, R_PN * c.I * R_PN.transpose()};
}

void AddShifted(const CompositeInertia& c, const Vector3<Expression>& p,
                CompositeInertia* sum) {
  const Vector3<Expression> a = c.h + 0.5 * c.m * p;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    sum->I(i, i) += c.I(i, i) + 2 * (p[j] * a[j] + p[k] * a[k]);
    sum->I(i, j) += c.I(i, j) - (p[i] * a[j] + a[i] * p[j]);
    sum->I(j, i) = sum->I(i, j);
  }
  sum->m += c.m;
  sum->h += c.h + c.m * p;
}

}  // namespace wyvern::multibody::internal
