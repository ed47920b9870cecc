#include "wyvern/systems/recording/recorder.h"

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/framework/diagram_builder.h"

/* The sink is opened by the constructor; the Recording, which writes the
description and starts its thread, by the first sample, when all signals are
known. As in CsvLogSink, publishing writes to a file that is outside of any
Context, from a const function: hence the lock, and the check that all
samples are of one Context, told by its address. Signals of one period are
sampled by one event, and go into the queue as one frame. */

namespace wyvern::systems {

template <typename T>
struct Recorder<T>::Stream {
  // A file that nothing was to be written to is not left behind.
  ~Stream() {
    if (sink != nullptr) sink->Discard();
  }

  std::mutex mutex;
  std::unique_ptr<RecordingSink> sink;
  RecordingOptions options;
  // Null before the first sample.
  std::unique_ptr<Recording> recording;
  bool is_closed{false};
  std::string filename;
  // The Context whose samples these are; null before the first.
  const Context<T>* source{};
  // Groups, and signals of texts, that the event of a period records.
  struct Event {
    std::vector<int> groups;
    std::vector<int> texts;
  };
  std::vector<Event> events;
  // A frame of each group; a text.
  std::vector<Eigen::VectorXd> frames;
  std::string text;

  Recording& Started(const RecordingDescription& description,
                     const std::vector<double>& periods) {
    if (recording != nullptr && !is_closed) [[likely]] {
      return *recording;
    }
    return Start(description, periods);
  }

  Recording& Start(const RecordingDescription& description,
                   const std::vector<double>& periods) {
    if (is_closed) {
      throw std::logic_error(fmt::format(
          "Recorder: '{}' was closed already; record before calling Close().",
          filename));
    }
    if (recording == nullptr) {
      frames.clear();
      events.assign(periods.size(), {});
      const auto event_of = [&](double period) -> Event& {
        return events[std::ranges::find(periods, period) - periods.begin()];
      };
      for (const auto& group : description.groups) {
        event_of(group.period)
            .groups.push_back(static_cast<int>(frames.size()));
        frames.emplace_back(group.size);
      }
      for (std::size_t i = 0; i < description.signals.size(); ++i) {
        const auto& signal = description.signals[i];
        if (!signal.is_text()) continue;
        event_of(signal.description.period)
            .texts.push_back(static_cast<int>(i));
      }
      if (sink == nullptr) {
        throw std::logic_error(fmt::format(
            "Recorder: '{}' could not be started before.", filename));
      }
      recording =
          std::make_unique<Recording>(std::move(sink), description, options);
    }
    return *recording;
  }
};

template <typename T>
Recorder<T>::Recorder() : LeafSystem<T>(SystemTypeTag<Recorder>{}) {
  this->DeclareForcedPublishEvent(&Recorder<T>::RecordAll);
}

template <typename T>
Recorder<T>::Recorder(const std::string& filename,
                      const RecordingOptions& options)
    : Recorder() {
  stream_ = std::make_unique<Stream>();
  stream_->filename = filename;
  stream_->options = options;
  stream_->sink = OpenRecordingSink(filename);
}

template <typename T>
template <typename U>
Recorder<T>::Recorder(const Recorder<U>& other) : Recorder() {
  for (std::size_t i = 0; i < other.channels_.size(); ++i) {
    const auto& signal = other.description_.signals[i];
    const auto& channel = other.channels_[i];
    Add(signal.description, signal.size,
        {channel.model, channel.to_numbers, channel.to_json});
  }
}

template <typename T>
Recorder<T>::~Recorder() = default;

template <typename T>
const InputPort<T>& Recorder<T>::AddSignal(const SignalDescription& description,
                                           int size) {
  return Add(description, size, {});
}

template <typename T>
const InputPort<T>& Recorder<T>::AddSignal(const SignalDescription& description,
                                           int size, const AbstractValue& model,
                                           ToNumbers to_numbers) {
  wyvern::internal::RequireNotEmpty("Recorder::AddSignal", "to_numbers",
                                    to_numbers == nullptr);
  return Add(description, size, {model.Clone(), std::move(to_numbers), {}});
}

template <typename T>
const InputPort<T>& Recorder<T>::AddTextSignal(
    const SignalDescription& description, const AbstractValue& model,
    ToJson to_json) {
  wyvern::internal::RequireNotEmpty("Recorder::AddTextSignal", "to_json",
                                    to_json == nullptr);
  return Add(description, -1, {model.Clone(), {}, std::move(to_json)});
}

template <typename T>
const InputPort<T>& Recorder<T>::Add(const SignalDescription& description,
                                     int size, Channel channel) {
  if (stream_ != nullptr) stream_to_change("AddSignal");
  const bool is_text = channel.to_json != nullptr;
  const bool is_vector = channel.model == nullptr;
  this->RequireNoContexts();  // They would lack its port.
  if (is_text) {
    description_.AddTextSignal(description);
  } else {
    description_.AddSignal(description, size);
  }
  const double period = description.period;
  if (std::find(periods_.begin(), periods_.end(), period) == periods_.end()) {
    const int index = static_cast<int>(periods_.size());
    periods_.push_back(period);
    const PublishEvent<T> event(
        [this, index](const Context<T>& context, const PublishEvent<T>&) {
          return RecordPeriod(context, index);
        });
    if (period > 0) {
      this->DeclarePeriodicEvent(period, 0.0, event);
    } else {
      this->DeclarePerStepEvent(event);
    }
  }
  const std::shared_ptr<const AbstractValue> model = channel.model;
  channels_.push_back(std::move(channel));
  return is_vector ? this->DeclareVectorInputPort(description.name, size)
                   : this->DeclareAbstractInputPort(description.name, *model);
}

template <typename T>
typename Recorder<T>::Stream& Recorder<T>::stream_to_change(
    const char* function) const {
  if (stream_ == nullptr || stream_->recording != nullptr ||
      stream_->is_closed) {
    throw std::logic_error(fmt::format(
        "Recorder::{}(): '{}' has been recorded to already, or is a copy "
        "without a file; say what is recorded before the simulation.",
        function, stream_ == nullptr ? "" : stream_->filename));
  }
  return *stream_;
}

template <typename T>
void Recorder<T>::SetAttribute(const std::string& name,
                               const std::string& text) {
  stream_to_change("SetAttribute");
  wyvern::internal::RequireNotEmpty("Recorder::SetAttribute", "name",
                                    name.empty());
  description_.attributes[name] = text;
}

template <typename T>
void Recorder<T>::AddFile(const std::string& name, std::string contents) {
  stream_to_change("AddFile");
  description_.AddFile(name, std::move(contents));
}

template <typename T>
void Recorder<T>::WriteEvent(double time, std::string_view level,
                             std::string_view text) {
  if (stream_ == nullptr) return;
  const std::lock_guard lock(stream_->mutex);
  stream_->Started(description_, periods_).WriteEvent(time, level, text);
}

template <typename T>
void Recorder<T>::Flush() {
  if (stream_ == nullptr) return;
  const std::lock_guard lock(stream_->mutex);
  if (stream_->recording != nullptr) stream_->recording->Flush();
}

template <typename T>
void Recorder<T>::Close(const std::map<std::string, std::string>& statistics) {
  if (stream_ == nullptr || stream_->is_closed) return;
  const std::lock_guard lock(stream_->mutex);
  Recording& recording = stream_->Started(description_, periods_);
  stream_->is_closed = true;
  recording.Close(statistics);
}

template <typename T>
std::int64_t Recorder<T>::num_records() const {
  if (stream_ == nullptr) return 0;
  const std::lock_guard lock(stream_->mutex);
  return stream_->recording == nullptr ? 0 : stream_->recording->num_records();
}

template <typename T>
EventStatus Recorder<T>::RecordPeriod(const Context<T>& context,
                                      int index) const {
  if (stream_ == nullptr) return EventStatus::DidNothing();
  const std::lock_guard lock(stream_->mutex);
  RequireSource(context);
  const typename Stream::Event& event = stream_->events[index];
  for (const int group : event.groups) RecordGroup(context, group);
  for (const int signal : event.texts) RecordText(context, signal);
  return EventStatus::Succeeded();
}

template <typename T>
EventStatus Recorder<T>::RecordAll(const Context<T>& context) const {
  for (std::size_t i = 0; i < periods_.size(); ++i) {
    RecordPeriod(context, static_cast<int>(i));
  }
  return stream_ == nullptr ? EventStatus::DidNothing()
                            : EventStatus::Succeeded();
}

template <typename T>
void Recorder<T>::RequireSource(const Context<T>& context) const {
  stream_->Started(description_, periods_);
  if (stream_->source == nullptr) stream_->source = &context;
  if (stream_->source == &context) return;
  throw std::logic_error(fmt::format(
      "Recorder: '{}' records '{}' for one Context and was published with "
      "another; use one recorder and file per simulation.",
      this->GetSystemPathname(), stream_->filename));
}

template <typename T>
void Recorder<T>::RecordGroup(const Context<T>& context, int group) const {
  Eigen::VectorXd& frame = stream_->frames[group];
  int at = 0;
  for (const int index : description_.groups[group].signals) {
    const InputPort<T>& port = this->get_input_port(index);
    const int size = description_.signals[index].size;
    if (channels_[index].to_numbers != nullptr) {
      channels_[index].to_numbers(port.template Eval<AbstractValue>(context),
                                  frame.segment(at, size));
    } else {
      const VectorX<T>& value = port.Eval(context);
      if constexpr (std::is_same_v<T, double>) {
        std::copy_n(value.data(), size, frame.data() + at);
      } else {
        for (int i = 0; i < size; ++i) {
          frame[at + i] = ToDouble(value[i]);
        }
      }
    }
    at += size;
  }
  stream_->recording->WriteFrameAlone(group, ToDouble(context.get_time()),
                                      frame.data(), at);
}

template <typename T>
void Recorder<T>::RecordText(const Context<T>& context, int signal) const {
  const InputPort<T>& port = this->get_input_port(signal);
  stream_->text.clear();
  channels_[signal].to_json(port.template Eval<AbstractValue>(context),
                            &stream_->text);
  stream_->recording->WriteText(signal, ToDouble(context.get_time()),
                                stream_->text);
}

template <typename T>
void Record(const OutputPort<T>& src, const SignalDescription& description,
            Recorder<T>* recorder, DiagramBuilder<T>* builder) {
  wyvern::internal::RequireNotNull("Record", "recorder", recorder);
  wyvern::internal::RequireNotNull("Record", "builder", builder);
  SignalDescription about = description;
  const std::vector<std::string>& units = src.units();
  // A recorded signal has one unit for all of its elements.
  if (about.unit.empty() && !units.empty() &&
      std::ranges::count(units, units.front()) == std::ssize(units)) {
    about.unit = units.front();
  }
  builder->Connect(src, recorder->AddSignal(about, src.size()));
}

#define WYVERN_INSTANTIATE_RECORD(T)                                   \
  template void Record(const OutputPort<T>&, const SignalDescription&, \
                       Recorder<T>*, DiagramBuilder<T>*);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE_RECORD)
#undef WYVERN_INSTANTIATE_RECORD

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::Recorder);
