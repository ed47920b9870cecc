#include "wyvern/geometry/viewer/viewer_scope.h"

#include <stdexcept>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::geometry {

using systems::Context;
using systems::EventStatus;

template <typename T>
ViewerScope<T>::ViewerScope(std::shared_ptr<Viewer> viewer, int size,
                            ViewerScopeParams params)
    : systems::LeafSystem<T>(systems::SystemTypeTag<ViewerScope>{}),
      viewer_(std::move(viewer)),
      size_(size),
      params_(std::move(params)) {
  const auto who =
      wyvern::internal::Caller("ViewerScope").Of("signal", params_.name);
  wyvern::internal::RequireNotNull(who, "the viewer", viewer_, "pass one");
  wyvern::internal::RequireNotEmpty(who, "the name", params_.name.empty());
  wyvern::internal::RequirePositive(who, "publish_period",
                                    params_.publish_period);
  if (!params_.elements.empty()) {
    wyvern::internal::RequireSize(who, "the list of names of elements",
                                  params_.elements.size(), size);
  }
  this->set_name(fmt::format("viewer_scope({})", params_.name));
  this->DeclareVectorInputPort("signal", size);
  this->DeclarePeriodicPublishEvent(params_.publish_period, 0.0,
                                    &ViewerScope::Show);
  this->DeclareForcedPublishEvent(&ViewerScope::Show);
  viewer_->SetSignal(params_.name, params_.elements, params_.unit);
}

template <typename T>
ViewerScope<T>& ViewerScope<T>::AddToBuilder(
    systems::DiagramBuilder<T>* builder, const systems::OutputPort<T>& port,
    std::shared_ptr<Viewer> viewer, ViewerScopeParams params) {
  wyvern::internal::RequireNotNull("ViewerScope::AddToBuilder", "the builder",
                                   builder);
  if (port.get_data_type() != systems::kVectorValued) {
    throw std::logic_error(fmt::format(
        "ViewerScope::AddToBuilder(): {} has no vectors to plot; choose a port "
        "that has.",
        port.GetFullDescription()));
  }
  if (params.name.empty()) {
    params.name =
        fmt::format("{}/{}", port.get_system().get_name(), port.get_name());
  }
  auto* const scope = builder->template AddSystem<ViewerScope<T>>(
      std::move(viewer), port.size(), std::move(params));
  builder->Connect(port, scope->get_input_port(0));
  return *scope;
}

template <typename T>
EventStatus ViewerScope<T>::Show(const Context<T>& context) const {
  const VectorX<T>& values = this->get_input_port(0).Eval(context);
  const double time = ToDouble(context.get_time());
  if constexpr (std::is_same_v<T, double>) {
    viewer_->AddSample(params_.name, time, values);
  } else {
    viewer_->AddSample(params_.name, time, ToDouble(values));
  }
  return EventStatus::Succeeded();
}

}  // namespace wyvern::geometry

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::geometry::ViewerScope);
