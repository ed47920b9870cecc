#pragma once

#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "wyvern/systems/common/output_file.h"
#include "wyvern/systems/primitives/csv_writer.h"
#include "wyvern/systems/recording/recording_sink.h"

namespace wyvern::systems {

/** A CSV file by a CsvWriter: a row `time, numbers...` a sample, so that all
signals have one period. Columns are called "signal/element", for one signal as
for several.

It has no place for texts, units, attributes and statistics. Events go to
`<filename>.events.csv`, in rows `time,level,text`, which is there as soon as
there is one. */
class CsvRecordingSink final : public RecordingSink {
 public:
  /** Opens the partial file; throws as CsvWriter does. */
  explicit CsvRecordingSink(const std::string& filename);

  /** Takes the names and writes the line of names.
  @throws std::logic_error also if there is a text signal, or no signal, or
  two of different periods. */
  void Start(const RecordingDescription& description) override;
  void WriteFrame(int group, double time, const double* values) override;
  void WriteText(int signal, double time, std::string_view json) override;
  void WriteEvent(double time, std::string_view level,
                  std::string_view text) override;
  void Flush() override;
  void Close(const std::map<std::string, std::string>& statistics) override;
  void Discard() override { writer_.Discard(); }
  const std::string& filename() const override { return writer_.filename(); }

 private:
  CsvWriter writer_;
  wyvern::internal::UniqueFile events_;
  Eigen::VectorXd row_;
};

}  // namespace wyvern::systems
