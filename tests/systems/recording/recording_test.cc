#include "wyvern/systems/recording/recording.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "wyvern/systems/common/json_text.h"

namespace wyvern::systems {
namespace recording_test {

// Records that a sink received; the sink may be held up, and may fail.
struct Seen {
  std::vector<std::string> calls;
  std::vector<double> times;
  std::vector<double> numbers;
  std::atomic<int> frames{0};
  std::atomic<bool> is_held{false};
  int fails_at{-1};
  bool is_closed{false};
  std::thread::id thread;
};

class MemorySink final : public RecordingSink {
 public:
  explicit MemorySink(Seen* seen) : seen_(*seen) {}
  void Start(const RecordingDescription& description) override {
    seen_.calls.push_back("start");
    for (const auto& group : description.groups) sizes_.push_back(group.size);
  }
  void WriteFrame(int group, double time, const double* values) override {
    seen_.thread = std::this_thread::get_id();
    while (seen_.is_held) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    if (seen_.frames == seen_.fails_at) {
      throw std::runtime_error("the disk is full");
    }
    ++seen_.frames;
    seen_.times.push_back(time);
    seen_.numbers.insert(seen_.numbers.end(), values, values + sizes_[group]);
  }
  void WriteText(int signal, double, std::string_view json) override {
    seen_.calls.push_back("text " + std::to_string(signal) + " " +
                          std::string(json));
  }
  void WriteEvent(double, std::string_view level,
                  std::string_view text) override {
    seen_.calls.push_back(std::string(level) + ": " + std::string(text));
  }
  void Flush() override { seen_.calls.push_back("flush"); }
  void Close(const std::map<std::string, std::string>& statistics) override {
    seen_.calls.push_back(
        "close " + (statistics.empty() ? "" : statistics.begin()->second));
    seen_.is_closed = true;
  }
  const std::string& filename() const override { return name_; }

 private:
  Seen& seen_;
  std::vector<int> sizes_;
  std::string name_{"memory"};
};

RecordingDescription TwoSignals() {
  RecordingDescription description;
  description.AddSignal({.name = "a", .period = 0.1}, 2);
  description.AddSignal({.name = "b", .period = 0.1}, 1);
  description.AddTextSignal({.name = "c"});
  return description;
}

std::unique_ptr<Recording> MakeRecording(Seen* seen,
                                         RecordingOptions options = {}) {
  return std::make_unique<Recording>(std::make_unique<MemorySink>(seen),
                                     TwoSignals(), options);
}

void WriteRows(int count, Recording* recording, int first = 0) {
  for (int i = first; i < first + count; ++i) {
    const double row[3] = {1.0 * i, 2.0 * i, 3.0 * i};
    recording->WriteFrame(0, 0.1 * i, row, 3);
  }
}

TEST(Recording, BringsAllToTheSinkInOrderOnAThreadOfItsOwn) {
  Seen seen;
  const auto recording = MakeRecording(&seen);
  WriteRows(1000, recording.get());
  recording->WriteText(2, 7, "{}");
  recording->WriteEvent(8, "warning", "it slips");
  EXPECT_EQ(recording->num_records(), 1002);
  recording->Close({{"end", "well"}});
  EXPECT_FALSE(recording->is_open());
  ASSERT_EQ(seen.times.size(), 1000);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(seen.times[i], 0.1 * i);
    EXPECT_EQ(seen.numbers[3 * i + 2], 3.0 * i);
  }
  const std::vector<std::string> calls{"start", "text 2 {}",
                                       "warning: it slips", "close well"};
  EXPECT_EQ(seen.calls, calls);
  EXPECT_NE(seen.thread, std::this_thread::get_id());
}

// A queue of 30 frames, and a sink that is held up: nothing is lost.
TEST(Recording, WaitsForASlowSink) {
  Seen seen;
  seen.is_held = true;
  const auto recording = MakeRecording(&seen, {.queue_bytes = 2048});
  std::atomic<bool> is_done{false};
  std::thread writer([&] {
    WriteRows(500, recording.get());
    is_done = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_FALSE(is_done);
  seen.is_held = false;
  writer.join();
  recording->Close({{"end", ""}});
  ASSERT_EQ(seen.frames, 500);
  for (int i = 0; i < 500; ++i) EXPECT_EQ(seen.times[i], 0.1 * i);
}

TEST(Recording, ThrowsIfToldToWhenTheSinkIsSlow) {
  Seen seen;
  seen.is_held = true;
  const auto recording = MakeRecording(
      &seen,
      {.queue_bytes = 2048, .when_full = RecordingOptions::WhenFull::kThrow});
  EXPECT_THROWS_MESSAGE(WriteRows(500, recording.get()), std::runtime_error,
                        "'memory': the queue of 2048 bytes is full at time");
  const std::int64_t written = recording->num_records();
  seen.is_held = false;
  recording->Close({{"end", ""}});
  EXPECT_EQ(seen.frames, written);
}

TEST(Recording, ThrowsWhatTheSinkThrewFromThenOn) {
  Seen seen;
  seen.fails_at = 10;
  const auto recording = MakeRecording(&seen, {.queue_bytes = 2048});
  EXPECT_THROWS_MESSAGE(WriteRows(100000, recording.get()), std::runtime_error,
                        "the disk is full");
  EXPECT_THROWS_MESSAGE(recording->Flush(), std::runtime_error,
                        "the disk is full");
  EXPECT_THROWS_MESSAGE(recording->Close(), std::runtime_error,
                        "the disk is full");
  EXPECT_FALSE(seen.is_closed);
}

TEST(Recording, FlushesWhenAskedAndAtIntervals) {
  Seen seen;
  const auto recording = MakeRecording(&seen, {.flush_interval = 0.01});
  WriteRows(10, recording.get());
  recording->Flush();
  EXPECT_EQ(seen.frames, 10);
  EXPECT_EQ(seen.calls.back(), "flush");
  const std::size_t flushes = seen.calls.size();
  WriteRows(10, recording.get(), 10);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  recording->Close({{"end", ""}});
  // One more flush before the close.
  EXPECT_GE(seen.calls.size(), flushes + 2);
}

TEST(Recording, IsNotClosedByAnException) {
  Seen seen;
  try {
    const auto recording = MakeRecording(&seen);
    WriteRows(10, recording.get());
    throw std::runtime_error("the run broke off");
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(seen.frames, 10);
  EXPECT_FALSE(seen.is_closed);
  EXPECT_EQ(seen.calls.back(), "flush");
}

TEST(Recording, RefusesWhatCannotBeRead) {
  Seen seen;
  const auto recording = MakeRecording(&seen, {.queue_bytes = 1024});
  double row[3] = {0, 0, 0};
  recording->WriteFrame(0, 1, row, 3);
  EXPECT_THROWS_MESSAGE(recording->WriteFrame(0, 0.9, row, 3), std::logic_error,
                        "'memory' has time 1 and was given 0.9");
  EXPECT_THROWS_MESSAGE(recording->WriteFrame(0, NAN, row, 3),
                        std::runtime_error, "the time is nan");
  EXPECT_THROWS_MESSAGE(recording->WriteFrame(0, 1, row, 2), std::logic_error,
                        "values has size 2; it must have size 3");
  EXPECT_THROWS_MESSAGE(recording->WriteFrame(1, 1, row, 3), std::out_of_range,
                        "group is 1");
  row[1] = INFINITY;
  EXPECT_THROWS_MESSAGE(recording->WriteFrame(0, 2, row, 3), std::runtime_error,
                        "a[1] of the signal 'a' is inf; only finite numbers");
  EXPECT_THROWS_MESSAGE(recording->WriteText(0, 1, "{}"), std::logic_error,
                        "the signal 'a' is of numbers");
  EXPECT_THROWS_MESSAGE(recording->WriteText(2, 1, std::string(2000, ' ')),
                        std::runtime_error,
                        "a record has 2024 bytes and the "
                        "queue 1024");
  recording->Close({{"end", ""}});
  EXPECT_THROWS_MESSAGE(recording->WriteFrame(0, 3, row, 3), std::logic_error,
                        "'memory' was closed already");
  EXPECT_EQ(seen.frames, 1);
}

TEST(Recording, RefusesBadOptions) {
  Seen seen;
  EXPECT_THROWS_MESSAGE(MakeRecording(&seen, {.queue_bytes = 100}),
                        std::logic_error, "queue_bytes is 100");
  EXPECT_THROWS_MESSAGE(MakeRecording(&seen, {.flush_interval = NAN}),
                        std::logic_error, "flush_interval is nan");
  EXPECT_THROWS_MESSAGE(Recording(nullptr, {}), std::logic_error,
                        "sink is null");
}

TEST(Recording, AllocatesNothingOnTheThreadThatWrites) {
  Seen seen;
  const auto recording = MakeRecording(&seen);
  WriteRows(10, recording.get());
  const std::string json(100, ' ');
  recording->WriteText(2, 0, json);
  recording->WriteEvent(0, "info", "a text of some length, but not more");
  wyvern::test::AllocationGuard guard;
  WriteRows(10000, recording.get(), 10);
  recording->WriteText(2, 1, json);
  recording->WriteEvent(1, "info", "another text");
  EXPECT_EQ(guard.count(), 0);
}

TEST(RecordingDescription, PutsSignalsOfAPeriodIntoAGroup) {
  RecordingDescription description;
  EXPECT_EQ(description.AddSignal({.name = "a", .period = 0.1}, 2), 0);
  EXPECT_EQ(description.AddSignal({.name = "b/c", .period = 0.2}, 1), 1);
  EXPECT_EQ(description.AddTextSignal({.name = "t", .period = 0.1}), 2);
  EXPECT_EQ(description.AddSignal({.name = "b/d", .period = 0.1}, 3), 3);
  ASSERT_EQ(description.groups.size(), 2);
  EXPECT_EQ(description.groups[0].signals, (std::vector<int>{0, 3}));
  EXPECT_EQ(description.groups[0].size, 5);
  EXPECT_EQ(description.groups[1].size, 1);
  const auto& names = description.signals[0].description.element_names;
  EXPECT_EQ(names, (std::vector<std::string>{"a[0]", "a[1]"}));
  EXPECT_EQ(description.signals[1].description.element_names[0], "b/c");
}

TEST(RecordingDescription, RefusesNamesThatCannotBePaths) {
  RecordingDescription description;
  description.AddSignal({.name = "a/b"}, 1);
  for (const std::string name :
       {"", "/a", "a/", "a//b", "a/../b", ".", "a\nb"}) {
    EXPECT_THROWS_MESSAGE(description.AddSignal({.name = name}, 1),
                          std::logic_error, "the signal's name");
  }
  for (const std::string name : {"a", "a/b", "a/b/c"}) {
    EXPECT_THROWS_MESSAGE(description.AddTextSignal({.name = name}),
                          std::logic_error, "collides with 'a/b'");
  }
  EXPECT_THROWS_MESSAGE(description.AddSignal({.name = "p", .period = -1}, 1),
                        std::logic_error, "signal 'p': period is -1");
  EXPECT_THROWS_MESSAGE(
      description.AddSignal({.name = "p", .element_names = {"x"}}, 2),
      std::logic_error, "element_names has size 1; it must have size 2");
  EXPECT_THROWS_MESSAGE(
      description.AddSignal({.name = "p", .element_names = {"x", "x"}}, 2),
      std::logic_error, "two elements of the name 'x'");
  EXPECT_EQ(description.signals.size(), 1);
}

TEST(JsonText, IsWhatJsonAllows) {
  using wyvern::internal::JsonString;
  EXPECT_EQ(JsonString("a\"b\\c\n\x01"), "\"a\\\"b\\\\c\\u000a\\u0001\"");
  EXPECT_EQ(JsonString("\xc3\xa4 \xe2\x82\xac"), "\"\xc3\xa4 \xe2\x82\xac\"");
  // Not UTF-8: a byte alone, cut off, an overlong form, a surrogate.
  EXPECT_EQ(JsonString("\xff"), "\"\\ufffd\"");
  EXPECT_EQ(JsonString("a\xc3"), "\"a\\ufffd\"");
  EXPECT_EQ(JsonString("\xc0\x80"), "\"\\ufffd\\ufffd\"");
  EXPECT_EQ(JsonString("\xed\xa0\x80"), "\"\\ufffd\\ufffd\\ufffd\"");
  std::string numbers;
  for (const double x : {0.1, -1e300, 1.0 / 0.0}) {
    wyvern::internal::AppendJsonNumber(x, &numbers);
    numbers += ' ';
  }
  EXPECT_EQ(numbers, "0.1 -1e+300 null ");
}

}  // namespace recording_test
}  // namespace wyvern::systems
