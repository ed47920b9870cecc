// Contacts as terms of the convex problem of a step. Each point of contact is
// three rows (t1, t2, n): its velocity is J v, J a block for each of the two
// trees, made from the screws H on the paths from the world; its law is
// ContactLaw (multibody/contact), with what it takes from materials, depth and
// the present normal force. After the solution the impulses become the forces
// that ports show.
#include "wyvern/multibody/plant/parts/contact_rows.h"

#include <algorithm>
#include <numbers>
#include <span>
#include <type_traits>
#include <vector>

#include <Eigen/LU>

#include "wyvern/multibody/mobilizers/mobilizer_traits.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/extract_double.h"

namespace wyvern::multibody::internal {

using systems::Context;

namespace {

const StepScratch<double>::Mobility& GetMobility(
    const MultibodyTreeSystem<double>& core, const Context<double>& context,
    int node, StepScratch<double>* scratch) {
  StepScratch<double>::Mobility& result = scratch->mobilities[node];
  if (result.is_known) return result;
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
  return result;
}

template <typename T>
Matrix3<T> CrossMatrix(const Vector3<T>& r) {
  Matrix3<T> result;
  result << T(0), -r[2], r[1], r[2], T(0), -r[0], -r[1], r[0], T(0);
  return result;
}

// How large W = J M^-1 J' of one contact is, in the axes of the world: W as
// such, its norm and its trace are the same in those of the contact.
template <typename T>
class ContactMobility {
 public:
  ContactMobility(const MultibodyTreeSystem<T>& core, const Context<T>& context,
                  const int* nodes, const ContactPoint<T>& point, int c,
                  StepScratch<T>* scratch)
      : core_(core),
        context_(context),
        nodes_(nodes),
        point_(point),
        c_(c),
        scratch_(scratch) {}

  /* No less than CalcScale(): joints only make bodies harder to move, so that
  it is at most that of the bodies without them. Of a free body and a point at r
  from its centre of mass, K its inverse inertia,
    W = 1 / m + [r] K [r]',   tr W = 3 / m + |r|^2 tr K - r'K r,
  and 3 w = |W|_F <= tr W. `is_close` asks for |W|_F, else it is by tr W. Not a
  number, or not positive, if there is no such bound. */
  double CalcBound(bool is_close) const;

  // The size w = |W|_F / 3, or of the normal row alone.
  T CalcScale() const;
  T CalcNormalScale() const;

  // Whether CalcScale() costs no more than a bound.
  bool is_known() const {
    if (IsWithinTree()) return false;
    for (int i = 0; i < 2; ++i) {
      if (nodes_[i] > 0 && !scratch_->mobilities[nodes_[i]].has_response) {
        return false;
      }
    }
    return true;
  }

 private:
  // What moves one of the nodes then moves the other.
  bool IsWithinTree() const {
    const auto& nodes = core_.model().nodes;
    return nodes_[0] > 0 && nodes_[1] > 0 &&
           nodes[nodes_[0]].tree == nodes[nodes_[1]].tree;
  }
  const Matrix6<T>& GetResponse(int node) const;
  // Of nodes of two trees, or one.
  Matrix3<T> CalcBlock() const;

  const MultibodyTreeSystem<T>& core_;
  const Context<T>& context_;
  const int* nodes_;
  const ContactPoint<T>& point_;
  const int c_;
  StepScratch<T>* const scratch_;
};

template <typename T>
double ContactMobility<T>::CalcBound(bool is_close) const {
  if constexpr (std::is_same_v<T, double>) {
    double trace = 0;
    Matrix3<double> W = Matrix3<double>::Zero();
    for (int i = 0; i < 2; ++i) {
      if (nodes_[i] == 0) continue;
      const auto& mobility = GetMobility(core_, context_, nodes_[i], scratch_);
      const Matrix3<double>& K = mobility.inverse_inertia;
      const Vector3<double> r = point_.p_WC - mobility.p_WCm;
      const double turning = r.squaredNorm() * K.trace() - r.dot(K * r);
      if (!(turning >= 0)) return -1;
      trace += 3 * mobility.inverse_mass + turning;
      if (!is_close) continue;
      const Matrix3<double> rx = CrossMatrix(r);
      W.diagonal().array() += mobility.inverse_mass;
      W += rx * K * rx.transpose();
    }
    return (is_close ? W.norm() : trace) / 3;
  } else {
    return -1;
  }
}

template <typename T>
const Matrix6<T>& ContactMobility<T>::GetResponse(int node) const {
  auto& mobility = scratch_->mobilities[node];
  if (!mobility.has_response) {
    mobility.has_response = true;
    const engine::Model::Node& n = core_.model().nodes[node];
    const int v_start = core_.model().trees[n.tree].v_start;
    mobility.response = scratch_->problem.CalcPathMobility(
        n.tree, n.v_start + n.nv - 1 - v_start,
        core_.EvalNodePositions(context_).H.data() + 6 * v_start);
  }
  return mobility.response;
}

// An impulse f at r is one of r x f and f at O, and moves the point by v_O + w
// x r.
template <typename T>
Matrix3<T> ContactMobility<T>::CalcBlock() const {
  const auto& positions = core_.EvalNodePositions(context_);
  Matrix3<T> W = Matrix3<T>::Zero();
  for (int i = 0; i < 2; ++i) {
    if (nodes_[i] == 0) continue;
    const Matrix6<T>& response = GetResponse(nodes_[i]);
    const Vector3<T> r =
        point_.p_WC - positions.p_WO[core_.model().nodes[nodes_[i]].tree];
    const Matrix3<T> rx = CrossMatrix(r);
    const Eigen::Matrix<T, 6, 3> V =
        response.template leftCols<3>().lazyProduct(rx) +
        response.template rightCols<3>();
    W += V.template bottomRows<3>() - rx.lazyProduct(V.template topRows<3>());
  }
  return W;
}

template <typename T>
T ContactMobility<T>::CalcScale() const {
  using std::sqrt;
  if (IsWithinTree()) return scratch_->problem.CalcDelassusScale(c_);
  return sqrt(CalcBlock().squaredNorm()) / 3;
}

template <typename T>
T ContactMobility<T>::CalcNormalScale() const {
  if (IsWithinTree()) return scratch_->problem.CalcDelassusScale(c_, 2, 1);
  const Vector3<T> n = point_.R_WC.col(2);
  return n.dot(CalcBlock() * n);
}

template <typename T>
ContactLaw<T> MakeSapLaw(const ContactPoint<T>& point,
                         const ContactConfig& config,
                         const ContactMobility<T>& mobility, double dt) {
  // Midway between bodies that are apart a point has long levers; without
  // friction only what it does along the normal counts.
  const bool is_speculative = point.depth < 0 && point.mu == 0;
  const T w =
      is_speculative ? mobility.CalcNormalScale() : mobility.CalcScale();
  ContactLaw<T> law;
  law.kind = ContactLaw<T>::Kind::kSap;
  law.mu = point.mu;
  const T time = dt + point.relaxation_time;
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
                             const ContactMobility<T>& mobility,
                             const Vector3<T>& velocity, double dt) {
  if (config.approximation == DiscreteContactApproximation::kSap) {
    return MakeSapLaw<T>(point, config, mobility, dt);
  }
  ContactLaw<T> law;
  law.mu = point.mu;
  law.kind = config.approximation == DiscreteContactApproximation::kSimilar
                 ? ContactLaw<T>::Kind::kSimilar
                 : ContactLaw<T>::Kind::kLagged;
  law.dt = dt;
  law.k = point.stiffness;
  law.d = point.dissipation;
  law.f0 = point.stiffness * point.depth;
  const T damping = 1 - law.d * velocity[2];
  // What does not touch yet has no force now.
  law.n0 = damping > 0 && law.f0 > 0 ? T(law.dt * law.f0 * damping) : T(0);
  law.eps = config.stiction_tolerance;
  const double softness =
      kStictionSoftness * ExtractDoubleOrThrow(T(law.mu * law.n0));
  if (!(softness > 0)) return law;
  for (const bool is_close : {false, true}) {
    if (mobility.is_known()) break;
    const double bound = mobility.CalcBound(is_close);
    if (!(bound > 0)) break;
    if (softness * bound <= law.eps) return law;
  }
  law.eps =
      std::max(law.eps, softness * ExtractDoubleOrThrow(mobility.CalcScale()));
  return law;
}

}  // namespace

void FindColumns(const engine::Model& model, int tree, int node_A, int node_B,
                 std::vector<int>* columns) {
  columns->clear();
  const auto& t = model.trees[tree];
  int i = node_A, j = node_B;
  while (i > 0 || j > 0) {  // From the leaves: parents have lower numbers.
    const engine::Model::Node& node = model.nodes[std::max(i, j)];
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

template <typename T>
void AddPointRows(const engine::Model& model,
                  const engine::PositionKinematics<T>& positions, int node,
                  const ContactPoint<T>& point, double sign, int v_start,
                  std::span<const int> columns, T* J) {
  const Vector3<T> r = point.p_WC - positions.p_WO[model.nodes[node].tree];
  const Matrix3<T> R_CW = sign * point.R_WC.transpose();
  int last = static_cast<int>(columns.size()) - 1;
  for (int i = node; i > 0; i = model.nodes[i].parent) {
    const engine::Model::Node& n = model.nodes[i];
    int column = n.v_start - v_start;
    if (n.nv == 6 && n.parent == 0 && !n.is_reversed &&
        engine::TraitsOf(n.type).rotates_freely) {
      // A floating base, whose screws about its own origin are (e, 0), (0, e)
      // with e the axes of F: the first columns of all.
      const Matrix3<T> E =
          R_CW.lazyProduct(positions.H.template block<3, 3>(0, n.v_start));
      const Vector3<T> r_C = point.R_WC.transpose().lazyProduct(r);
      for (int k = 0; k < 3; ++k) {
        T* turning = J + 3 * k;
        T* moving = J + 9 + 3 * k;
        turning[0] += E(1, k) * r_C[2] - E(2, k) * r_C[1];
        turning[1] += E(2, k) * r_C[0] - E(0, k) * r_C[2];
        turning[2] += E(0, k) * r_C[1] - E(1, k) * r_C[0];
        for (int c = 0; c < 3; ++c) moving[c] += E(c, k);
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
      Eigen::Map<Vector3<T>>(J + 3 * column) += R_CW.lazyProduct(v);
    }
  }
}

template <typename T>
void AddContactRows(const MultibodyTreeSystem<T>& core,
                    const Context<T>& context, const ContactPart<T>& contact,
                    StepScratch<T>* scratch) {
  scratch->contact_index.clear();
  scratch->contact_velocities.clear();
  if (!contact.has_geometry()) return;
  const std::vector<ContactPoint<T>>& points =
      contact.EvalContacts(context).points;
  if (points.empty()) return;
  const engine::Model& model = core.model();
  const auto& positions = core.EvalNodePositions(context);
  const auto& velocities = core.EvalVelocities(context).nodes;
  scratch->mobilities.resize(model.num_nodes());
  for (auto& mobility : scratch->mobilities) {
    mobility.is_known = mobility.has_response = false;
  }
  const ContactLaw<T> unknown;
  StepProblem<T>& problem = scratch->problem;
  // Of the point before: points of a pair follow each other.
  BodyIndex last_A, last_B;
  int nodes[2] = {}, trees[2] = {}, first = 0;
  bool has_two = false;
  auto& columns = scratch->columns;
  for (const ContactPoint<T>& point : points) {
    if (!last_A.is_valid() || point.body_A != last_A ||
        point.body_B != last_B) {
      last_A = point.body_A;
      last_B = point.body_B;
      nodes[0] = model.bodies[core.tree().model_body(last_A)].node;
      nodes[1] = model.bodies[core.tree().model_body(last_B)].node;
      for (int i = 0; i < 2; ++i) trees[i] = model.nodes[nodes[i]].tree;
      first = trees[0] >= 0 ? 0 : 1;
      has_two = first == 0 && trees[1] >= 0 && trees[1] != trees[0];
      const bool is_one = trees[0] == trees[1];
      for (int i = first; i < 2; ++i) {
        if (trees[i] < 0) continue;
        FindColumns(model, trees[i], nodes[i], is_one ? nodes[1 - i] : 0,
                    &columns[i]);
      }
      if (first == 1) columns[0] = columns[1];
    }
    int c = -1;
    Vector3<T> velocity = Vector3<T>::Zero();
    if (trees[first] >= 0) {
      c = problem.AddContact(unknown, trees[first], has_two ? trees[1] : -1,
                             columns[0], columns[1]);
      for (int i = first; i < 2; ++i) {
        if (trees[i] < 0) continue;
        const double sign = i == 0 ? 1 : -1;
        AddPointRows<T>(model, positions, nodes[i], point, sign,
                        problem.v_start(trees[i]), columns[i],
                        problem.J(c, has_two ? i : 0).data());
        const Vector3<T> p_OC = point.p_WC - positions.p_WO[trees[i]];
        const Vector6<T>& V = velocities.V[nodes[i]];
        const Vector3<T> w = V.template head<3>();
        velocity += sign * (V.template tail<3>() + w.cross(p_OC));
      }
      velocity = (point.R_WC.transpose() * velocity).eval();
      const ContactMobility<T> mobility(core, context, nodes, point, c,
                                        scratch);
      problem.contact_law(problem.constraint(c).law) = MakeContactLaw<T>(
          point, contact.config(), mobility, velocity, problem.dt());
    }
    scratch->contact_index.push_back(c);
    scratch->contact_velocities.push_back(velocity);
  }
}

template <typename T>
void CollectContactForces(const MultibodyTreeSystem<T>& core,
                          const Context<T>& context,
                          const ContactPart<T>& contact,
                          const StepScratch<T>& scratch,
                          StepOutputs<T>* outputs) {
  outputs->tau_contact.setZero();
  if (scratch.contact_index.empty()) return;
  outputs->BeginBodyForces();
  const StepProblem<T>& problem = scratch.problem;
  const ContactPoints<T>& contacts = contact.EvalContacts(context);
  contacts.StartOutputs(outputs);
  const auto& X_WB = core.EvalPositions(context).X_WB;
  for (std::size_t i = 0; i < contacts.points.size(); ++i) {
    const ContactPoint<T>& point = contacts.points[i];
    const int c = scratch.contact_index[i];
    if (c < 0) {
      contacts.AddToOutputs(i, Vector3<T>::Zero(), Vector3<T>::Zero(), outputs);
      continue;
    }
    const auto& k = problem.constraint(c);
    const Vector3<T> f =
        scratch.impulses.template segment<3>(k.row) / core.time_step();
    problem.AddGeneralizedImpulse(c, f, outputs->tau_contact);
    const Vector3<T> f_A_W = point.R_WC * f;
    const auto add = [&](BodyIndex index, const Vector3<T>& force) {
      const engine::MobodIndex body = core.tree().model_body(index);
      const Vector3<T> p_BoC = point.p_WC - X_WB[body].p;
      Vector6<T>& F = outputs->F_BBo_W[body];
      F.template head<3>() += p_BoC.cross(force);
      F.template tail<3>() += force;
    };
    add(point.body_A, f_A_W);
    add(point.body_B, -f_A_W);
    contacts.AddToOutputs(i, f_A_W, scratch.contact_velocities[i], outputs);
  }
}

#define WYVERN_INSTANTIATE(T)                             \
  template decltype(AddPointRows<T>) AddPointRows<T>;     \
  template decltype(AddContactRows<T>) AddContactRows<T>; \
  template decltype(CollectContactForces<T>) CollectContactForces<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::internal
