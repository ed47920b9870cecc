#pragma once

#include <string>

#include "wyvern/multibody/tree/multibody_tree_indexes.h"
#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/common/value.h"
#include "wyvern/systems/framework/basic_vector.h"
#include "wyvern/systems/framework/context.h"
#include "wyvern/systems/framework/parameters.h"

namespace wyvern::multibody {

template <typename T>
class MultibodyPlant;

namespace internal {
template <typename T>
class MultibodyTree;
template <typename T>
class MultibodyTreeSystem;
}  // namespace internal

/** The base of everything a model is made of: bodies, frames, joints, actuators
and force elements. An element belongs to one model instance of one model, which
owns it; some have parameters that live in the Context. */
template <typename T>
class MultibodyElement {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(MultibodyElement);
  virtual ~MultibodyElement();

  /** The model instance that the element belongs to. */
  ModelInstanceIndex model_instance() const { return model_instance_; }

  /** The plant that owns this element; the caller includes multibody_plant.h.
  @throws std::logic_error if there is none. */
  template <typename = void>
  const MultibodyPlant<T>& GetParentPlant() const {
    const auto* plant =
        dynamic_cast<const MultibodyPlant<T>*>(&GetParentTreeSystem());
    if (plant == nullptr) ThrowNoParent("MultibodyPlant");
    return *plant;
  }

  /** Declares this element's parameters with its system, at Finalize(). */
  void DeclareParameters(internal::MultibodyTreeSystem<T>* tree_system);
  /** Sets this element's parameters to its default values. */
  void SetDefaultParameters(systems::Parameters<T>* parameters) const;

 protected:
  MultibodyElement();
  explicit MultibodyElement(ModelInstanceIndex model_instance)
      : model_instance_(model_instance) {}

  bool has_parent_tree() const { return parent_tree_ != nullptr; }
  /** Returns the model that owns this element.
  @throws std::logic_error if no model owns this element. */
  const internal::MultibodyTree<T>& get_parent_tree() const {
    if (parent_tree_ == nullptr) ThrowNoParent("model");
    return *parent_tree_;
  }
  const internal::MultibodyTreeSystem<T>& GetParentTreeSystem() const;

  systems::NumericParameterIndex DeclareNumericParameter(
      internal::MultibodyTreeSystem<T>* tree_system,
      const systems::BasicVector<T>& model_vector);

  systems::AbstractParameterIndex DeclareAbstractParameter(
      internal::MultibodyTreeSystem<T>* tree_system,
      const AbstractValue& model_value);

  virtual void DoDeclareParameters(internal::MultibodyTreeSystem<T>*) {}
  virtual void DoSetDefaultParameters(systems::Parameters<T>*) const {}

  /** Checks that a Context is of the element's model.
  @throws std::logic_error if the element's system did not make `context`:
  every accessor that takes a Context asks this first. */
  void ValidateContext(const systems::Context<T>& context) const;

 private:
  friend class internal::MultibodyTree<T>;

  [[noreturn]] void ThrowNoParent(const char* wanted) const;

  const internal::MultibodyTree<T>* parent_tree_{};
  ModelInstanceIndex model_instance_;
};

}  // namespace wyvern::multibody
