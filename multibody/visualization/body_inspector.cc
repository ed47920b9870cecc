#include "wyvern/multibody/visualization/body_inspector.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/geometry/scene_graph/scene_graph_inspector.h"
#include "wyvern/geometry/shapes/coulomb_friction.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/json_text.h"

/* Pages know a body by the number of its frame in the SceneGraph, and repeat
every second which bodies they show, so that a page that is gone is forgotten
without being told. Items go to all pages; one that nobody asks for any more
is taken away. */

namespace wyvern::multibody {

using Eigen::Vector3d;
using systems::Context;
using wyvern::internal::AppendJsonNumber;
using wyvern::internal::JsonString;

namespace {

constexpr size_t kMaxWanted = 8;
constexpr size_t kMaxRows = 200;
constexpr auto kLease = std::chrono::seconds(3);
constexpr auto kPeriod = std::chrono::milliseconds(33);
const char kContacts[] = "contacts";

// "[1,2]"; an element that is not finite is null.
template <typename Numbers>
std::string NumbersJson(const Numbers& numbers) {
  std::string json = "[";
  for (int i = 0; i < static_cast<int>(numbers.size()); ++i) {
    if (i > 0) json += ',';
    AppendJsonNumber(numbers[i], &json);
  }
  return json + "]";
}

// A line of the table: the force on body B, and the normal from A to B.
struct ContactRow {
  BodyIndex A;
  BodyIndex B;
  bool is_surface{};
  Vector3d p_WC;
  Vector3d f_B_W;
  Vector3d normal_W;
  double friction{};
  double slip{};    // [m/s], of points.
  double extent{};  // The depth of points [m], the area of surfaces [m²].
};

// The normal of the whole: that of the sum of the faces' areas. It points from
// N to M.
Vector3d MeanNormal(const geometry::ContactSurface<double>& surface) {
  Vector3d sum = Vector3d::Zero();
  for (int f = 0; f < surface.num_faces(); ++f) {
    sum += surface.area(f) * surface.face_normal(f);
  }
  const double length = sum.norm();
  return length > 0 ? Vector3d(sum / length) : Vector3d::UnitZ();
}

// [A, B, is a surface, p, f, n, friction, slip, extent]
std::string RowJson(const ContactRow& row,
                    const std::vector<std::string>& names) {
  std::string json = fmt::format(
      "[{},{},{},{},{},{}", JsonString(names[row.A]), JsonString(names[row.B]),
      row.is_surface ? 1 : 0, NumbersJson(row.p_WC), NumbersJson(row.f_B_W),
      NumbersJson(row.normal_W));
  for (const double number : {row.friction, row.slip, row.extent}) {
    json += ',';
    AppendJsonNumber(number, &json);
  }
  return json + "]";
}

const MultibodyPlant<double>& RequireFinished(
    const MultibodyPlant<double>* plant) {
  wyvern::internal::RequireNotNull("BodyInspector", "the plant", plant,
                                   "pass one");
  if (!plant->is_finalized()) {
    throw std::logic_error(
        "BodyInspector: the plant is not finalized; call Finalize() first.");
  }
  return *plant;
}

std::shared_ptr<geometry::Viewer> RequireGiven(
    std::shared_ptr<geometry::Viewer> viewer) {
  wyvern::internal::RequireNotNull("BodyInspector", "the viewer", viewer,
                                   "pass one");
  return viewer;
}

}  // namespace

BodyInspector::BodyInspector(const MultibodyPlant<double>* plant,
                             std::shared_ptr<geometry::Viewer> viewer)
    : plant_(RequireFinished(plant)), viewer_(RequireGiven(std::move(viewer))) {
  std::map<std::string, int> users;
  for (BodyIndex i(0); i < plant_.num_bodies(); ++i) {
    ++users[plant_.get_body(i).name()];
  }
  std::string list;
  for (BodyIndex i(0); i < plant_.num_bodies(); ++i) {
    const RigidBody<double>& body = plant_.get_body(i);
    const std::string& model =
        plant_.GetModelInstanceName(body.model_instance());
    names_.push_back(users[body.name()] == 1
                         ? body.name()
                         : fmt::format("{}::{}", model, body.name()));
    for (const auto id : plant_.GetCollisionGeometriesForBody(body)) {
      owner_.emplace(id, i);
    }
    const auto frame = plant_.GetBodyFrameIdIfExists(i);
    // Nobody looks at the world.
    if (!frame || &body == &plant_.world_body()) continue;
    body_of_[fmt::format("{}", frame->get_value())] = i;
    list += fmt::format("{}[{},{},{},", list.empty() ? "" : ",\n",
                        frame->get_value(), JsonString(names_.back()),
                        JsonString(model));
    AppendJsonNumber(body.default_mass(), &list);
    list += plant_.IsAnchored(body) ? ",true]" : ",false]";
  }
  link_.emplace(viewer_.get(), "inspect",
                [this](const geometry::internal::PageMessage& message) {
                  Receive(message);
                });
  link_->state().Set("bodies", "",
                     fmt::format(R"({{"type":"bodies","list":[{}]}})", list));
}

BodyInspector::~BodyInspector() {
  for (const auto& [key, json] : sent_) {
    link_->state().DeleteItem(key.first, key.second);
  }
}

// On the server's thread.
void BodyInspector::Receive(const geometry::internal::PageMessage& message) {
  const Clock::time_point now = Clock::now();
  const std::lock_guard lock(mutex_);
  std::erase_if(wanted_, [&](const auto& one) { return one.second < now; });
  for (const std::string& path : message.paths) {
    if (path != kContacts && !body_of_.contains(path)) continue;
    if (wanted_.size() >= kMaxWanted && !wanted_.contains(path)) continue;
    wanted_[path] = now + kLease;
  }
}

void BodyInspector::Publish(const Context<double>& root) {
  const Clock::time_point now = Clock::now();
  if (now < next_look_) return;
  next_look_ = now + kPeriod;
  std::vector<std::string> wanted;
  {
    const std::lock_guard lock(mutex_);
    if (wanted_.empty() && sent_.empty()) return;
    for (const auto& [path, end] : wanted_) {
      if (end >= now) wanted.push_back(path);
    }
    if (wanted.empty()) wanted_.clear();
  }
  const Context<double>& context = plant_.GetMyContextFromRoot(root);
  for (const std::string& path : wanted) {
    try {
      if (path == kContacts) {
        SendContacts(context);
      } else {
        SendBody(context, path, body_of_.at(path));
      }
    } catch (const std::exception&) {
      // A page's question must not end a simulation: bodies without inertia,
      // say, have no contact forces. The panel stays empty.
    }
  }
  for (auto item = sent_.begin(); item != sent_.end();) {
    const auto& [kind, path] = item->first;
    const std::string& name = kind == kContacts ? kind : path;
    if (std::find(wanted.begin(), wanted.end(), name) != wanted.end()) {
      ++item;
    } else {
      link_->state().DeleteItem(kind, path);
      item = sent_.erase(item);
    }
  }
}

void BodyInspector::Send(const std::string& kind, const std::string& path,
                         std::string json) {
  std::string& last = sent_[{kind, path}];
  if (last == json) return;
  last = json;
  link_->state().Set(kind, path, std::move(json));
}

// {"mass", "v": of the body's origin in W, "w": in W, "joints": [name, type,
// positions, velocities, names of the positions]}.
void BodyInspector::SendBody(const Context<double>& context,
                             const std::string& frame, BodyIndex index) {
  const RigidBody<double>& body = plant_.get_body(index);
  const SpatialVelocity<double>& V_WB =
      plant_.EvalBodySpatialVelocityInWorld(context, body);
  const Eigen::VectorXd q = plant_.GetPositions(context);
  const Eigen::VectorXd v = plant_.GetVelocities(context);
  std::string joints;
  for (const JointIndex i : plant_.GetJointIndices()) {
    const Joint<double>& joint = plant_.get_joint(i);
    if (joint.num_velocities() == 0) continue;
    if (joint.child_body().index() != index &&
        joint.parent_body().index() != index) {
      continue;
    }
    std::string suffixes;
    for (int k = 0; k < joint.num_positions(); ++k) {
      suffixes += (k > 0 ? "," : "") + JsonString(joint.position_suffix(k));
    }
    joints += fmt::format(
        "{}[{},{},{},{},[{}]]", joints.empty() ? "" : ",",
        JsonString(joint.name()), JsonString(joint.type_name()),
        NumbersJson(q.segment(joint.position_start(), joint.num_positions())),
        NumbersJson(v.segment(joint.velocity_start(), joint.num_velocities())),
        suffixes);
  }
  std::string json =
      fmt::format(R"({{"type":"body","path":{},"mass":)", JsonString(frame));
  AppendJsonNumber(body.get_mass(context), &json);
  json += fmt::format(R"(,"v":{},"w":{},"joints":[{}]}})",
                      NumbersJson(V_WB.translational()),
                      NumbersJson(V_WB.rotational()), joints);
  Send("body", frame, std::move(json));
}

// The friction that counts: that of sliding in discrete time.
double BodyInspector::FrictionOf(const Context<double>& context,
                                 geometry::GeometryId a,
                                 geometry::GeometryId b) const {
  const auto& inspector = plant_.EvalSceneGraphInspector(context);
  const auto of = [&](geometry::GeometryId id) {
    const auto* properties = inspector.GetProximityProperties(id);
    return properties == nullptr
               ? CoulombFriction<double>()
               : properties->GetPropertyOrDefault(
                     "material", "coulomb_friction", CoulombFriction<double>());
  };
  const CoulombFriction<double> both =
      CalcContactFrictionFromSurfaceProperties(of(a), of(b));
  return plant_.time_step() > 0 ? both.dynamic_friction()
                                : both.static_friction();
}

void BodyInspector::SendContacts(const Context<double>& context) {
  const auto& results =
      plant_.get_contact_results_output_port().Eval<ContactResults<double>>(
          context);
  std::vector<ContactRow> rows;
  // B is the body that can move.
  const auto add = [&](ContactRow row) {
    if (plant_.IsAnchored(plant_.get_body(row.B))) {
      std::swap(row.A, row.B);
      row.f_B_W = -row.f_B_W;
      row.normal_W = -row.normal_W;
    }
    rows.push_back(row);
  };
  for (int i = 0; i < results.num_point_pair_contacts(); ++i) {
    const auto& info = results.point_pair_contact_info(i);
    const auto& pair = info.point_pair();
    add({info.bodyA_index(), info.bodyB_index(), false, info.contact_point(),
         info.contact_force(), -pair.nhat_BA_W,
         FrictionOf(context, pair.id_A, pair.id_B), info.slip_speed(),
         pair.depth});
  }
  for (int i = 0; i < results.num_hydroelastic_contacts(); ++i) {
    const auto& info = results.hydroelastic_contact_info(i);
    const auto& surface = info.contact_surface();
    const auto M = owner_.find(surface.id_M()), N = owner_.find(surface.id_N());
    if (M == owner_.end() || N == owner_.end()) continue;
    // The force is on A, which M is on.
    add({N->second, M->second, true, surface.centroid(),
         info.F_Ac_W().translational(), MeanNormal(surface),
         FrictionOf(context, surface.id_M(), surface.id_N()), 0.0,
         surface.total_area()});
  }
  // The strongest, if there are too many.
  const size_t total = rows.size();
  if (total > kMaxRows) {
    std::partial_sort(rows.begin(), rows.begin() + kMaxRows, rows.end(),
                      [](const ContactRow& a, const ContactRow& b) {
                        return a.f_B_W.squaredNorm() > b.f_B_W.squaredNorm();
                      });
    rows.resize(kMaxRows);
  }
  std::string json;
  for (const ContactRow& row : rows) {
    json += (json.empty() ? "" : ",\n") + RowJson(row, names_);
  }
  Send(kContacts, "",
       fmt::format(R"({{"type":"contacts","total":{},"rows":[{}]}})", total,
                   json));
}

}  // namespace wyvern::multibody
