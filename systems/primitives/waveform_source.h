#pragma once

#include <vector>

#include "wyvern/systems/framework/leaf_system.h"
#include "wyvern/systems/primitives/waveform.h"

namespace wyvern::systems {

/** A source whose output port `y` has a Waveform in each element, at the
Context's time. Edges and kinks of the waveforms are breaks, so an integrator's
step ends at each of them and pulses of any width are integrated exactly:
@code
const WaveformSource<double> step(Waveform::Step(1.0, 0.0, 5.0));
@endcode */
template <typename T>
class WaveformSource final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(WaveformSource);

  /** A scalar output. */
  explicit WaveformSource(const Waveform& waveform);
  /** An element per waveform.
  @throws std::logic_error if there is none. */
  explicit WaveformSource(std::vector<Waveform> waveforms);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit WaveformSource(const WaveformSource<U>& other)
      : WaveformSource(other.waveforms()) {}

  ~WaveformSource() override;

  /** The waveform of each element. */
  const std::vector<Waveform>& waveforms() const { return waveforms_; }

 private:
  void CalcOutput(const Context<T>& context, BasicVector<T>* y) const;
  void DoCalcNextBreakTime(const Context<T>& context, const T& after,
                           T* time) const final;

  const std::vector<Waveform> waveforms_;
};

}  // namespace wyvern::systems
