#include "wyvern/systems/primitives/csv_log_sink.h"

#include <mutex>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/framework/diagram_additions.h"
#include "wyvern/systems/primitives/csv_writer.h"

/* The file is outside of any Context, and publishing writes to it from a const
function: that is why there is a lock, and a check that all rows are of one
Context, told by its address, and do not go back in time. Ports and events
are declared by the private constructor, which opens no file; a converted
copy has only that, and its events do nothing. Gradients of AutoDiffXd are
dropped. */

namespace wyvern::systems {

namespace {

std::vector<std::string> WithTime(const std::vector<std::string>& names) {
  std::vector<std::string> result{"time"};
  result.insert(result.end(), names.begin(), names.end());
  return result;
}

}  // namespace

template <typename T>
struct CsvLogSink<T>::Stream {
  Stream(const std::string& filename, const std::vector<std::string>& names)
      : writer(filename, WithTime(names)), row(1 + names.size()) {}

  std::mutex mutex;
  CsvWriter writer;
  // The Context whose rows these are; null before the first.
  const Context<T>* source{};
  Eigen::VectorXd row;
};

template <typename T>
CsvLogSink<T>::CsvLogSink(const std::string& filename,
                          const std::vector<std::string>& column_names,
                          double publish_period)
    : CsvLogSink(filename, column_names,
                 internal::DefaultPublishTriggers(publish_period),
                 publish_period) {}

template <typename T>
CsvLogSink<T>::CsvLogSink(const std::string& filename,
                          const std::vector<std::string>& column_names,
                          const TriggerTypeSet& publish_triggers,
                          double publish_period)
    : CsvLogSink(static_cast<int>(column_names.size()), publish_triggers,
                 publish_period) {
  stream_ = std::make_unique<Stream>(filename, column_names);
}

template <typename T>
CsvLogSink<T>::CsvLogSink(int input_size,
                          const TriggerTypeSet& publish_triggers,
                          double publish_period)
    : LeafSystem<T>(SystemTypeTag<CsvLogSink>{}),
      publish_triggers_(publish_triggers),
      publish_period_(publish_period) {
  internal::RequireTriggers("CsvLogSink", publish_triggers, publish_period);
  this->DeclareVectorInputPort("data", input_size);
  if (publish_triggers.contains(TriggerType::kForced)) {
    this->DeclareForcedPublishEvent(&CsvLogSink<T>::WriteRow);
  }
  if (publish_triggers.contains(TriggerType::kPerStep)) {
    this->DeclarePerStepPublishEvent(&CsvLogSink<T>::WriteRow);
  }
  if (publish_triggers.contains(TriggerType::kPeriodic)) {
    this->DeclarePeriodicPublishEvent(publish_period, 0.0,
                                      &CsvLogSink<T>::WriteRow);
  }
}

template <typename T>
CsvLogSink<T>::~CsvLogSink() = default;

template <typename T>
void CsvLogSink<T>::Flush() {
  if (stream_ == nullptr) return;
  const std::lock_guard lock(stream_->mutex);
  stream_->writer.Flush();
}

template <typename T>
void CsvLogSink<T>::Close() {
  if (stream_ == nullptr) return;
  const std::lock_guard lock(stream_->mutex);
  stream_->writer.Close();
}

template <typename T>
int64_t CsvLogSink<T>::num_rows() const {
  if (stream_ == nullptr) return 0;
  const std::lock_guard lock(stream_->mutex);
  return stream_->writer.num_rows();
}

template <typename T>
EventStatus CsvLogSink<T>::WriteRow(const Context<T>& context) const {
  if (stream_ == nullptr) return EventStatus::DidNothing();
  const VectorX<T>& data = this->get_input_port(0).Eval(context);
  const double time = ToDouble(context.get_time());
  Stream& stream = *stream_;
  const std::lock_guard lock(stream.mutex);
  const bool is_first = stream.source == nullptr;
  if (!is_first && stream.source != &context) {
    throw std::logic_error(fmt::format(
        "CsvLogSink: '{}' writes '{}' for one Context and was published with "
        "another; use one sink and file per simulation.",
        this->GetSystemPathname(), stream.writer.filename()));
  }
  if (!is_first && time < stream.row[0]) {
    throw std::logic_error(fmt::format(
        "CsvLogSink: '{}' wrote time {} to '{}' and was published at {}; use "
        "one sink and file per simulation.",
        this->GetSystemPathname(), stream.row[0], stream.writer.filename(),
        time));
  }
  stream.row[0] = time;
  for (int i = 0; i < data.size(); ++i) {
    stream.row[1 + i] = ToDouble(data[i]);
  }
  stream.source = &context;
  stream.writer.WriteRow(stream.row);
  return EventStatus::Succeeded();
}

template <typename T>
CsvLogSink<T>* LogCsvOutput(const OutputPort<T>& src,
                            DiagramBuilder<T>* builder,
                            const std::string& filename,
                            const std::vector<std::string>& column_names,
                            double publish_period) {
  wyvern::internal::RequireSize("LogCsvOutput()", "column_names",
                                column_names.size(), src.size());
  internal::DiagramAdditions<T> additions("LogCsvOutput", builder);
  auto* sink = additions.Add(
      std::make_unique<CsvLogSink<T>>(filename, column_names, publish_period));
  builder->Connect(src, sink->get_input_port());
  additions.Keep();
  return sink;
}

#define WYVERN_INSTANTIATE_LOG_CSV_OUTPUT(T)                        \
  template CsvLogSink<T>* LogCsvOutput(                             \
      const OutputPort<T>&, DiagramBuilder<T>*, const std::string&, \
      const std::vector<std::string>&, double);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE_LOG_CSV_OUTPUT)
#undef WYVERN_INSTANTIATE_LOG_CSV_OUTPUT

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::CsvLogSink);
