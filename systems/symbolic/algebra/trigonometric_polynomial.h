#pragma once

/** @file
Sines and cosines of angles as variables of their own, and as quotients of
polynomials: what makes kinematics polynomial. */

#include <unordered_map>
#include <utility>
#include <vector>

#include "wyvern/systems/symbolic/algebra/rational_function.h"

namespace wyvern::symbolic {

/** Angle whose sine and cosine are s and c: q, or q / 2. For the half angle,
cos(q) is 1 - 2 s² or 2 c² - 1. */
enum class SinCosSubstitutionType {
  kAngle,
  kHalfAnglePreferSin,
  kHalfAnglePreferCos,
};

/** The two variables of an angle. */
struct SinCos {
  /** Takes the variables of the sine and the cosine. */
  SinCos(Variable s_in, Variable c_in,
         SinCosSubstitutionType type_in = SinCosSubstitutionType::kAngle)
      : s(std::move(s_in)), c(std::move(c_in)), type(type_in) {}

  /** The variables of the sine and the cosine. */
  Variable s, c;
  /** Says whether they are of the angle or its half. */
  SinCosSubstitutionType type;
};

/** The variables of some angles q. */
using SinCosSubstitution = std::unordered_map<Variable, SinCos>;

/** `e` with sin(q), cos(q) and tan(q) in the variables of `subs`; sums and
multiples of angles are expanded, as sin(x + 2 y + a). An angle outside of these
functions stays.
@throws std::runtime_error if one is of what is not affine in the angles, with
an integer times each of those that are substituted (half an integer, by half
angles) of at most 1000.
@throws std::logic_error if s is c. */
Expression Substitute(const Expression& e, const SinCosSubstitution& subs);
MatrixX<Expression> Substitute(const Eigen::Ref<const MatrixX<Expression>>& m,
                               const SinCosSubstitution& subs);

/** Returns `e` with s = 2 t / (1 + t²) and c = (1 - t²) / (1 + t²), where t(i)
is the tangent of half the angle i. The indeterminates are t, and those of `e`
without s and c. The coefficients of `e` may contain t, too. The denominator is
1 if `e` contains neither s nor c.
@throws std::logic_error if there are not as many t.
@throws std::runtime_error if `e` is no polynomial of s and c, or a coefficient
is no polynomial of t. */
RationalFunction SubstituteStereographicProjection(
    const Polynomial& e, const std::vector<SinCos>& sin_cos,
    const Eigen::Ref<const VectorX<Variable>>& t);

}  // namespace wyvern::symbolic
