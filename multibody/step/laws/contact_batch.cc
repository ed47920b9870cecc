#include "wyvern/multibody/step/laws/contact_batch.h"

#include <algorithm>

#include "wyvern/multibody/kernels/packs.h"

/* The laws of hunt_crossley.h for several contacts at once: loops over packs of
four contacts. Each pass reads the rows of its contacts, evaluates the law, and
writes back. Unused places of the last pack read the row of its first
contact and have no stiffness and no friction, so that they add 0; they write
nothing. Sums over contacts are kept by place in the pack and added at the end.
With one contact the result is that of ContactLaw. */

namespace wyvern::multibody::internal {

namespace {

#define WYVERN_INLINE [[gnu::always_inline]] inline

WYVERN_INLINE void LoadLaw(const ContactPack4& pack, HuntCrossley<Pack4>* law) {
  Load(pack.law.mu.data(), &law->mu);
  Load(pack.law.friction.data(), &law->friction);
  Load(pack.law.eps.data(), &law->eps);
  Load(pack.law.f0.data(), &law->f0);
  Load(pack.law.K.data(), &law->K);
  Load(pack.law.d.data(), &law->d);
  Load(pack.law.dt.data(), &law->dt);
}

// Writes impulses to g and, if kHasSlopes, their slopes G = -dg/dv to *packs.
template <bool kHasSlopes, class Packs>
WYVERN_INLINE void CalcPacks(Packs* packs, int size, const double* v,
                             double* g) {
  for (Packs* pack = packs; size > 0; size -= 4, ++pack) {
    const int* row = pack->row;
    HuntCrossley<Pack4> law;
    LoadLaw(*pack, &law);
    Pack4 v_0, v_1, v_n;
    Gather(v, row, &v_0);
    Gather(v + 1, row, &v_1);
    Gather(v + 2, row, &v_n);
    HuntCrossleyState<Pack4> at;
    law.CalcState(v_0, v_1, v_n, &at);
    Pack4 impulse[3];
    at.CalcImpulse(v_0, v_1, impulse);
    const int num = std::min(4, size);
    for (int k = 0; k < num; ++k) {
      for (int r = 0; r < 3; ++r) g[row[k] + r] = impulse[r][k];
    }
    if constexpr (kHasSlopes) {
      Pack4 w_0, w_1, G[6];
      Load(pack->w[0], &w_0);
      Load(pack->w[1], &w_1);
      const Pack4 u_0 = v_0 * at.s_inverse, u_1 = v_1 * at.s_inverse;
      law.CalcSlopes(at, u_0, u_1, w_0, w_1, G);
      for (int k = 0; k < 6; ++k) Store(G[k], pack->G[k]);
    }
  }
}

WYVERN_INLINE void AddLine(const ContactPack4* packs, int size, double alpha,
                           double* impulse, double* curvature) {
  Pack4 sums{}, slopes{};
  for (const ContactPack4* pack = packs; size > 0; size -= 4, ++pack) {
    HuntCrossley<Pack4> law;
    LoadLaw(*pack, &law);
    Pack4 v[3], dv[3];
    for (int r = 0; r < 3; ++r) {
      Load(pack->v[r], &v[r]);
      Load(pack->dv[r], &dv[r]);
      v[r] += alpha * dv[r];
    }
    HuntCrossleyState<Pack4> at;
    law.CalcState(v[0], v[1], v[2], &at);
    Pack4 along, slope;
    law.CalcAlong(at, v[0], v[1], dv[0], dv[1], dv[2], &along, &slope);
    sums += along;
    slopes += slope;
  }
  *impulse += (sums[0] + sums[1]) + (sums[2] + sums[3]);
  *curvature += (slopes[0] + slopes[1]) + (slopes[2] + slopes[3]);
}

WYVERN_INLINE void UpdateDirections(ContactPack4* packs, int size,
                                    double alpha) {
  for (ContactPack4* pack = packs; size > 0; size -= 4, ++pack) {
    Pack4 eps, v_0, v_1, dv_0, dv_1, w_0, w_1;
    Load(pack->law.eps.data(), &eps);
    Load(pack->v[0], &v_0);
    Load(pack->v[1], &v_1);
    Load(pack->dv[0], &dv_0);
    Load(pack->dv[1], &dv_1);
    Load(pack->w[0], &w_0);
    Load(pack->w[1], &w_1);
    dv_0 *= alpha;
    dv_1 *= alpha;
    Pack4 s;
    CalcSoftSpeed(v_0, v_1, eps, &s);
    const Pack4 inverse = 1.0 / s;
    const Pack4 ds = inverse * (v_0 * dv_0 + v_1 * dv_1);
    w_0 = inverse * (v_0 + dv_0 - w_0 * ds);
    w_1 = inverse * (v_1 + dv_1 - w_1 * ds);
    Pack4 length = w_0 * w_0 + w_1 * w_1;
    TakeSquareRoot(&length);
    const Pack4 scale = 1.0 / (length > 1.0 ? length : Pack4{} + 1.0);
    Store(w_0 * scale, pack->w[0]);
    Store(w_1 * scale, pack->w[1]);
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
  for (int i = 0; i < size_; ++i) {
    ContactPack4& pack = packs_[i / 4];
    const int lane = i % 4;
    pack.w[0][lane] = pack.w[1][lane] = 0;
    if (!is_near) continue;
    const double* const v_i = v + pack.row[lane];
    double s;
    CalcSoftSpeed(v_i[0], v_i[1], pack.law.eps[lane], &s);
    for (int r = 0; r < 2; ++r) pack.w[r][lane] = v_i[r] / s;
  }
}

void ContactBatch::CalcImpulses(const double* v, double* g) const {
  RunBest(WYVERN_KERNEL(CalcPacks<false>), packs_.data(), size_, v, g);
}

void ContactBatch::CalcSlopes(const double* v, double* g) {
  RunBest(WYVERN_KERNEL(CalcPacks<true>), packs_.data(), size_, v, g);
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
  for (int i = 0; i < size_; i += 4) {
    ContactPack4& pack = packs_[i / 4];
    for (int lane = 0; lane < 4; ++lane) {
      const double* const v_i = v + pack.row[lane];
      const double* const dv_i = dv + pack.row[lane];
      for (int r = 0; r < 3; ++r) {
        pack.v[r][lane] = v_i[r];
        pack.dv[r][lane] = dv_i[r];
      }
    }
  }
}

void ContactBatch::AddAlong(double alpha, double* impulse,
                            double* curvature) const {
  RunBest(WYVERN_KERNEL(AddLine), packs_.data(), size_, alpha, impulse,
          curvature);
}

void ContactBatch::UpdateFrictionDirections(double alpha) {
  RunBest(WYVERN_KERNEL(UpdateDirections), packs_.data(), size_, alpha);
}

}  // namespace wyvern::multibody::internal
