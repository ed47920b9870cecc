#include "wyvern/multibody/plant/step/contact_rows.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numbers>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <Eigen/LU>

#include "wyvern/geometry/math/cross_product.h"
#include "wyvern/multibody/dynamics/free_base.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* Contacts as terms of the convex problem of a step. A single point of contact
is three rows (t1, t2, n): its velocity is J v, J a block for each of the two
trees, made from the screws H on the paths from the world. Several points of
two bodies with the same axes share six rows, the motion of A relative to B
at the first of them, in these axes. A point's law is ContactLaw
(multibody/step), from materials, depth and the present normal force. After
the solution the impulses become the forces that ports show. */

namespace wyvern::multibody::internal {

using systems::Context;

namespace {

using Mobility = StepScratch<double>::Mobility;

void CalcMobility(const MultibodyTreeSystem<double>& core,
                  const Context<double>& context, int node,
                  Mobility* mobility) {
  Mobility& result = *mobility;
  const auto& I_O = core.EvalInertias(context)[node];
  const auto& positions = core.EvalNodePositions(context);
  const double m = I_O.mass;
  const Vector3<double> c = I_O.h / m;
  Matrix3<double> I;
  I << I_O.xx, I_O.xy, I_O.xz, I_O.xy, I_O.yy, I_O.yz, I_O.xz, I_O.yz, I_O.zz;
  I -= m * (c.squaredNorm() * Matrix3<double>::Identity() - c * c.transpose());
  result.is_known = true;
  result.inverse_mass = 1 / m;
  result.p_WCm = positions.p_WO[core.model().nodes[node].tree] + c;
  result.inverse_inertia = I.inverse();
  result.trace = result.inverse_inertia.trace();
}

inline const Mobility& GetMobility(const MultibodyTreeSystem<double>& core,
                                   const Context<double>& context, int node,
                                   StepScratch<double>* scratch) {
  Mobility& mobility = scratch->mobilities[node];
  if (!mobility.is_known) CalcMobility(core, context, node, &mobility);
  return mobility;
}

// The size of W = J M^-1 J' for contacts of two nodes. W is in the axes of the
// world, since its norm and trace are the same in those of a contact. If both
// nodes are of one tree, the problem computes the size from constraint c.
template <typename T>
class ContactMobility {
 public:
  ContactMobility(const MultibodyTreeSystem<T>& core, const Context<T>& context,
                  const int* nodes, StepScratch<T>* scratch)
      : core_(core), context_(context), nodes_(nodes), scratch_(scratch) {
    const auto& all = core_.model().nodes;
    is_within_tree_ = nodes_[0] > 0 && nodes_[1] > 0 &&
                      all[nodes_[0]].tree == all[nodes_[1]].tree;
    are_free_ = std::is_same_v<T, double>;
    for (int i = 0; i < 2; ++i) {
      if (nodes_[i] == 0) continue;
      const dynamics::Model::Node& node = all[nodes_[i]];
      are_free_ = are_free_ && dynamics::IsFreeBase(node) && !node.has_children;
    }
  }

  /* No less than CalcScale(): joints only make bodies harder to move, so that
  it is at most that of the bodies without them. Of a free body and a point at r
  from its centre of mass, K its inverse inertia,
    W = 1 / m + [r] K [r]',   3 w = |W|_F <= tr W <= 3 / m + |r|^2 tr K.
  The second is by |W|_F. Not a number, or not positive, if there is no such
  bound. */
  double CalcCoarseBound(const Vector3<T>& p_WC) const;
  double CalcBound(const Vector3<T>& p_WC) const;

  /** Whether CalcBound() is the size: free bodies have no joints. */
  bool are_free() const { return are_free_; }

  // Return w = |W|_F / 3, and n'W n for the normal n of a point.
  T CalcScale(const Vector3<T>& p_WC, int c) const;
  T CalcNormalScale(const ContactPoint<T>& point, int c) const;

  // Whether CalcScale() costs no more than a bound.
  bool is_known() const {
    if (is_within_tree_) return false;
    for (int i = 0; i < 2; ++i) {
      if (nodes_[i] > 0 && !scratch_->mobilities[nodes_[i]].has_response) {
        return false;
      }
    }
    return true;
  }

 private:
  const Matrix6<T>& GetResponse(int node) const;
  // Returns W for nodes of two trees, or for one node and the world.
  Matrix3<T> CalcBlock(const Vector3<T>& p_WC) const;

  const MultibodyTreeSystem<T>& core_;
  const Context<T>& context_;
  const int* nodes_;
  StepScratch<T>* const scratch_;
  // True if a mobility that moves one of the nodes may move the other.
  bool is_within_tree_{};
  bool are_free_{};
};

template <typename T>
double ContactMobility<T>::CalcCoarseBound(const Vector3<T>& p_WC) const {
  if constexpr (std::is_same_v<T, double>) {
    double trace = 0;
    for (int i = 0; i < 2; ++i) {
      if (nodes_[i] == 0) continue;
      const auto& mobility = GetMobility(core_, context_, nodes_[i], scratch_);
      trace += 3 * mobility.inverse_mass +
               (p_WC - mobility.p_WCm).squaredNorm() * mobility.trace;
    }
    return trace / 3;
  } else {
    return -1;
  }
}

template <typename T>
double ContactMobility<T>::CalcBound(const Vector3<T>& p_WC) const {
  if constexpr (std::is_same_v<T, double>) {
    Matrix3<double> W = Matrix3<double>::Zero();
    for (int i = 0; i < 2; ++i) {
      if (nodes_[i] == 0) continue;
      const auto& mobility = GetMobility(core_, context_, nodes_[i], scratch_);
      const Matrix3<double> rx =
          math::VectorToSkewSymmetric(Vector3<T>(p_WC - mobility.p_WCm));
      W.diagonal().array() += mobility.inverse_mass;
      W += rx * mobility.inverse_inertia * rx.transpose();
    }
    return W.norm() / 3;
  } else {
    return -1;
  }
}

template <typename T>
const Matrix6<T>& ContactMobility<T>::GetResponse(int node) const {
  auto& mobility = scratch_->mobilities[node];
  if (!mobility.has_response) {
    mobility.has_response = true;
    const dynamics::Model::Node& n = core_.model().nodes[node];
    const int v_start = core_.model().trees[n.tree].v_start;
    mobility.response = scratch_->problem.CalcPathMobility(
        n.tree, n.v_start + n.nv - 1 - v_start,
        core_.EvalNodePositions(context_).H.data() + 6 * v_start);
  }
  return mobility.response;
}

// An impulse f at r is one of r x f and f at O, and moves the point by
// v_O + w x r.
template <typename T>
Matrix3<T> ContactMobility<T>::CalcBlock(const Vector3<T>& p_WC) const {
  const auto& positions = core_.EvalNodePositions(context_);
  Matrix3<T> W = Matrix3<T>::Zero();
  for (int i = 0; i < 2; ++i) {
    if (nodes_[i] == 0) continue;
    const Matrix6<T>& response = GetResponse(nodes_[i]);
    const Vector3<T> r =
        p_WC - positions.p_WO[core_.model().nodes[nodes_[i]].tree];
    const Matrix3<T> rx = math::VectorToSkewSymmetric(r);
    const Eigen::Matrix<T, 6, 3> V =
        response.template leftCols<3>().lazyProduct(rx) +
        response.template rightCols<3>();
    W += V.template bottomRows<3>() - rx.lazyProduct(V.template topRows<3>());
  }
  return W;
}

template <typename T>
T ContactMobility<T>::CalcScale(const Vector3<T>& p_WC, int c) const {
  using std::sqrt;
  if (is_within_tree_) return scratch_->problem.CalcDelassusScale(c);
  return sqrt(CalcBlock(p_WC).squaredNorm()) / 3;
}

template <typename T>
T ContactMobility<T>::CalcNormalScale(const ContactPoint<T>& point,
                                      int c) const {
  if (is_within_tree_) return scratch_->problem.CalcDelassusScale(c, 2, 1);
  const Vector3<T> n = point.R_WC.col(2);
  return n.dot(CalcBlock(point.p_WC) * n);
}

template <typename T>
ContactLaw<T> MakeSapLaw(const ContactPoint<T>& point,
                         const ContactConfig& config,
                         const ContactMobility<T>& mobility, int c,
                         const T& least_relaxation, double dt) {
  // Between bodies that are still apart, a point may be far from both centres
  // of mass, so that |W| is large. Without friction only n'W n counts.
  const bool is_speculative = point.depth < 0 && point.mu == 0;
  const T w = is_speculative ? mobility.CalcNormalScale(point, c)
                             : mobility.CalcScale(point.p_WC, c);
  ContactLaw<T> law;
  law.kind = ContactLaw<T>::Kind::kSap;
  law.mu = point.mu;
  const T relaxation = point.relaxation_time < least_relaxation
                           ? least_relaxation
                           : point.relaxation_time;
  const T time = dt + relaxation;
  const double beta = config.near_rigid_threshold / (2 * std::numbers::pi);
  const T near_rigid = beta * beta * w;
  law.R_n = 1.0 / (dt * time * point.stiffness);
  if (law.R_n < near_rigid) law.R_n = near_rigid;
  law.R_t = kStictionSoftness * w;
  law.v_hat = point.depth / time;
  return law;
}

template <typename T>
ContactLaw<T> MakeContactLaw(const ContactPoint<T>& point,
                             const ContactConfig& config,
                             const ContactMobility<T>& mobility, int c,
                             const Vector3<T>& velocity,
                             const T& least_relaxation, double dt) {
  if (config.approximation == DiscreteContactApproximation::kSap) {
    return MakeSapLaw<T>(point, config, mobility, c, least_relaxation, dt);
  }
  ContactLaw<T> law;
  law.mu = point.mu;
  // k (x - dt v_n) (1 - d v_n) = k (x - (dt + d x) v_n) to first order in v_n:
  // the dissipation d acts as a relaxation time d x, with x the depth.
  const T missing = least_relaxation - point.dissipation * point.depth;
  const bool relaxes = least_relaxation > 0 && missing > 0;
  // The last force of an impact is 0, and its elastic force has no bound:
  // neither says what friction it has. The iteration of kTamsi finds a balance
  // more often if all faces of an impact have this law.
  const bool is_tamsi =
      config.approximation == DiscreteContactApproximation::kTamsi;
  const bool is_similar = is_tamsi ? least_relaxation > 0 : relaxes;
  law.kind = LagsFriction(config.approximation) && !is_similar
                 ? ContactLaw<T>::Kind::kLagged
                 : ContactLaw<T>::Kind::kSimilar;
  law.dt = dt;
  law.k = point.stiffness;
  if (relaxes) law.k *= 1 + missing / dt;
  law.d = point.dissipation;
  law.f0 = point.stiffness * point.depth;
  const T damping = 1 - law.d * velocity[2];
  // Surfaces that do not touch yet have no force.
  law.n0 = damping > 0 && law.f0 > 0 ? T(law.dt * law.f0 * damping) : T(0);
  law.eps = config.stiction_tolerance;
  const double softness = kStictionSoftness * ToDouble(T(law.mu * law.n0));
  if (!(softness > 0)) return law;
  const auto is_within = [&](double bound) {
    return bound > 0 && softness * bound <= law.eps;
  };
  if (!mobility.is_known()) {
    if (is_within(mobility.CalcCoarseBound(point.p_WC))) return law;
    const double bound = mobility.CalcBound(point.p_WC);
    if (is_within(bound)) return law;
    if (mobility.are_free() && bound > 0) {
      law.eps = softness * bound;
      return law;
    }
  }
  law.eps =
      std::max(law.eps, softness * ToDouble(mobility.CalcScale(point.p_WC, c)));
  return law;
}

}  // namespace

void FindColumns(const dynamics::Model& model, int tree, int node_A, int node_B,
                 std::vector<int>* columns) {
  columns->clear();
  const auto& t = model.trees[tree];
  int i = node_A, j = node_B;
  while (i > 0 || j > 0) {  // From the leaves: parents have lower numbers.
    const dynamics::Model::Node& node = model.nodes[std::max(i, j)];
    for (int k = node.nv - 1; k >= 0; --k) {
      columns->push_back(node.v_start + k - t.v_start);
    }
    if (i == j) {
      i = j = node.parent;
    } else {
      (i > j ? i : j) = node.parent;
    }
  }
  if (static_cast<int>(columns->size()) == t.nv) {
    columns->clear();
  } else {
    std::reverse(columns->begin(), columns->end());
  }
}

namespace {

// As AddPointRows(), with R = 3 rows, the velocity v of the node at the point,
// or 6, v and the angular velocity.
template <int R, typename T>
void AddMotionRows(const dynamics::Model& model,
                   const dynamics::PositionKinematics<T>& positions, int node,
                   const ContactPoint<T>& point, double sign, int v_start,
                   std::span<const int> columns, T* J) {
  const Vector3<T> r = point.p_WC - positions.p_WO[model.nodes[node].tree];
  const Matrix3<T> R_CW = sign * point.R_WC.transpose();
  int last = static_cast<int>(columns.size()) - 1;
  for (int i = node; i > 0; i = model.nodes[i].parent) {
    const dynamics::Model::Node& n = model.nodes[i];
    int column = n.v_start - v_start;
    if (dynamics::IsFreeBase(n)) {
      const Matrix3<T> E =
          R_CW.lazyProduct(positions.H.template block<3, 3>(0, n.v_start));
      const Vector3<T> r_C = point.R_WC.transpose().lazyProduct(r);
      for (int k = 0; k < 3; ++k) {
        T* turning = J + R * k;
        T* moving = J + 3 * R + R * k;
        turning[0] += E(1, k) * r_C[2] - E(2, k) * r_C[1];
        turning[1] += E(2, k) * r_C[0] - E(0, k) * r_C[2];
        turning[2] += E(0, k) * r_C[1] - E(1, k) * r_C[0];
        for (int c = 0; c < 3; ++c) moving[c] += E(c, k);
        for (int c = 3; c < R; ++c) turning[c] += E(c - 3, k);
      }
      return;
    }
    if (!columns.empty()) {
      while (columns[last] > column) --last;
      column = last;
    }
    for (int k = n.v_start; k < n.v_start + n.nv; ++k, ++column) {
      const T* h = positions.H.data() + 6 * k;
      const Vector3<T> v(h[3] + h[1] * r[2] - h[2] * r[1],
                         h[4] + h[2] * r[0] - h[0] * r[2],
                         h[5] + h[0] * r[1] - h[1] * r[0]);
      T* to = J + R * column;
      Eigen::Map<Vector3<T>>(to) += R_CW.lazyProduct(v);
      if constexpr (R == 6) {
        Eigen::Map<Vector3<T>>(to + 3) +=
            R_CW.lazyProduct(Eigen::Map<const Vector3<T>>(h));
      }
    }
  }
}

}  // namespace

template <typename T>
void AddPointRows(const dynamics::Model& model,
                  const dynamics::PositionKinematics<T>& positions, int node,
                  const ContactPoint<T>& point, double sign, int v_start,
                  std::span<const int> columns, T* J) {
  AddMotionRows<3>(model, positions, node, point, sign, v_start, columns, J);
}

namespace {

// Two bodies that touch, A first: what points of contact between them have in
// common.
struct ContactPair {
  int nodes[2]{};
  int trees[2]{};
  /** The first of A and B that moves; 1 if none does. */
  int first{};
  /** Whether both move, in trees of their own. */
  bool has_two{};
  /** Number of columns of both. */
  int num_columns{};

  bool moves() const { return trees[first] >= 0; }
  /** Whether so many points are to share six rows: not where these have more
  numbers, nor within a tree, where a body's own response does not say that of
  both. */
  bool shares(int num_points) const {
    const bool is_one = first == 0 && trees[0] == trees[1];
    return num_points >= 3 && !is_one && num_columns >= 6;
  }
};

template <typename T>
ContactPair MakePair(const MultibodyTreeSystem<T>& core,
                     const ContactPoint<T>& point,
                     std::array<std::vector<int>, 2>* columns) {
  const dynamics::Model& model = core.model();
  ContactPair pair;
  auto& [nodes, trees, first, has_two, num_columns] = pair;
  nodes[0] = model.bodies[core.tree().model_body(point.body_A)].node;
  nodes[1] = model.bodies[core.tree().model_body(point.body_B)].node;
  for (int i = 0; i < 2; ++i) trees[i] = model.nodes[nodes[i]].tree;
  first = trees[0] >= 0 ? 0 : 1;
  has_two = first == 0 && trees[1] >= 0 && trees[1] != trees[0];
  const bool is_one = trees[0] == trees[1];
  for (int i = first; i < 2; ++i) {
    if (trees[i] < 0) continue;
    auto& own = (*columns)[i];
    FindColumns(model, trees[i], nodes[i], is_one ? nodes[1 - i] : 0, &own);
    num_columns +=
        own.empty() ? model.trees[trees[i]].nv : static_cast<int>(own.size());
  }
  if (first == 1) (*columns)[0] = (*columns)[1];
  return pair;
}

// With their derivatives, if they have any.
template <typename T>
bool HaveSameAxes(const ContactPoint<T>& a, const ContactPoint<T>& b) {
  for (int i = 0; i < 9; ++i) {
    const T &x = a.R_WC(i % 3, i / 3), &y = b.R_WC(i % 3, i / 3);
    if (x != y) return false;
    if constexpr (!std::is_same_v<T, double>) {
      const auto &dx = x.derivatives(), &dy = y.derivatives();
      if (dx.size() != dy.size() || dx != dy) return false;
    }
  }
  return true;
}

// The motion (v, w) of A relative to B at p, in the world.
template <typename T>
std::pair<Vector3<T>, Vector3<T>> CalcMotion(
    const dynamics::PositionKinematics<T>& positions,
    const dynamics::VelocityKinematics<T>& velocities, const ContactPair& pair,
    const Vector3<T>& p) {
  Vector3<T> v = Vector3<T>::Zero(), w = Vector3<T>::Zero();
  for (int i = pair.first; i < 2; ++i) {
    if (pair.trees[i] < 0) continue;
    const double sign = i == 0 ? 1 : -1;
    const Vector6<T>& V = velocities.V[pair.nodes[i]];
    const Vector3<T> w_i = V.template head<3>();
    v += sign *
         (V.template tail<3>() + w_i.cross(p - positions.p_WO[pair.trees[i]]));
    w += sign * w_i;
  }
  return {v, w};
}

// How faces of two bodies take part in an impact.
template <typename T>
struct Impact {
  /** The least relaxation time of the faces, [s]; 0 if there is no impact. */
  T relaxation{0};
  /** The direction of the faces' elastic force; zero if the forces have no sum.
   */
  Vector3<T> normal = Vector3<T>::Zero();
};

// Returns the impact of bodies that move relative to each other by (v, w) at
// p_WO.
//
// A step sees a contact only after the bodies are up to v dt deep in each
// other. Without dissipation, a step that does not resolve the contact pushes
// them out again: it returns their speed, and adds the work on the way.
//
// With the relaxation time n dt, a step leaves the depth x n / (1 + n) with the
// speed x / ((1 + n) dt). Faces that a motion v has just brought x <= v dt deep
// ask for no more than the motion -v / (1 + n). Without friction, the step's
// solution is the projection of v on a convex set that has this motion in it,
// and therefore no faster than v. n > 0 is for the faces that this leaves out:
// those with friction, and those that come to press later, deeper than the
// motion that brings them.
//
// n is at full if bodies move by 1 / n of their depth in a step or more,
// because the relaxed motion does, and must be relaxed until the bodies are
// apart. A contact that is resolved, or at rest, moves by much less and keeps
// its law. From half of 1 / n the relaxation grows evenly, so that forces have
// no jump.
//
// n = 2 is measured. Of 114 falls without dissipation at 1e9 Pa in steps of
// 10 ms, with mu = 0.5 and kSap, so many gain more than 1 %: 81 for n = 0, 13
// for 0.5, 4 for 1, none for 2. If n is at full only from a motion by the whole
// depth on, two do for n = 2.
template <typename T>
Impact<T> CalcImpact(std::span<const ContactPoint<T>> faces,
                     const Vector3<T>& p_WO, const Vector3<T>& v,
                     const Vector3<T>& w, double dt) {
  using std::abs;
  using std::sqrt;
  constexpr double kSteps = 2;             // n
  constexpr double kStart = 0.5 / kSteps;  // Motion, as a share of the depth.
  T depth(0), moved(0);
  Vector3<T> force = Vector3<T>::Zero();
  for (const ContactPoint<T>& point : faces) {
    if (!(point.depth > 0)) continue;
    const Vector3<T> v_C = v + w.cross(point.p_WC - p_WO);
    const T way = abs(point.R_WC.col(2).dot(v_C)) * dt;
    if (way > moved) moved = way;
    if (point.depth > depth) depth = point.depth;
    force += (point.stiffness * point.depth) * point.R_WC.col(2);
  }
  Impact<T> impact;
  if (!(moved > kStart * depth)) return impact;
  const T share = moved / (kStart * depth) - 1;
  impact.relaxation = share < 1 ? T(kSteps * dt * share) : T(kSteps * dt);
  const T square = force.squaredNorm();
  if (square > 0) impact.normal = force / sqrt(square);
  return impact;
}

// Returns the law of a contact of velocity (t1, t2, n) in an impact.
template <typename T>
ContactLaw<T> MakeLawInImpact(const ContactPoint<T>& point,
                              const ContactPart<T>& contact,
                              const ContactMobility<T>& mobility, int c,
                              const Vector3<T>& velocity,
                              const Impact<T>& impact, double dt) {
  ContactLaw<T> law = MakeContactLaw<T>(point, contact.config(), mobility, c,
                                        velocity, impact.relaxation, dt);
  if (contact.follows_stribeck()) {
    law.mu = contact.CalcFriction(point, velocity);
  }
  if (law.kind == ContactLaw<T>::Kind::kSimilar &&
      LagsFriction(contact.config().approximation)) {
    // Steep faces slip by the impact itself, which is no steady slip.
    const Vector3<T> n = point.R_WC.transpose() * impact.normal;
    const Vector3<T> across = velocity - n.dot(velocity) * n;
    TakeOffLift<T>(across.template head<2>(), &law);
  }
  return law;
}

// Adds the rows of the points begin ... end - 1, which are all of one pair of
// bodies. Points with the same axes share rows.
template <typename T>
void AddRowsOfPair(const MultibodyTreeSystem<T>& core,
                   const Context<T>& context, const ContactPart<T>& contact,
                   std::size_t begin, std::size_t end,
                   StepScratch<T>* scratch) {
  StepProblem<T>& problem = scratch->problem;
  const ContactPoints<T>& contacts = contact.EvalContacts(context);
  const std::vector<ContactPoint<T>>& points = contacts.points;
  const ContactPoint<T>& origin = points[begin];
  auto& columns = scratch->columns;
  const ContactPair pair = MakePair(core, origin, &columns);
  if (!pair.moves()) {
    scratch->contact_moves.resize(end, 0);
    scratch->contact_velocities.resize(end, Vector3<T>::Zero());
    return;
  }
  const auto& positions = core.EvalNodePositions(context);
  const int tree_a = pair.trees[pair.first];
  const int tree_b = pair.has_two ? pair.trees[1] : -1;
  const ContactMobility<T> mobility(core, context, pair.nodes, scratch);
  const auto add_rows = [&]<int R>(const ContactPoint<T>& point, int c) {
    for (int i = pair.first; i < 2; ++i) {
      if (pair.trees[i] < 0) continue;
      AddMotionRows<R>(core.model(), positions, pair.nodes[i], point,
                       i == 0 ? 1.0 : -1.0, problem.v_start(pair.trees[i]),
                       columns[i], problem.J(c, pair.has_two ? i : 0).data());
    }
  };
  const auto [v, w] = CalcMotion<T>(
      positions, core.EvalVelocities(context).nodes, pair, origin.p_WC);
  const std::size_t first_face = std::max(begin, contacts.pairs.size());
  Impact<T> impact;
  if (first_face < end) {
    impact =
        CalcImpact<T>(std::span(points).subspan(first_face, end - first_face),
                      origin.p_WC, v, w, problem.dt());
  }
  for (std::size_t run = begin, run_end = begin; run < end; run = run_end) {
    const ContactPoint<T>& first = points[run];
    while (run_end < end && HaveSameAxes(first, points[run_end])) ++run_end;
    const int num_points = static_cast<int>(run_end - run);
    const bool shares = pair.shares(num_points);
    int c = -1;
    if (shares) {
      c = problem.AddContacts(num_points, tree_a, tree_b, columns[0],
                              columns[1]);
      add_rows.template operator()<6>(first, c);
    }
    for (int k = 0; k < num_points; ++k) {
      const ContactPoint<T>& point = points[run + k];
      const Matrix3<T> R_CW = point.R_WC.transpose();
      if (shares) {
        problem.contact_offset(problem.constraint(c), k) =
            R_CW.lazyProduct(point.p_WC - first.p_WC);
      } else {
        c = problem.AddContact({}, tree_a, tree_b, columns[0], columns[1]);
        add_rows.template operator()<3>(point, c);
      }
      const Vector3<T> velocity =
          R_CW.lazyProduct(v + w.cross(point.p_WC - origin.p_WC));
      const int index = problem.constraint(c).law + (shares ? k : 0);
      problem.contact_law(index) = MakeLawInImpact<T>(
          point, contact, mobility, c, velocity,
          run + k < first_face ? Impact<T>() : impact, problem.dt());
      scratch->contact_moves.push_back(1);
      scratch->contact_velocities.push_back(velocity);
    }
  }
}

}  // namespace

template <typename T>
void AddContactRows(const MultibodyTreeSystem<T>& core,
                    const Context<T>& context, const ContactPart<T>& contact,
                    StepScratch<T>* scratch) {
  scratch->contact_moves.clear();
  scratch->contact_velocities.clear();
  StepProblem<T>& problem = scratch->problem;
  for (int& c : scratch->contact_constraints) c = problem.num_constraints();
  if (!contact.has_geometry()) return;
  const std::vector<ContactPoint<T>>& points =
      contact.EvalContacts(context).points;
  scratch->mobilities.resize(core.model().num_nodes());
  for (auto& mobility : scratch->mobilities) {
    mobility.is_known = mobility.has_response = false;
  }
  for (std::size_t begin = 0, end = 0; begin < points.size(); begin = end) {
    while (end < points.size() && points[end].body_A == points[begin].body_A &&
           points[end].body_B == points[begin].body_B) {
      ++end;
    }
    AddRowsOfPair(core, context, contact, begin, end, scratch);
  }
  scratch->contact_constraints[1] = problem.num_constraints();
}

template <typename T>
void CollectContactForces(const MultibodyTreeSystem<T>& core,
                          const Context<T>& context,
                          const ContactPart<T>& contact,
                          const StepScratch<T>& scratch,
                          StepOutputs<T>* outputs) {
  outputs->tau_contact.setZero();
  if (scratch.contact_moves.empty()) return;
  outputs->BeginBodyForces();
  const StepProblem<T>& problem = scratch.problem;
  const ContactPoints<T>& contacts = contact.EvalContacts(context);
  contacts.StartOutputs(outputs);
  const auto& X_WB = core.EvalPositions(context).X_WB;
  const double dt = scratch.problem.dt();
  std::size_t i = 0;
  const auto pass_fixed = [&] {
    for (; i < contacts.points.size() && !scratch.contact_moves[i]; ++i) {
      contacts.AddToOutputs(i, Vector3<T>::Zero(), Vector3<T>::Zero(), outputs);
    }
  };
  const auto& [begin, end] = scratch.contact_constraints;
  for (int c = begin; c < end; ++c) {
    pass_fixed();
    const auto& k = problem.constraint(c);
    const ContactPoint<T>& origin = contacts.points[i];
    const bool is_shared = k.has_shared_rows();
    // The contact has three rows or six.
    Vector6<T> F = Vector6<T>::Zero();
    for (int r = 0; r < k.num_rows; ++r) {
      F[r] = scratch.impulses[k.row + r] / dt;
    }
    problem.AddGeneralizedImpulse(c, 1, F.data(), outputs->tau_contact.data());
    // The force on A, and its moment about that point.
    const Vector3<T> f = origin.R_WC * F.template head<3>();
    Vector3<T> m = Vector3<T>::Zero();
    if (is_shared) m = origin.R_WC * F.template tail<3>();
    const auto add = [&](BodyIndex index, double sign) {
      const dynamics::MobodIndex body = core.tree().model_body(index);
      const Vector3<T> p_BoC = origin.p_WC - X_WB[body].p;
      Vector6<T>& F_BBo = outputs->F_BBo_W[body];
      F_BBo.template head<3>() += sign * (p_BoC.cross(f) + m);
      F_BBo.template tail<3>() += sign * f;
    };
    add(origin.body_A, 1);
    add(origin.body_B, -1);
    if (!is_shared) {
      contacts.AddToOutputs(i, f, scratch.contact_velocities[i], outputs);
      ++i;
      continue;
    }
    for (int j = k.law; j < k.law + k.num_contacts; ++j) {
      const Vector3<T> impulse =
          scratch.impulses.template segment<3>(problem.contact_row(j));
      const Vector3<T> f_A_W = contacts.points[i].R_WC * (impulse / dt);
      contacts.AddToOutputs(i, f_A_W, scratch.contact_velocities[i], outputs);
      ++i;
    }
  }
  pass_fixed();
}

#define WYVERN_INSTANTIATE(T)                             \
  template decltype(AddPointRows<T>) AddPointRows<T>;     \
  template decltype(AddContactRows<T>) AddContactRows<T>; \
  template decltype(CollectContactForces<T>) CollectContactForces<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::internal
