#pragma once

#include <cmath>

#include "tests/support/random_numbers.h"
#include "wyvern/multibody/step/laws/contact_law.h"
#include "wyvern/multibody/step/laws/hunt_crossley.h"

namespace wyvern::test {

using RandomContactLaw = multibody::internal::ContactLaw<double>;

/** A contact of a step of 0.01 s, with slopes of up to 1 / R_t = 1e6. */
inline RandomContactLaw RandomContact(RandomContactLaw::Kind kind,
                                      RandomNumbers* random) {
  RandomContactLaw law;
  law.kind = kind;
  law.mu = random->Uniform(0, 1.5);
  law.v_hat = random->Uniform(-0.1, 0.1);
  law.R_n = std::pow(10, random->Uniform(-4, -1));
  law.R_t = 0.01 * law.R_n;
  law.dt = 0.01;
  law.k = 1e4;
  law.d = random->Uniform(0, 10);
  law.f0 = random->Uniform(-10, 20);
  law.n0 = random->Uniform(0, 0.1);
  law.eps = 1e-3;
  return law;
}

/** A random contact of any kind. */
inline RandomContactLaw RandomContact(RandomNumbers* random) {
  const int kind = random->Integer(0, 2);
  return RandomContact(static_cast<RandomContactLaw::Kind>(kind), random);
}

/** Slopes of a law of Hunt and Crossley by a friction direction w. */
inline Matrix3<double> CalcSlopesByDirection(const RandomContactLaw& law,
                                             const Vector3<double>& v,
                                             const Vector2<double>& w) {
  const auto parameters = multibody::internal::MakeHuntCrossley(law);
  multibody::internal::HuntCrossleyState<double> at;
  parameters.CalcState(v[0], v[1], v[2], &at);
  const Vector2<double> u = v.head<2>() * at.s_inverse;
  double upper[6];
  parameters.CalcSlopes(at, u[0], u[1], w[0], w[1], upper);
  Matrix3<double> G;
  G << upper[0], upper[1], upper[3],  //
      upper[1], upper[2], upper[4],   //
      upper[3], upper[4], upper[5];
  return G;
}

}  // namespace wyvern::test
