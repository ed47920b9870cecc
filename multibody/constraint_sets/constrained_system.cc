#include "wyvern/multibody/constraint_sets/constrained_system.h"

#include "wyvern/multibody/step/rows/locked_velocities.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::multibody {

using internal::MultibodyTreeSystem;
using systems::Context;

namespace {

template <typename T>
void NoteState(const MultibodyTreeSystem<T>& plant, const Context<T>* context,
               int size, NotedState* state) {
  state->is_known = context != nullptr;
  if (context == nullptr) return;
  const VectorX<T>& x = plant.StateVector(*context);
  state->x.resize(size);
  for (int i = 0; i < size; ++i) state->x[i] = ToDouble(x[i]);
}

}  // namespace

template <typename T>
void LeaveOutLocked(const MultibodyTreeSystem<T>& plant,
                    const Context<T>& context, ConstrainedSystem<T>* system) {
  const internal::LockedVelocities& locked =
      plant.EvalLockedVelocities(context);
  if (!locked.some) return;
  for (int i = 0; i < plant.num_v(); ++i) {
    if (!locked.is_locked[i]) continue;
    const T diagonal = system->H(i, i);
    system->H.row(i).setZero();
    system->H.col(i).setZero();
    system->H(i, i) = diagonal;
  }
  internal::ClearLockedColumns(locked.is_locked, &system->G);
  internal::ClearLockedEntries<T>(locked.is_locked, system->C);
  internal::ClearLockedEntries<T>(locked.is_locked, system->c);
}

template <typename T>
void NoteForceState(const MultibodyTreeSystem<T>& plant,
                    const Context<T>* context, ConstrainedSystem<T>* system) {
  NoteState(plant, context, plant.num_q() + plant.num_v(),
            &system->force_state);
}

template <typename T>
void NoteImpulseState(const MultibodyTreeSystem<T>& plant,
                      const Context<T>* context, ConstrainedSystem<T>* system) {
  NoteState(plant, context, plant.num_q(), &system->impulse_state);
}

#define WYVERN_INSTANTIATE(T)                                             \
  template void LeaveOutLocked(const MultibodyTreeSystem<T>&,             \
                               const Context<T>&, ConstrainedSystem<T>*); \
  template void NoteForceState(const MultibodyTreeSystem<T>&,             \
                               const Context<T>*, ConstrainedSystem<T>*); \
  template void NoteImpulseState(const MultibodyTreeSystem<T>&,           \
                                 const Context<T>*, ConstrainedSystem<T>*);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody
