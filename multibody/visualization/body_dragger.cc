#include "wyvern/multibody/visualization/body_dragger.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <Eigen/Eigenvalues>

#include "wyvern/multibody/plant/externally_applied_spatial_force_multiplexer.h"
#include "wyvern/systems/common/check_argument.h"

/* A page says "drag" with the number of a frame of the SceneGraph, as it knows
the body by, the point of the body and the target, several times a second
while a person holds the body; and without numbers when the person lets go.
The server's thread keeps the newest of these under the mutex, however many
there are. Update() turns it into the parameter of the Context:
  body, or 0 for none; p_BQ; p_WT; k; d; the largest force. */

namespace wyvern::multibody {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using systems::Context;

namespace {

constexpr int kNumParameters = 10;
constexpr auto kSilence = std::chrono::seconds(1);
// No target or point that a person means is farther from the origin [m].
constexpr double kMaxDistance = 1e6;

const MultibodyPlant<double>& RequireFinalPlant(
    const MultibodyPlant<double>* plant) {
  wyvern::internal::RequireNotNull("BodyDragger", "the plant", plant,
                                   "pass one");
  if (!plant->is_finalized()) {
    throw std::logic_error(
        "BodyDragger: the plant is not finalized; call Finalize() first.");
  }
  return *plant;
}

BodyDraggerParams RequirePositiveParams(const BodyDraggerParams& params) {
  constexpr const char* kWho = "BodyDragger";
  wyvern::internal::RequirePositive(kWho, "frequency", params.frequency);
  wyvern::internal::RequirePositive(kWho, "damping_ratio",
                                    params.damping_ratio);
  wyvern::internal::RequirePositive(kWho, "max_acceleration",
                                    params.max_acceleration);
  return params;
}

std::shared_ptr<geometry::Viewer> RequireViewer(
    std::shared_ptr<geometry::Viewer> viewer) {
  wyvern::internal::RequireNotNull("BodyDragger", "the viewer", viewer,
                                   "pass one");
  return viewer;
}

}  // namespace

BodyDragger::BodyDragger(const MultibodyPlant<double>* plant,
                         std::shared_ptr<geometry::Viewer> viewer,
                         const BodyDraggerParams& params)
    : plant_(RequireFinalPlant(plant)),
      viewer_(RequireViewer(std::move(viewer))),
      params_(RequirePositiveParams(params)) {
  set_name("body_dragger");
  DeclareAbstractInputPort("body_poses",
                           Value<std::vector<math::RigidTransformd>>{});
  DeclareAbstractInputPort("body_spatial_velocities",
                           Value<std::vector<SpatialVelocity<double>>>{});
  const VectorXd none = VectorXd::Zero(kNumParameters);
  DeclareNumericParameter(systems::BasicVector<double>(none));
  DeclareAbstractOutputPort("spatial_forces", &BodyDragger::CalcForces);
  std::string ids;
  for (BodyIndex i(1); i < plant_.num_bodies(); ++i) {
    const auto frame = plant_.GetBodyFrameIdIfExists(i);
    if (!frame || plant_.IsAnchored(plant_.get_body(i))) continue;
    body_of_[frame->get_value()] = i;
    ids += fmt::format("{}{}", ids.empty() ? "" : ",", frame->get_value());
  }
  link_.emplace(viewer_.get(), "drag",
                [this](const geometry::internal::PageMessage& message) {
                  Receive(message);
                });
  link_->state().Set("dragger", "",
                     fmt::format(R"({{"type":"dragger","bodies":[{}]}})", ids));
}

BodyDragger::~BodyDragger() { link_->state().DeleteItem("dragger", ""); }

BodyDragger& BodyDragger::AddToBuilder(systems::DiagramBuilder<double>* builder,
                                       const MultibodyPlant<double>& plant,
                                       std::shared_ptr<geometry::Viewer> viewer,
                                       const BodyDraggerParams& params) {
  constexpr const char* kFunction = "BodyDragger::AddToBuilder";
  wyvern::internal::RequireNotNull(kFunction, "the builder", builder);
  const systems::InputPort<double>& port =
      plant.get_applied_spatial_force_input_port();
  const systems::OutputPort<double>* forces = nullptr;
  if (builder->IsConnectedOrExported(port)) {
    const auto before =
        builder->connection_map().find({&plant, port.get_index()});
    if (before == builder->connection_map().end()) {
      throw std::logic_error(fmt::format(
          "{}(): the plant's port 'applied_spatial_force' is an input of the "
          "Diagram; connect both by an "
          "ExternallyAppliedSpatialForceMultiplexer.",
          kFunction));
    }
    forces = &before->second.first->get_output_port(before->second.second);
  }
  auto* const dragger =
      builder->AddSystem<BodyDragger>(&plant, std::move(viewer), params);
  builder->Connect(plant.get_body_poses_output_port(),
                   dragger->get_input_port(0));
  builder->Connect(plant.get_body_spatial_velocities_output_port(),
                   dragger->get_input_port(1));
  if (forces == nullptr) {
    builder->Connect(dragger->get_output_port(), port);
    return *dragger;
  }
  auto* const both =
      builder->AddSystem<ExternallyAppliedSpatialForceMultiplexer<double>>(2);
  both->set_name("forces_and_drag");
  builder->Disconnect(*forces, port);
  builder->Connect(*forces, both->get_input_port(0));
  builder->Connect(dragger->get_output_port(), both->get_input_port(1));
  builder->Connect(both->get_output_port(), port);
  return *dragger;
}

// On the server's thread.
void BodyDragger::Receive(const geometry::internal::PageMessage& message) {
  std::optional<Drag> drag;
  if (message.value && message.values.size() == 6) {
    const Eigen::Map<const VectorXd> points(message.values.data(), 6);
    const auto found = std::abs(*message.value) < 9e15
                           ? body_of_.find(std::llround(*message.value))
                           : body_of_.end();
    if (found == body_of_.end()) return;
    // False for NaN, too.
    if (!(points.cwiseAbs().maxCoeff() <= kMaxDistance)) return;
    drag =
        Drag{found->second, points.head<3>(), points.tail<3>(), Clock::now()};
  } else if (message.value || !message.values.empty()) {
    return;
  }
  const std::lock_guard lock(mutex_);
  drag_ = std::move(drag);
}

// The mass of a point Q of a body in the direction in which it moves most
// easily: 1 / max eig(S Λ⁻¹ Sᵀ), where Λ⁻¹ = J M⁻¹ Jᵀ is of the body's spatial
// velocity at Bo, and v_WQ = v_WBo + w_WB x p_BoQ_W = S V_WB. Null if it cannot
// move, or M is singular.
std::optional<double> BodyDragger::CalcMassAt(const Context<double>& context,
                                              const Drag& drag) const {
  const RigidBody<double>& body = plant_.get_body(drag.body);
  MatrixXd inverse(6, 6);
  try {
    plant_.CalcInverseOperationalSpaceInertia(context, {&body.body_frame()},
                                              &inverse);
  } catch (const std::exception&) {
    return std::nullopt;
  }
  const Vector3d r =
      plant_.EvalBodyPoseInWorld(context, body).rotation() * drag.p_BQ;
  Eigen::Matrix<double, 3, 6> S;
  S.leftCols<3>() << 0, r.z(), -r.y(), -r.z(), 0, r.x(), r.y(), -r.x(), 0;
  S.rightCols<3>().setIdentity();
  const Matrix3d mobility = S * inverse * S.transpose();
  if (!mobility.allFinite()) return std::nullopt;
  const double most =
      Eigen::SelfAdjointEigenSolver<Matrix3d>(mobility, Eigen::EigenvaluesOnly)
          .eigenvalues()
          .maxCoeff();
  constexpr double kLeastMobility = 1e-12;  // [1/kg]
  if (!(most > kLeastMobility)) return std::nullopt;
  return 1 / most;
}

bool BodyDragger::Update(Context<double>* root) {
  std::optional<Drag> drag;
  {
    const std::lock_guard lock(mutex_);
    if (drag_ && Clock::now() - drag_->time > kSilence) drag_.reset();
    drag = drag_;
  }
  Context<double>& context = GetMyMutableContextFromRoot(root);
  const VectorXd& last = context.get_numeric_parameter(0).value();
  if (!drag && last[0] == 0) return false;
  Eigen::Matrix<double, kNumParameters, 1> wanted;
  wanted.setZero();
  if (drag) {
    const auto mass = CalcMassAt(plant_.GetMyContextFromRoot(*root), *drag);
    if (mass) {
      const double step = plant_.time_step();
      const double w = step > 0 ? std::min(params_.frequency, 0.5 / step)
                                : params_.frequency;
      wanted << static_cast<int>(drag->body), drag->p_BQ, drag->p_WT,
          *mass * w * w, 2 * params_.damping_ratio * *mass * w,
          *mass * params_.max_acceleration;
    }
  }
  if (wanted == last) return false;
  context.get_mutable_numeric_parameter(0).SetFromVector(wanted);
  return true;
}

void BodyDragger::CalcForces(const Context<double>& context,
                             Forces* forces) const {
  forces->clear();
  const VectorXd& drag = context.get_numeric_parameter(0).value();
  if (drag[0] == 0) return;
  const BodyIndex body(static_cast<int>(drag[0]));
  const Vector3d p_BQ = drag.segment<3>(1), p_WT = drag.segment<3>(4);
  const auto& X_WB =
      get_input_port(0).Eval<std::vector<math::RigidTransformd>>(context)[body];
  const auto& V_WB =
      get_input_port(1).Eval<std::vector<SpatialVelocity<double>>>(
          context)[body];
  const Vector3d v_WQ =
      V_WB.translational() +
      V_WB.rotational().cross(Vector3d(X_WB.rotation() * p_BQ));
  Vector3d f = drag[7] * (p_WT - X_WB * p_BQ) - drag[8] * v_WQ;
  const double size = f.norm();
  if (size > drag[9]) f *= drag[9] / size;
  forces->push_back({body, p_BQ, SpatialForce<double>(Vector3d::Zero(), f)});
}

}  // namespace wyvern::multibody
