#include "wyvern/systems/recording/recording.h"

#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <Eigen/Core>

#include "wyvern/systems/common/check_argument.h"

/* Two threads. Who writes checks the record, copies it into the queue, and
wakes the other only when the queue is half full; else that one wakes by
itself a hundred times a second. It empties the queue into the sink, and
flushes the sink at intervals of the wall clock and when asked. When the
queue is full, who writes wakes it and waits in turn. All waits have a
timeout of 10 ms, so that a wake-up that is sent before the other side waits
costs that and not the run, and nobody needs the lock to send one.

What the sink throws ends the thread: the exception is kept, and thrown by
every call from then on. The sink belongs to the thread while it runs. */

namespace wyvern::systems {

using internal::RecordHeader;
using Kind = RecordHeader::Kind;

namespace {

constexpr std::chrono::milliseconds kNap{10};

RecordingOptions RequireOptions(const RecordingOptions& options) {
  wyvern::internal::RequirePositive("Recording", "flush_interval",
                                    options.flush_interval);
  wyvern::internal::RequireInRange("Recording", "queue_bytes",
                                   static_cast<double>(options.queue_bytes),
                                   1024, 1e12);
  return options;
}

}  // namespace

Recording::Recording(std::unique_ptr<RecordingSink> sink,
                     RecordingDescription description, RecordingOptions options)
    : sink_(wyvern::internal::RequireNotNull("Recording", "sink",
                                             std::move(sink))),
      description_(std::move(description)),
      options_(RequireOptions(options)),
      queue_(options.queue_bytes),
      last_of_group_(description_.groups.size(),
                     -std::numeric_limits<double>::infinity()),
      last_of_signal_(description_.signals.size(),
                      -std::numeric_limits<double>::infinity()) {
  sink_->Start(description_);
  thread_ = std::thread([this] { WriteAll(); });
}

Recording::~Recording() {
  if (!is_open()) return;
  try {
    if (!has_failed_ && !unwinding_.is_unwinding()) {
      Close();
      return;
    }
  } catch (const std::exception&) {
    // A destructor has no one to tell.
  }
  try {
    if (is_open()) StopThread();
    if (!has_failed_) sink_->Flush();
  } catch (const std::exception&) {
    // The partial file has what could be written.
  }
}

void Recording::RequireOpen(const char* function) const {
  if (is_open()) return;
  throw std::logic_error(fmt::format(
      "Recording::{}(): '{}' was closed already; write before calling Close().",
      function, sink_->filename()));
}

void Recording::RequireTime(const char* function, double time, double* last) {
  if (!std::isfinite(time)) {
    throw std::runtime_error(
        fmt::format("Recording::{}(): '{}': the time is {}; it must be finite.",
                    function, sink_->filename(), time));
  }
  if (last == nullptr) return;
  if (time < *last) {
    throw std::logic_error(fmt::format(
        "Recording::{}(): '{}' has time {} and was given {}; time must not go "
        "back: use one recording a simulation.",
        function, sink_->filename(), *last, time));
  }
  *last = time;
}

void Recording::ThrowNotFinite(int group, const double* values) const {
  int at = 0;
  for (const int index : description_.groups[group].signals) {
    const auto& signal = description_.signals[index];
    for (int i = 0; i < signal.size; ++i, ++at) {
      if (std::isfinite(values[at])) continue;
      throw std::runtime_error(fmt::format(
          "Recording::WriteFrame(): '{}': {} of the signal '{}' is {}; only "
          "finite numbers are recorded.",
          sink_->filename(), signal.description.element_names[i],
          signal.description.name, values[at]));
    }
  }
  throw std::logic_error("Recording: all numbers are finite.");
}

void Recording::WriteFrame(int group, double time, const double* values,
                           int size) {
  const std::lock_guard lock(writing_);
  const int num_groups = static_cast<int>(description_.groups.size());
  wyvern::internal::RequireIndex("Recording::WriteFrame", "group", group,
                                 num_groups);
  wyvern::internal::RequireSize("Recording::WriteFrame", "values", size,
                                description_.groups[group].size);
  WriteFrameAlone(group, time, values, size);
}

void Recording::WriteFrameAlone(int group, double time, const double* values,
                                int size) {
  RequireOpen("WriteFrame");
  if (!wyvern::internal::AllFinite(
          Eigen::Map<const Eigen::VectorXd>(values, size))) {
    ThrowNotFinite(group, values);
  }
  RequireTime("WriteFrame", time, &last_of_group_[group]);
  Push({.kind = Kind::kFrame,
        .index = group,
        .size = sizeof(double) * static_cast<std::uint64_t>(size),
        .time = time},
       values);
}

void Recording::WriteText(int signal, double time, std::string_view json) {
  const std::lock_guard lock(writing_);
  RequireOpen("WriteText");
  wyvern::internal::RequireIndex("Recording::WriteText", "signal", signal,
                                 static_cast<int>(description_.signals.size()));
  if (!description_.signals[signal].is_text()) {
    throw std::logic_error(
        fmt::format("Recording::WriteText(): the signal '{}' is of numbers; "
                    "write frames of "
                    "its group.",
                    description_.signals[signal].description.name));
  }
  RequireTime("WriteText", time, &last_of_signal_[signal]);
  Push(
      {.kind = Kind::kText, .index = signal, .size = json.size(), .time = time},
      json.data());
}

void Recording::WriteEvent(double time, std::string_view level,
                           std::string_view text) {
  const std::lock_guard lock(writing_);
  RequireOpen("WriteEvent");
  RequireTime("WriteEvent", time, nullptr);
  event_.assign(level.begin(), level.end());
  event_.insert(event_.end(), text.begin(), text.end());
  Push({.kind = Kind::kEvent,
        .index = static_cast<std::int32_t>(level.size()),
        .size = event_.size(),
        .time = time},
       event_.data());
}

void Recording::Push(const RecordHeader& header, const void* data) {
  if (!queue_.CanHold(header.size)) {
    throw std::runtime_error(fmt::format(
        "Recording: '{}': a record has {} bytes and the queue {}; set "
        "RecordingOptions::queue_bytes to more.",
        sink_->filename(), header.size + sizeof(header), queue_.capacity()));
  }
  if (has_failed_.load(std::memory_order_acquire)) RethrowFailure();
  while (!queue_.TryPush(header, data)) {
    if (options_.when_full == RecordingOptions::WhenFull::kThrow) {
      throw std::runtime_error(fmt::format(
          "Recording: '{}': the queue of {} bytes is full at time {}: the run "
          "is faster than the disk; wait when it is full, or make it greater "
          "(RecordingOptions).",
          sink_->filename(), queue_.capacity(), header.time));
    }
    std::unique_lock lock(mutex_);
    wake_thread_.notify_one();
    wake_writers_.wait_for(lock, kNap);
    lock.unlock();
    if (has_failed_) RethrowFailure();
  }
  ++num_records_;
  if (2 * queue_.used() > queue_.capacity()) wake_thread_.notify_one();
}

void Recording::RethrowFailure() {
  std::exception_ptr failure;
  {
    const std::lock_guard lock(mutex_);
    failure = failure_;
  }
  if (failure != nullptr) std::rethrow_exception(failure);
}

void Recording::Flush() {
  const std::lock_guard writing(writing_);
  RequireOpen("Flush");
  std::unique_lock lock(mutex_);
  const std::uint64_t wanted = ++flushes_wanted_;
  wake_thread_.notify_one();
  while (flushes_done_ < wanted && !has_failed_) {
    wake_writers_.wait_for(lock, kNap);
  }
  lock.unlock();
  RethrowFailure();
}

void Recording::StopThread() {
  must_stop_ = true;
  wake_thread_.notify_one();
  thread_.join();
}

void Recording::Close(const std::map<std::string, std::string>& statistics) {
  const std::lock_guard lock(writing_);
  if (!is_open()) return;
  StopThread();
  RethrowFailure();
  sink_->Close(statistics);
}

void Recording::WriteAll() {
  using Clock = std::chrono::steady_clock;
  const auto interval = std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(std::min(options_.flush_interval, 1e6)));
  std::vector<char> data;
  RecordHeader header;
  try {
    Clock::time_point last_flush = Clock::now();
    bool is_dirty = false;
    for (;;) {
      // A request made before the queue is seen empty is served after it.
      const bool is_last = must_stop_;
      std::uint64_t wanted{};
      {
        const std::lock_guard lock(mutex_);
        wanted = flushes_wanted_;
      }
      int count = 0;
      while (count < 1000 && queue_.TryPop(&header, &data)) {
        Handle(header, data);
        ++count;
      }
      if (count > 0) {
        is_dirty = true;
        wake_writers_.notify_all();
      }
      const bool is_empty = queue_.used() == 0;
      const bool is_asked = is_empty && wanted > flushes_done_;
      if (is_asked || (is_dirty && Clock::now() - last_flush > interval)) {
        sink_->Flush();
        is_dirty = false;
        last_flush = Clock::now();
      }
      std::unique_lock lock(mutex_);
      if (is_asked) {
        flushes_done_ = wanted;
        wake_writers_.notify_all();
      }
      if (!is_empty) continue;
      if (is_last) return;
      if (!must_stop_ && flushes_wanted_ == flushes_done_) {
        wake_thread_.wait_for(lock, kNap);
      }
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
    has_failed_.store(true, std::memory_order_release);
    wake_writers_.notify_all();
  }
}

void Recording::Handle(const RecordHeader& header,
                       const std::vector<char>& data) {
  if (header.kind == Kind::kFrame) {
    // A vector's memory is aligned for any number.
    sink_->WriteFrame(header.index, header.time,
                      reinterpret_cast<const double*>(data.data()));
    return;
  }
  const std::string_view text(data.data(), data.size());
  if (header.kind == Kind::kText) {
    sink_->WriteText(header.index, header.time, text);
  } else {
    const std::size_t level_size = static_cast<std::size_t>(header.index);
    sink_->WriteEvent(header.time, text.substr(0, level_size),
                      text.substr(level_size));
  }
}

}  // namespace wyvern::systems
