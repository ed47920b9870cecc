#include "wyvern/multibody/contact/contact_lanes.h"

#include <algorithm>

#include "wyvern/multibody/contact/short_vectors.h"

/* Loops over contacts by registers, once for those of two numbers and once for
those of four: what is read at their rows is put in lanes, worked on as
hunt_crossley.h says, and written back. Lanes of the last four that have no
contact read the first one's row and have no stiffness and no friction, which
adds 0; they write nothing. Sums are kept by lane and added at the end, so that
they are the same by twos and by fours. */

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

}  // namespace

struct ContactLaneKernels {
  using Four = ContactLanes::Four;

  // Lanes `lane`, `lane` + 1 ... of four.
  template <class V>
  WYVERN_INLINE static void GetLaw(const Four& four, int lane,
                                   HuntCrossley<V>* law) {
    LoadRegister(four.law.mu.data() + lane, &law->mu);
    LoadRegister(four.law.friction.data() + lane, &law->friction);
    LoadRegister(four.law.eps.data() + lane, &law->eps);
    LoadRegister(four.law.f0.data() + lane, &law->f0);
    LoadRegister(four.law.K.data() + lane, &law->K);
    LoadRegister(four.law.d.data() + lane, &law->d);
    LoadRegister(four.law.dt.data() + lane, &law->dt);
  }

  template <class V>
  WYVERN_INLINE static void Directions(Four* fours, int size, const double* v,
                                       bool is_near) {
    constexpr int kLanes = sizeof(V) / sizeof(double);
    for (int i = 0; i < size; i += kLanes) {
      Four& four = fours[i / 4];
      const int lane = i % 4;
      V w_0{}, w_1{};
      if (is_near) {
        V eps;
        Gather(v, four.row + lane, &w_0);
        Gather(v + 1, four.row + lane, &w_1);
        LoadRegister(four.law.eps.data() + lane, &eps);
        V s;
        CalcSoftSpeed(w_0, w_1, eps, &s);
        w_0 /= s;
        w_1 /= s;
      }
      StoreRegister(w_0, four.w[0] + lane);
      StoreRegister(w_1, four.w[1] + lane);
    }
  }

  // And slopes, to *fours.
  template <class V, bool kHasSlopes, class Fours>
  WYVERN_INLINE static void Impulses(Fours* fours, int size, const double* v,
                                     double* g) {
    constexpr int kLanes = sizeof(V) / sizeof(double);
    for (int i = 0; i < size; i += kLanes) {
      Fours& four = fours[i / 4];
      const int lane = i % 4;
      const int* row = four.row + lane;
      HuntCrossley<V> law;
      GetLaw(four, lane, &law);
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
        LoadRegister(four.w[0] + lane, &w_0);
        LoadRegister(four.w[1] + lane, &w_1);
        const V u_0 = v_0 * at.s_inverse, u_1 = v_1 * at.s_inverse;
        law.CalcSlopes(at, u_0, u_1, w_0, w_1, G);
        for (int k = 0; k < 6; ++k) StoreRegister(G[k], four.G[k] + lane);
      }
    }
  }

  template <class V>
  WYVERN_INLINE static void Line(Four* fours, int size, const double* v,
                                 const double* dv) {
    constexpr int kLanes = sizeof(V) / sizeof(double);
    for (int i = 0; i < size; i += kLanes) {
      Four& four = fours[i / 4];
      const int lane = i % 4;
      for (int r = 0; r < 3; ++r) {
        V x;
        Gather(v + r, four.row + lane, &x);
        StoreRegister(x, four.v[r] + lane);
        Gather(dv + r, four.row + lane, &x);
        StoreRegister(x, four.dv[r] + lane);
      }
    }
  }

  template <class V>
  WYVERN_INLINE static void Along(const Four* fours, int size, double alpha,
                                  double* impulse, double* curvature) {
    constexpr int kLanes = sizeof(V) / sizeof(double);
    V sums[4 / kLanes]{}, sums_2[4 / kLanes]{};
    for (int i = 0; i < size; i += kLanes) {
      const Four& four = fours[i / 4];
      const int lane = i % 4;
      HuntCrossley<V> law;
      GetLaw(four, lane, &law);
      V v[3], dv[3];
      for (int r = 0; r < 3; ++r) {
        LoadRegister(four.v[r] + lane, &v[r]);
        LoadRegister(four.dv[r] + lane, &dv[r]);
        v[r] += alpha * dv[r];
      }
      HuntCrossleyState<V> at;
      law.CalcState(v[0], v[1], v[2], &at);
      V along, decrease;
      law.CalcAlong(at, v[0], v[1], dv[0], dv[1], dv[2], &along, &decrease);
      sums[lane / kLanes] += along;
      sums_2[lane / kLanes] += decrease;
    }
    double by_lane[4], by_lane_2[4];
    for (int i = 0; i < 4; i += kLanes) {
      StoreRegister(sums[i / kLanes], by_lane + i);
      StoreRegister(sums_2[i / kLanes], by_lane_2 + i);
    }
    *impulse += (by_lane[0] + by_lane[1]) + (by_lane[2] + by_lane[3]);
    *curvature += (by_lane_2[0] + by_lane_2[1]) + (by_lane_2[2] + by_lane_2[3]);
  }

  template <class V>
  WYVERN_INLINE static void Move(Four* fours, int size, double alpha) {
    constexpr int kLanes = sizeof(V) / sizeof(double);
    for (int i = 0; i < size; i += kLanes) {
      Four& four = fours[i / 4];
      const int lane = i % 4;
      V eps, v_0, v_1, dv_0, dv_1, w_0, w_1;
      LoadRegister(four.law.eps.data() + lane, &eps);
      LoadRegister(four.v[0] + lane, &v_0);
      LoadRegister(four.v[1] + lane, &v_1);
      LoadRegister(four.dv[0] + lane, &dv_0);
      LoadRegister(four.dv[1] + lane, &dv_1);
      LoadRegister(four.w[0] + lane, &w_0);
      LoadRegister(four.w[1] + lane, &w_1);
      dv_0 *= alpha;
      dv_1 *= alpha;
      V s;
      CalcSoftSpeed(v_0, v_1, eps, &s);
      const V inverse = 1.0 / s;
      const V ds = inverse * (v_0 * dv_0 + v_1 * dv_1);
      w_0 = inverse * (v_0 + dv_0 - w_0 * ds);
      w_1 = inverse * (v_1 + dv_1 - w_1 * ds);
      V length = w_0 * w_0 + w_1 * w_1;
      TakeRoot(&length);
      const V scale = 1.0 / (length > 1.0 ? length : V{} + 1.0);
      StoreRegister(w_0 * scale, four.w[0] + lane);
      StoreRegister(w_1 * scale, four.w[1] + lane);
    }
  }

  WYVERN_WIDE_REGISTERS static void DirectionsWide(Four* fours, int size,
                                                   const double* v,
                                                   bool is_near) {
    Directions<Wide>(fours, size, v, is_near);
  }
  template <bool kHasSlopes, class Fours>
  WYVERN_WIDE_REGISTERS static void ImpulsesWide(Fours* fours, int size,
                                                 const double* v, double* g) {
    Impulses<Wide, kHasSlopes>(fours, size, v, g);
  }
  WYVERN_WIDE_REGISTERS static void LineWide(Four* fours, int size,
                                             const double* v,
                                             const double* dv) {
    Line<Wide>(fours, size, v, dv);
  }
  WYVERN_WIDE_REGISTERS static void AlongWide(const Four* fours, int size,
                                              double alpha, double* impulse,
                                              double* curvature) {
    Along<Wide>(fours, size, alpha, impulse, curvature);
  }
  WYVERN_WIDE_REGISTERS static void MoveWide(Four* fours, int size,
                                             double alpha) {
    Move<Wide>(fours, size, alpha);
  }
};

#undef WYVERN_INLINE

using Kernels = ContactLaneKernels;

void ContactLanes::Add(const ContactLaw<double>& law, int row) {
  const int i = size_ / 4, lane = size_ % 4;
  ++size_;
  if (static_cast<int>(fours_.size()) <= i) fours_.emplace_back();
  Four& four = fours_[i];
  if (lane == 0) {
    four.law = {};
    four.law.eps.fill(1);
    std::fill_n(four.row, 4, row);
  }
  const HuntCrossley<double> numbers = MakeHuntCrossley(law);
  four.row[lane] = row;
  four.law.mu[lane] = numbers.mu;
  four.law.friction[lane] = numbers.friction;
  four.law.eps[lane] = numbers.eps;
  four.law.f0[lane] = numbers.f0;
  four.law.K[lane] = numbers.K;
  four.law.d[lane] = numbers.d;
  four.law.dt[lane] = numbers.dt;
}

void ContactLanes::StartDirections(const double* v, bool is_near) {
  if (is_wide_) {
    Kernels::DirectionsWide(fours_.data(), size_, v, is_near);
  } else {
    Kernels::Directions<Narrow>(fours_.data(), size_, v, is_near);
  }
}

void ContactLanes::CalcImpulses(const double* v, double* g) const {
  if (is_wide_) {
    Kernels::ImpulsesWide<false>(fours_.data(), size_, v, g);
  } else {
    Kernels::Impulses<Narrow, false>(fours_.data(), size_, v, g);
  }
}

void ContactLanes::CalcSlopes(const double* v, double* g) {
  if (is_wide_) {
    Kernels::ImpulsesWide<true>(fours_.data(), size_, v, g);
  } else {
    Kernels::Impulses<Narrow, true>(fours_.data(), size_, v, g);
  }
}

bool ContactLanes::GetSlopes(int i, Matrix3<double>* G) const {
  const auto& from = fours_[i / 4].G;
  const int lane = i % 4;
  *G << from[0][lane], from[1][lane], from[3][lane],  //
      from[1][lane], from[2][lane], from[4][lane],    //
      from[3][lane], from[4][lane], from[5][lane];
  // Without friction's slopes and the normal's there are none.
  return (*G)(0, 0) != 0 || (*G)(1, 1) != 0 || (*G)(2, 2) != 0;
}

void ContactLanes::StartLine(const double* v, const double* dv) {
  if (is_wide_) {
    Kernels::LineWide(fours_.data(), size_, v, dv);
  } else {
    Kernels::Line<Narrow>(fours_.data(), size_, v, dv);
  }
}

void ContactLanes::AddAlong(double alpha, double* impulse,
                            double* curvature) const {
  if (is_wide_) {
    Kernels::AlongWide(fours_.data(), size_, alpha, impulse, curvature);
  } else {
    Kernels::Along<Narrow>(fours_.data(), size_, alpha, impulse, curvature);
  }
}

void ContactLanes::MoveDirections(double alpha) {
  if (is_wide_) {
    Kernels::MoveWide(fours_.data(), size_, alpha);
  } else {
    Kernels::Move<Narrow>(fours_.data(), size_, alpha);
  }
}

}  // namespace wyvern::multibody::internal
