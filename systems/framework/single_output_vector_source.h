#pragma once

#include <memory>
#include <utility>

#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** A LeafSystem with one vector output port, "y0", and no input: override
DoCalcVectorOutput(). */
template <typename T>
class SingleOutputVectorSource : public LeafSystem<T> {
 public:
  ~SingleOutputVectorSource() override = default;

  /** The only output port, "y0". */
  const OutputPort<T>& get_output_port() const {
    return LeafSystem<T>::get_output_port(0);
  }
  void get_output_port(int) = delete;

 protected:
  explicit SingleOutputVectorSource(int size)
      : SingleOutputVectorSource(SystemScalarConverter{}, size) {}
  explicit SingleOutputVectorSource(const BasicVector<T>& model_vector)
      : SingleOutputVectorSource(SystemScalarConverter{}, model_vector) {}
  SingleOutputVectorSource(SystemScalarConverter converter, int size)
      : SingleOutputVectorSource(std::move(converter), BasicVector<T>(size)) {}
  SingleOutputVectorSource(SystemScalarConverter converter,
                           const BasicVector<T>& model_vector)
      : LeafSystem<T>(std::move(converter)) {
    this->DeclareVectorOutputPort(
        kUseDefaultName, model_vector,
        [this](const Context<T>& context, BasicVector<T>* output) {
          Eigen::VectorBlock<VectorX<T>> block = output->get_mutable_value();
          this->DoCalcVectorOutput(context, &block);
        });
  }

  virtual void DoCalcVectorOutput(
      const Context<T>& context,
      Eigen::VectorBlock<VectorX<T>>* output) const = 0;
};

}  // namespace wyvern::systems
