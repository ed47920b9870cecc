#include "wyvern/systems/primitives/sine.h"

#include <cmath>
#include <string_view>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/primitives/overflow_check.h"
#include "wyvern/systems/primitives/the_one_value.h"

namespace wyvern::systems {

namespace {

Eigen::VectorXd RepeatParameter(std::string_view what, double value, int size) {
  wyvern::internal::RequireAtLeast("Sine", "size", size, 0);
  wyvern::internal::RequireFinite("Sine", what, value);
  return Eigen::VectorXd::Constant(size, value);
}

}  // namespace

template <typename T>
Sine<T>::Sine(double amplitude, double frequency, double phase, int size,
              bool is_time_based)
    : Sine(RepeatParameter("amplitude", amplitude, size),
           RepeatParameter("frequency", frequency, size),
           RepeatParameter("phase", phase, size), is_time_based) {}

template <typename T>
Sine<T>::Sine(const Eigen::VectorXd& amplitudes,
              const Eigen::VectorXd& frequencies, const Eigen::VectorXd& phases,
              bool is_time_based)
    : LeafSystem<T>(SystemTypeTag<Sine>{}),
      amplitude_(amplitudes),
      frequency_(frequencies),
      phase_(phases),
      is_time_based_(is_time_based) {
  const int size = static_cast<int>(amplitudes.size());
  wyvern::internal::RequireSize("Sine", "frequencies", frequencies.size(),
                                size);
  wyvern::internal::RequireSize("Sine", "phases", phases.size(), size);
  wyvern::internal::RequireFinite("Sine", "amplitudes", amplitudes);
  wyvern::internal::RequireFinite("Sine", "frequencies", frequencies);
  wyvern::internal::RequireFinite("Sine", "phases", phases);
  if (!is_time_based) this->DeclareVectorInputPort(kUseDefaultName, size);
  const DependencyTicket source =
      is_time_based ? this->time_ticket() : this->all_input_ports_ticket();
  this->DeclareVectorOutputPort(kUseDefaultName, size, &Sine<T>::CalcValue,
                                {source});
  this->DeclareVectorOutputPort(kUseDefaultName, size,
                                &Sine<T>::CalcFirstDerivative, {source});
  this->DeclareVectorOutputPort(kUseDefaultName, size,
                                &Sine<T>::CalcSecondDerivative, {source});
}

template <typename T>
double Sine<T>::amplitude() const {
  return internal::TheOneValue("Sine::amplitude()", amplitude_,
                               "amplitude_vector()");
}

template <typename T>
double Sine<T>::frequency() const {
  return internal::TheOneValue("Sine::frequency()", frequency_,
                               "frequency_vector()");
}

template <typename T>
double Sine<T>::phase() const {
  return internal::TheOneValue("Sine::phase()", phase_, "phase_vector()");
}

template <typename T>
void Sine<T>::CalcValue(const Context<T>& context, BasicVector<T>* y) const {
  Fill(
      context,
      [](double a, double, const T& angle) {
        using std::sin;
        return T(a * sin(angle));
      },
      y);
}

template <typename T>
void Sine<T>::CalcFirstDerivative(const Context<T>& context,
                                  BasicVector<T>* y) const {
  Fill(
      context,
      [](double a, double w, const T& angle) {
        using std::cos;
        return T((a * w) * cos(angle));
      },
      y);
}

template <typename T>
void Sine<T>::CalcSecondDerivative(const Context<T>& context,
                                   BasicVector<T>* y) const {
  Fill(
      context,
      [](double a, double w, const T& angle) {
        using std::sin;
        return T((-a * w * w) * sin(angle));
      },
      y);
}

template <typename T>
template <typename Function>
void Sine<T>::Fill(const Context<T>& context, Function f,
                   BasicVector<T>* y) const {
  const VectorX<T>* u =
      is_time_based_ ? nullptr : &this->get_input_port(0).Eval(context);
  for (int i = 0; i < y->size(); ++i) {
    const T& t = is_time_based_ ? context.get_time() : (*u)[i];
    (*y)[i] = f(amplitude_[i], frequency_[i], T(frequency_[i] * t + phase_[i]));
  }
  internal::RequireNoOverflow(*this, context, *y);
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::Sine);
