#include "wyvern/multibody/plant/step/deformable_step.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

#include "wyvern/geometry/math/rotation_matrix.h"
#include "wyvern/multibody/dynamics/body_kinematics.h"
#include "wyvern/multibody/plant/parts/foreign_contact.h"
#include "wyvern/multibody/plant/step/contact_rows.h"
#include "wyvern/multibody/plant/step/deformable_scratch.h"
#include "wyvern/systems/common/default_scalars.h"

/* Contacts of a deformable body are found at the state before the step; then
the body moves by itself. The vertices that take part get a tree in the
problem. With impulses j on them, and none on others, the step's matrix T
gives dv = (dt T)^-1 j. So A is dt times the Schur complement of T, which its
factor leaves to these vertices. A contact's Jacobian weighs vertices by the
barycentric coordinates of its point, so a block has at most twelve columns.
After the solution j = J'g goes to the stepper, which moves all vertices. */

namespace wyvern::multibody::internal {

using geometry::internal::DeformableContactPoint;
using geometry::internal::DeformableContactSurface;
using systems::Context;

namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
// How much of its load's velocity a bond lets through.
constexpr double kBondSoftness = 1e-6;

using Model = DeformableModel<double>;
using Body = DeformableScratch::Body;

// Materials of the model's geometries, by body.
void ReadMaterials(const Model& model, const ContactConfig& config,
                   const geometry::SceneGraphInspector<double>& inspector,
                   DeformableScratch* scratch) {
  if (scratch->revision == config.revision &&
      scratch->version.IsSameAs(inspector.geometry_version(),
                                geometry::Role::kProximity)) {
    return;
  }
  scratch->materials.assign(model.num_bodies(), {});
  for (DeformableBodyIndex i(0); i < model.num_bodies(); ++i) {
    const auto id = model.GetGeometryId(model.GetBodyId(i));
    const auto* properties = inspector.GetProximityProperties(id);
    if (properties == nullptr) continue;
    scratch->materials[i] =
        ReadSurfaceMaterial(*properties, config, inspector.GetName(id));
  }
  scratch->version = inspector.geometry_version();
  scratch->revision = config.revision;
}

// The body of a geometry, if it is the model's and enabled, else null.
Body* FindBody(const Model& model, geometry::GeometryId id,
               DeformableScratch* scratch) {
  const int i = model.FindBodyOf(id);
  if (i < 0 || !scratch->bodies[i].is_enabled) return nullptr;
  return &scratch->bodies[i];
}

void AddVertices(std::span<const int> vertices,
                 const std::vector<char>& is_fixed, Body* body) {
  for (const int v : vertices) {
    if (is_fixed[v] || body->place[v] >= 0) continue;
    body->place[v] = 0;
    body->vertices.push_back(v);
  }
}

// The columns of a point's block, and the block.
void AddColumns(const Body& body, const std::array<int, 4>& vertices,
                std::vector<int>* columns) {
  columns->clear();
  for (const int v : vertices) {
    if (body.place[v] < 0) continue;
    for (int i = 0; i < 3; ++i) columns->push_back(3 * body.place[v] + i);
  }
  std::ranges::sort(*columns);
}

void FillBlock(const Body& body, const std::array<int, 4>& vertices,
               const Vector4<double>& weights, const Matrix3<double>& R_CW,
               const std::vector<int>& columns,
               StepProblem<double>::BlockMap J) {
  for (int i = 0; i < 4; ++i) {
    if (body.place[vertices[i]] < 0) continue;
    const auto at =
        std::ranges::lower_bound(columns, 3 * body.place[vertices[i]]);
    J.middleCols<3>(at - columns.begin()) += weights[i] * R_CW;
  }
}

// A sticking point lets through a share of the velocity that the impulse of the
// surface gives the whole bodies, as for rigid bodies. A single vertex is so
// light that it would creep. If a point instead yielded to its own impulse like
// the whole bodies, it would stick within very little speed, and Newton's
// method would find the few slipping points one after the other. inverse_mass
// is that of the point's share of the bodies.
ContactLaw<double> MakeLaw(const ContactPoint<double>& point,
                           const ContactConfig& config, double inverse_mass,
                           double dt) {
  ContactLaw<double> law;
  law.mu = point.mu;
  if (config.approximation == DiscreteContactApproximation::kSap) {
    const double time = dt + point.relaxation_time;
    law.kind = ContactLaw<double>::Kind::kSap;
    law.R_n = 1 / (dt * time * point.stiffness);
    law.R_t = kStictionSoftness * inverse_mass;
    law.v_hat = point.depth / time;
    return law;
  }
  // kSimilar, because a stiff contact may open and close from step to step, so
  // that its last normal force does not predict its friction. The elastic force
  // is k (depth - (dt + t) z), with the relaxation time t. Without t a step
  // would push vertices out of touch, they would fall as deep again in the
  // next, and a body without viscosity would never come to rest.
  law.kind = ContactLaw<double>::Kind::kSimilar;
  law.dt = dt;
  law.k = point.stiffness * (1 + point.relaxation_time / dt);
  law.f0 = point.stiffness * point.depth;
  law.eps = config.stiction_tolerance;
  return law;
}

Vector3<double> CalcVertexVelocity(const Body& body,
                                   const std::array<int, 4>& vertices,
                                   const Vector4<double>& weights) {
  Vector3<double> v = Vector3<double>::Zero();
  for (int i = 0; i < 4; ++i) {
    v += weights[i] * body.state.v.segment<3>(3 * vertices[i]);
  }
  return v;
}

// One contact: what it is between, and its law.
void AddContact(const MultibodyTreeSystem<double>& core,
                const Context<double>& context, const ContactConfig& config,
                const DeformableContactPoint& at, const Body& A, const Body* B,
                BodyIndex body_B, double mu, double inverse_mass,
                DeformableScratch* deformables, StepScratch<double>* scratch) {
  StepProblem<double>& problem = scratch->problem;
  ContactPoint<double> point{};
  point.p_WC = at.p_WC;
  point.R_WC =
      math::RotationMatrix<double>::MakeFromOneVector(at.nhat_BA_W, 2).matrix();
  point.depth = -at.phi;
  const double stiffness =
      B == nullptr ? kDeformableStiffness : kDeformableStiffness / 2;
  point.stiffness = stiffness * at.area;
  point.relaxation_time = problem.dt();
  point.mu = point.mu_static = mu;
  const dynamics::Model& model = core.model();
  auto& columns = deformables->columns;
  AddColumns(A, at.vertices_A, &columns[0]);
  int trees[] = {columns[0].empty() ? -1 : A.tree, -1};
  int node_B = 0;
  if (B != nullptr) {
    AddColumns(*B, at.vertices_B, &columns[1]);
    if (!columns[1].empty()) trees[1] = B->tree;
  } else {
    node_B = model.bodies[core.tree().model_body(body_B)].node;
    trees[1] = model.nodes[node_B].tree;
    if (trees[1] >= 0) FindColumns(model, trees[1], node_B, 0, &columns[1]);
  }
  if (trees[0] < 0 && trees[1] < 0) return;
  const int first = trees[0] >= 0 ? 0 : 1;
  const bool has_two = first == 0 && trees[1] >= 0;
  const int c = problem.AddContact({}, trees[first], has_two ? trees[1] : -1,
                                   columns[first], columns[1]);
  const Matrix3<double> R_CW = point.R_WC.transpose();
  if (trees[0] >= 0) {
    FillBlock(A, at.vertices_A, at.weights_A, R_CW, columns[0],
              problem.J(c, 0));
  }
  if (trees[1] >= 0) {
    const int side = has_two ? 1 : 0;
    if (B != nullptr) {
      FillBlock(*B, at.vertices_B, at.weights_B, -R_CW, columns[1],
                problem.J(c, side));
    } else {
      AddPointRows<double>(model, core.EvalNodePositions(context), node_B,
                           point, -1, problem.v_start(trees[1]), columns[1],
                           problem.J(c, side).data());
    }
  }
  ContactLaw<double>& law = problem.contact_law(problem.constraint(c).law);
  law = MakeLaw(point, config, inverse_mass, problem.dt());
  if (LagsFriction(config.approximation)) {
    Vector3<double> v_W = CalcVertexVelocity(A, at.vertices_A, at.weights_A);
    if (B != nullptr) {
      v_W -= CalcVertexVelocity(*B, at.vertices_B, at.weights_B);
    } else {
      v_W -= dynamics::CalcPointVelocity<double>(
                 model, core.EvalNodePositions(context),
                 core.EvalVelocities(context).nodes,
                 core.tree().model_body(body_B), point.p_WC)
                 .tail<3>();
    }
    TakeOffLift<double>((R_CW * v_W).head<2>(), &law);
  }
  deformables->contacts.push_back(
      {c, point.p_WC, point.R_WC, B == nullptr ? body_B : BodyIndex(),
       static_cast<int>(deformables->shown_surfaces.size()) - 1});
}

// Finds the surfaces of contacts.
void FindSurfaces(const Model& model,
                  const geometry::QueryObject<double>& query,
                  DeformableScratch* scratch) {
  query.ComputeDeformableContact(&scratch->surfaces);
  for (const DeformableContactSurface& surface : scratch->surfaces) {
    Body* const A = FindBody(model, surface.id_A, scratch);
    Body* const B = surface.is_B_deformable
                        ? FindBody(model, surface.id_B, scratch)
                        : nullptr;
    if (A == nullptr || (surface.is_B_deformable && B == nullptr)) continue;
    const auto& fixed_A = model.fixed_vertices(A - scratch->bodies.data());
    for (const DeformableContactPoint& point : surface.points) {
      AddVertices(point.vertices_A, fixed_A, A);
      if (B == nullptr) continue;
      AddVertices(point.vertices_B,
                  model.fixed_vertices(B - scratch->bodies.data()), B);
    }
  }
}

// Pulls the vertex V of A to its point of body B: v_hat = -e / (2 dt) halves
// the error e in a step. Both forces act at V, so that their moments cancel.
void AddBond(const MultibodyTreeSystem<double>& core,
             const Context<double>& context, const Body& A,
             const Model::Bond& bond, DeformableScratch* deformables,
             StepScratch<double>* scratch) {
  StepProblem<double>& problem = scratch->problem;
  const dynamics::Model& model = core.model();
  const dynamics::MobodIndex body_B = core.tree().model_body(bond.body_B);
  const int node_B = model.bodies[body_B].node;
  const int tree_B = model.nodes[node_B].tree;
  ContactPoint<double> point{};
  point.p_WC = A.state.q.segment<3>(3 * bond.vertex);
  point.R_WC.setIdentity();
  const auto& X_WB = core.EvalPositions(context).X_WB[body_B];
  const Vector3<double> e = point.p_WC - X_WB.R * bond.p_BV - X_WB.p;
  auto& columns = deformables->columns;
  columns[0].clear();
  columns[1].clear();
  const int place = A.place[bond.vertex];
  for (int i = 0; place >= 0 && i < 3; ++i) {
    columns[0].push_back(3 * place + i);
  }
  if (tree_B >= 0) FindColumns(model, tree_B, node_B, 0, &columns[1]);
  const bool has_A = place >= 0, has_B = tree_B >= 0;
  if (!has_A && !has_B) return;
  const std::array<RowLaw<double>, 3> rows{
      RowLaw<double>{0, 1, -kUnbounded, kUnbounded},
      {0, 1, -kUnbounded, kUnbounded},
      {0, 1, -kUnbounded, kUnbounded}};
  const int c = problem.AddRows(rows, has_A ? A.tree : tree_B,
                                has_A && has_B ? tree_B : -1,
                                columns[has_A ? 0 : 1], columns[1]);
  if (has_A) problem.J(c, 0) = Matrix3<double>::Identity();
  if (has_B) {
    AddPointRows<double>(model, core.EvalNodePositions(context), node_B, point,
                         -1, problem.v_start(tree_B), columns[1],
                         problem.J(c, has_A ? 1 : 0).data());
  }
  const double R = kBondSoftness * problem.CalcDelassusScale(c);
  for (int i = 0; i < 3; ++i) {
    RowLaw<double>& law = problem.row_law(problem.constraint(c).law + i);
    law.R = R > 0 ? R : 1;
    law.v_hat = -e[i] / (2 * problem.dt());
  }
  deformables->bonds.push_back({c, point.p_WC, point.R_WC, bond.body_B});
}

// Adds the impulses of points to j, and their forces on rigid bodies.
void CollectPointForces(const MultibodyTreeSystem<double>& core,
                        const Context<double>& context,
                        const StepScratch<double>& scratch,
                        const std::vector<DeformableScratch::Contact>& points,
                        VectorX<double>* j, StepOutputs<double>* outputs) {
  const StepProblem<double>& problem = scratch.problem;
  if (!points.empty()) outputs->BeginBodyForces();
  const auto& X_WB = core.EvalPositions(context).X_WB;
  for (const auto& point : points) {
    const auto& k = problem.constraint(point.constraint);
    const Vector3<double> g = scratch.impulses.segment<3>(k.row);
    problem.AddGeneralizedImpulse(point.constraint, g, *j);
    if (point.surface >= 0) {
      outputs->deformable_contacts[point.surface].AddForce(
          point.p_WC, point.R_WC * g / problem.dt());
    }
    if (!point.body_B.is_valid()) continue;
    const dynamics::MobodIndex body = core.tree().model_body(point.body_B);
    const Vector3<double> f_B_W = point.R_WC * g / -problem.dt();
    Vector6<double>& F = outputs->F_BBo_W[body];
    F.head<3>() += (point.p_WC - X_WB[body].p).cross(f_B_W);
    F.tail<3>() += f_B_W;
  }
}

}  // namespace

template <typename T>
void BeginDeformables(const DeformableModel<T>& model,
                      const Context<T>& context, const ContactPart<T>& contact,
                      std::vector<int>* tree_nv) {
  if constexpr (std::is_same_v<T, double>) {
    if (model.num_bodies() == 0) return;
    DeformableScratch& scratch = model.ReadStates(context);
    for (Body& body : scratch.bodies) {
      for (const int v : body.vertices) body.place[v] = -1;
      body.vertices.clear();
      body.tree = -1;
    }
    scratch.surfaces.resize(model.has_contact() ? scratch.surfaces.size() : 0);
    if (model.has_contact()) {
      const auto& query = contact.EvalQuery(context);
      ReadMaterials(model, contact.config(), query.inspector(), &scratch);
      FindSurfaces(model, query, &scratch);
    }
    for (std::size_t i = 0; i < scratch.bodies.size(); ++i) {
      if (!scratch.bodies[i].is_enabled) continue;
      for (const auto& bond : model.bonds(i)) {
        AddVertices(std::span(&bond.vertex, 1), model.fixed_vertices(i),
                    &scratch.bodies[i]);
      }
    }
    for (Body& body : scratch.bodies) {
      if (body.vertices.empty()) continue;
      std::ranges::sort(body.vertices);
      for (std::size_t i = 0; i < body.vertices.size(); ++i) {
        body.place[body.vertices[i]] = static_cast<int>(i);
      }
      body.tree = static_cast<int>(tree_nv->size());
      tree_nv->push_back(3 * static_cast<int>(body.vertices.size()));
    }
    model.BeginSteps(context);
  }
}

template <typename T>
void FillDeformableTrees(const DeformableModel<T>& model,
                         const Context<T>& context, StepProblem<T>* problem) {
  if constexpr (std::is_same_v<T, double>) {
    if (model.num_bodies() == 0) return;
    for (Body& body : model.scratch(context).bodies) {
      if (body.tree < 0) continue;
      body.stepper.CalcInertia(problem->A(body.tree));
      const int start = problem->v_start(body.tree);
      for (std::size_t i = 0; i < body.vertices.size(); ++i) {
        problem->v_star().template segment<3>(start + 3 * i) =
            body.stepper.velocities().template segment<3>(3 * body.vertices[i]);
      }
    }
  }
}

template <typename T>
void AddDeformableRows(const MultibodyTreeSystem<T>& core,
                       const DeformableModel<T>& model,
                       const Context<T>& context, const ContactPart<T>& contact,
                       StepScratch<T>* scratch) {
  if constexpr (std::is_same_v<T, double>) {
    if (model.num_bodies() == 0) return;
    DeformableScratch& deformables = model.scratch(context);
    deformables.contacts.clear();
    deformables.bonds.clear();
    deformables.shown_surfaces.clear();
    for (std::size_t i = 0; i < deformables.bodies.size(); ++i) {
      const Body& body = deformables.bodies[i];
      if (!body.is_enabled) continue;
      for (const auto& bond : model.bonds(i)) {
        AddBond(core, context, body, bond, &deformables, scratch);
      }
    }
    if (!model.has_contact()) return;
    const ContactPoints<double>& contacts = contact.EvalContacts(context);
    const auto& rigid = contacts.surfaces;
    for (const DeformableContactSurface& surface : deformables.surfaces) {
      const Body* const A = FindBody(model, surface.id_A, &deformables);
      const Body* B = nullptr;
      BodyIndex body_B;
      const CoulombFriction<double>* friction_B{};
      if (surface.is_B_deformable) {
        B = FindBody(model, surface.id_B, &deformables);
        if (B == nullptr) continue;
        friction_B =
            &deformables.materials[B - deformables.bodies.data()].friction;
      } else {
        const auto found = rigid.find(surface.id_B);
        if (found == rigid.end()) {
          if (A == nullptr) continue;
          WarnOfForeignContact(core, contact.EvalQuery(context).inspector(),
                               surface.id_A, surface.id_B, context.get_time(),
                               contacts.foreign_pairs);
          continue;
        }
        body_B = found->second.body;
        friction_B = &found->second.friction;
      }
      if (A == nullptr) continue;
      deformables.shown_surfaces.push_back(
          static_cast<int>(&surface - deformables.surfaces.data()));
      const double mu =
          CalcContactFrictionFromSurfaceProperties(
              deformables.materials[A - deformables.bodies.data()].friction,
              *friction_B)
              .dynamic_friction();
      double inverse_mass = 1 / model.CalcMass(A - deformables.bodies.data());
      if (B != nullptr) {
        inverse_mass += 1 / model.CalcMass(B - deformables.bodies.data());
      }
      double area = 0;
      for (const DeformableContactPoint& point : surface.points) {
        area += point.area;
      }
      for (const DeformableContactPoint& point : surface.points) {
        AddContact(core, context, contact.config(), point, *A, B, body_B, mu,
                   inverse_mass * area / point.area, &deformables, scratch);
      }
    }
  }
}

template <typename T>
void EndDeformables(const MultibodyTreeSystem<T>& core,
                    const DeformableModel<T>& model, const Context<T>& context,
                    const StepScratch<T>& scratch, StepOutputs<T>* outputs) {
  if constexpr (std::is_same_v<T, double>) {
    if (model.num_bodies() == 0) return;
    DeformableScratch& deformables = model.scratch(context);
    const StepProblem<double>& problem = scratch.problem;
    VectorX<double>& j = deformables.impulses;
    j.setZero(problem.num_v());
    auto& shown = outputs->deformable_contacts;
    shown.resize(deformables.shown_surfaces.size());
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const DeformableContactSurface& surface =
          deformables.surfaces[deformables.shown_surfaces[i]];
      shown[i].Start(surface.id_A, surface.id_B, surface.face_data,
                     surface.vertices);
    }
    CollectPointForces(core, context, scratch, deformables.contacts, &j,
                       outputs);
    outputs->tau_contact += j.head(core.num_v()) / problem.dt();
    CollectPointForces(core, context, scratch, deformables.bonds, &j, outputs);
    for (Body& body : deformables.bodies) {
      if (!body.is_enabled) continue;
      if (body.tree >= 0) {
        body.stepper.AddImpulses(
            body.vertices,
            j.segment(problem.v_start(body.tree), problem.nv(body.tree)));
      }
      body.stepper.EndStep(&body.state);
    }
    outputs->deformables.resize(deformables.bodies.size());
    for (std::size_t i = 0; i < deformables.bodies.size(); ++i) {
      const auto& state = deformables.bodies[i].state;
      outputs->deformables[i].resize(3 * state.q.size());
      outputs->deformables[i] << state.q, state.v, state.a;
    }
  }
}

#define WYVERN_INSTANTIATE(T)                                       \
  template decltype(BeginDeformables<T>) BeginDeformables<T>;       \
  template decltype(FillDeformableTrees<T>) FillDeformableTrees<T>; \
  template decltype(AddDeformableRows<T>) AddDeformableRows<T>;     \
  template decltype(EndDeformables<T>) EndDeformables<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::internal
