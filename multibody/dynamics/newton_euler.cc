#include "wyvern/multibody/dynamics/newton_euler.h"

#include "wyvern/multibody/dynamics/mobilizers/visit_mobilizer.h"
#include "wyvern/multibody/kernels/packs.h"
#include "wyvern/multibody/kernels/sin_cos.h"
#include "wyvern/systems/common/default_scalars.h"

/* Recursive Newton-Euler in the nodes' own axes (Luh, Walker and Paul, 1980).
Outward, with R = R_PN, p = p_PN and the mobilizer's own (w', v'), (alpha', a'),
of No in F, in the axes of N:
  w = u + w',  alpha = Rᵀ alpha_P + u x w' + alpha',        u = Rᵀ w_P,
  a = Rᵀ (a_P + S_P p) + 2 u x v' + a',   S = [alpha]x + [w]x [w]x.
Each node needs f = m a + S h, t = I alpha + w x I w + h x a about No. Inward,
  f_P += R f,  t_P += R t + p x R f,  tau = Hᵀ (t, f).
Gravity that all feel is a world that accelerates upwards. Single axes are z;
their sines and cosines are made beforehand, several at once.
Against inverse_dynamics.h: no inertia is turned into the world. O(bodies);
allocates nothing. */

namespace wyvern::multibody::dynamics {
namespace {

template <typename T>
using NodeOf = typename NewtonEulerScratch<T>::Node;

// S, and what the node's inertia takes, from w, alpha and a.
template <typename T>
EIGEN_STRONG_INLINE void CalcNodeForce(const NodeConstants<T>& constants,
                                       NodeOf<T>* node) {
  const T w0 = node->w[0], w1 = node->w[1], w2 = node->w[2];
  const T e0 = node->alpha[0], e1 = node->alpha[1], e2 = node->alpha[2];
  const T a0 = node->a[0], a1 = node->a[1], a2 = node->a[2];
  const T w01 = w0 * w1, w02 = w0 * w2, w12 = w1 * w2;
  const T w00 = w0 * w0, w11 = w1 * w1, w22 = w2 * w2;
  const T s00 = -(w11 + w22), s01 = w01 - e2, s02 = w02 + e1;
  const T s10 = w01 + e2, s11 = -(w00 + w22), s12 = w12 - e0;
  const T s20 = w02 - e1, s21 = w12 + e0, s22 = -(w00 + w11);
  node->S << s00, s01, s02, s10, s11, s12, s20, s21, s22;
  const T m = constants.mass;
  const T h0 = constants.h[0], h1 = constants.h[1], h2 = constants.h[2];
  node->f[0] = m * a0 + s00 * h0 + s01 * h1 + s02 * h2;
  node->f[1] = m * a1 + s10 * h0 + s11 * h1 + s12 * h2;
  node->f[2] = m * a2 + s20 * h0 + s21 * h1 + s22 * h2;
  const auto& I = constants.I;
  const T L0 = I[0] * w0 + I[3] * w1 + I[4] * w2;
  const T L1 = I[3] * w0 + I[1] * w1 + I[5] * w2;
  const T L2 = I[4] * w0 + I[5] * w1 + I[2] * w2;
  node->t[0] = I[0] * e0 + I[3] * e1 + I[4] * e2 + (w1 * L2 - w2 * L1) +
               (h1 * a2 - h2 * a1);
  node->t[1] = I[3] * e0 + I[1] * e1 + I[5] * e2 + (w2 * L0 - w0 * L2) +
               (h2 * a0 - h0 * a2);
  node->t[2] = I[4] * e0 + I[5] * e1 + I[2] * e2 + (w0 * L1 - w1 * L0) +
               (h0 * a1 - h1 * a0);
}

// Rᵀ x and R x. What comes in Eigen's products as calls is inlined here.
template <typename T>
EIGEN_ALWAYS_INLINE Vector3<T> TurnToNode(const Matrix3<T>& R,
                                          const Vector3<T>& x) {
  return Vector3<T>(R(0, 0) * x[0] + R(1, 0) * x[1] + R(2, 0) * x[2],
                    R(0, 1) * x[0] + R(1, 1) * x[1] + R(2, 1) * x[2],
                    R(0, 2) * x[0] + R(1, 2) * x[1] + R(2, 2) * x[2]);
}
template <typename T>
EIGEN_ALWAYS_INLINE Vector3<T> TurnToParent(const Matrix3<T>& R,
                                            const Vector3<T>& x) {
  return Vector3<T>(R(0, 0) * x[0] + R(0, 1) * x[1] + R(0, 2) * x[2],
                    R(1, 0) * x[0] + R(1, 1) * x[1] + R(1, 2) * x[2],
                    R(2, 0) * x[0] + R(2, 1) * x[1] + R(2, 2) * x[2]);
}

// Rᵀ (a_P + S_P p).
template <typename T>
EIGEN_ALWAYS_INLINE Vector3<T> OriginAcceleration(const NodeOf<T>& parent,
                                                  const NodeOf<T>& node) {
  return TurnToNode<T>(node.R_PN,
                       parent.a + TurnToParent<T>(parent.S, node.p_PN));
}

// One axis, z, that the node turns about, slides along, or both by a pitch.
template <bool turns, bool slides, typename T>
EIGEN_STRONG_INLINE void AdvanceOneAxis(const NodeConstants<T>& constants,
                                        const T& q, const T& v, const T& vdot,
                                        const T& slide, const T& sine,
                                        const T& cosine,
                                        const NodeOf<T>& parent,
                                        NodeOf<T>* node) {
  if constexpr (turns) {
    TurnAboutZ<T>(constants.R_PF, sine, cosine, &node->R_PN);
  } else {
    node->R_PN = constants.R_PF;
  }
  node->p_PN = constants.p_PF;
  if constexpr (slides) node->p_PN += (slide * q) * constants.R_PF.col(2);
  const Vector3<T> u = TurnToNode<T>(node->R_PN, parent.w);
  const Vector3<T> alpha = TurnToNode<T>(node->R_PN, parent.alpha);
  const Vector3<T> a = OriginAcceleration<T>(parent, *node);
  if constexpr (turns) {
    node->w << u[0], u[1], u[2] + v;
    node->alpha << alpha[0] + u[1] * v, alpha[1] - u[0] * v, alpha[2] + vdot;
  } else {
    node->w = u;
    node->alpha = alpha;
  }
  if constexpr (slides) {
    const T twice = 2.0 * slide * v;
    node->a << a[0] + u[1] * twice, a[1] - u[0] * twice, a[2] + slide * vdot;
  } else {
    node->a = a;
  }
}

// Any mobilizer. Reversed, its motion (w, v), (alpha, a) is that of F in N:
//   w' = -w,  alpha' = -alpha,  v' = -v + w x p,
//   a' = -a + alpha x p + 2 w x v - w x (w x p),   p = p_NoFo.
template <typename Mobilizer, typename T>
void MoveAny(const Model::Node& structure, const NodeConstants<T>& constants,
             const T* q, const T* v, const T* vdot, const NodeOf<T>& parent,
             NodeOf<T>* node) {
  constexpr int kNv = Mobilizer::kNv;
  Pose<T> X_FN = Mobilizer::CalcX_FM(q, constants.mobilizer);
  const auto H = Mobilizer::CalcH_FM(q, constants.mobilizer);
  const Vector6<T> V = H * Eigen::Map<const Vector<T, kNv>>(v);
  const Vector6<T> A = H * Eigen::Map<const Vector<T, kNv>>(vdot) +
                       Mobilizer::CalcHdotTimesV(q, v, constants.mobilizer);
  Vector3<T> w = V.template head<3>(), v_N = V.template tail<3>();
  Vector3<T> alpha = A.template head<3>(), a = A.template tail<3>();
  if (structure.is_reversed) {
    const Vector3<T> p = X_FN.p;
    const Vector3<T> wxp = w.cross(p), wxv = w.cross(v_N);
    const Vector3<T> wxwxp = w.cross(wxp), alphaxp = alpha.cross(p);
    a = -a + alphaxp + 2.0 * wxv - wxwxp;
    v_N = wxp - v_N;
    w = -w;
    alpha = -alpha;
    X_FN = X_FN.Inverse();
  } else {
    const Matrix3<T> R_NF = X_FN.R.transpose();
    w = (R_NF * w).eval();
    v_N = (R_NF * v_N).eval();
    alpha = (R_NF * alpha).eval();
    a = (R_NF * a).eval();
  }
  node->R_PN = constants.R_PF * X_FN.R;
  node->p_PN = constants.p_PF + constants.R_PF * X_FN.p;
  const Vector3<T> u = TurnToNode<T>(node->R_PN, parent.w);
  node->w = u + w;
  node->alpha = TurnToNode<T>(node->R_PN, parent.alpha) + u.cross(w) + alpha;
  node->a = OriginAcceleration<T>(parent, *node) + 2.0 * u.cross(v_N) + a;
}

// tau of any mobilizer; t and f are the node's in the parent's axes.
template <typename Mobilizer, typename T>
void ProjectAny(const Model::Node& structure, const NodeConstants<T>& constants,
                const T* q, const NodeOf<T>& node, const Vector3<T>& t_P,
                const Vector3<T>& f_P, T* tau) {
  const auto H = Mobilizer::CalcH_FM(q, constants.mobilizer);
  Vector6<T> F;
  if (structure.is_reversed) {
    const Vector3<T> p_PFoNo = node.p_PN - constants.p_PF;
    const Vector3<T> p_NoFo_N = -(node.R_PN.transpose() * p_PFoNo);
    F << p_NoFo_N.cross(node.f) - node.t, -node.f;
  } else {
    F << constants.R_PF.transpose() * t_P, constants.R_PF.transpose() * f_P;
  }
  Eigen::Map<Vector<T, Mobilizer::kNv>>(tau).noalias() = H.transpose() * F;
}

template <typename T>
EIGEN_STRONG_INLINE void AdvanceNode(const Model::Node& structure,
                                     const NodeConstants<T>& constants,
                                     const T* q, const T* v, const T* vdot,
                                     const T* sine, const T* cosine,
                                     const NodeOf<T>& parent, NodeOf<T>* node) {
  switch (structure.type) {
    case MobilizerType::kRevolute:
      return AdvanceOneAxis<true, false, T>(constants, *q, *v, *vdot, T(0),
                                            *sine, *cosine, parent, node);
    case MobilizerType::kPrismatic:
      return AdvanceOneAxis<false, true, T>(constants, *q, *v, *vdot, T(1),
                                            *sine, *cosine, parent, node);
    case MobilizerType::kScrew:
      return AdvanceOneAxis<true, true, T>(constants, *q, *v, *vdot,
                                           constants.mobilizer.pitch, *sine,
                                           *cosine, parent, node);
    default:
      VisitMobilizer<T>(structure.type, [&]<typename Mobilizer>(Mobilizer) {
        MoveAny<Mobilizer, T>(structure, constants, q, v, vdot, parent, node);
      });
  }
}

// Gravity on those of the node's bodies that feel it.
template <typename T>
void SubtractGravity(const NodeConstants<T>& constants, const NodeOf<T>& parent,
                     NodeOf<T>* node) {
  node->g = node->R_PN.transpose() * parent.g;
  node->f -= constants.gravity_mass * node->g;
  node->t -= constants.gravity_h.cross(node->g);
}

template <typename T>
EIGEN_STRONG_INLINE void ProjectNode(const Model::Node& structure,
                                     const NodeConstants<T>& constants,
                                     const T* q, const NodeOf<T>& node,
                                     NodeOf<T>* parent, T* tau) {
  const Vector3<T> f = TurnToParent<T>(node.R_PN, node.f);
  const Vector3<T> t = TurnToParent<T>(node.R_PN, node.t);
  if (structure.type == MobilizerType::kRevolute) {
    *tau = node.t[2];
  } else if (structure.type == MobilizerType::kPrismatic) {
    *tau = node.f[2];
  } else if (structure.type == MobilizerType::kScrew) {
    *tau = node.t[2] + constants.mobilizer.pitch * node.f[2];
  } else {
    VisitMobilizer<T>(structure.type, [&]<typename Mobilizer>(Mobilizer) {
      ProjectAny<Mobilizer, T>(structure, constants, q, node, t, f, tau);
    });
  }
  if (structure.parent == 0) return;
  parent->f += f;
  parent->t += t + node.p_PN.cross(f);
}

// Outward and inward.
template <typename T>
EIGEN_ALWAYS_INLINE void Sweep(const Model& model,
                               const ModelParameters<T>& parameters,
                               const Eigen::Ref<const VectorX<T>>& q,
                               const Eigen::Ref<const VectorX<T>>& v,
                               const Eigen::Ref<const VectorX<T>>& vdot,
                               Gravity gravity, NewtonEulerScratch<T>* scratch,
                               Eigen::Ref<VectorX<T>> tau) {
  NodeOf<T>* const nodes = scratch->nodes.data();
  internal::SinCos(q.data(), model.num_q, scratch->sine.data(),
                   scratch->cosine.data());
  const bool falls = gravity == Gravity::kOn;
  const bool selects = falls && !parameters.gravity_is_uniform;
  nodes[0].a.setZero();
  if (falls && !selects) nodes[0].a -= parameters.gravity;
  nodes[0].g = parameters.gravity;
  for (int i = 1; i < model.num_nodes(); ++i) {
    const Model::Node& structure = model.nodes[i];
    const NodeConstants<T>& constants = parameters.nodes[i];
    const NodeOf<T>& parent = nodes[structure.parent];
    const int j = structure.q_start, k = structure.v_start;
    AdvanceNode<T>(structure, constants, q.data() + j, v.data() + k,
                   vdot.data() + k, scratch->sine.data() + j,
                   scratch->cosine.data() + j, parent, &nodes[i]);
    CalcNodeForce<T>(constants, &nodes[i]);
    if (selects) SubtractGravity<T>(constants, parent, &nodes[i]);
  }
  for (int i = model.num_nodes() - 1; i > 0; --i) {
    const Model::Node& structure = model.nodes[i];
    ProjectNode<T>(structure, parameters.nodes[i], q.data() + structure.q_start,
                   nodes[i], &nodes[structure.parent],
                   tau.data() + structure.v_start);
  }
  if (parameters.has_reflected_inertia) {
    tau += parameters.reflected_inertia.cwiseProduct(vdot);
  }
}

}  // namespace

template <typename T>
NewtonEulerScratch<T>::NewtonEulerScratch(const Model& model)
    : nodes(model.num_nodes()), sine(model.num_q), cosine(model.num_q) {
  // The world does not turn; a and g are written by each call.
  Node& world = nodes[0];
  world.S.setZero();
  world.w.setZero();
  world.alpha.setZero();
}

template <typename T>
void CalcInverseDynamicsFromState(const Model& model,
                                  const ModelParameters<T>& parameters,
                                  const Eigen::Ref<const VectorX<T>>& q,
                                  const Eigen::Ref<const VectorX<T>>& v,
                                  const Eigen::Ref<const VectorX<T>>& vdot,
                                  Gravity gravity,
                                  NewtonEulerScratch<T>* scratch,
                                  Eigen::Ref<VectorX<T>> tau) {
  // AVX2 leaves operands unchanged, so that code without lanes gains too.
  internal::RunBest<T>(
      [&] { Sweep<T>(model, parameters, q, v, vdot, gravity, scratch, tau); });
}

#define WYVERN_INSTANTIATE(T)                        \
  template struct NewtonEulerScratch<T>;             \
  template decltype(CalcInverseDynamicsFromState<T>) \
      CalcInverseDynamicsFromState<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::dynamics
