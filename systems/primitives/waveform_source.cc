#include "wyvern/systems/primitives/waveform_source.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/primitives/overflow_check.h"

namespace wyvern::systems {

template <typename T>
WaveformSource<T>::WaveformSource(const Waveform& waveform)
    : WaveformSource(std::vector<Waveform>{waveform}) {}

template <typename T>
WaveformSource<T>::WaveformSource(std::vector<Waveform> waveforms)
    : LeafSystem<T>(SystemTypeTag<WaveformSource>{}),
      waveforms_(std::move(waveforms)) {
  wyvern::internal::RequireNotEmpty("WaveformSource", "waveforms",
                                    waveforms_.empty());
  this->DeclareVectorOutputPort("y", static_cast<int>(waveforms_.size()),
                                &WaveformSource<T>::CalcOutput,
                                {this->time_ticket()});
  this->DeclareBreakTimes();
}

template <typename T>
WaveformSource<T>::~WaveformSource() = default;

template <typename T>
void WaveformSource<T>::CalcOutput(const Context<T>& context,
                                   BasicVector<T>* y) const {
  for (int i = 0; i < y->size(); ++i) {
    (*y)[i] = waveforms_[i].Calc(context.get_time());
  }
  internal::RequireNoOverflow(*this, context, *y);
}

template <typename T>
void WaveformSource<T>::DoCalcNextBreakTime(const Context<T>&, const T& after,
                                            T* time) const {
  double first = std::numeric_limits<double>::infinity();
  for (const Waveform& waveform : waveforms_) {
    first = std::min(first, waveform.CalcNextBreak(ToDouble(after)));
  }
  *time = T(first);
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::WaveformSource);
