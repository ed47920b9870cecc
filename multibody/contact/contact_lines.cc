#include "wyvern/multibody/contact/contact_lines.h"

#include <cmath>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "wyvern/systems/common/math/wide_registers.h"

namespace wyvern::multibody::internal {

namespace {

using Two = wyvern::internal::NarrowRegister;

inline Two Root(const Two& x) {
#ifdef __SSE2__
  return _mm_sqrt_pd(x);
#else
  return Two{std::sqrt(x[0]), std::sqrt(x[1])};
#endif
}

// 0 where `where` is not positive, else x.
inline Two Where(const Two& where, const Two& x) {
  return where <= Two{} ? Two{} : x;
}

// The fields of a contact, in this order.
enum Field {
  kV0,
  kV1,
  kV2,
  kDv0,
  kDv1,
  kDv2,
  kDv_t2,  // |dv_t|^2
  kEps,
  kEps2,      // eps^2
  kMu,        // kSimilar; else 0.
  kFriction,  // mu n0 of kLagged; else 0.
  kF0,
  kK,  // dt k
  kD,
  kDt,
};

}  // namespace

void ContactLines::Add(const ContactLaw<double>& law, const double* v,
                       const double* dv) {
  static_assert(kDt + 1 == kNumFields);
  const int i = size_ / 2, lane = size_ % 2;
  ++size_;
  if (static_cast<int>(pairs_.size()) <= i) pairs_.emplace_back();
  auto& f = pairs_[i].fields;
  const bool is_similar = law.kind == ContactLaw<double>::Kind::kSimilar;
  const auto set = [&](Field field, double value) { f[field][lane] = value; };
  set(kV0, v[0]);
  set(kV1, v[1]);
  set(kV2, v[2]);
  set(kDv0, dv[0]);
  set(kDv1, dv[1]);
  set(kDv2, dv[2]);
  set(kDv_t2, dv[0] * dv[0] + dv[1] * dv[1]);
  set(kEps, law.eps);
  set(kEps2, law.eps * law.eps);
  set(kMu, is_similar ? law.mu : 0.0);
  set(kFriction, is_similar ? 0.0 : law.mu * law.n0);
  set(kF0, law.f0);
  set(kK, law.dt * law.k);
  set(kD, law.d);
  set(kDt, law.dt);
  if (lane == 1) return;
  // The other one, if there is none, has no impulse.
  for (auto& field : f) field[1] = 0;
  f[kEps2][1] = 1;
}

// As in contact_law.cc.
void ContactLines::AddAlong(double alpha, double* impulse,
                            double* curvature) const {
  Two sum{}, sum_2{};
  for (int i = 0; 2 * i < size_; ++i) {
    const auto get = [&fields = pairs_[i].fields](Field field) {
      Two x;
      std::memcpy(&x, fields[field], sizeof(x));
      return x;
    };
    const Two d_0 = get(kDv0), d_1 = get(kDv1), d_n = get(kDv2);
    const Two v_0 = get(kV0) + alpha * d_0, v_1 = get(kV1) + alpha * d_1;
    const Two s = Root(v_0 * v_0 + v_1 * v_1 + get(kEps2));
    const Two s_inverse = 1.0 / s;
    const Two w = (v_0 * d_0 + v_1 * d_1) * s_inverse;
    const Two mu = get(kMu), K = get(kK), d = get(kD), dt = get(kDt);
    const Two z = get(kV2) + alpha * d_n - mu * (s - get(kEps));
    const Two elastic = get(kF0) - K * z;
    const Two damping = 1.0 - d * z;
    const Two n = Where(elastic, Where(damping, dt * elastic * damping));
    const Two slope =
        Where(elastic, Where(damping, dt * (K * damping + d * elastic)));
    const Two strength = get(kFriction) + mu * n;
    const Two dz = d_n - mu * w;
    sum += n * d_n - strength * w;
    sum_2 += strength * s_inverse * (get(kDv_t2) - w * w) + slope * dz * dz;
  }
  *impulse += sum[0] + sum[1];
  *curvature += sum_2[0] + sum_2[1];
}

}  // namespace wyvern::multibody::internal
