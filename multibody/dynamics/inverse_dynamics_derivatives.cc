#include "wyvern/multibody/dynamics/inverse_dynamics_derivatives.h"

#include <algorithm>

#include "wyvern/multibody/dynamics/dispatch_by_dof.h"
#include "wyvern/multibody/kernels/packs.h"
#include "wyvern/systems/common/default_scalars.h"

/* Carpentier and Mansard, "Analytical derivatives of rigid body dynamics
algorithms", RSS 2018; Singh, Russo and Wensing, "Efficient analytical
derivatives of rigid-body dynamics using spatial vector algebra", RA-L 2022.
A displacement along velocity k of node j turns all outboard of j by the screw
H_k. If that were all, forces would turn along and tau stay. What remains are
the changes of motion relative to that turn: psi of V, psi x V + phi of A
(screw_derivatives.h). For what a node's bodies need as force, f:
  ∂f/∂q_k = H_k x* (f + F) - ∂F/∂q_k + I phi + B psi,  ∂f/∂v_k = I lambda + B
H_k, where F is applied, and B psi = psi x* I V + V x* I psi - I (V x psi) is
the Coriolis force, 2 a x u on a particle of velocity u for psi = (a, b): linear
in a alone. Summed outboard of i and projected on H_i these give tau's. O(bodies
* depth); allocates nothing. */

namespace wyvern::multibody::dynamics {
namespace {

// Columns of `rows`, all by velocity.
enum Row {
  kInertiaRow = 0,   // I H, six.
  kCoriolisRow = 6,  // Bᵀ H, three.
  kLoadRow = 9,      // The applied forces' share in it for ∂q, three.
  kForceByQ = 12,    // Change of F by q, six.
  kForceByV = 18,    // Change of F by v, six.
  kNumRows = 24,
};

template <typename T>
using Composite = typename InverseDynamicsDerivativesScratch<T>::Composite;

// 2 m (p x (a x u), a x u) summed over particles, a the rotational part of psi.
template <typename T>
EIGEN_ALWAYS_INLINE Vector6<T> Coriolis(const Composite<T>& c,
                                        const Vector6<T>& psi) {
  const auto& Z = c.Z;
  const T x = 2.0 * psi[0], y = 2.0 * psi[1], z = 2.0 * psi[2];
  Vector6<T> r;
  r[0] = (Z(1, 1) + Z(2, 2)) * x - Z(0, 1) * y - Z(0, 2) * z;
  r[1] = (Z(0, 0) + Z(2, 2)) * y - Z(1, 0) * x - Z(1, 2) * z;
  r[2] = (Z(0, 0) + Z(1, 1)) * z - Z(2, 0) * x - Z(2, 1) * y;
  r[3] = y * c.mu[2] - z * c.mu[1];
  r[4] = z * c.mu[0] - x * c.mu[2];
  r[5] = x * c.mu[1] - y * c.mu[0];
  return r;
}

// Transposed form of the product above.
template <typename T>
EIGEN_ALWAYS_INLINE Vector3<T> CoriolisTransposed(const Composite<T>& c,
                                                  const Vector6<T>& H) {
  const auto& Z = c.Z;
  const auto& mu = c.mu;
  Vector3<T> r;
  r[0] = 2.0 * ((Z(1, 1) + Z(2, 2)) * H[0] - Z(1, 0) * H[1] - Z(2, 0) * H[2] +
                (mu[1] * H[5] - mu[2] * H[4]));
  r[1] = 2.0 * ((Z(0, 0) + Z(2, 2)) * H[1] - Z(0, 1) * H[0] - Z(2, 1) * H[2] +
                (mu[2] * H[3] - mu[0] * H[5]));
  r[2] = 2.0 * ((Z(0, 0) + Z(1, 1)) * H[2] - Z(0, 2) * H[0] - Z(1, 2) * H[1] +
                (mu[0] * H[4] - mu[1] * H[3]));
  return r;
}

// H x* F - ∂F for a displacement with rotation w: only that counts.
template <typename T>
void AddLoadChange(const DeadLoad<T>& load, const Vector3<T>& w,
                   Vector6<T>* F) {
  const Vector3<T> t = load.F.template head<3>();
  const Vector3<T> f = load.F.template tail<3>();
  const T trace = load.S.trace();
  F->template head<3>() += w.cross(t) - load.S * w + trace * w;
  F->template tail<3>() += w.cross(f);
}

template <typename T>
Vector3<T> LoadChangeTransposed(const DeadLoad<T>& load, const Vector6<T>& H) {
  const Vector3<T> w = H.template head<3>();
  const Vector3<T> v = H.template tail<3>();
  const Vector3<T> t = load.F.template head<3>();
  const Vector3<T> f = load.F.template tail<3>();
  const T trace = load.S.trace();
  return t.cross(w) + f.cross(v) - load.S.transpose() * w + trace * w;
}

// With V of the parent and of the node, which differ by what the carriers and
// the others add, and A of the node with what v̇ adds to it likewise.
template <typename T>
struct MobilizerMotion {
  Vector6<T> V_P, V_N, V_carriers, V_others, A_N, A_carriers, A_others;
};

// In what follows U is the motion that H is fixed in, W that of the screws it
// moves, and `change` the derivative of A_N itself.
template <typename T>
ScrewRates<T> RatesFrom(const MobilizerMotion<T>& m, const Vector6<T>& H,
                        const Vector6<T>& W, const Vector6<T>& U,
                        const Vector6<T>& change) {
  ScrewRates<T> r;
  r.psi = CrossMotion<T>(m.V_N - W, H);
  r.phi = change + CrossMotion<T>(m.A_N, H) + CrossMotion<T>(m.V_N, r.psi);
  r.lambda = CrossMotion<T>(m.V_P + U, H) + r.psi;
  return r;
}

template <typename T>
ScrewRates<T> CarrierRates(const MobilizerMotion<T>& m, const Vector6<T>& H) {
  const Vector6<T> change =
      CrossMotion<T>(H, m.A_others) +
      CrossMotion<T>(m.V_P + m.V_carriers, CrossMotion<T>(H, m.V_others));
  return RatesFrom<T>(m, H, m.V_others, Vector6<T>::Zero(), change);
}

template <typename T>
ScrewRates<T> OtherRates(const MobilizerMotion<T>& m, const Vector6<T>& H) {
  const Vector6<T> zero = Vector6<T>::Zero();
  return RatesFrom<T>(m, H, zero, m.V_carriers, zero);
}

template <typename T>
ScrewRates<T> ReversedCarrierRates(const MobilizerMotion<T>& m,
                                   const Vector6<T>& H) {
  const Vector6<T> V = m.V_carriers + m.V_others;
  const Vector6<T> HxC = CrossMotion<T>(H, m.V_carriers);
  const Vector6<T> change = CrossMotion<T>(H, m.A_carriers) +
                            CrossMotion<T>(m.V_P + V, HxC) +
                            CrossMotion<T>(HxC, m.V_carriers);
  return RatesFrom<T>(m, H, m.V_carriers, V, change);
}

template <typename T>
ScrewRates<T> ReversedOtherRates(const MobilizerMotion<T>& m,
                                 const Vector6<T>& H) {
  const Vector6<T> V = m.V_carriers + m.V_others;
  const Vector6<T> HxC = CrossMotion<T>(H, m.V_carriers);
  const Vector6<T> HxO = CrossMotion<T>(H, m.V_others);
  const Vector6<T> HxV = HxC + HxO;
  const Vector6<T> change =
      CrossMotion<T>(H, m.A_carriers + m.A_others) +
      CrossMotion<T>(m.V_P, HxV) + CrossMotion<T>(HxV, m.V_carriers) +
      CrossMotion<T>(HxO, m.V_others) + CrossMotion<T>(V, HxC) +
      CrossMotion<T>(m.V_others, HxO);
  return RatesFrom<T>(m, H, V, m.V_others, change);
}

template <int nv, typename T>
void CalcNodeRates(const Model::Node& node, const T* H_start, const T* v,
                   const T* vdot, const Vector6<T>& V_P, const Vector6<T>& V_N,
                   const Vector6<T>& A_N, ScrewRates<T>* rates) {
  using Screw = Eigen::Map<const Vector6<T>>;
  if constexpr (nv == 1) {
    const Vector6<T> H = Screw(H_start);
    rates->psi = CrossMotion<T>(V_N, H);
    rates->phi =
        Sum<T>(CrossMotion<T>(A_N, H), CrossMotion<T>(V_N, rates->psi));
    rates->lambda = Sum<T>(rates->psi, rates->psi);
  } else {
    const Vector6<T> zero = Vector6<T>::Zero();
    MobilizerMotion<T> m{V_P, V_N, zero, zero, A_N, zero, zero};
    const int n = NvOf<nv>(node);
    for (int k = 0; k < n; ++k) {
      const Screw H(H_start + 6 * k);
      const bool carries = TraitsOf(node.type).carries[k];
      (carries ? m.V_carriers : m.V_others) += H * v[k];
      (carries ? m.A_carriers : m.A_others) += H * vdot[k];
    }
    for (int k = 0; k < n; ++k) {
      const Vector6<T> H = Screw(H_start + 6 * k);
      const bool carries = TraitsOf(node.type).carries[k];
      if (node.is_reversed) {
        rates[k] = carries ? ReversedCarrierRates<T>(m, H)
                           : ReversedOtherRates<T>(m, H);
      } else {
        rates[k] = carries ? CarrierRates<T>(m, H) : OtherRates<T>(m, H);
      }
    }
  }
}

// A node alone, but for `load`.
template <typename T>
void StartComposite(const RigidInertia<T>& I, const Vector6<T>& V,
                    const Vector6<T>& A, Composite<T>* c) {
  const Vector3<T> none = Vector3<T>::Zero();
  c->inertia = I;
  CalcRequiredForce<T>(I, V, A, none, &c->F);
  // Sum of m p pᵀ.
  const T jx = 0.5 * (I.yy + I.zz - I.xx);
  const T jy = 0.5 * (I.xx + I.zz - I.yy);
  const T jz = 0.5 * (I.xx + I.yy - I.zz);
  Matrix3<T>& Z = c->Z;
  Z(0, 0) = V[3] * I.h[0] - V[1] * I.xz + V[2] * I.xy;
  Z(1, 0) = V[4] * I.h[0] + V[2] * jx + V[0] * I.xz;
  Z(2, 0) = V[5] * I.h[0] - V[0] * I.xy - V[1] * jx;
  Z(0, 1) = V[3] * I.h[1] - V[1] * I.yz - V[2] * jy;
  Z(1, 1) = V[4] * I.h[1] - V[2] * I.xy + V[0] * I.yz;
  Z(2, 1) = V[5] * I.h[1] + V[0] * jy + V[1] * I.xy;
  Z(0, 2) = V[3] * I.h[2] + V[1] * jz + V[2] * I.yz;
  Z(1, 2) = V[4] * I.h[2] - V[2] * I.xz - V[0] * jz;
  Z(2, 2) = V[5] * I.h[2] - V[0] * I.yz + V[1] * I.xz;
  c->mu[0] = I.mass * V[3] + (V[1] * I.h[2] - V[2] * I.h[1]);
  c->mu[1] = I.mass * V[4] + (V[2] * I.h[0] - V[0] * I.h[2]);
  c->mu[2] = I.mass * V[5] + (V[0] * I.h[1] - V[1] * I.h[0]);
}

template <typename T>
void AddComposite(const Composite<T>& from, bool has_loads, Composite<T>* to) {
  to->inertia += from.inertia;
  to->Z += from.Z;
  to->mu += from.mu;
  to->F += from.F;
  if (has_loads) to->load += from.load;
}

// Rows of velocity k, and the entries within its node.
template <int nv, typename T>
void CalcNodeRows(const Model::Node& node, const Composite<T>& c,
                  bool has_loads, const T* H_start, const ScrewRates<T>* rates,
                  T* rows, Eigen::Index ld,
                  const InverseDynamicsPartials<T>& result) {
  const int n = NvOf<nv>(node);
  for (int k = 0; k < n; ++k) {
    const Vector6<T> H = Eigen::Map<const Vector6<T>>(H_start + 6 * k);
    const Vector6<T> IH = Times<T>(c.inertia, H);
    const Vector3<T> BtH = CoriolisTransposed<T>(c, H);
    const Vector6<T> HxF = CrossForce<T>(H, c.F);
    Vector6<T> by_q = Sum<T>(HxF, Sum<T>(Times<T>(c.inertia, rates[k].phi),
                                         Coriolis<T>(c, rates[k].psi)));
    const Vector6<T> by_v =
        Sum<T>(Times<T>(c.inertia, rates[k].lambda), Coriolis<T>(c, H));
    const int column = node.v_start + k;
    T* const row = rows + column;
    if (has_loads) {
      AddLoadChange<T>(c.load, H.template head<3>(), &by_q);
      const Vector3<T> EtH = LoadChangeTransposed<T>(c.load, H);
      for (int i = 0; i < 3; ++i) row[(kLoadRow + i) * ld] = EtH[i];
    }
    for (int i = 0; i < 6; ++i) row[(kInertiaRow + i) * ld] = IH[i];
    for (int i = 0; i < 3; ++i) row[(kCoriolisRow + i) * ld] = BtH[i];
    for (int i = 0; i < 6; ++i) row[(kForceByQ + i) * ld] = by_q[i];
    for (int i = 0; i < 6; ++i) row[(kForceByV + i) * ld] = by_v[i];
    for (int l = 0; l < n; ++l) {
      const T* H_l = H_start + 6 * l;
      const int row_l = node.v_start + l;
      T dq = Dot<T>(H_l, by_q);
      if constexpr (nv != 1) {
        if (MovesScrew(node, k, l)) dq -= Dot<T>(H_l, HxF);
      }
      *result.dtau_dq.at(row_l, column) = dq;
      *result.dtau_dv.at(row_l, column) = Dot<T>(H_l, by_v);
      if (result.M.data != nullptr) {
        *result.M.at(row_l, column) = Dot<T>(H_l, IH);
      }
    }
  }
}

// Entries of velocity k with those outboard of its node, [first, end).
template <typename L, typename T>
EIGEN_ALWAYS_INLINE void CalcOutboardPacks(
    int k, int first, int end, bool has_loads, const T* H,
    const ScrewRates<T>& rates, const T* rows, Eigen::Index ld,
    const InverseDynamicsPartials<T>& result) {
  for (int b = first; b < end; b += internal::kPackSize<T>) {
    const T* const row = rows + b;
    L p, r, q, v, m;
    internal::Load(row + kInertiaRow * ld, &p);
    q = p * rates.phi[0];
    v = p * rates.lambda[0];
    m = p * H[0];
    for (int i = 1; i < 6; ++i) {
      internal::Load(row + (kInertiaRow + i) * ld, &p);
      q += p * rates.phi[i];
      v += p * rates.lambda[i];
      m += p * H[i];
    }
    for (int i = 0; i < 3; ++i) {
      internal::Load(row + (kCoriolisRow + i) * ld, &p);
      q += p * rates.psi[i];
      v += p * H[i];
    }
    if (has_loads) {
      for (int i = 0; i < 3; ++i) {
        internal::Load(row + (kLoadRow + i) * ld, &p);
        q += p * H[i];
      }
    }
    const int count = std::min(internal::kPackSize<T>, end - b);
    internal::StoreFirst(q, count, result.dtau_dq.at(b, k));
    internal::StoreFirst(v, count, result.dtau_dv.at(b, k));
    internal::Load(row + kForceByQ * ld, &p);
    internal::Load(row + kForceByV * ld, &r);
    q = p * H[0];
    v = r * H[0];
    for (int i = 1; i < 6; ++i) {
      internal::Load(row + (kForceByQ + i) * ld, &p);
      internal::Load(row + (kForceByV + i) * ld, &r);
      q += p * H[i];
      v += r * H[i];
    }
    for (int i = 0; i < count; ++i) {
      *result.dtau_dq.at(k, b + i) = q[i];
      *result.dtau_dv.at(k, b + i) = v[i];
    }
    if (result.M.data == nullptr) continue;
    internal::StoreFirst(m, count, result.M.at(b, k));
    for (int i = 0; i < count; ++i) *result.M.at(k, b + i) = m[i];
  }
}

template <typename T>
void CalcOutboardEntries(int k, int first, int end, bool has_loads, const T* H,
                         const ScrewRates<T>& rates, const T* rows,
                         Eigen::Index ld,
                         const InverseDynamicsPartials<T>& result) {
  internal::RunBestPacks<T>([&]<typename L>() __attribute__((always_inline)) {
    CalcOutboardPacks<L>(k, first, end, has_loads, H, rates, rows, ld, result);
  });
}

// scratch->A, ->rates, and ->composites with each node alone.
template <typename T>
void RunPartialsOutward(const Motion<T>& motion,
                        const Eigen::Ref<const VectorX<T>>& v,
                        const Eigen::Ref<const VectorX<T>>& vdot,
                        const Vector3<T>& gravity,
                        std::span<const DeadLoad<T>> loads,
                        InverseDynamicsDerivativesScratch<T>* scratch) {
  const Model& model = motion.model;
  const auto& positions = motion.positions;
  const auto& velocities = motion.velocities;
  auto& A = scratch->A;
  // Falling upwards is the same as standing in gravity.
  A[0] << Vector3<T>::Zero(), -gravity;
  for (int i = 1; i < model.num_nodes(); ++i) {
    const Model::Node& node = model.nodes[i];
    Composite<T>& composite = scratch->composites[i];
    DispatchByDof<T>(node.nv, [&](auto nv) {
      const int k = node.v_start, n = NvOf<nv>(node);
      A[i] = A[node.parent] + velocities.bias[i] +
             NodeColumns<nv, T>(positions.H, k, n) *
                 vdot.template segment<nv>(k, n);
      CalcNodeRates<nv, T>(node, positions.H.data() + 6 * k, v.data() + k,
                           vdot.data() + k, velocities.V[node.parent],
                           velocities.V[i], A[i], &scratch->rates[k]);
    });
    StartComposite<T>(motion.inertias[i], velocities.V[i], A[i], &composite);
    if (!loads.empty()) {
      composite.load = loads[i];
      composite.F -= loads[i].F;
    }
  }
}

}  // namespace

template <typename T>
InverseDynamicsDerivativesScratch<T>::InverseDynamicsDerivativesScratch(
    const Model& model)
    : A(model.num_nodes(), Vector6<T>::Zero()),
      composites(model.num_nodes()),
      loads(model.num_nodes()),
      rates(model.num_v),
      rows(MatrixX<T>::Zero(internal::PaddedSize<T>(model.num_v), kNumRows)) {}

template <typename T>
void CalcInverseDynamicsPartials(const Motion<T>& motion,
                                 const Eigen::Ref<const VectorX<T>>& v,
                                 const Eigen::Ref<const VectorX<T>>& vdot,
                                 std::span<const DeadLoad<T>> loads,
                                 Gravity gravity,
                                 InverseDynamicsDerivativesScratch<T>* scratch,
                                 const InverseDynamicsPartials<T>& result) {
  const Model& model = motion.model;
  const ModelParameters<T>& parameters = motion.parameters;
  const bool falls = gravity == Gravity::kOn;
  const bool is_uniform = parameters.gravity_is_uniform;
  if (falls && !is_uniform) {
    auto& all = scratch->loads;
    for (int i = 1; i < model.num_nodes(); ++i) {
      all[i] = loads.empty() ? DeadLoad<T>{} : loads[i];
    }
    AddGravityLoads(model, parameters, motion.positions, &all);
    loads = all;
  }
  const Vector3<T> zero = Vector3<T>::Zero();
  RunPartialsOutward<T>(motion, v, vdot,
                        falls && is_uniform ? parameters.gravity : zero, loads,
                        scratch);
  T* const rows = scratch->rows.data();
  const Eigen::Index ld = scratch->rows.rows();
  const bool has_loads = !loads.empty();
  for (int i = model.num_nodes() - 1; i > 0; --i) {
    const Model::Node& node = model.nodes[i];
    const Composite<T>& composite = scratch->composites[i];
    const T* const H = motion.positions.H.data() + 6 * node.v_start;
    const ScrewRates<T>* const rates = &scratch->rates[node.v_start];
    DispatchByDof<T>(node.nv, [&](auto nv) {
      CalcNodeRows<nv, T>(node, composite, has_loads, H, rates, rows, ld,
                          result);
    });
    for (int k = 0; k < node.nv; ++k) {
      CalcOutboardEntries<T>(node.v_start + k, node.v_start + node.nv,
                             node.v_start + node.subtree_nv, has_loads,
                             H + 6 * k, rates[k], rows, ld, result);
    }
    if (node.parent > 0) {
      AddComposite<T>(composite, has_loads, &scratch->composites[node.parent]);
    }
  }
  if (result.M.data == nullptr || !parameters.has_reflected_inertia) return;
  for (int k = 0; k < model.num_v; ++k) {
    *result.M.at(k, k) += parameters.reflected_inertia[k];
  }
}

template <typename T>
void CalcInverseDynamicsDerivatives(
    const Motion<T>& motion, const Eigen::Ref<const VectorX<T>>& v,
    const Eigen::Ref<const VectorX<T>>& vdot,
    std::span<const DeadLoad<T>> loads, Gravity gravity,
    InverseDynamicsDerivativesScratch<T>* scratch,
    InverseDynamicsDerivatives<T> result) {
  auto& [dtau_dq, dtau_dv, M] = result;
  dtau_dq.setZero();
  dtau_dv.setZero();
  M.setZero();
  CalcInverseDynamicsPartials<T>(motion, v, vdot, loads, gravity, scratch,
                                 {{dtau_dq.data(), dtau_dq.outerStride()},
                                  {dtau_dv.data(), dtau_dv.outerStride()},
                                  {M.data(), M.outerStride()}});
}

#define WYVERN_INSTANTIATE(T)                           \
  template struct InverseDynamicsDerivativesScratch<T>; \
  template decltype(CalcInverseDynamicsPartials<T>)     \
      CalcInverseDynamicsPartials<T>;                   \
  template decltype(CalcInverseDynamicsDerivatives<T>)  \
      CalcInverseDynamicsDerivatives<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::dynamics
