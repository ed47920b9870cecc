#include "wyvern/multibody/dynamics/position_kinematics.h"

#include <algorithm>

#include "wyvern/multibody/dynamics/mobilizers/mobilizer_traits.h"
#include "wyvern/multibody/dynamics/mobilizers/visit_mobilizer.h"
#include "wyvern/multibody/kernels/packs.h"
#include "wyvern/multibody/kernels/pose_columns.h"
#include "wyvern/multibody/kernels/sin_cos.h"
#include "wyvern/systems/common/default_scalars.h"

/* Outward, for node N on its parent P (Featherstone, "Rigid Body Dynamics
Algorithms", 2008, section 4.4, in world axes):
  X_WN = X_WP X_PF X_FN(q),   H = H_FN(q) in W about O.
A reversed joint moves its own parent frame Jp, here N, in its child frame Jc,
here F: X_FN = X_JpJc(q)⁻¹, and the motion of N in F is minus that of F in N, so
H is minus the joint's screws with N in the inboard frame's place.
A single axis is z of N, and its reversal was seen to by Compile(). In a row of
such nodes the pose stays in registers; sines and cosines are made beforehand,
several at once, of the angles of neighbours in the tree. */

namespace wyvern::multibody::dynamics {
namespace {

template <typename T, typename Mobilizer>
void MoveNode(const Pose<T>& X_WF, const T* q,
              const MobilizerConstants<T>& constants, bool is_base,
              Vector3<T>* p_WO, Pose<T>* X_WN, T* H) {
  Mobilizer::CalcX_WM(X_WF, q, constants, X_WN);
  if (is_base) *p_WO = X_WN->p;
  Mobilizer::CalcScrews(X_WF, *X_WN, X_WN->p - *p_WO, q, constants, H);
}

template <typename T, typename Mobilizer>
void MoveReversedNode(const Pose<T>& X_WF, const T* q,
                      const MobilizerConstants<T>& constants, bool is_base,
                      Vector3<T>* p_WO, Pose<T>* X_WN, T* H) {
  *X_WN = X_WF * Mobilizer::CalcX_FM(q, constants).Inverse();
  if (is_base) *p_WO = X_WN->p;
  Mobilizer::CalcScrews(*X_WN, X_WF, X_WF.p - *p_WO, q, constants, H);
  for (int i = 0; i < 6 * Mobilizer::kNv; ++i) H[i] = -H[i];
}

// A node of any motion but about or along one axis.
template <typename T>
void MoveAnyNode(const Model::Node& node, const NodeConstants<T>& constants,
                 const Pose<T>& X_WP, const T* q, Vector3<T>* p_WO,
                 Pose<T>* X_WN, T* H) {
  const bool is_base = node.parent == 0;
  const Pose<T> X_WF = X_WP * Pose<T>{constants.R_PF, constants.p_PF};
  VisitMobilizer<T>(node.type, [&]<typename Mobilizer>(Mobilizer) {
    const auto move = node.is_reversed ? MoveReversedNode<T, Mobilizer>
                                       : MoveNode<T, Mobilizer>;
    move(X_WF, q, constants.mobilizer, is_base, p_WO, X_WN, H);
  });
}

static_assert(
    std::ranges::count_if(kMobilizerTraits, &MobilizerTraits::has_axis) == 3,
    "MoveOneAxis(), and newton_euler.cc, know the types of one axis by name.");

// X_WN from X_WP, in place, and the screw; p_WO is the origin of a base node.
// Called from one place, so that it is inlined and the pose stays in registers.
template <typename T>
void MoveOneAxis(const Model::Node& node, const NodeConstants<T>& constants,
                 const T& q, const T& sine, const T& cosine, Vector3<T>* p_WO,
                 internal::PoseColumns<T>* X, T* H) {
  using Column = typename internal::PoseColumns<T>::Column;
  const bool turns = node.type != MobilizerType::kPrismatic;
  const bool slides = node.type != MobilizerType::kRevolute;
  const T* const R_PF = constants.R_PF.data();
  const Column x = X->Times(R_PF), y = X->Times(R_PF + 3);
  X->p += X->Times(constants.p_PF.data());
  X->z = X->Times(R_PF + 6);
  X->x = turns ? cosine * x + sine * y : x;
  X->y = turns ? cosine * y - sine * x : y;
  const T slope = turns ? constants.mobilizer.pitch : T(1);
  if (slides) X->p += (slope * q) * X->z;
  if (node.parent == 0) *p_WO = X->p.template head<3>();

  const Vector3<T> z = X->z.template head<3>();
  const Vector3<T> r = X->p.template head<3>().matrix() - *p_WO;
  const T zero(0);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    H[i] = turns ? z[i] : zero;
    H[3 + i] = turns ? r[j] * z[k] - r[k] * z[j] : zero;
    if (slides) H[3 + i] += slope * z[i];
  }
}

// Sines and cosines of each run of single-axis mobilizers, in the order of q;
// no other type reads them.
template <typename T>
void CalcSinesAndCosines(const Model& model, const T* q,
                         PositionKinematics<T>* result) {
  for (int i = 1; i < model.num_nodes(); ++i) {
    if (!HasAxis(model.nodes[i].type)) continue;
    const int first = i;
    while (i < model.num_nodes() && HasAxis(model.nodes[i].type)) ++i;
    const int k = model.nodes[first].q_start;
    internal::SinCos(q + k, i - first, result->sine.data() + k,
                     result->cosine.data() + k);
  }
}

template <typename T>
void MoveNodes(const Model& model, const ModelParameters<T>& parameters,
               const T* q, PositionKinematics<T>* result) {
  CalcSinesAndCosines<T>(model, q, result);
  Pose<T>* const X_WN = result->X_WN.data();
  internal::PoseColumns<T> X(X_WN[0]);
  int node_of_X = 0;
  for (int i = 1; i < model.num_nodes(); ++i) {
    const Model::Node& node = model.nodes[i];
    const NodeConstants<T>& constants = parameters.nodes[i];
    const int k = node.q_start;
    Vector3<T>* const p_WO = &result->p_WO[node.tree];
    T* const H = result->H.data() + 6 * node.v_start;
    if (!HasAxis(node.type)) {
      MoveAnyNode<T>(node, constants, X_WN[node.parent], q + k, p_WO, &X_WN[i],
                     H);
      continue;
    }
    if (node_of_X != node.parent)
      X = internal::PoseColumns<T>(X_WN[node.parent]);
    node_of_X = i;
    MoveOneAxis<T>(node, constants, q[k], result->sine[k], result->cosine[k],
                   p_WO, &X, H);
    X.Store(&X_WN[i]);
  }
}

}  // namespace

template <typename T>
PositionKinematics<T>::PositionKinematics(const Model& model)
    : X_WN(model.num_nodes()),
      p_WO(model.num_trees(), Vector3<T>::Zero()),
      H(Matrix6X<T>::Zero(6, model.num_v)),
      sine(model.num_q),
      cosine(model.num_q) {}

template <typename T>
void CalcPositionKinematics(const Model& model,
                            const ModelParameters<T>& parameters,
                            const Eigen::Ref<const VectorX<T>>& q,
                            PositionKinematics<T>* result) {
  internal::RunBest<T>(
      [&] { MoveNodes<T>(model, parameters, q.data(), result); });
}

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(struct PositionKinematics);

#define WYVERN_INSTANTIATE(T) \
  template decltype(CalcPositionKinematics<T>) CalcPositionKinematics<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::dynamics
