#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "wyvern/systems/framework/leaf_system.h"
#include "wyvern/systems/recording/recording.h"

namespace wyvern::systems {

template <typename T>
class DiagramBuilder;

/** Records signals of a simulation into one file, .csv, .h5 or .mcap, through a
Recording, each at its period and whenever a publish is forced.

@code
DiagramBuilder<double> builder;
auto* sine = builder.AddSystem<Sine<double>>(1.0, 2.0, 0.0, 1);
auto* recorder = builder.AddSystem<Recorder<double>>("run.h5");
Record(sine->get_output_port(0),
       {.name = "sine", .unit = "m", .period = 0.001}, recorder, &builder);
Simulator<double> simulator(builder.Build());
simulator.AdvanceTo(10);
recorder->Close();  // or let the destructor do it, which can report no error
@endcode

The file `<filename>.partial` is open from construction on, and is the file once
closed. It belongs to this System, not to a Context: it takes the samples of the
first Context that publishes (one simulation), with time never going back.
Signals are added before that. A copy made by scalar conversion or Clone() has
no file and records nothing, so that a diagram that records can be linearised.
*/
template <typename T>
class Recorder final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Recorder);

  /** Makes numbers of an abstract value. */
  using ToNumbers =
      std::function<void(const AbstractValue&, Eigen::Ref<Eigen::VectorXd>)>;
  /** Appends an abstract value as a JSON object to a text, which is empty. */
  using ToJson = std::function<void(const AbstractValue&, std::string*)>;

  /** Makes a recorder that writes to `filename`; its extension decides the
  format: .csv, .h5 or .mcap.
  @throws as OpenRecordingSink(), and as Recording of the options. */
  explicit Recorder(const std::string& filename,
                    const RecordingOptions& options = {});
  /** Scalar-converting copy constructor: a copy without a file. */
  template <typename U>
  explicit Recorder(const Recorder<U>& other);
  ~Recorder() override;

  /** @name What is recorded
  Each adds an input port of the signal's name.
  @throws std::logic_error as RecordingDescription::AddSignal(), or if something
  was recorded already.
  @{ */
  /** A vector signal of `size` elements. */
  const InputPort<T>& AddSignal(const SignalDescription& description, int size);
  /** An abstract value of the type of `model`, as `size` numbers. */
  const InputPort<T>& AddSignal(const SignalDescription& description, int size,
                                const AbstractValue& model,
                                ToNumbers to_numbers);
  /** An abstract value of the type of `model`, as texts. */
  const InputPort<T>& AddTextSignal(const SignalDescription& description,
                                    const AbstractValue& model, ToJson to_json);
  /** Says what the run is of. */
  void SetAttribute(const std::string& name, const std::string& text);
  /** Puts a copy of a file into the recording.
  @throws std::logic_error also as RecordingDescription::AddFile(). */
  void AddFile(const std::string& name, std::string contents);
  /** @} */

  /** Records that something happened; it may be called from a handler of
  warnings. Starts the recording, if nothing was recorded before. */
  void WriteEvent(double time, std::string_view level, std::string_view text);
  /** Waits until all that was recorded can be read. */
  void Flush();
  /** Ends the file and gives it its name; recording afterwards throws.
  @throws std::runtime_error if it could not be written. */
  void Close(const std::map<std::string, std::string>& statistics = {});
  /** Samples and events so far; 0 for a copy without a file. */
  std::int64_t num_records() const;

 private:
  template <typename U>
  friend class Recorder;

  // The file, and what has been seen; shared by all Contexts.
  struct Stream;
  // Source of an input port; for an abstract port, one of the functions is set.
  struct Channel {
    std::shared_ptr<const AbstractValue> model;
    ToNumbers to_numbers;
    ToJson to_json;
  };

  Recorder();

  const InputPort<T>& Add(const SignalDescription& description, int size,
                          Channel channel);
  Stream& stream_to_change(const char* function) const;
  // Records the signals of the event at `periods_[index]`.
  EventStatus RecordPeriod(const Context<T>& context, int index) const;
  EventStatus RecordAll(const Context<T>& context) const;
  void RequireSource(const Context<T>& context) const;
  void RecordGroup(const Context<T>& context, int group) const;
  void RecordText(const Context<T>& context, int signal) const;

  RecordingDescription description_;
  // By signal.
  std::vector<Channel> channels_;
  // Periods that have an event.
  std::vector<double> periods_;
  // Null in a converted copy.
  std::unique_ptr<Stream> stream_;
};

/** Adds `src`, a vector port, to what is recorded, and connects it.
@throws std::logic_error also if it has no vectors, or the recorder is null. */
template <typename T>
void Record(const OutputPort<T>& src, const SignalDescription& description,
            Recorder<T>* recorder, DiagramBuilder<T>* builder);

}  // namespace wyvern::systems
