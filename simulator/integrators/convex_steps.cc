#include "wyvern/simulator/integrators/convex_steps.h"

#include <algorithm>
#include <stdexcept>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/framework/diagram.h"

/* The leaves of a Diagram are its parts. A part that is an ImplicitStep
computes its own step of first order from the Context; the others get x + h
xdot. The step h and two steps h/2 differ by the error estimate, and 2 x_2 - x_1
is the result, of second order: with one part without implicit steps that is x +
h f(x + h/2 f(x)), the midpoint rule. The first half and the whole step begin at
the same Context, whose geometry and kinematics are then computed once. An
implicit step that throws has no solution for that length, and the step is
halved, down to 1e-9 s; other errors end the run at once. */

namespace wyvern::systems::internal {

template <typename T>
ConvexSteps<T>::ConvexSteps(const System<T>& system,
                            const Context<T>& context) {
  AddParts(system, context);
  has_steps_ = std::ranges::any_of(
      parts_, [](const Part& part) { return part.step != nullptr; });
  for (auto* x : {&whole_, &middle_, &end_, &guess_}) {
    x->setZero(context.num_continuous_states());
  }
}

template <typename T>
ConvexSteps<T>::~ConvexSteps() = default;

template <typename T>
void ConvexSteps<T>::AddParts(const System<T>& system,
                              const Context<T>& context) {
  if (const auto* diagram = dynamic_cast<const Diagram<T>*>(&system)) {
    for (const System<T>* part : diagram->GetSystems()) {
      AddParts(*part, diagram->GetSubsystemContext(*part, context));
    }
    return;
  }
  if (context.num_continuous_states() == 0) return;
  const ContinuousState<T>& xc = context.get_continuous_state();
  Part part;
  part.system = &system;
  part.context = &context;
  part.step = dynamic_cast<const ImplicitStep<T>*>(&system);
  if (part.step != nullptr && !part.step->TakesImplicitSteps()) {
    part.step = nullptr;
  }
  if (!parts_.empty()) part.start = parts_.back().start + parts_.back().size;
  part.size = xc.size();
  part.num_q = xc.num_q();
  part.num_v = xc.num_v();
  part.x.setZero(part.size);
  part.guess.setZero(part.size);
  parts_.push_back(part);
}

template <typename T>
bool ConvexSteps<T>::CalcStep(const VectorX<T>& x, double h,
                              const VectorX<T>* guess,
                              const Surroundings& surroundings,
                              VectorX<T>* x_next) {
  constexpr double kShortest = 1e-9;  // [s]
  bool evaluates = false;
  for (Part& part : parts_) {
    if (part.step == nullptr) {
      evaluates = evaluates || part.system->get_time_derivatives_cache_entry()
                                   .get_cache_entry_value(*part.context)
                                   .needs_recomputation();
      part.system->EvalTimeDerivatives(*part.context)
          .get_vector()
          .CopyToPreSizedVector(&part.guess);
      // The derivatives of the whole say which element is not finite.
      if (!wyvern::internal::AllFinite(part.guess) &&
          !surroundings.are_derivatives_finite()) {
        return false;
      }
      part.x = x.segment(part.start, part.size) + h * part.guess;
    } else {
      if (guess != nullptr) {
        part.guess = guess->segment(part.start, part.size);
      }
      double unfollowed = 0;
      try {
        unfollowed = part.step->CalcImplicitStep(
            *part.context, h, guess != nullptr ? &part.guess : nullptr,
            &part.x);
      } catch (const std::runtime_error&) {
        // A shorter step may have a solution.
        if (h < kShortest) throw;
        return false;
      }
      part.unfollowed = std::max(part.unfollowed, unfollowed);
      ++num_implicit_steps_;
    }
    x_next->segment(part.start, part.size) = part.x;
  }
  if (evaluates) ++num_evaluations_;
  return true;
}

template <typename T>
bool ConvexSteps<T>::Step(const VectorX<T>& start, const T& t, const T& t_end,
                          const Surroundings& surroundings, VectorX<T>* error) {
  const double h = ToDouble(T(t_end - t));
  for (Part& part : parts_) part.unfollowed = 0;
  surroundings.move(t).SetFromVector(start);
  if (!CalcStep(start, h, nullptr, surroundings, &whole_)) return false;
  guess_ = T(0.5) * (start + whole_);
  if (!CalcStep(start, 0.5 * h, &guess_, surroundings, &middle_)) return false;
  surroundings.move(t + T(0.5 * h)).SetFromVector(middle_);
  if (!CalcStep(middle_, 0.5 * h, &whole_, surroundings, &end_)) return false;
  *error = end_ - whole_;
  for (const Part& part : parts_) {
    if (!(part.unfollowed > 0)) continue;
    const int v = part.start + part.num_q;
    const auto change =
        end_.segment(v, part.num_v) - start.segment(v, part.num_v);
    const double largest = ToDouble(T(change.cwiseAbs().maxCoeff()));
    if (!(largest > 0)) continue;
    const double share = std::min(1.0, part.unfollowed / largest);
    for (int i = v; i < v + part.num_v; ++i) {
      using std::abs;
      (*error)[i] = abs((*error)[i]) + share * abs(end_[i] - start[i]);
    }
  }
  whole_ = T(2) * end_ - whole_;
  surroundings.move(t_end).SetFromVector(whole_);
  return true;
}

}  // namespace wyvern::systems::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::internal::ConvexSteps);
