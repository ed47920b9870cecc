#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/geometry/hydroelastic/hydroelastic_geometry.h"
#include "wyvern/geometry/scene_graph/geometry_model.h"
#include "wyvern/geometry/shapes/proximity_properties.h"
#include "wyvern/systems/common/check_argument.h"

/* Roles and collision filters. A geometry enters the engine when it is given
proximity properties, and leaves it with them; what hydroelastic contact
makes of them is made before anything changes, as it may refuse them. A
SceneGraphConfig's defaults are added where a property is missing, never over
one that is there. A declaration of filters names sets; Resolve() turns it
into the geometries of now, so that later ones are not filtered by it. */

namespace wyvern::geometry {

bool GeometryModel::HasRole(const Geometry& geometry, Role role) const {
  switch (role) {
    case Role::kProximity:
      return geometry.proximity != nullptr;
    case Role::kIllustration:
      return geometry.illustration != nullptr;
    case Role::kPerception:
      return geometry.perception != nullptr;
    case Role::kUnassigned:
      break;
  }
  return !geometry.proximity && !geometry.illustration && !geometry.perception;
}

void GeometryModel::RequireName(const char* function, const Frame& frame,
                                Role role, const std::string& name,
                                GeometryId self) const {
  for (const GeometryId id : geometry_names_.Find(frame.id, name)) {
    if (id == self || !HasRole(geometry(id), role)) continue;
    throw std::logic_error(fmt::format(
        "SceneGraph::{}(): frame '{}' has a geometry named '{}' with the role "
        "'{}' already; choose another name.",
        function, frame.name, name, to_string(role)));
  }
}

void GeometryModel::AddToEngine(const Geometry& geometry) {
  if (geometry.deformable != nullptr) {
    engine_.collision_filter().AddGeometry(geometry.id);
    return;
  }
  const bool anchored = frame(geometry.frame).index == 0;
  try {
    engine_.AddGeometry(geometry.id, *geometry.shape, geometry.frame,
                        anchored ? std::optional(geometry.X_FG) : std::nullopt);
  } catch (const std::logic_error& error) {
    throw std::logic_error(
        fmt::format("SceneGraph: geometry '{}' cannot have the role proximity: "
                    "{}",
                    geometry.name, error.what()));
  }
}

std::shared_ptr<const internal::HydroelasticGeometry>
GeometryModel::MakeHydroelastic(const std::string& name, const Shape& shape,
                                const ProximityProperties& properties) {
  const auto explain = [&name](const std::exception& error) {
    return fmt::format(
        "SceneGraph: geometry '{}' cannot have its hydroelastic properties: {}",
        name, error.what());
  };
  try {
    return std::make_shared<const internal::HydroelasticGeometry>(
        internal::MakeHydroelasticGeometry(shape, properties));
  } catch (const std::logic_error& error) {
    throw std::logic_error(explain(error));
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(explain(error));
  }
}

std::shared_ptr<const internal::DeformableGeometry>
GeometryModel::MakeDeformable(const wyvern::internal::Caller& who,
                              const Shape& shape, double resolution_hint) {
  const auto explain = [&who](const std::exception& error) {
    return fmt::format("{}: {}", who.ToText(), error.what());
  };
  try {
    return std::make_shared<const internal::DeformableGeometry>(
        internal::MakeDeformableMesh(shape, resolution_hint));
  } catch (const std::logic_error& error) {
    throw std::logic_error(explain(error));
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(explain(error));
  }
}

void GeometryModel::SetContactForms(Geometry* geometry,
                                    const std::shared_ptr<const Shape>& shape,
                                    const ProximityProperties& properties) {
  if (geometry->deformable != nullptr) return;
  geometry->hydroelastic = MakeHydroelastic(geometry->name, *shape, properties);
  const double hint = properties.GetPropertyOrDefault(internal::kHydroGroup,
                                                      internal::kRezHint, 0.0);
  geometry->surface = std::make_shared<const internal::RigidSurface>(
      shape, hint, geometry->hydroelastic->rigid);
}

template <typename Properties>
void GeometryModel::Assign(
    Role role, SourceId source_id, GeometryId geometry_id,
    Properties properties, RoleAssign assign,
    std::shared_ptr<const Properties> Geometry::*member) {
  Geometry& geometry = OwnedGeometry("AssignRole", source_id, geometry_id);
  const bool had = geometry.*member != nullptr;
  if (had != (assign == RoleAssign::kReplace)) {
    throw std::logic_error(fmt::format(
        "SceneGraph::AssignRole(): geometry '{}' {} the role '{}'; {}.",
        geometry.name, had ? "has" : "does not have", to_string(role),
        had ? "say RoleAssign::kReplace to replace its properties"
            : "say RoleAssign::kNew to assign it"));
  }
  if (!had) {
    RequireName("AssignRole", frame(geometry.frame), role, geometry.name,
                geometry_id);
  }
  if constexpr (std::is_same_v<Properties, ProximityProperties>) {
    Geometry next = geometry;
    SetContactForms(&next, geometry.shape, properties);
    if (!had) AddToEngine(geometry);
    const double last_margin =
        geometry.hydroelastic == nullptr ? 0 : geometry.hydroelastic->margin;
    geometry = std::move(next);
    geometry.proximity =
        std::make_shared<const Properties>(std::move(properties));
    if (geometry.deformable != nullptr) {
      ListPlacements();
    } else if (had) {
      RelistInEngine(geometry, last_margin);
    } else {
      ListInEngine(geometry);
    }
  } else {
    geometry.*member =
        std::make_shared<const Properties>(std::move(properties));
  }
  version_.Modify(role);
}

void GeometryModel::AssignRole(SourceId source_id, GeometryId geometry_id,
                               ProximityProperties properties,
                               RoleAssign assign) {
  Assign(Role::kProximity, source_id, geometry_id, std::move(properties),
         assign, &Geometry::proximity);
}

void GeometryModel::AssignRole(SourceId source_id, GeometryId geometry_id,
                               PerceptionProperties properties,
                               RoleAssign assign) {
  Assign(Role::kPerception, source_id, geometry_id, std::move(properties),
         assign, &Geometry::perception);
}

void GeometryModel::AssignRole(SourceId source_id, GeometryId geometry_id,
                               IllustrationProperties properties,
                               RoleAssign assign) {
  Assign(Role::kIllustration, source_id, geometry_id, std::move(properties),
         assign, &Geometry::illustration);
}

bool GeometryModel::RemoveRoleOf(Geometry* geometry, Role role,
                                 std::vector<GeometryId>* leaving) {
  if (role == Role::kUnassigned || !HasRole(*geometry, role)) return false;
  switch (role) {
    case Role::kProximity:
      leaving->push_back(geometry->id);
      geometry->proximity.reset();
      geometry->hydroelastic.reset();
      geometry->surface.reset();
      break;
    case Role::kIllustration:
      geometry->illustration.reset();
      break;
    case Role::kPerception:
      geometry->perception.reset();
      break;
    case Role::kUnassigned:
      break;
  }
  version_.Modify(role);
  return true;
}

void GeometryModel::LeaveContact(const std::vector<GeometryId>& leaving) {
  std::vector<GeometryId> rigid;
  for (const GeometryId id : leaving) {
    if (geometry(id).deformable != nullptr) {
      engine_.collision_filter().RemoveGeometry(id);
    } else {
      rigid.push_back(id);
    }
  }
  if (!rigid.empty()) engine_.RemoveGeometries(rigid);
}

int GeometryModel::RemoveRole(SourceId source_id, FrameId frame_id, Role role) {
  const Frame& owner = frame(frame_id);
  if (owner.index != 0 && !BelongsToSource(frame_id, source_id)) {
    throw std::logic_error(fmt::format(
        "SceneGraph::RemoveRole(): frame '{}' does not belong to source '{}'; "
        "only its owner may change it.",
        owner.name, source(source_id).name));
  }
  int count = 0;
  std::vector<GeometryId> leaving;
  for (const GeometryId id : owner.geometries) {
    Geometry& geometry = mutable_geometry(id);
    if (geometry.source == source(source_id).id) {
      count += RemoveRoleOf(&geometry, role, &leaving);
    }
  }
  LeaveContact(leaving);
  if (!leaving.empty()) ListPlacements();
  return count;
}

int GeometryModel::RemoveRole(SourceId source_id, GeometryId geometry_id,
                              Role role) {
  std::vector<GeometryId> leaving;
  const bool had = RemoveRoleOf(
      &OwnedGeometry("RemoveRole", source_id, geometry_id), role, &leaving);
  LeaveContact(leaving);
  if (!leaving.empty()) ListPlacements();
  return had ? 1 : 0;
}

namespace {

template <typename V>
void AddIfMissing(const char* group, const char* name,
                  const std::optional<V>& value, ProximityProperties* p) {
  if (value && !p->HasProperty(group, name)) {
    p->AddProperty(group, name, *value);
  }
}

}  // namespace

void GeometryModel::ApplyProximityDefaults(
    const DefaultProximityProperties& defaults) {
  using namespace internal;  // NOLINT: names of properties.
  std::optional<HydroelasticType> type;
  if (defaults.compliance_type == "rigid") type = HydroelasticType::kRigid;
  if (defaults.compliance_type == "compliant") {
    type = HydroelasticType::kCompliant;
  }
  std::optional<multibody::CoulombFriction<double>> friction;
  if (defaults.static_friction) {
    friction.emplace(*defaults.static_friction, *defaults.dynamic_friction);
  }
  bool any = false;
  for (Geometry& geometry : geometries_) {
    if (!geometry.proximity) continue;
    auto properties =
        std::make_shared<ProximityProperties>(*geometry.proximity);
    ProximityProperties* p = properties.get();
    AddIfMissing(kHydroGroup, kComplianceType, type, p);
    AddIfMissing(kHydroGroup, kElastic, defaults.hydroelastic_modulus, p);
    AddIfMissing(kHydroGroup, kRezHint, defaults.resolution_hint, p);
    AddIfMissing(kHydroGroup, kSlabThickness, defaults.slab_thickness, p);
    AddIfMissing(kHydroGroup, kMargin, defaults.margin, p);
    AddIfMissing(kMaterialGroup, kFriction, friction, p);
    AddIfMissing(kMaterialGroup, kHcDissipation,
                 defaults.hunt_crossley_dissipation, p);
    AddIfMissing(kMaterialGroup, kRelaxationTime, defaults.relaxation_time, p);
    AddIfMissing(kMaterialGroup, kPointStiffness, defaults.point_stiffness, p);
    SetContactForms(&geometry, geometry.shape, *properties);
    geometry.proximity = std::move(properties);
    any = true;
  }
  if (!any) return;
  version_.Modify(Role::kProximity);
  ListPlacements();
}

std::vector<internal::CollisionFilter::Change> GeometryModel::Resolve(
    const CollisionFilterDeclaration& declaration) const {
  using Op = CollisionFilterDeclaration::StatementOp;
  const bool omit_deformable =
      declaration.scope() == CollisionFilterScope::kOmitDeformable;
  const auto ids = [this, omit_deformable](const GeometrySet& set) {
    std::vector<GeometryId> result;
    for (const GeometryId id : GetGeometryIds(set, Role::kProximity)) {
      if (omit_deformable && geometry(id).deformable != nullptr) continue;
      result.push_back(id);
    }
    std::sort(result.begin(), result.end());
    return result;
  };
  std::vector<internal::CollisionFilter::Change> changes;
  for (const auto& statement : declaration.statements()) {
    const Op op = statement.operation;
    internal::CollisionFilter::Change change;
    change.exclude = op == Op::kExcludeWithin || op == Op::kExcludeBetween;
    const bool within = op == Op::kExcludeWithin || op == Op::kAllowWithin;
    change.set_A = ids(statement.set_A);
    change.set_B = within ? change.set_A : ids(statement.set_B);
    changes.push_back(std::move(change));
  }
  return changes;
}

void GeometryModel::ApplyFilter(const CollisionFilterDeclaration& declaration) {
  engine_.collision_filter().Apply(Resolve(declaration));
  version_.Modify(Role::kProximity);
}

FilterId GeometryModel::ApplyTransientFilter(
    const CollisionFilterDeclaration& declaration) {
  version_.Modify(Role::kProximity);
  return engine_.collision_filter().ApplyTransient(Resolve(declaration));
}

bool GeometryModel::RemoveFilter(FilterId id) {
  const bool removed = engine_.collision_filter().RemoveDeclaration(id);
  if (removed) version_.Modify(Role::kProximity);
  return removed;
}

bool GeometryModel::CollisionFiltered(GeometryId a, GeometryId b) const {
  for (const GeometryId id : {a, b}) {
    const Geometry& g = geometry(id);
    if (!g.proximity) {
      throw std::logic_error(fmt::format(
          "SceneGraphInspector::CollisionFiltered(): geometry '{}' (id {}) "
          "does not have the proximity role; assign it first.",
          g.name, id));
    }
  }
  return a == b || IsExcluded(a, b);
}

// Geometries that deform are on the world's frame for want of another: that
// excludes no pair.
bool GeometryModel::IsExcluded(GeometryId a, GeometryId b) const {
  if (!geometry(a).deformable && !geometry(b).deformable) {
    return engine_.IsExcluded(a, b);
  }
  const internal::CollisionFilter& filter = engine_.collision_filter();
  return filter.IsExcludedAt(filter.RowOf(a), filter.RowOf(b));
}

std::vector<SortedPair<GeometryId>> GeometryModel::AllCollisionCandidates()
    const {
  std::vector<SortedPair<GeometryId>> result = engine_.AllPairs();
  const auto add = [&](GeometryId a, GeometryId b) {
    if (!IsExcluded(a, b)) result.emplace_back(a, b);
  };
  const auto& deformables = deformable_contact_.deformables;
  for (size_t a = 0; a < deformables.size(); ++a) {
    for (const GeometryId b : engine_.ids()) add(deformables[a].id, b);
    for (size_t b = 0; b < a; ++b) add(deformables[a].id, deformables[b].id);
  }
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace wyvern::geometry
