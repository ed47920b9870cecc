#include "wyvern/multibody/contact/contact_batch.h"

#include <algorithm>

#include "wyvern/multibody/contact/register_math.h"

/* The laws of hunt_crossley.h for several contacts at once: loops over packs of
four contacts, written for a register type V and compiled for registers of two
and of four numbers. Each pass reads the rows of its contacts, evaluates the
law, and writes back. Unused places of the last pack read the row of its first
contact and have no stiffness and no friction, so that they add 0; they write
nothing. Sums over contacts are kept by place in the pack and added at the end,
and thus are bit-identical for both widths. With one contact the result is that
of ContactLaw. */

namespace wyvern::multibody::internal {

namespace {

using Narrow = wyvern::internal::NarrowRegister;
using Wide = wyvern::internal::WideRegister;

#define WYVERN_INLINE [[gnu::always_inline]] inline

WYVERN_INLINE void Gather(const double* from, const int* row, Narrow* to) {
  *to = Narrow{from[row[0]], from[row[1]]};
}
WYVERN_INLINE void Gather(const double* from, const int* row, Wide* to) {
  *to = Wide{from[row[0]], from[row[1]], from[row[2]], from[row[3]]};
}

// Loads the laws of a pack from number `lane` on, as many as V has lanes.
template <class V>
WYVERN_INLINE void GetLaw(const ContactPack4& pack, int lane,
                          HuntCrossley<V>* law) {
  LoadRegister(pack.law.mu.data() + lane, &law->mu);
  LoadRegister(pack.law.friction.data() + lane, &law->friction);
  LoadRegister(pack.law.eps.data() + lane, &law->eps);
  LoadRegister(pack.law.f0.data() + lane, &law->f0);
  LoadRegister(pack.law.K.data() + lane, &law->K);
  LoadRegister(pack.law.d.data() + lane, &law->d);
  LoadRegister(pack.law.dt.data() + lane, &law->dt);
}

template <class V>
WYVERN_INLINE void ResetDirections(ContactPack4* packs, int size,
                                   const double* v, bool is_near) {
  constexpr int kLanes = sizeof(V) / sizeof(double);
  for (int i = 0; i < size; i += kLanes) {
    ContactPack4& pack = packs[i / 4];
    const int lane = i % 4;
    V w_0{}, w_1{};
    if (is_near) {
      V eps;
      Gather(v, pack.row + lane, &w_0);
      Gather(v + 1, pack.row + lane, &w_1);
      LoadRegister(pack.law.eps.data() + lane, &eps);
      V s;
      CalcSoftSpeed(w_0, w_1, eps, &s);
      w_0 /= s;
      w_1 /= s;
    }
    StoreRegister(w_0, pack.w[0] + lane);
    StoreRegister(w_1, pack.w[1] + lane);
  }
}

// Writes impulses to g and, if kHasSlopes, their slopes G = -dg/dv to *packs.
template <class V, bool kHasSlopes, class Packs>
WYVERN_INLINE void CalcPacks(Packs* packs, int size, const double* v,
                             double* g) {
  constexpr int kLanes = sizeof(V) / sizeof(double);
  for (int i = 0; i < size; i += kLanes) {
    Packs& pack = packs[i / 4];
    const int lane = i % 4;
    const int* row = pack.row + lane;
    HuntCrossley<V> law;
    GetLaw(pack, lane, &law);
    V v_0, v_1, v_n;
    Gather(v, row, &v_0);
    Gather(v + 1, row, &v_1);
    Gather(v + 2, row, &v_n);
    HuntCrossleyState<V> at;
    law.CalcState(v_0, v_1, v_n, &at);
    V impulse[3];
    at.CalcImpulse(v_0, v_1, impulse);
    const int num = std::min(kLanes, size - i);
    for (int k = 0; k < num; ++k) {
      for (int r = 0; r < 3; ++r) g[row[k] + r] = impulse[r][k];
    }
    if constexpr (kHasSlopes) {
      V w_0, w_1, G[6];
      LoadRegister(pack.w[0] + lane, &w_0);
      LoadRegister(pack.w[1] + lane, &w_1);
      const V u_0 = v_0 * at.s_inverse, u_1 = v_1 * at.s_inverse;
      law.CalcSlopes(at, u_0, u_1, w_0, w_1, G);
      for (int k = 0; k < 6; ++k) StoreRegister(G[k], pack.G[k] + lane);
    }
  }
}

template <class V>
WYVERN_INLINE void GatherLine(ContactPack4* packs, int size, const double* v,
                              const double* dv) {
  constexpr int kLanes = sizeof(V) / sizeof(double);
  for (int i = 0; i < size; i += kLanes) {
    ContactPack4& pack = packs[i / 4];
    const int lane = i % 4;
    for (int r = 0; r < 3; ++r) {
      V x;
      Gather(v + r, pack.row + lane, &x);
      StoreRegister(x, pack.v[r] + lane);
      Gather(dv + r, pack.row + lane, &x);
      StoreRegister(x, pack.dv[r] + lane);
    }
  }
}

template <class V>
WYVERN_INLINE void AddLine(const ContactPack4* packs, int size, double alpha,
                           double* impulse, double* curvature) {
  constexpr int kLanes = sizeof(V) / sizeof(double);
  V sums[4 / kLanes]{}, slopes[4 / kLanes]{};
  for (int i = 0; i < size; i += kLanes) {
    const ContactPack4& pack = packs[i / 4];
    const int lane = i % 4;
    HuntCrossley<V> law;
    GetLaw(pack, lane, &law);
    V v[3], dv[3];
    for (int r = 0; r < 3; ++r) {
      LoadRegister(pack.v[r] + lane, &v[r]);
      LoadRegister(pack.dv[r] + lane, &dv[r]);
      v[r] += alpha * dv[r];
    }
    HuntCrossleyState<V> at;
    law.CalcState(v[0], v[1], v[2], &at);
    V along, slope;
    law.CalcAlong(at, v[0], v[1], dv[0], dv[1], dv[2], &along, &slope);
    sums[lane / kLanes] += along;
    slopes[lane / kLanes] += slope;
  }
  double by_lane[4], slope_by_lane[4];
  for (int i = 0; i < 4; i += kLanes) {
    StoreRegister(sums[i / kLanes], by_lane + i);
    StoreRegister(slopes[i / kLanes], slope_by_lane + i);
  }
  *impulse += (by_lane[0] + by_lane[1]) + (by_lane[2] + by_lane[3]);
  *curvature += (slope_by_lane[0] + slope_by_lane[1]) +
                (slope_by_lane[2] + slope_by_lane[3]);
}

template <class V>
WYVERN_INLINE void UpdateDirections(ContactPack4* packs, int size,
                                    double alpha) {
  constexpr int kLanes = sizeof(V) / sizeof(double);
  for (int i = 0; i < size; i += kLanes) {
    ContactPack4& pack = packs[i / 4];
    const int lane = i % 4;
    V eps, v_0, v_1, dv_0, dv_1, w_0, w_1;
    LoadRegister(pack.law.eps.data() + lane, &eps);
    LoadRegister(pack.v[0] + lane, &v_0);
    LoadRegister(pack.v[1] + lane, &v_1);
    LoadRegister(pack.dv[0] + lane, &dv_0);
    LoadRegister(pack.dv[1] + lane, &dv_1);
    LoadRegister(pack.w[0] + lane, &w_0);
    LoadRegister(pack.w[1] + lane, &w_1);
    dv_0 *= alpha;
    dv_1 *= alpha;
    V s;
    CalcSoftSpeed(v_0, v_1, eps, &s);
    const V inverse = 1.0 / s;
    const V ds = inverse * (v_0 * dv_0 + v_1 * dv_1);
    w_0 = inverse * (v_0 + dv_0 - w_0 * ds);
    w_1 = inverse * (v_1 + dv_1 - w_1 * ds);
    V length = w_0 * w_0 + w_1 * w_1;
    TakeSquareRoot(&length);
    const V scale = 1.0 / (length > 1.0 ? length : V{} + 1.0);
    StoreRegister(w_0 * scale, pack.w[0] + lane);
    StoreRegister(w_1 * scale, pack.w[1] + lane);
  }
}

#undef WYVERN_INLINE

}  // namespace

void ContactBatch::Add(const ContactLaw<double>& law, int row) {
  const int i = size_ / 4, lane = size_ % 4;
  ++size_;
  if (static_cast<int>(packs_.size()) <= i) packs_.emplace_back();
  ContactPack4& pack = packs_[i];
  if (lane == 0) {
    pack.law = {};
    pack.law.eps.fill(1);
    std::fill_n(pack.row, 4, row);
  }
  const HuntCrossley<double> parameters = MakeHuntCrossley(law);
  pack.row[lane] = row;
  pack.law.mu[lane] = parameters.mu;
  pack.law.friction[lane] = parameters.friction;
  pack.law.eps[lane] = parameters.eps;
  pack.law.f0[lane] = parameters.f0;
  pack.law.K[lane] = parameters.K;
  pack.law.d[lane] = parameters.d;
  pack.law.dt[lane] = parameters.dt;
}

void ContactBatch::ResetFrictionDirections(const double* v, bool is_near) {
  RunBest(WYVERN_KERNEL(ResetDirections<V>), packs_.data(), size_, v, is_near);
}

void ContactBatch::CalcImpulses(const double* v, double* g) const {
  RunBest(WYVERN_KERNEL(CalcPacks<V, false>), packs_.data(), size_, v, g);
}

void ContactBatch::CalcSlopes(const double* v, double* g) {
  RunBest(WYVERN_KERNEL(CalcPacks<V, true>), packs_.data(), size_, v, g);
}

bool ContactBatch::GetSlopes(int i, Matrix3<double>* G) const {
  const auto& from = packs_[i / 4].G;
  const int lane = i % 4;
  *G << from[0][lane], from[1][lane], from[3][lane],  //
      from[1][lane], from[2][lane], from[4][lane],    //
      from[3][lane], from[4][lane], from[5][lane];
  // G is positive semidefinite: if its diagonal is 0, so is all of it.
  return (*G)(0, 0) != 0 || (*G)(1, 1) != 0 || (*G)(2, 2) != 0;
}

void ContactBatch::StartLine(const double* v, const double* dv) {
  RunBest(WYVERN_KERNEL(GatherLine<V>), packs_.data(), size_, v, dv);
}

void ContactBatch::AddAlong(double alpha, double* impulse,
                            double* curvature) const {
  RunBest(WYVERN_KERNEL(AddLine<V>), packs_.data(), size_, alpha, impulse,
          curvature);
}

void ContactBatch::UpdateFrictionDirections(double alpha) {
  RunBest(WYVERN_KERNEL(UpdateDirections<V>), packs_.data(), size_, alpha);
}

}  // namespace wyvern::multibody::internal
