#include "wyvern/multibody/algorithms/position_kinematics.h"

#include "wyvern/multibody/mobilizers/visit_mobilizer.h"
#include "wyvern/systems/common/default_scalars.h"

/* Outward, for node N on its parent P (Featherstone, "Rigid Body Dynamics
Algorithms", 2008, section 4.4, in world axes):
  X_WN = X_WP X_PF X_FN(q),   H = H_FN(q) in W about O.
A reversed joint moves its own parent frame Jp, here N, in its child frame Jc,
here F: X_FN = X_JpJc(q)⁻¹, and the motion of N in F is minus that of F in N, so
H is minus the joint's screws with N in the inboard frame's place. */

namespace wyvern::multibody::engine {
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

}  // namespace

template <typename T>
PositionKinematics<T>::PositionKinematics(const Model& model)
    : X_WN(model.num_nodes()),
      p_WO(model.num_trees(), Vector3<T>::Zero()),
      H(Matrix6X<T>::Zero(6, model.num_v)) {}

template <typename T>
void CalcPositionKinematics(const Model& model,
                            const ModelParameters<T>& parameters,
                            const Eigen::Ref<const VectorX<T>>& q,
                            PositionKinematics<T>* result) {
  T* const H = result->H.data();
  for (int i = 1; i < model.num_nodes(); ++i) {
    const Model::Node& node = model.nodes[i];
    const NodeConstants<T>& constants = parameters.nodes[i];
    const Pose<T>& X_WP = result->X_WN[node.parent];
    Pose<T> X_WF;
    X_WF.R.noalias() = X_WP.R * constants.R_PF;
    X_WF.p = X_WP.p + X_WP.R * constants.p_PF;
    // A reversed single axis was turned round by Compile().
    const bool reversed = node.is_reversed && !HasAxis(node.type);
    VisitMobilizer<T>(node.type, [&]<typename Mobilizer>(Mobilizer) {
      const auto run = [&](auto move) {
        move(X_WF, q.data() + node.q_start, constants.mobilizer,
             node.parent == 0, &result->p_WO[node.tree], &result->X_WN[i],
             H + 6 * node.v_start);
      };
      if (reversed) {
        run(MoveReversedNode<T, Mobilizer>);
      } else {
        run([](const auto&... in) { MoveNode<T, Mobilizer>(in...); });
      }
    });
  }
}

template struct PositionKinematics<double>;
template struct PositionKinematics<AutoDiffXd>;

#define WYVERN_INSTANTIATE(T)                  \
  template void CalcPositionKinematics(        \
      const Model&, const ModelParameters<T>&, \
      const Eigen::Ref<const VectorX<T>>&, PositionKinematics<T>*);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::engine
