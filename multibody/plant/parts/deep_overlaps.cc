#include "wyvern/multibody/plant/parts/deep_overlaps.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wyvern/multibody/plant/parts/smallest_extent.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* Warnings of overlaps in which contact pushes a body with many times its
weight. The force of a pair is sum_c k_c x_c over its contact points, without
damping. A pair overlaps deeply if the force is at least a hundred weights m g
of its lighter body, and the depth at least 1 % of the smallest extent of both
geometries; severely at ten times the force and five times the depth. Bodies
that are welded together count as one; with the world they are infinitely heavy.
A pair of two anchored geometries is therefore never deep. */

namespace wyvern::multibody::internal {

using geometry::GeometryId;

namespace {

// Bounds of deep and of severe overlaps. The depth is relative to the smallest
// extent of the smaller geometry. The force is in weights of the lighter body.
struct Bounds {
  double depth_share;
  double weights;
};
constexpr Bounds kDeep{0.01, 100};
constexpr Bounds kSevere{0.05, 1000};
constexpr double kGravity = 9.81;  // [m/s^2]
constexpr int kMostNamed = 5;

template <typename T>
int NodeOf(const MultibodyTreeSystem<T>& core, BodyIndex body) {
  return core.model().bodies[core.tree().model_body(body)].node;
}

struct Push {
  double depth{0};  // [m]
  double force{0};  // Without damping, [N].
};
using PushByPair = std::map<std::pair<GeometryId, GeometryId>, Push>;

template <typename T>
PushByPair CollectPushes(const ContactPoints<T>& contacts) {
  PushByPair pushes;
  const auto add = [&](GeometryId id_A, GeometryId id_B, std::size_t i) {
    const ContactPoint<T>& point = contacts.points[i];
    const double depth = ToDouble(point.depth);
    if (depth <= 0) return;
    Push& push = pushes[{id_A, id_B}];
    push.depth = std::max(push.depth, depth);
    push.force += depth * ToDouble(point.stiffness);
  };
  const std::size_t num_pairs = contacts.pairs.size();
  for (std::size_t i = 0; i < num_pairs; ++i) {
    add(contacts.pairs[i].id_A, contacts.pairs[i].id_B, i);
  }
  const auto& list = contacts.contact_surfaces.get();
  for (std::size_t i = 0; i < contacts.surface_of_face.size(); ++i) {
    const auto& surface =
        list[contacts.shown_surfaces[contacts.surface_of_face[i]]];
    add(surface.id_M(), surface.id_N(), num_pairs + i);
  }
  return pushes;
}

// Returns the masses of the model's nodes, [kg]. Bodies that are welded
// together count as one; those that are welded to the world are as heavy as the
// world.
template <typename T>
std::vector<double> CalcWeldedMasses(const MultibodyTreeSystem<T>& core,
                                     const systems::Context<T>& context) {
  std::vector<double> masses(core.model().num_nodes());
  for (const RigidBody<T>* body : core.tree().bodies().elements()) {
    if (body->index() == world_index()) continue;
    masses[NodeOf(core, body->index())] += ToDouble(body->get_mass(context));
  }
  masses[0] = std::numeric_limits<double>::infinity();
  return masses;
}

struct Overlap {
  Push push;
  GeometryId id_A, id_B;
  bool is_severe{};
};

// Returns the deep overlaps, the deepest first.
template <typename T>
std::vector<Overlap> FindDeepOverlaps(
    const MultibodyTreeSystem<T>& core, const systems::Context<T>& context,
    const geometry::SceneGraphInspector<T>& inspector,
    const ContactPoints<T>& contacts) {
  const std::vector<double> masses = CalcWeldedMasses(core, context);
  const auto mass = [&](GeometryId id) {
    return masses[NodeOf(core, contacts.surfaces.at(id).body)];
  };
  std::vector<Overlap> deep;
  for (const auto& [ids, push] : CollectPushes(contacts)) {
    const double weight =
        kGravity * std::min(mass(ids.first), mass(ids.second));
    if (push.force < kDeep.weights * weight) continue;
    const double extent =
        std::min(CalcSmallestExtent(inspector.GetShape(ids.first)),
                 CalcSmallestExtent(inspector.GetShape(ids.second)));
    if (push.depth < kDeep.depth_share * extent) continue;
    const bool is_severe = push.force >= kSevere.weights * weight &&
                           push.depth >= kSevere.depth_share * extent;
    deep.push_back({push, ids.first, ids.second, is_severe});
  }
  std::ranges::stable_sort(deep, [](const auto& a, const auto& b) {
    return a.push.depth > b.push.depth;
  });
  return deep;
}

}  // namespace

template <typename T>
std::string DescribeDeepOverlaps(const MultibodyTreeSystem<T>& core,
                                 const ContactPart<T>& contact,
                                 const systems::Context<T>& context,
                                 systems::Difficulty least) {
  const auto& inspector = contact.EvalQuery(context).inspector();
  const ContactPoints<T>& contacts = contact.EvalContacts(context);
  const std::vector<Overlap> deep =
      FindDeepOverlaps(core, context, inspector, contacts);
  if (deep.empty()) return {};
  if (least == systems::Difficulty::kSevere &&
      std::ranges::none_of(deep, &Overlap::is_severe)) {
    return {};
  }
  const auto body_name = [&](GeometryId id) {
    const BodyIndex body = contacts.surfaces.at(id).body;
    return std::string(core.tree().bodies().get(body).scoped_name().get_full());
  };
  const int num_named = std::min<int>(kMostNamed, deep.size());
  std::string named;
  for (int i = 0; i < num_named; ++i) {
    const Overlap& overlap = deep[i];
    named += fmt::format(
        "{}'{}' and '{}' by {:.3g} m, which pushes with {:.3g} N (geometries "
        "'{}' and '{}')",
        i == 0 ? "" : ", ", body_name(overlap.id_A), body_name(overlap.id_B),
        overlap.push.depth, overlap.push.force, inspector.GetName(overlap.id_A),
        inspector.GetName(overlap.id_B));
  }
  const std::size_t num_others = deep.size() - num_named;
  if (num_others > 0) named += fmt::format(", and {} more pairs", num_others);
  return fmt::format(
      "Bodies of MultibodyPlant '{}' overlap deeply at time {}: {}. Set a pose "
      "in which they do not, or exclude pairs that are meant to overlap: by a "
      "<drake:collision_filter_group> in the model file, by "
      "add_collision_filter_group in model directives, or by "
      "SceneGraph::collision_filter_manager().Apply("
      "CollisionFilterDeclaration().ExcludeBetween(...)){}.",
      core.GetSystemPathname(), ToDouble(context.get_time()), named,
      core.is_discrete()
          ? ""
          : ". Or give the plant a time step (plant_config.time_step), for "
            "discrete steps are implicit in contact");
}

#define WYVERN_INSTANTIATE_DEEP_OVERLAPS(T)                 \
  template std::string DescribeDeepOverlaps<T>(             \
      const MultibodyTreeSystem<T>&, const ContactPart<T>&, \
      const systems::Context<T>&, systems::Difficulty);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE_DEEP_OVERLAPS)
#undef WYVERN_INSTANTIATE_DEEP_OVERLAPS

}  // namespace wyvern::multibody::internal
