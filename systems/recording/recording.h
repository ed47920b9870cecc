#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "wyvern/systems/common/output_file.h"
#include "wyvern/systems/recording/record_queue.h"
#include "wyvern/systems/recording/recording_sink.h"

namespace wyvern::systems {

/** How a recording goes to its file. */
struct RecordingOptions {
  /** Behaviour of a simulation that is faster than the disk: wait for room, or
  throw. No sample is ever dropped. */
  enum class WhenFull { kWait, kThrow };

  /** Bytes between the simulation and the disk. */
  std::size_t queue_bytes{std::size_t{4} << 20};
  /** Says what happens if the queue is full. */
  WhenFull when_full{WhenFull::kWait};
  /** Seconds of the wall clock after which what was written can be read, even
  if the process is killed. */
  double flush_interval{1.0};
};

/** A run on its way to a sink: what is written goes into a queue of fixed size,
which a thread of its own empties. Writing costs a copy and, once it has
written, allocates nothing. An error of the sink is thrown by the next call.

A call takes a lock but for WriteFrameAlone(), so that several threads may
write; who wants an order of times keeps to one. */
class Recording {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Recording);

  /** Starts the sink, and the thread.
  @throws std::logic_error if the sink is null, cannot hold such a recording,
  the queue has less than 1024 bytes, or the interval is not positive and
  finite.
  @throws std::runtime_error if the description cannot be written. */
  Recording(std::unique_ptr<RecordingSink> sink,
            RecordingDescription description, RecordingOptions options = {});
  /** Closes as Close() does if nothing failed and no exception is on its way;
  else the file keeps its partial name, with all that was written. Errors are
  lost here: call Close(). */
  ~Recording();

  /** The description that was given to the constructor, with names filled
  in. */
  const RecordingDescription& description() const { return description_; }

  /** Writes a sample of all signals of a group, as many numbers as it has.
  @throws std::logic_error if the group does not exist, the size is wrong, time
  goes back, or the recording was closed.
  @throws std::runtime_error if the time or a number is not finite, naming
  signal and element; if the queue is full or a record greater than it; or if
  the sink failed. */
  void WriteFrame(int group, double time, const double* values, int size);
  /** As WriteFrame() to a group that there is, of the size that it has, without
  a lock: no other thread may write meanwhile. */
  void WriteFrameAlone(int group, double time, const double* values, int size);
  /** Writes a sample of a text signal, a JSON object. */
  void WriteText(int signal, double time, std::string_view json);
  /** Writes that something happened.
  @param level "info", "warning", "error" */
  void WriteEvent(double time, std::string_view level, std::string_view text);

  /** Waits until all that was written can be read.
  @throws std::runtime_error if the sink failed. */
  void Flush();
  /** Writes what is left and ends the file; a second call does nothing.
  @param statistics what is known only now.
  @throws std::runtime_error if the sink failed; the file then keeps its partial
  name. */
  void Close(const std::map<std::string, std::string>& statistics = {});

  /** True until Close(). */
  bool is_open() const { return thread_.joinable(); }
  /** Records written so far. */
  std::int64_t num_records() const { return num_records_; }

 private:
  void RequireOpen(const char* function) const;
  void RequireTime(const char* function, double time, double* last);
  [[noreturn]] void ThrowNotFinite(int group, const double* values) const;
  void Push(const internal::RecordHeader& header, const void* data);
  void RethrowFailure();
  void StopThread();
  // Functions of the thread.
  void WriteAll();
  void Handle(const internal::RecordHeader& header,
              const std::vector<char>& data);

  const std::unique_ptr<RecordingSink> sink_;
  const RecordingDescription description_;
  const RecordingOptions options_;
  internal::RecordQueue queue_;
  wyvern::internal::UnwindingWatch unwinding_;
  // Data of the writer.
  std::mutex writing_;
  std::vector<double> last_of_group_;
  std::vector<double> last_of_signal_;
  std::vector<char> event_;
  std::int64_t num_records_{0};
  // Shared data, guarded by `mutex_`, except for the flags, which are also read
  // without it.
  std::mutex mutex_;
  std::condition_variable wake_thread_;
  std::condition_variable wake_writers_;
  std::uint64_t flushes_wanted_{0};
  std::uint64_t flushes_done_{0};
  std::exception_ptr failure_;
  std::atomic<bool> has_failed_{false};
  std::atomic<bool> must_stop_{false};
  std::thread thread_;
};

}  // namespace wyvern::systems
