#include "wyvern/multibody/visualization/contact_visualizer.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* All forces at points are one object, and so are those on surfaces, the
moments on them, and the surfaces: what touches changes all the time, and so
nothing has to be taken away for each that ends. */

namespace wyvern::multibody {

using Eigen::Matrix3Xd;
using Eigen::Matrix3Xi;
using Eigen::Vector3d;
using geometry::ContactSurface;
using systems::Context;
using systems::EventStatus;

namespace {

// From blue over green and yellow to red, for 0 to 1.
Vector3d ColorOf(double part) {
  const double x = std::clamp(part, 0.0, 1.0);
  const auto ramp = [x](double peak) {
    return std::clamp(1.5 - 4 * std::abs(x - peak), 0.0, 1.0);
  };
  return {ramp(0.75), ramp(0.5), ramp(0.25)};
}

struct Painting {
  std::vector<Vector3d> vertices;
  std::vector<double> pressures;
  std::vector<Eigen::Vector3i> triangles;
};

template <typename T>
void Add(const ContactSurface<T>& surface, Painting* painting) {
  const int first = static_cast<int>(painting->vertices.size());
  const auto add_vertices = [&](const auto& mesh, const auto& pressure) {
    for (int v = 0; v < mesh.num_vertices(); ++v) {
      painting->vertices.push_back(ToDouble(mesh.vertex(v)));
      painting->pressures.push_back(ToDouble(pressure.EvaluateAtVertex(v)));
    }
  };
  if (surface.is_triangle()) {
    add_vertices(surface.tri_mesh_W(), surface.tri_e_MN());
    for (const auto& t : surface.tri_mesh_W().triangles()) {
      painting->triangles.emplace_back(first + t.vertex(0), first + t.vertex(1),
                                       first + t.vertex(2));
    }
    return;
  }
  add_vertices(surface.poly_mesh_W(), surface.poly_e_MN());
  for (int f = 0; f < surface.num_faces(); ++f) {
    const auto polygon = surface.poly_mesh_W().element(f);
    for (int k = 2; k < polygon.num_vertices(); ++k) {
      painting->triangles.emplace_back(first + polygon.vertex(0),
                                       first + polygon.vertex(k - 1),
                                       first + polygon.vertex(k));
    }
  }
}

ContactVisualizerParams RequireGood(ContactVisualizerParams params) {
  constexpr const char* kWho = "ContactVisualizer";
  wyvern::internal::RequirePositive(kWho, "publish_period",
                                    params.publish_period);
  wyvern::internal::RequireNonNegative(kWho, "force_threshold",
                                       params.force_threshold);
  wyvern::internal::RequirePositive(kWho, "newtons_per_meter",
                                    params.newtons_per_meter);
  wyvern::internal::RequirePositive(kWho, "newton_meters_per_meter",
                                    params.newton_meters_per_meter);
  wyvern::internal::RequirePositive(kWho, "line_width", params.line_width);
  return params;
}

Matrix3Xd Columns(const std::vector<Vector3d>& columns) {
  Matrix3Xd result(3, columns.size());
  for (size_t k = 0; k < columns.size(); ++k) result.col(k) = columns[k];
  return result;
}

}  // namespace

template <typename T>
ContactVisualizer<T>::ContactVisualizer(
    std::shared_ptr<geometry::Viewer> viewer, ContactVisualizerParams params)
    : systems::LeafSystem<T>(systems::SystemTypeTag<ContactVisualizer>{}),
      viewer_(std::move(viewer)),
      params_(RequireGood(std::move(params))) {
  wyvern::internal::RequireNotNull("ContactVisualizer", "the viewer", viewer_,
                                   "pass one");
  this->set_name(fmt::format("contact_visualizer({})", params_.prefix));
  this->DeclareAbstractInputPort("contact_results", Value<ContactResults<T>>{});
  this->DeclareInitializationPublishEvent(&ContactVisualizer::OnInitialization);
  this->DeclarePeriodicPublishEvent(params_.publish_period, 0.0,
                                    &ContactVisualizer::Show);
  this->DeclareForcedPublishEvent(&ContactVisualizer::Show);
}

template <typename T>
ContactVisualizer<T>& ContactVisualizer<T>::AddToBuilder(
    systems::DiagramBuilder<T>* builder, const MultibodyPlant<T>& plant,
    std::shared_ptr<geometry::Viewer> viewer, ContactVisualizerParams params) {
  wyvern::internal::RequireNotNull("ContactVisualizer::AddToBuilder",
                                   "the builder", builder);
  auto* const visualizer = builder->template AddSystem<ContactVisualizer<T>>(
      std::move(viewer), std::move(params));
  builder->Connect(plant.get_contact_results_output_port(),
                   visualizer->contact_results_input_port());
  for (BodyIndex i(0); i < plant.num_bodies(); ++i) {
    const auto& body = plant.get_body(i);
    visualizer->body_names_.push_back(body.name());
    visualizer->is_anchored_.push_back(plant.IsAnchored(body));
    for (const auto id : plant.GetCollisionGeometriesForBody(body)) {
      visualizer->body_of_[id] = i;
    }
  }
  return *visualizer;
}

template <typename T>
void ContactVisualizer<T>::Delete() const {
  viewer_->Delete(params_.prefix);
  drawn_.clear();
  touched_.clear();
}

template <typename T>
EventStatus ContactVisualizer<T>::OnInitialization(const Context<T>&) const {
  if (params_.delete_on_initialization_event) Delete();
  return EventStatus::Succeeded();
}

template <typename T>
EventStatus ContactVisualizer<T>::Show(const Context<T>& context) const {
  const auto& results =
      contact_results_input_port().template Eval<ContactResults<T>>(context);
  const double time = ToDouble(context.get_time());
  ShowPoints(results, time);
  ShowSurfaces(results, time);
  MarkTouches(results, time);
  return EventStatus::Succeeded();
}

template <typename T>
void ContactVisualizer<T>::MarkTouches(const ContactResults<T>& results,
                                       double time) const {
  constexpr double kPause = 0.25;  // [s]
  if (body_names_.empty()) return;
  const auto touch = [&](int a, int b) {
    if (a > b) std::swap(a, b);
    const auto [last, is_first] = touched_.try_emplace({a, b}, time);
    if (is_first || time - last->second > kPause || time < last->second) {
      viewer_->MarkRecording(
          fmt::format("{} touches {}", body_names_[b], body_names_[a]), time);
    }
    last->second = time;
  };
  for (int i = 0; i < results.num_point_pair_contacts(); ++i) {
    const auto& info = results.point_pair_contact_info(i);
    touch(info.bodyA_index(), info.bodyB_index());
  }
  for (int i = 0; i < results.num_hydroelastic_contacts(); ++i) {
    const auto& surface =
        results.hydroelastic_contact_info(i).contact_surface();
    const auto a = body_of_.find(surface.id_M());
    const auto b = body_of_.find(surface.id_N());
    if (a != body_of_.end() && b != body_of_.end()) {
      touch(a->second, b->second);
    }
  }
}

template <typename T>
void ContactVisualizer<T>::SetArrows(const std::string& name, double time,
                                     const Matrix3Xd& start,
                                     const Matrix3Xd& arrows,
                                     const geometry::Rgba& color) const {
  const std::string path = fmt::format("{}/{}", params_.prefix, name);
  if (start.cols() == 0) {
    if (drawn_.erase(name) > 0) viewer_->Delete(path, time);
    return;
  }
  viewer_->SetArrows(path, start, arrows, params_.line_width, color, time);
  drawn_.insert(name);
}

template <typename T>
bool ContactVisualizer<T>::IsAnchored(int body) const {
  return body < static_cast<int>(is_anchored_.size()) && is_anchored_[body];
}

template <typename T>
void ContactVisualizer<T>::ShowPoints(const ContactResults<T>& results,
                                      double time) const {
  std::vector<Vector3d> points, arrows;
  for (int i = 0; i < results.num_point_pair_contacts(); ++i) {
    const auto& info = results.point_pair_contact_info(i);
    // The force on B; on A, if B is anchored.
    Vector3d force = ToDouble(info.contact_force());
    if (IsAnchored(info.bodyB_index())) force = -force;
    if (!(force.norm() > params_.force_threshold)) continue;
    points.push_back(ToDouble(info.contact_point()));
    arrows.push_back(force / params_.newtons_per_meter);
  }
  SetArrows("point", time, Columns(points), Columns(arrows),
            params_.default_color);
}

template <typename T>
void ContactVisualizer<T>::ShowSurfaces(const ContactResults<T>& results,
                                        double time) const {
  Painting painting;
  std::vector<Vector3d> centers, forces, places, moments;
  for (int i = 0; i < results.num_hydroelastic_contacts(); ++i) {
    const auto& info = results.hydroelastic_contact_info(i);
    Add(info.contact_surface(), &painting);
    const Vector3d center = ToDouble(info.contact_surface().centroid());
    // The force on A; on B, if A is anchored.
    const auto body_A = body_of_.find(info.contact_surface().id_M());
    const double sign =
        body_A != body_of_.end() && IsAnchored(body_A->second) ? -1 : 1;
    const Vector3d f = sign * ToDouble(info.F_Ac_W().translational());
    const Vector3d tau = sign * ToDouble(info.F_Ac_W().rotational());
    if (f.norm() > params_.force_threshold) {
      centers.push_back(center);
      forces.push_back(f / params_.newtons_per_meter);
    }
    // A moment of a force of the threshold at 1 cm.
    if (tau.norm() > 0.01 * params_.force_threshold) {
      places.push_back(center);
      moments.push_back(tau / params_.newton_meters_per_meter);
    }
  }
  SetArrows("surface_force", time, Columns(centers), Columns(forces),
            params_.hydro_force_color);
  SetArrows("surface_moment", time, Columns(places), Columns(moments),
            params_.hydro_moment_color);

  const std::string path = fmt::format("{}/surface", params_.prefix);
  if (painting.triangles.empty()) {
    if (drawn_.erase("surface") > 0) viewer_->Delete(path, time);
    return;
  }
  const double largest =
      *std::max_element(painting.pressures.begin(), painting.pressures.end());
  Matrix3Xd colors(3, painting.pressures.size());
  for (int v = 0; v < colors.cols(); ++v) {
    colors.col(v) =
        ColorOf(largest > 0 ? painting.pressures[v] / largest : 0.0);
  }
  Matrix3Xi faces(3, painting.triangles.size());
  for (int f = 0; f < faces.cols(); ++f) faces.col(f) = painting.triangles[f];
  viewer_->SetTriangleColorMesh(path, Columns(painting.vertices), faces, colors,
                                false, time);
  drawn_.insert("surface");
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::ContactVisualizer);
