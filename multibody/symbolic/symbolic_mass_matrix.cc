#include <utility>
#include <vector>

#include "wyvern/multibody/dynamics/newton_euler.h"
#include "wyvern/multibody/symbolic/base_parameters.h"
#include "wyvern/multibody/symbolic/composite_inertia.h"
#include "wyvern/multibody/symbolic/symbolic_equations.h"

/* M of expressions by composite bodies (Featherstone, 2008, section 6.2), in
the axes of each node: so the first joint's angle does not enter, and what
turns about one axis takes few products.

Inward over the nodes: a node's composite inertia about its origin No and a
velocity's unit motion (w, l) give the momentum
  f = m l + w x h,  t = I w + h x l,
which each inboard velocity is projected on, on its way to the world. Then
the composite is added to the parent's. Poses of nodes, and the unit motions
of mobilizers with more than one velocity, are what the kernel of inverse
dynamics finds on its way, with unit accelerations from rest. */

namespace wyvern::multibody::internal {
namespace {

using dynamics::Gravity;
using dynamics::MobilizerType;
using dynamics::Model;
using dynamics::ModelParameters;
using dynamics::NewtonEulerScratch;
using symbolic::Expression;
using Vector = Vector3<Expression>;
using ConstVector = Eigen::Ref<const VectorX<Expression>>;

// Angular and linear, about No in N.
struct Motion {
  Vector w, l;
};

// Turned by an angle about z: products of its sine and cosine are shared.
CompositeInertia TurnAboutZ(const CompositeInertia& c, const Expression& sine,
                            const Expression& cosine) {
  const Expression u = cosine * (c.I(0, 0) - c.I(1, 1)) - 2 * sine * c.I(0, 1);
  const Expression xx = c.I(1, 1) + cosine * u, yy = c.I(0, 0) - cosine * u;
  const Expression xy = c.I(0, 1) + sine * u;
  const Expression xz = cosine * c.I(0, 2) - sine * c.I(1, 2);
  const Expression yz = sine * c.I(0, 2) + cosine * c.I(1, 2);
  CompositeInertia result;
  result.m = c.m;
  result.h << cosine * c.h[0] - sine * c.h[1], sine * c.h[0] + cosine * c.h[1],
      c.h[2];
  result.I << xx, xy, xz, xy, yy, yz, xz, yz, c.I(2, 2);
  return result;
}

class MassMatrix {
 public:
  MassMatrix(const Model& model, const ModelParameters<Expression>& parameters,
             const ConstVector& q)
      : model_(model),
        parameters_(ToBaseParameters(model, parameters)),
        scratch_(model),
        motions_(model.num_v),
        M_(MatrixX<Expression>::Zero(model.num_v, model.num_v)) {
    const VectorX<Expression> zero = VectorX<Expression>::Zero(model.num_v);
    Accelerate(q, zero);
    for (int i = 1; i < model.num_nodes(); ++i) {
      const Model::Node& node = model.nodes[i];
      for (int k = node.v_start; k < node.v_start + node.nv; ++k) {
        if (!SetOfOneAxis(i, &motions_[k])) {
          Accelerate(q, VectorX<Expression>::Unit(model.num_v, k));
          motions_[k] = {scratch_.nodes[i].alpha, scratch_.nodes[i].a};
        }
      }
    }
  }

  MatrixX<Expression> Calc() {
    std::vector<CompositeInertia> composites;
    for (const auto& node : parameters_.nodes) {
      composites.push_back(CompositeOf(node));
    }
    for (int i = model_.num_nodes() - 1; i > 0; --i) {
      const Model::Node& node = model_.nodes[i];
      for (int k = node.v_start; k < node.v_start + node.nv; ++k) {
        Project(composites[i], i, k);
      }
      if (node.parent == 0) continue;
      AddShifted(InParentAxes(composites[i], i), scratch_.nodes[i].p_PN,
                 &composites[node.parent]);
    }
    if (parameters_.has_reflected_inertia) {
      M_.diagonal() += parameters_.reflected_inertia;
    }
    return std::move(M_);
  }

 private:
  void Accelerate(const ConstVector& q, const VectorX<Expression>& vdot) {
    const VectorX<Expression> zero = VectorX<Expression>::Zero(model_.num_v);
    VectorX<Expression> tau(model_.num_v);
    dynamics::CalcInverseDynamicsFromState<Expression>(
        model_, parameters_, q, zero, vdot, Gravity::kOff, &scratch_, tau);
  }

  // Short cuts: what accelerations find, too.
  bool SetOfOneAxis(int node, Motion* motion) const {
    const Vector zero = Vector::Zero(), z = Vector::UnitZ();
    const MobilizerType type = model_.nodes[node].type;
    if (type == MobilizerType::kRevolute) {
      *motion = {z, zero};
    } else if (type == MobilizerType::kPrismatic) {
      *motion = {zero, z};
    }
    return type == MobilizerType::kRevolute ||
           type == MobilizerType::kPrismatic;
  }

  // The entries of velocity k of a node, with its own and all inboard ones.
  void Project(const CompositeInertia& c, int node, int k) {
    const auto& [w, l] = motions_[k];
    Vector f = c.m * l + w.cross(c.h);
    Vector t = c.I * w + c.h.cross(l);
    while (true) {
      const Model::Node& at = model_.nodes[node];
      for (int j = at.v_start; j < at.v_start + at.nv && j <= k; ++j) {
        M_(k, j) = M_(j, k) = motions_[j].w.dot(t) + motions_[j].l.dot(f);
      }
      if (at.parent == 0) return;
      const auto& pose = scratch_.nodes[node];
      f = (pose.R_PN * f).eval();
      t = (pose.R_PN * t).eval() + pose.p_PN.cross(f);
      node = at.parent;
    }
  }

  CompositeInertia InParentAxes(const CompositeInertia& c, int i) const {
    const Model::Node& node = model_.nodes[i];
    if (node.type != MobilizerType::kRevolute) {
      return Turn(c, scratch_.nodes[i].R_PN);
    }
    const int k = node.q_start;
    return Turn(TurnAboutZ(c, scratch_.sine[k], scratch_.cosine[k]),
                parameters_.nodes[i].R_PF);
  }

  const Model& model_;
  const ModelParameters<Expression> parameters_;
  NewtonEulerScratch<Expression> scratch_;
  std::vector<Motion> motions_;  // By velocity.
  MatrixX<Expression> M_;
};

}  // namespace

MatrixX<Expression> CalcSymbolicMassMatrix(
    const Model& model, const ModelParameters<Expression>& parameters,
    const ConstVector& q) {
  return MassMatrix(model, parameters, q).Calc();
}

}  // namespace wyvern::multibody::internal
