#pragma once

#include <memory>
#include <string>
#include <type_traits>

#include "wyvern/systems/common/autodiff.h"
#include "wyvern/systems/common/value.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

namespace internal {

/** Makes the model of a port's abstract value for each scalar; empty for vector
ports. */
struct PortModelMaker {
  using Function = std::unique_ptr<AbstractValue> (*)();

  template <typename OutputType>
  static PortModelMaker ForType() {
    return {&AbstractValue::Make<OutputType>, &AbstractValue::Make<OutputType>};
  }
  template <template <typename> class OutputType>
  static PortModelMaker ForTemplate() {
    return {&AbstractValue::Make<OutputType<double>>,
            &AbstractValue::Make<OutputType<AutoDiffXd>>};
  }

  template <typename T>
  std::unique_ptr<AbstractValue> Make() const {
    return std::is_same_v<T, double> ? for_double() : for_autodiff();
  }

  Function for_double{};
  Function for_autodiff{};
};

}  // namespace internal

/** Copies one of several inputs to its output; another input says which.

Input port 0 `port_selector` takes the InputPortIndex of the port to copy (an
abstract value); DeclareInputPort() adds the others, with indices from 1. Output
port `value`, direct feedthrough from all, but only the selected port is
evaluated. All are vectors of one size or abstract values of one type. */
template <typename T>
class PortSwitch final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(PortSwitch);

  /** Switches between vectors. @throws std::logic_error if the size is below
  1. */
  explicit PortSwitch(int vector_size)
      : PortSwitch(vector_size, internal::PortModelMaker{}) {}

  /** Switches between abstract values of type OutputType. The type does not
  change on scalar conversion. */
  template <typename OutputType>
  requires(
      !std::is_convertible_v<OutputType, int> &&
      std::is_default_constructible_v<
          OutputType>) explicit PortSwitch(const OutputType& /* model_value */)
      : PortSwitch(0, internal::PortModelMaker::ForType<OutputType>()) {}

  /** Declares the ports of a template on the scalar type, such as
  RigidTransform<T>, which scalar conversion converts. */
  template <template <typename> class OutputType>
  explicit PortSwitch(const OutputType<T>& /* dummy_value */)
      : PortSwitch(0, internal::PortModelMaker::ForTemplate<OutputType>()) {}

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit PortSwitch(const PortSwitch<U>& other)
      : PortSwitch(other.vector_size_, other.make_model_) {
    for (int i = 1; i < other.num_input_ports(); ++i) {
      DeclareInputPort(other.get_input_port(i).get_name());
    }
  }

  /** The port that takes the InputPortIndex. */
  const InputPort<T>& get_port_selector_input_port() const {
    return this->get_input_port(0);
  }

  /** Adds an input to choose from. @throws std::logic_error if the name is
  taken, or if a Context of this System exists, which would lack the port. */
  const InputPort<T>& DeclareInputPort(std::string name);

 private:
  template <typename U>
  friend class PortSwitch;

  PortSwitch(int vector_size, const internal::PortModelMaker& make_model);

  bool is_abstract() const { return make_model_.for_double != nullptr; }
  const InputPort<T>& SelectedPort(const Context<T>& context) const;
  void CopyVectorOut(const Context<T>& context, BasicVector<T>* y) const;
  void CopyAbstractOut(const Context<T>& context, AbstractValue* y) const;

  const int vector_size_;
  const internal::PortModelMaker make_model_;
};

}  // namespace wyvern::systems
