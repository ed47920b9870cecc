#include "wyvern/systems/primitives/vector_log_sink.h"

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/framework/diagram_additions.h"

namespace wyvern::systems {

template <typename T>
VectorLogSink<T>::VectorLogSink(int input_size, double publish_period)
    : VectorLogSink(input_size,
                    internal::DefaultPublishTriggers(publish_period),
                    publish_period) {}

template <typename T>
VectorLogSink<T>::VectorLogSink(int input_size,
                                const TriggerTypeSet& publish_triggers,
                                double publish_period)
    : LeafSystem<T>(SystemTypeTag<VectorLogSink>{}),
      publish_triggers_(publish_triggers),
      publish_period_(publish_period) {
  wyvern::internal::RequireAtLeast("VectorLogSink", "input_size", input_size,
                                   0);
  internal::RequireTriggers("VectorLogSink", publish_triggers, publish_period);
  this->DeclareVectorInputPort("data", input_size);
  log_cache_index_ =
      this->DeclareCacheEntry(
              "log",
              ValueProducer(VectorLog<T>(input_size), &ValueProducer::NoopCalc),
              {this->nothing_ticket()})
          .cache_index();
  if (publish_triggers.contains(TriggerType::kForced)) {
    this->DeclareForcedPublishEvent(&VectorLogSink<T>::WriteToLog);
  }
  if (publish_triggers.contains(TriggerType::kPerStep)) {
    this->DeclarePerStepPublishEvent(&VectorLogSink<T>::WriteToLog);
  }
  if (publish_triggers.contains(TriggerType::kPeriodic)) {
    this->DeclarePeriodicPublishEvent(publish_period, 0.0,
                                      &VectorLogSink<T>::WriteToLog);
  }
}

template <typename T>
const VectorLog<T>& VectorLogSink<T>::GetLog(const Context<T>& context) const {
  return LogIn(context);
}

template <typename T>
VectorLog<T>& VectorLogSink<T>::GetMutableLog(Context<T>* context) const {
  return LogIn(*context);
}

template <typename T>
const VectorLog<T>& VectorLogSink<T>::FindLog(
    const Context<T>& root_context) const {
  return LogIn(this->GetMyContextFromRoot(root_context));
}

template <typename T>
VectorLog<T>& VectorLogSink<T>::FindMutableLog(Context<T>* root_context) const {
  return LogIn(this->GetMyContextFromRoot(*root_context));
}

template <typename T>
VectorLog<T>& VectorLogSink<T>::LogIn(const Context<T>& context) const {
  this->ValidateContext(context);
  return this->get_cache_entry(log_cache_index_)
      .get_mutable_cache_entry_value(context)
      .template GetMutableValueOrThrow<VectorLog<T>>();
}

template <typename T>
EventStatus VectorLogSink<T>::WriteToLog(const Context<T>& context) const {
  LogIn(context).AddData(context.get_time(),
                         this->get_input_port(0).Eval(context));
  return EventStatus::Succeeded();
}

template <typename T>
VectorLogSink<T>* LogVectorOutput(const OutputPort<T>& src,
                                  DiagramBuilder<T>* builder,
                                  double publish_period) {
  return LogVectorOutput(src, builder,
                         internal::DefaultPublishTriggers(publish_period),
                         publish_period);
}

template <typename T>
VectorLogSink<T>* LogVectorOutput(const OutputPort<T>& src,
                                  DiagramBuilder<T>* builder,
                                  const TriggerTypeSet& publish_triggers,
                                  double publish_period) {
  internal::DiagramAdditions<T> additions("LogVectorOutput", builder);
  auto* sink = additions.Add(std::make_unique<VectorLogSink<T>>(
      src.size(), publish_triggers, publish_period));
  builder->Connect(src, sink->get_input_port());
  additions.Keep();
  return sink;
}

#define WYVERN_INSTANTIATE_LOG_VECTOR_OUTPUT(T)                           \
  template VectorLogSink<T>* LogVectorOutput(const OutputPort<T>&,        \
                                             DiagramBuilder<T>*, double); \
  template VectorLogSink<T>* LogVectorOutput(const OutputPort<T>&,        \
                                             DiagramBuilder<T>*,          \
                                             const TriggerTypeSet&, double);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE_LOG_VECTOR_OUTPUT)
#undef WYVERN_INSTANTIATE_LOG_VECTOR_OUTPUT

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::VectorLogSink);
