#include "wyvern/multibody/constraint_sets/assembly_coordinates.h"

#include <cmath>

#include <Eigen/Geometry>

#include "wyvern/multibody/dynamics/generalized_coordinates.h"
#include "wyvern/multibody/dynamics/mobilizers/mobilizer_traits.h"
#include "wyvern/systems/common/default_scalars.h"

/* With theta = |phi| and X = [phi]x,
  exp(phi) = 1 + sin(theta) / theta X + a X²,   w = (1 + a X + b X²) phi̇,
  a = (1 - cos(theta)) / theta²,   b = (theta - sin(theta)) / theta³;
the quaternion of exp(phi) is (cos(theta / 2), phi sin(theta / 2) / theta).
All are series in theta², which is what small angles and derivatives take. */

namespace wyvern::multibody::internal {
namespace {

template <typename T>
struct TurnFactors {
  T cos_half, sin_half, a, b;  // sin_half is over theta.
};

template <typename T>
TurnFactors<T> CalcTurnFactors(const Vector3<T>& phi) {
  using std::cos;
  using std::sin;
  using std::sqrt;
  const T s = phi.squaredNorm();
  if (s < 0.01) {
    const auto series = [&s](double c0, double c1, double c2, double c3,
                             double c4) {
      return T(c0 - s * (c1 - s * (c2 - s * (c3 - s * c4))));
    };
    return {
        series(1, 1.0 / 8, 1.0 / 384, 1.0 / 46080, 1.0 / 10321920),
        series(0.5, 1.0 / 48, 1.0 / 3840, 1.0 / 645120, 1.0 / 185794560),
        series(0.5, 1.0 / 24, 1.0 / 720, 1.0 / 40320, 1.0 / 3628800),
        series(1.0 / 6, 1.0 / 120, 1.0 / 5040, 1.0 / 362880, 1.0 / 39916800)};
  }
  const T theta = sqrt(s);
  return {cos(0.5 * theta), sin(0.5 * theta) / theta, (1.0 - cos(theta)) / s,
          (theta - sin(theta)) / (s * theta)};
}

}  // namespace

template <typename T>
AssemblyCoordinates<T>::AssemblyCoordinates(const dynamics::Model& model,
                                            const VectorX<T>& q0)
    : model_(model), q0_(q0), is_angle_(model.num_v, false) {
  dynamics::NormalizeQuaternions<T>(model, q0_);
  for (int i = 1; i < model.num_nodes(); ++i) {
    const dynamics::Model::Node& node = model.nodes[i];
    for (int k = 0; k < node.nv; ++k) {
      is_angle_[node.v_start + k] = dynamics::TraitsOf(node.type).is_angular[k];
    }
  }
}

template <typename T>
void AssemblyCoordinates<T>::CalcPositions(const VectorX<T>& xi,
                                           VectorX<T>* q) const {
  *q = q0_;
  for (int i = 1; i < model_.num_nodes(); ++i) {
    const dynamics::Model::Node& node = model_.nodes[i];
    if (!dynamics::TraitsOf(node.type).has_quaternion) {
      q->segment(node.q_start, node.nv) += xi.segment(node.v_start, node.nv);
      continue;
    }
    const Vector3<T> phi = xi.template segment<3>(node.v_start);
    const auto factors = CalcTurnFactors<T>(phi);
    const auto& p = q0_.template segment<4>(node.q_start);
    const Vector3<T> u = factors.sin_half * phi;
    const Vector3<T> u0 = p.template tail<3>();
    const T w = factors.cos_half;
    const T w0 = p[0];
    (*q)[node.q_start] = w * w0 - u.dot(u0);
    q->template segment<3>(node.q_start + 1) = w * u0 + w0 * u + u.cross(u0);
    q->segment(node.q_start + 4, node.nv - 3) +=
        xi.segment(node.v_start + 3, node.nv - 3);
  }
  dynamics::NormalizeQuaternions<T>(model_, *q);
}

template <typename T>
void AssemblyCoordinates<T>::MultiplyByVelocities(const VectorX<T>& xi,
                                                  MatrixX<T>* G) const {
  for (int i = 1; i < model_.num_nodes(); ++i) {
    const dynamics::Model::Node& node = model_.nodes[i];
    if (dynamics::TraitsOf(node.type).has_quaternion) {
      const Vector3<T> phi = xi.template segment<3>(node.v_start);
      const auto factors = CalcTurnFactors<T>(phi);
      for (int r = 0; r < G->rows(); ++r) {
        auto row = G->row(r).template segment<3>(node.v_start);
        // g (1 + a X + b X²), with g X = -(phi x g)' = (g x phi)'.
        const Vector3<T> g = row.transpose();
        const Vector3<T> gX = g.cross(phi);
        row += (factors.a * gX + factors.b * gX.cross(phi)).transpose();
      }
      continue;
    }
    dynamics::VisitMobilizer<T>(node.type, [&]<typename Mobilizer>(Mobilizer) {
      constexpr int kN = Mobilizer::kNv;
      if constexpr (kN > 1 && kN == Mobilizer::kNq) {
        const Vector<T, kN> q = q0_.template segment<kN>(node.q_start) +
                                xi.template segment<kN>(node.v_start);
        Eigen::Matrix<T, kN, kN> Nplus;
        Vector<T, kN> column;
        for (int k = 0; k < kN; ++k) {
          const Vector<T, kN> qdot = Vector<T, kN>::Unit(k);
          Mobilizer::MapQDotToVelocity(q.data(), qdot.data(), column.data());
          Nplus.col(k) = column;
        }
        auto block = G->middleCols(node.v_start, kN);
        block = (block * Nplus).eval();
      }
    });
  }
}

template <typename T>
void AssemblyCoordinates<T>::Shorten(VectorX<T>* xi) const {
  using std::sqrt;
  for (const dynamics::Model::Node& node : model_.nodes) {
    if (!dynamics::TraitsOf(node.type).has_quaternion) continue;
    auto phi = xi->template segment<3>(node.v_start);
    const T squared = phi.squaredNorm();
    if (squared <= M_PI * M_PI) continue;
    phi *= T(1.0 - 2 * M_PI / sqrt(squared));
  }
}

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::internal::AssemblyCoordinates);

}  // namespace wyvern::multibody::internal
