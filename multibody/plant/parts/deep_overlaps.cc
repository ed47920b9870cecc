#include "wyvern/multibody/plant/parts/deep_overlaps.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wyvern/geometry/proximity/collision_shape.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/extract_double.h"

namespace wyvern::multibody::internal {

using geometry::GeometryId;

namespace {

// Of the smallest extent of the smaller geometry.
constexpr double kDeepShare = 0.1;
constexpr int kMostNamed = 5;

using DepthByPair = std::map<std::pair<GeometryId, GeometryId>, double>;

template <typename T>
DepthByPair CollectDepths(const ContactPoints<T>& contacts) {
  DepthByPair depths;
  const auto add = [&depths](GeometryId id_A, GeometryId id_B, const T& depth) {
    double& deepest = depths[{id_A, id_B}];
    deepest = std::max(deepest, ExtractDoubleOrThrow(depth));
  };
  for (const auto& pair : contacts.pairs) add(pair.id_A, pair.id_B, pair.depth);
  const auto& list = contacts.contact_surfaces.get();
  for (std::size_t i = 0; i < contacts.surface_of_face.size(); ++i) {
    const auto& surface =
        list[contacts.shown_surfaces[contacts.surface_of_face[i]]];
    add(surface.id_M(), surface.id_N(),
        contacts.points[contacts.pairs.size() + i].depth);
  }
  return depths;
}

// The smallest extent [m]; infinite for a half space.
double CalcSmallestExtent(const geometry::Shape& shape) {
  const auto collision_shape = geometry::internal::MakeCollisionShape(shape);
  if (collision_shape.kind == geometry::internal::ShapeKind::kHalfSpace) {
    return std::numeric_limits<double>::infinity();
  }
  const auto box = geometry::internal::CalcWorldAabb(collision_shape, {});
  return (box.upper - box.lower).minCoeff();
}

struct Overlap {
  double depth;
  GeometryId id_A, id_B;
};

// Those that are deep, the deepest first.
template <typename T>
std::vector<Overlap> FindDeepOverlaps(
    const geometry::SceneGraphInspector<T>& inspector,
    const ContactPoints<T>& contacts) {
  std::vector<Overlap> deep;
  for (const auto& [ids, depth] : CollectDepths(contacts)) {
    const double extent =
        std::min(CalcSmallestExtent(inspector.GetShape(ids.first)),
                 CalcSmallestExtent(inspector.GetShape(ids.second)));
    if (depth < kDeepShare * extent) continue;
    deep.push_back({depth, ids.first, ids.second});
  }
  std::ranges::stable_sort(
      deep, [](const auto& a, const auto& b) { return a.depth > b.depth; });
  return deep;
}

}  // namespace

template <typename T>
std::string DescribeDeepOverlaps(const MultibodyTreeSystem<T>& core,
                                 const ContactPart<T>& contact,
                                 const systems::Context<T>& context) {
  const auto& inspector = contact.EvalQuery(context).inspector();
  const ContactPoints<T>& contacts = contact.EvalContacts(context);
  const std::vector<Overlap> deep = FindDeepOverlaps(inspector, contacts);
  if (deep.empty()) return {};
  const auto body_name = [&](GeometryId id) {
    const BodyIndex body = contacts.surfaces.at(id).body;
    return std::string(core.tree().bodies().get(body).scoped_name().get_full());
  };
  const int num_named = std::min<int>(kMostNamed, deep.size());
  std::string named;
  for (int i = 0; i < num_named; ++i) {
    const Overlap& overlap = deep[i];
    named += fmt::format(
        "{}'{}' and '{}' by {:.3g} m (geometries '{}' and '{}')",
        i == 0 ? "" : ", ", body_name(overlap.id_A), body_name(overlap.id_B),
        overlap.depth, inspector.GetName(overlap.id_A),
        inspector.GetName(overlap.id_B));
  }
  const std::size_t num_others = deep.size() - num_named;
  if (num_others > 0) named += fmt::format(", and {} more pairs", num_others);
  return fmt::format(
      "Bodies of MultibodyPlant '{}' overlap deeply at time {}: {}. Set a pose "
      "in which they do not, or exclude pairs that are meant to overlap by a "
      "collision filter{}.",
      core.GetSystemPathname(), ExtractDoubleOrThrow(context.get_time()), named,
      core.is_discrete()
          ? ""
          : ", or give the plant a time step, for discrete steps are implicit "
            "in contact");
}

#define WYVERN_INSTANTIATE_DEEP_OVERLAPS(T)                                   \
  template std::string DescribeDeepOverlaps<T>(const MultibodyTreeSystem<T>&, \
                                               const ContactPart<T>&,         \
                                               const systems::Context<T>&);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE_DEEP_OVERLAPS)
#undef WYVERN_INSTANTIATE_DEEP_OVERLAPS

}  // namespace wyvern::multibody::internal
