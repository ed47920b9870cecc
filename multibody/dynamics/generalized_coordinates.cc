#include "wyvern/multibody/dynamics/generalized_coordinates.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/dynamics/mobilizers/mobilizer_traits.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody::dynamics {
namespace {

// f(mobilizer, q_start, v_start) for every node.
template <typename T, typename F>
void ForEachMobilizer(const Model& model, F&& f) {
  for (int i = 1; i < model.num_nodes(); ++i) {
    const Model::Node& node = model.nodes[i];
    VisitMobilizer<T>(node.type, [&]<typename Mobilizer>(Mobilizer mobilizer) {
      f(mobilizer, node.q_start, node.v_start);
    });
  }
}

}  // namespace

template <typename T>
void MapVelocityToQDot(const Model& model,
                       const Eigen::Ref<const VectorX<T>>& q,
                       const Eigen::Ref<const VectorX<T>>& v,
                       Eigen::Ref<VectorX<T>> qdot) {
  ForEachMobilizer<T>(model, [&]<typename M>(M, int iq, int iv) {
    M::MapVelocityToQDot(q.data() + iq, v.data() + iv, qdot.data() + iq);
  });
}

template <typename T>
void MapQDotToVelocity(const Model& model,
                       const Eigen::Ref<const VectorX<T>>& q,
                       const Eigen::Ref<const VectorX<T>>& qdot,
                       Eigen::Ref<VectorX<T>> v) {
  ForEachMobilizer<T>(model, [&]<typename M>(M, int iq, int iv) {
    M::MapQDotToVelocity(q.data() + iq, qdot.data() + iq, v.data() + iv);
  });
}

template <typename T>
void CalcN(const Model& model, const Eigen::Ref<const VectorX<T>>& q,
           Eigen::Ref<MatrixX<T>> N) {
  N.setZero();
  ForEachMobilizer<T>(model, [&]<typename M>(M, int iq, int iv) {
    if constexpr (M::kNv > 0) {
      Vector<T, M::kNq> column;
      for (int k = 0; k < M::kNv; ++k) {
        const Vector<T, M::kNv> v = Vector<T, M::kNv>::Unit(k);
        M::MapVelocityToQDot(q.data() + iq, v.data(), column.data());
        N.template block<M::kNq, 1>(iq, iv + k) = column;
      }
    }
  });
}

template <typename T>
void CalcNPlus(const Model& model, const Eigen::Ref<const VectorX<T>>& q,
               Eigen::Ref<MatrixX<T>> Nplus) {
  Nplus.setZero();
  ForEachMobilizer<T>(model, [&]<typename M>(M, int iq, int iv) {
    if constexpr (M::kNv > 0) {
      Vector<T, M::kNv> column;
      for (int k = 0; k < M::kNq; ++k) {
        const Vector<T, M::kNq> qdot = Vector<T, M::kNq>::Unit(k);
        M::MapQDotToVelocity(q.data() + iq, qdot.data(), column.data());
        Nplus.template block<M::kNv, 1>(iv, iq + k) = column;
      }
    }
  });
}

template <typename T>
void SetZeroPositions(const Model& model, Eigen::Ref<VectorX<T>> q) {
  ForEachMobilizer<T>(model, [&]<typename M>(M, int iq, int) {
    M::SetZeroPosition(q.data() + iq);
  });
}

template <typename T>
void RequireQuaternions(const Model& model,
                        const Eigen::Ref<const VectorX<T>>& q) {
  if (model.num_q == model.num_v) return;  // There are none.
  for (int i = 1; i < model.num_nodes(); ++i) {
    const Model::Node& node = model.nodes[i];
    if (!TraitsOf(node.type).has_quaternion) continue;
    const T squared_norm = q.template segment<4>(node.q_start).squaredNorm();
    const double number = wyvern::internal::NumberIn(squared_norm);
    if (number > 1e-200 && number < 1e200) continue;
    throw std::runtime_error(fmt::format(
        "positions {} to {}, a quaternion, are all zero or not finite; give a "
        "quaternion of length 1.",
        node.q_start, node.q_start + 3));
  }
}

template <typename T>
void NormalizeQuaternions(const Model& model, Eigen::Ref<VectorX<T>> q) {
  using std::sqrt;
  RequireQuaternions<T>(model, q);
  for (int i = 1; i < model.num_nodes(); ++i) {
    const Model::Node& node = model.nodes[i];
    if (!TraitsOf(node.type).has_quaternion) continue;
    auto quaternion = q.template segment<4>(node.q_start);
    quaternion /= T(sqrt(quaternion.squaredNorm()));
  }
}

#define WYVERN_INSTANTIATE(T)                                     \
  template decltype(MapVelocityToQDot<T>) MapVelocityToQDot<T>;   \
  template decltype(MapQDotToVelocity<T>) MapQDotToVelocity<T>;   \
  template decltype(CalcN<T>) CalcN<T>;                           \
  template decltype(CalcNPlus<T>) CalcNPlus<T>;                   \
  template decltype(SetZeroPositions<T>) SetZeroPositions<T>;     \
  template decltype(RequireQuaternions<T>) RequireQuaternions<T>; \
  template decltype(NormalizeQuaternions<T>) NormalizeQuaternions<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::dynamics
