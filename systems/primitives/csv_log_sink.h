#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/framework/leaf_system.h"
#include "wyvern/systems/primitives/publish_triggers.h"

namespace wyvern::systems {

/** Streams its input to a CSV file, one row `time, u[0], ..., u[n-1]` per
publish, in a fixed amount of memory: for runs too long to keep in a
VectorLogSink.

Input port `data`. The file is open from construction on and belongs to this
system, not to a Context: it takes the rows of the first Context that publishes
(one simulation), with time never going back; another Context or an earlier time
throws. Use one sink per simulation, with a file each.

The rows are in `<filename>.partial` until Close(), or the destructor if nothing
failed, gives the file its name; see CsvWriter. Numbers read back exactly.

A copy made by scalar conversion or Clone() has no file and writes nothing, so
that a diagram with logging can still be linearised. */
template <typename T>
class CsvLogSink final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(CsvLogSink);

  /** Names one column per element of the input; the column `time` (s) comes
  before them. Writes periodically if `publish_period` (s) is positive and per
  step if it is 0; and when forced.
  @throws std::logic_error on bad names (see CsvWriter) or a bad period.
  @throws std::runtime_error if the file cannot be opened. */
  CsvLogSink(const std::string& filename,
             const std::vector<std::string>& column_names,
             double publish_period = 0.0);

  /** Writes on the given triggers, as VectorLogSink does. */
  CsvLogSink(const std::string& filename,
             const std::vector<std::string>& column_names,
             const TriggerTypeSet& publish_triggers,
             double publish_period = 0.0);

  /** Scalar-converting copy constructor: a copy without a file. */
  template <typename U>
  explicit CsvLogSink(const CsvLogSink<U>& other)
      : CsvLogSink(other.get_input_port(0).size(), other.publish_triggers_,
                   other.publish_period_) {}

  ~CsvLogSink() override;

  /** Hands the rows so far to the operating system.
  @throws std::runtime_error if the file cannot be written. */
  void Flush();

  /** Ends the file and gives it its name; publishing afterwards throws.
  @throws std::runtime_error if the file cannot be written or renamed. */
  void Close();

  /** Rows written after the header; 0 for a copy without a file. */
  int64_t num_rows() const;

 private:
  template <typename U>
  friend class CsvLogSink;

  // The open file and what it has seen; shared by all Contexts.
  struct Stream;

  CsvLogSink(int input_size, const TriggerTypeSet& publish_triggers,
             double publish_period);

  EventStatus WriteRow(const Context<T>& context) const;

  const TriggerTypeSet publish_triggers_;
  const double publish_period_;
  // Null in a converted copy.
  std::unique_ptr<Stream> stream_;
};

/** Adds a CsvLogSink to `builder`, connected to `src`.
@throws std::logic_error also if the number of names is not the size of
`src`. */
template <typename T>
CsvLogSink<T>* LogCsvOutput(const OutputPort<T>& src,
                            DiagramBuilder<T>* builder,
                            const std::string& filename,
                            const std::vector<std::string>& column_names,
                            double publish_period = 0.0);

}  // namespace wyvern::systems
