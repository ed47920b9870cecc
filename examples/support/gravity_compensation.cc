#include "examples/support/gravity_compensation.h"

namespace wyvern::examples {

using multibody::MultibodyPlant;
using systems::BasicVector;
using systems::Context;

GravityCompensation::GravityCompensation(const MultibodyPlant<double>& model)
    : model_(model),
      minus_B_transpose_(-model.MakeActuationMatrix().transpose()) {
  DeclareVectorInputPort("state", model.num_multibody_states());
  DeclareVectorOutputPort("actuation", model.num_actuators(),
                          &GravityCompensation::CalcActuation,
                          {input_port_ticket(systems::InputPortIndex(0))});
  model_context_ =
      &DeclareCacheEntry("model context", *model.CreateDefaultContext(),
                         &GravityCompensation::UpdateModelContext,
                         {input_port_ticket(systems::InputPortIndex(0))});
}

void GravityCompensation::UpdateModelContext(
    const Context<double>& context, Context<double>* model_context) const {
  model_.SetPositionsAndVelocities(model_context,
                                   get_input_port(0).Eval(context));
}

void GravityCompensation::CalcActuation(const Context<double>& context,
                                        BasicVector<double>* actuation) const {
  const auto& model_context = model_context_->Eval<Context<double>>(context);
  actuation->get_mutable_value().noalias() =
      minus_B_transpose_ * model_.EvalGravityGeneralizedForces(model_context);
}

}  // namespace wyvern::examples
