#include "wyvern/multibody/plant/plant_state.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/systems/common/default_scalars.h"

/* State in and out. x = [q; v] is one vector of the Context; of a model
instance it is the entries that Finalize() listed for it (InstanceIndices),
in increasing order. Reading gathers those entries, writing scatters them,
and whatever is written is checked first: sizes, then that every number is
finite, so that a refused call changes nothing. */

namespace wyvern::multibody {

using internal::Deref;
using systems::Context;
using systems::State;

template <typename T>
const std::vector<int>& PlantState<T>::indices(
    ModelInstanceIndex model_instance, Quantity quantity,
    const char* function) const {
  const internal::InstanceIndices& all =
      core_.tree().instance(model_instance, function);
  return quantity == Quantity::kPositions    ? all.q
         : quantity == Quantity::kVelocities ? all.v
                                             : all.u;
}

template <typename T>
int PlantState<T>::whole_size(Quantity quantity) const {
  return quantity == Quantity::kPositions    ? core_.num_q()
         : quantity == Quantity::kVelocities ? core_.num_v()
                                             : core_.tree().num_actuated_dofs();
}

template <typename T>
void PlantState<T>::Gather(const char* function,
                           ModelInstanceIndex model_instance, Quantity quantity,
                           const Eigen::Ref<const VectorX<T>>& whole,
                           EigenPtr<VectorX<T>> part) const {
  const std::vector<int>& from = indices(model_instance, quantity, function);
  internal::RequireSize({"MultibodyPlant", function},
                        "the whole model's vector", whole.size(),
                        whole_size(quantity));
  wyvern::internal::RequireNotNull({"MultibodyPlant", function},
                                   "the output vector", part);
  internal::RequireSize({"MultibodyPlant", function},
                        "the model instance's vector", part->size(),
                        from.size());
  for (int i = 0; i < static_cast<int>(from.size()); ++i) {
    (*part)[i] = whole[from[i]];
  }
}

template <typename T>
void PlantState<T>::Scatter(const char* function,
                            ModelInstanceIndex model_instance,
                            Quantity quantity,
                            const Eigen::Ref<const VectorX<T>>& part,
                            EigenPtr<VectorX<T>> whole) const {
  const std::vector<int>& to = indices(model_instance, quantity, function);
  wyvern::internal::RequireNotNull({"MultibodyPlant", function},
                                   "the output vector", whole);
  internal::RequireSize({"MultibodyPlant", function},
                        "the whole model's vector", whole->size(),
                        whole_size(quantity));
  internal::RequireSize({"MultibodyPlant", function},
                        "the model instance's vector", part.size(), to.size());
  for (int i = 0; i < static_cast<int>(to.size()); ++i) {
    (*whole)[to[i]] = part[i];
  }
}

template <typename T>
void PlantState<T>::RequireFiniteState(
    const char* function, const Eigen::Ref<const VectorX<T>>& x) const {
  internal::RequireFinite({"MultibodyPlant", function}, "the state", x);
}

template <typename T>
Eigen::VectorBlock<const VectorX<T>> PlantState<T>::GetPositionsAndVelocities(
    const Context<T>& context) const {
  const VectorX<T>& x = core_.StateVector(context);
  return x.head(x.size());
}

template <typename T>
VectorX<T> PlantState<T>::GetPositionsAndVelocities(
    const Context<T>& context, ModelInstanceIndex model_instance) const {
  const internal::InstanceIndices& all =
      core_.tree().instance(model_instance, "GetPositionsAndVelocities");
  VectorX<T> result(all.q.size() + all.v.size());
  GetPositionsAndVelocities(context, model_instance, &result);
  return result;
}

template <typename T>
void PlantState<T>::GetPositionsAndVelocities(
    const Context<T>& context, ModelInstanceIndex model_instance,
    EigenPtr<VectorX<T>> qv_out) const {
  const internal::InstanceIndices& all =
      core_.tree().instance(model_instance, "GetPositionsAndVelocities");
  const VectorX<T>& x = core_.StateVector(context);
  if (qv_out == nullptr) {
    throw std::logic_error(
        "MultibodyPlant::GetPositionsAndVelocities(): the output vector is "
        "null.");
  }
  internal::RequireSize("MultibodyPlant::GetPositionsAndVelocities",
                        "the output vector", qv_out->size(),
                        all.q.size() + all.v.size());
  int out = 0;
  for (int i : all.q) (*qv_out)[out++] = x[i];
  for (int i : all.v) (*qv_out)[out++] = x[core_.num_q() + i];
}

template <typename T>
void PlantState<T>::SetPositionsAndVelocities(
    Context<T>* context, const Eigen::Ref<const VectorX<T>>& q_v) const {
  core_.tree().RequireFinalized("SetPositionsAndVelocities");
  internal::RequireSize("MultibodyPlant::SetPositionsAndVelocities", "q_v",
                        q_v.size(), core_.num_q() + core_.num_v());
  RequireFiniteState("SetPositionsAndVelocities", q_v);
  core_.MutableStateVector(context) = q_v;
}

template <typename T>
void PlantState<T>::SetPositionsAndVelocities(
    Context<T>* context, ModelInstanceIndex model_instance,
    const Eigen::Ref<const VectorX<T>>& q_v) const {
  const internal::InstanceIndices& all =
      core_.tree().instance(model_instance, "SetPositionsAndVelocities");
  internal::RequireSize("MultibodyPlant::SetPositionsAndVelocities", "q_v",
                        q_v.size(), all.q.size() + all.v.size());
  RequireFiniteState("SetPositionsAndVelocities", q_v);
  auto x = core_.MutableStateVector(context);
  int in = 0;
  for (int i : all.q) x[i] = q_v[in++];
  for (int i : all.v) x[core_.num_q() + i] = q_v[in++];
}

template <typename T>
Eigen::VectorBlock<const VectorX<T>> PlantState<T>::GetPositions(
    const Context<T>& context) const {
  return core_.PositionsOf(context);
}

template <typename T>
VectorX<T> PlantState<T>::GetPositions(
    const Context<T>& context, ModelInstanceIndex model_instance) const {
  return GetPositionsFromArray(model_instance, core_.PositionsOf(context));
}

template <typename T>
void PlantState<T>::GetPositions(const Context<T>& context,
                                 ModelInstanceIndex model_instance,
                                 EigenPtr<VectorX<T>> q_out) const {
  Gather("GetPositions", model_instance, Quantity::kPositions,
         core_.PositionsOf(context), q_out);
}

template <typename T>
void PlantState<T>::SetPositions(Context<T>* context,
                                 const Eigen::Ref<const VectorX<T>>& q) const {
  core_.tree().RequireFinalized("SetPositions");
  internal::RequireSize("MultibodyPlant::SetPositions", "q", q.size(),
                        core_.num_q());
  RequireFiniteState("SetPositions", q);
  core_.MutableStateVector(context).head(core_.num_q()) = q;
}

template <typename T>
void PlantState<T>::SetPositions(
    Context<T>* context, ModelInstanceIndex model_instance,
    const Eigen::Ref<const VectorX<T>>& q_instance) const {
  RequireFiniteState("SetPositions", q_instance);
  auto q = core_.MutableStateVector(context).head(core_.num_q());
  Scatter("SetPositions", model_instance, Quantity::kPositions, q_instance, &q);
}

template <typename T>
void PlantState<T>::SetPositions(
    const Context<T>& context, State<T>* state,
    ModelInstanceIndex model_instance,
    const Eigen::Ref<const VectorX<T>>& q_instance) const {
  core_.ValidateContext(context);
  RequireFiniteState("SetPositions", q_instance);
  auto q = core_.MutableStateVectorOf(state).head(core_.num_q());
  Scatter("SetPositions", model_instance, Quantity::kPositions, q_instance, &q);
}

template <typename T>
Eigen::VectorBlock<const VectorX<T>> PlantState<T>::GetVelocities(
    const Context<T>& context) const {
  return core_.VelocitiesOf(context);
}

template <typename T>
VectorX<T> PlantState<T>::GetVelocities(
    const Context<T>& context, ModelInstanceIndex model_instance) const {
  return GetVelocitiesFromArray(model_instance, core_.VelocitiesOf(context));
}

template <typename T>
void PlantState<T>::GetVelocities(const Context<T>& context,
                                  ModelInstanceIndex model_instance,
                                  EigenPtr<VectorX<T>> v_out) const {
  Gather("GetVelocities", model_instance, Quantity::kVelocities,
         core_.VelocitiesOf(context), v_out);
}

template <typename T>
void PlantState<T>::SetVelocities(Context<T>* context,
                                  const Eigen::Ref<const VectorX<T>>& v) const {
  core_.tree().RequireFinalized("SetVelocities");
  internal::RequireSize("MultibodyPlant::SetVelocities", "v", v.size(),
                        core_.num_v());
  RequireFiniteState("SetVelocities", v);
  core_.MutableStateVector(context).tail(core_.num_v()) = v;
}

template <typename T>
void PlantState<T>::SetVelocities(
    Context<T>* context, ModelInstanceIndex model_instance,
    const Eigen::Ref<const VectorX<T>>& v_instance) const {
  RequireFiniteState("SetVelocities", v_instance);
  auto v = core_.MutableStateVector(context).tail(core_.num_v());
  Scatter("SetVelocities", model_instance, Quantity::kVelocities, v_instance,
          &v);
}

template <typename T>
void PlantState<T>::SetVelocities(
    const Context<T>& context, State<T>* state,
    ModelInstanceIndex model_instance,
    const Eigen::Ref<const VectorX<T>>& v_instance) const {
  core_.ValidateContext(context);
  RequireFiniteState("SetVelocities", v_instance);
  auto v = core_.MutableStateVectorOf(state).tail(core_.num_v());
  Scatter("SetVelocities", model_instance, Quantity::kVelocities, v_instance,
          &v);
}

template <typename T>
VectorX<T> PlantState<T>::GetDefaultPositions() const {
  core_.tree().RequireFinalized("GetDefaultPositions");
  return core_.tree().CalcDefaultPositions().template cast<T>();
}

template <typename T>
VectorX<T> PlantState<T>::GetDefaultPositions(
    ModelInstanceIndex model_instance) const {
  indices(model_instance, Quantity::kPositions, "GetDefaultPositions");
  return GetPositionsFromArray(model_instance, GetDefaultPositions());
}

template <typename T>
void PlantState<T>::SetDefaultPositions(
    const Eigen::Ref<const Eigen::VectorXd>& q) {
  core_.tree().RequireFinalized("SetDefaultPositions");
  internal::RequireSize("MultibodyPlant::SetDefaultPositions", "q", q.size(),
                        core_.num_q());
  internal::RequireFinite("MultibodyPlant::SetDefaultPositions", "q", q);
  for (Joint<T>* joint : core_.tree().joints().elements()) {
    joint->set_default_positions(
        q.segment(joint->position_start(), joint->num_positions()));
  }
}

template <typename T>
void PlantState<T>::SetDefaultPositions(
    ModelInstanceIndex model_instance,
    const Eigen::Ref<const Eigen::VectorXd>& q_instance) {
  const std::vector<int>& to =
      indices(model_instance, Quantity::kPositions, "SetDefaultPositions");
  internal::RequireSize("MultibodyPlant::SetDefaultPositions", "q_instance",
                        q_instance.size(), to.size());
  VectorX<double> q = core_.tree().CalcDefaultPositions();
  for (int i = 0; i < q_instance.size(); ++i) q[to[i]] = q_instance[i];
  SetDefaultPositions(q);
}

template <typename T>
VectorX<T> PlantState<T>::GetPositionsFromArray(
    ModelInstanceIndex model_instance,
    const Eigen::Ref<const VectorX<T>>& q) const {
  VectorX<T> result(
      indices(model_instance, Quantity::kPositions, "GetPositionsFromArray")
          .size());
  GetPositionsFromArray(model_instance, q, &result);
  return result;
}

template <typename T>
void PlantState<T>::GetPositionsFromArray(ModelInstanceIndex model_instance,
                                          const Eigen::Ref<const VectorX<T>>& q,
                                          EigenPtr<VectorX<T>> q_out) const {
  Gather("GetPositionsFromArray", model_instance, Quantity::kPositions, q,
         q_out);
}

template <typename T>
void PlantState<T>::SetPositionsInArray(
    ModelInstanceIndex model_instance,
    const Eigen::Ref<const VectorX<T>>& q_instance,
    EigenPtr<VectorX<T>> q) const {
  Scatter("SetPositionsInArray", model_instance, Quantity::kPositions,
          q_instance, q);
}

template <typename T>
VectorX<T> PlantState<T>::GetVelocitiesFromArray(
    ModelInstanceIndex model_instance,
    const Eigen::Ref<const VectorX<T>>& v) const {
  VectorX<T> result(
      indices(model_instance, Quantity::kVelocities, "GetVelocitiesFromArray")
          .size());
  GetVelocitiesFromArray(model_instance, v, &result);
  return result;
}

template <typename T>
void PlantState<T>::GetVelocitiesFromArray(
    ModelInstanceIndex model_instance, const Eigen::Ref<const VectorX<T>>& v,
    EigenPtr<VectorX<T>> v_out) const {
  Gather("GetVelocitiesFromArray", model_instance, Quantity::kVelocities, v,
         v_out);
}

template <typename T>
void PlantState<T>::SetVelocitiesInArray(
    ModelInstanceIndex model_instance,
    const Eigen::Ref<const VectorX<T>>& v_instance,
    EigenPtr<VectorX<T>> v) const {
  Scatter("SetVelocitiesInArray", model_instance, Quantity::kVelocities,
          v_instance, v);
}

template <typename T>
VectorX<T> PlantState<T>::GetActuationFromArray(
    ModelInstanceIndex model_instance,
    const Eigen::Ref<const VectorX<T>>& u) const {
  VectorX<T> result(
      indices(model_instance, Quantity::kActuation, "GetActuationFromArray")
          .size());
  Gather("GetActuationFromArray", model_instance, Quantity::kActuation, u,
         &result);
  return result;
}

template <typename T>
void PlantState<T>::SetActuationInArray(
    ModelInstanceIndex model_instance,
    const Eigen::Ref<const VectorX<T>>& u_instance,
    EigenPtr<VectorX<T>> u) const {
  Scatter("SetActuationInArray", model_instance, Quantity::kActuation,
          u_instance, u);
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::PlantState);
