#include "wyvern/systems/framework/loop_solver.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <Eigen/LU>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* Newton's method on r(x) = x - f(x). To evaluate f, something must stand in
for the output while it is being computed. That cannot happen in the Context
itself, whose values are half computed at that moment. The solver therefore
keeps a twin of the root Context, in which its port `trial` has a fixed value
that the output shows. In the twin the loop is open, and what it depends on is
tracked as usual.

In the Context itself the solution depends on whatever f reads, although nobody
there has to have computed f. So the output is stale after any change in the
root Context (CacheEntry::set_stale_after_any_change).

The solver declares that its input feeds through to its output, which is true
and lets outer Diagrams find loops of theirs. DiagramBuilder does not follow
that when it looks for loops.

Derivatives: with J = dr/dx, the iteration dx <- dx - J^-1 (dx - df), where df
is the derivative of f for a trial value with derivatives dx, has the fixed
point (I - df/dx) dx = df. The error of J, about 1e-8, is the factor by which
each iteration decreases that of dx. */

namespace wyvern::systems {

namespace internal {

// A copy of a root Context that follows the original's values.
template <typename T>
class ContextTwin {
 public:
  // Copies the root of `mine`, and fixes input port `trial` of the counterpart
  // of `mine` there to a vector of `size` elements.
  ContextTwin(const Context<T>& mine, int trial, int size) {
    const ContextBase* root = &mine;
    while (root->parent_ != nullptr) root = root->parent_;
    original_ = static_cast<const Context<T>*>(root);
    twin_ = original_->Clone();
    AddPair(*original_, twin_.get(), mine);
    trial_ = &mine_->FixInputPort(trial,
                                  Value<BasicVector<T>>(BasicVector<T>(size)));
  }

  // Copies what has changed in the original.
  void Follow() {
    const int64_t num_changes = original_->num_changes();
    if (num_changes == num_changes_) return;
    num_changes_ = num_changes;
    twin_->SetTimeStateAndParametersFrom(*original_);
    if (original_->get_true_time().has_value()) {
      twin_->PerturbTime(original_->get_time(), *original_->get_true_time());
    }
    for (Port& port : ports_) {
      const FixedInputPortValue* fixed =
          port.original->inputs_[port.index].fixed.get();
      if (fixed == nullptr || fixed->serial_number() == port.serial) continue;
      port.serial = fixed->serial_number();
      FixedInputPortValue* const copy =
          port.twin->MaybeGetMutableFixedInputPortValue(port.index);
      const auto* vector =
          fixed->get_value().template maybe_get_value<BasicVector<T>>();
      if (copy != nullptr && vector != nullptr) {
        copy->template GetMutableVectorData<T>()->get_mutable_value() =
            vector->value();
      } else {
        port.twin->FixInputPort(port.index, fixed->get_value());
      }
    }
  }

  // The counterpart of the solver's Context, and its trial value.
  const Context<T>& mine() const { return *mine_; }
  Eigen::VectorBlock<VectorX<T>> get_mutable_trial() {
    return trial_->template GetMutableVectorData<T>()->get_mutable_value();
  }

 private:
  struct Port {
    const ContextBase* original{};
    ContextBase* twin{};
    int index{};
    int64_t serial{};
  };

  void AddPair(const ContextBase& original, ContextBase* twin,
               const ContextBase& mine) {
    if (&original == &mine) mine_ = static_cast<Context<T>*>(twin);
    for (int i = 0; i < original.num_input_ports(); ++i) {
      const FixedInputPortValue* fixed = original.inputs_[i].fixed.get();
      ports_.push_back(
          {&original, twin, i, fixed == nullptr ? 0 : fixed->serial_number()});
    }
    std::vector<ContextBase*> parts;
    original.DoForEachSubcontext(
        [&parts](ContextBase* part) { parts.push_back(part); });
    std::size_t next = 0;
    twin->DoForEachSubcontext(
        [&](ContextBase* part) { AddPair(*parts[next++], part, mine); });
  }

  const Context<T>* original_{};
  std::unique_ptr<Context<T>> twin_;
  Context<T>* mine_{};
  FixedInputPortValue* trial_{};
  // Every input port that may get a fixed value.
  std::vector<Port> ports_;
  int64_t num_changes_{-1};
};

}  // namespace internal

// Work memory of a Context. A copy of the Context makes a twin of its own.
template <typename T>
struct LoopSolver<T>::Work {
  explicit Work(int size)
      : x(Eigen::VectorXd::Zero(size)),
        residual(size),
        trial(size),
        trial_residual(size),
        step(size),
        jacobian(size, size),
        lu(size) {}
  Work(const Work& other) : Work(static_cast<int>(other.x.size())) {}
  Work& operator=(const Work&) { return *this; }

  std::unique_ptr<internal::ContextTwin<T>> twin;
  // The current x, r(x) and |r(x)|.
  Eigen::VectorXd x, residual;
  double norm{};
  int num_steps{};
  Eigen::VectorXd trial, trial_residual, step;
  // dr/dx and its factors.
  Eigen::MatrixXd jacobian;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu;
};

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kMostHalvings = 20;
constexpr int kMostImprovements = 3;
constexpr int kMostDerivativeSteps = 30;
constexpr int kMostNestedLoops = 6;
// Solvers of this thread that wait for one another.
thread_local int num_nested_loops = 0;

std::string FormatPoint(const Eigen::VectorXd& x) {
  constexpr Eigen::Index kMostShown = 8;
  const std::vector<double> shown(x.data(),
                                  x.data() + std::min(x.size(), kMostShown));
  return fmt::format("[{}{}]", fmt::join(shown, ", "),
                     x.size() > kMostShown ? ", ..." : "");
}

}  // namespace

template <typename T>
LoopSolver<T>::LoopSolver(int size, const LoopSolverOptions& options)
    : LeafSystem<T>(SystemTypeTag<LoopSolver>{}),
      size_(size),
      options_(options) {
  const char* const who = "LoopSolver::LoopSolver";
  wyvern::internal::RequireAtLeast(who, "size", size, 1);
  if (options.guess.size() > 0) {
    wyvern::internal::RequireSize(who, "guess", options.guess.size(), size);
    wyvern::internal::RequireFinite(who, "guess", options.guess);
  }
  wyvern::internal::RequirePositive(who, "tolerance", options.tolerance);
  wyvern::internal::RequireAtLeast(who, "max_iterations",
                                   options.max_iterations, 1);
  this->DeclareVectorInputPort("u", size);
  this->DeclareVectorInputPort("trial", size).set_optional();
  work_ = &this->DeclareCacheEntry(
      "work memory",
      ValueProducer(
          [size]() -> std::unique_ptr<AbstractValue> {
            return std::make_unique<Value<Work>>(Work(size));
          },
          &ValueProducer::NoopCalc),
      {this->nothing_ticket()});
  this->DeclareVectorOutputPort("y", size, &LoopSolver<T>::Solve,
                                {this->input_port_ticket(InputPortIndex(1))})
      .set_stale_after_any_change();
}

template <typename T>
template <typename U>
LoopSolver<T>::LoopSolver(const LoopSolver<U>& other)
    : LoopSolver(other.size_, other.options_) {
  connection_ = other.connection_;
}

template <typename T>
LoopSolver<T>::~LoopSolver() = default;

template <typename T>
LoopSolver<T>* LoopSolver<T>::AddToDiagram(const InputPort<T>& input,
                                           DiagramBuilder<T>* builder,
                                           const LoopSolverOptions& options,
                                           const CallSite& at) {
  wyvern::internal::RequireNotNull("LoopSolver::AddToDiagram", "builder",
                                   builder);
  auto solver = std::make_unique<LoopSolver<T>>(input.size(), options);
  const std::string name = fmt::format(
      "{}_{}_solver", input.get_system().get_name(), input.get_name());
  solver->set_name(name);
  for (int i = 2; builder->HasSubsystemNamed(solver->get_name()); ++i) {
    solver->set_name(fmt::format("{}_{}", name, i));
  }
  const auto source =
      builder->connection_map().find({&input.get_system(), input.get_index()});
  if (source != builder->connection_map().end()) {
    const auto& [system, port] = source->second;
    solver->connection_ = fmt::format(
        "{} -> {}", system->get_output_port(port).GetFullDescription(),
        input.GetFullDescription());
  }
  return builder->InsertBefore(input, std::move(solver), at);
}

template <typename T>
bool LoopSolver<T>::has_default_options() const {
  const LoopSolverOptions defaults;
  return options_.guess.size() == 0 &&
         options_.tolerance == defaults.tolerance &&
         options_.max_iterations == defaults.max_iterations;
}

template <typename T>
std::multimap<int, int> LoopSolver<T>::GetDirectFeedthroughs() const {
  return {{0, 0}};
}

template <typename T>
void LoopSolver<T>::Solve(const Context<T>& context, BasicVector<T>* y) const {
  const InputPort<T>& trial = this->get_input_port(1);
  if (trial.HasValue(context)) {
    y->SetFromVector(trial.Eval(context));
    return;
  }
  struct Nesting {
    Nesting() { ++num_nested_loops; }
    ~Nesting() { --num_nested_loops; }
  } nesting;
  Work& work = work_->get_mutable_cache_entry_value(context)
                   .template GetMutableValueOrThrow<Work>();
  work.num_steps = 0;
  work.norm = kInfinity;
  if (num_nested_loops > kMostNestedLoops) {
    ThrowUnsolved(work, fmt::format("{} solvers need one another, and {} is "
                                    "the limit",
                                    num_nested_loops, kMostNestedLoops));
  }
  if (work.twin == nullptr) {
    work.twin = std::make_unique<internal::ContextTwin<T>>(context, 1, size_);
  }
  work.twin->Follow();
  Iterate(&work);
  Improve(&work);
  for (int i = 0; i < size_; ++i) (*y)[i] = T(work.x[i]);
  SolveDerivatives(&work, y);
}

// Calculates r(x) and returns its norm, infinite if it is not a number.
template <typename T>
double LoopSolver<T>::CalcResidual(const Eigen::VectorXd& x, Work* work,
                                   Eigen::VectorXd* residual) const {
  Eigen::VectorBlock<VectorX<T>> trial = work->twin->get_mutable_trial();
  for (int i = 0; i < size_; ++i) trial[i] = T(x[i]);
  const VectorX<T>& f = this->get_input_port(0).Eval(work->twin->mine());
  for (int i = 0; i < size_; ++i) {
    (*residual)[i] = x[i] - ToDouble(f[i]);
  }
  const double norm = residual->norm();
  return std::isfinite(norm) ? norm : kInfinity;
}

template <typename T>
bool LoopSolver<T>::IsSolved(const Work& work) const {
  for (int i = 0; i < size_; ++i) {
    const double scale = std::max(1.0, std::abs(work.x[i]));
    if (!(std::abs(work.residual[i]) <= options_.tolerance * scale)) {
      return false;
    }
  }
  return true;
}

template <typename T>
void LoopSolver<T>::Iterate(Work* work) const {
  if (options_.guess.size() > 0) {
    work->x = options_.guess;
  } else {
    work->x.setZero();
  }
  work->norm = CalcResidual(work->x, work, &work->residual);
  if (!std::isfinite(work->norm)) {
    ThrowUnsolved(*work, "f is not finite at the guess");
  }
  // A guess within the tolerance still gets a step: signals may be small.
  while (work->norm > 0 && (work->num_steps == 0 || !IsSolved(*work))) {
    if (work->num_steps == options_.max_iterations) {
      ThrowUnsolved(*work, "max_iterations is reached");
    }
    CalcJacobian(work);
    if (!Step(work)) {
      if (IsSolved(*work)) return;
      ThrowUnsolved(*work, "no Newton step decreases the residual");
    }
    ++work->num_steps;
  }
}

// Column j is (r(x + h e_j) - r(x)) / h.
template <typename T>
void LoopSolver<T>::CalcJacobian(Work* work) const {
  const double root = std::sqrt(std::numeric_limits<double>::epsilon());
  for (int j = 0; j < size_; ++j) {
    work->trial = work->x;
    work->trial[j] += root * std::max(1.0, std::abs(work->x[j]));
    const double h = work->trial[j] - work->x[j];
    CalcResidual(work->trial, work, &work->trial_residual);
    work->jacobian.col(j) = (work->trial_residual - work->residual) / h;
  }
  if (!work->jacobian.allFinite()) {
    ThrowUnsolved(*work, "the Jacobian is not finite");
  }
  work->lu.compute(work->jacobian);
  if ((work->lu.matrixLU().diagonal().array() == 0).any()) {
    ThrowUnsolved(*work, "the Jacobian is singular");
  }
}

// Halves the Newton step until the residual decreases, and takes it.
template <typename T>
bool LoopSolver<T>::Step(Work* work) const {
  work->step = work->lu.solve(work->residual);
  if (!work->step.allFinite()) return false;
  double t = 1;
  for (int i = 0; i <= kMostHalvings; ++i, t /= 2) {
    work->trial = work->x - t * work->step;
    double norm = kInfinity;
    try {
      norm = CalcResidual(work->trial, work, &work->trial_residual);
    } catch (const std::runtime_error&) {
      // A block of the loop has no result there, such as the root of -1.
    }
    if (!(norm < (1 - 1e-4 * t) * work->norm)) continue;
    work->x.swap(work->trial);
    work->residual.swap(work->trial_residual);
    work->norm = norm;
    return true;
  }
  return false;
}

// Removes most of the rounding that the tolerance allows, with one Jacobian.
template <typename T>
void LoopSolver<T>::Improve(Work* work) const {
  if (work->norm == 0 || work->num_steps == 0) return;
  for (int i = 0; i < kMostImprovements; ++i) {
    work->step = work->lu.solve(work->residual);
    if (!work->step.allFinite()) return;
    work->trial = work->x - work->step;
    const double norm = CalcResidual(work->trial, work, &work->trial_residual);
    if (!(norm < work->norm / 2)) return;
    work->x.swap(work->trial);
    work->residual.swap(work->trial_residual);
    work->norm = norm;
  }
}

template <typename T>
void LoopSolver<T>::SolveDerivatives(Work* work, BasicVector<T>* y) const {
  if constexpr (!std::is_same_v<T, double>) {
    CalcJacobian(work);
    double before = kInfinity;
    for (int k = 0; k < kMostDerivativeSteps; ++k) {
      work->twin->get_mutable_trial() = y->value();
      const VectorX<T>& f = this->get_input_port(0).Eval(work->twin->mine());
      Eigen::Index num = 0;
      for (int i = 0; i < size_; ++i) {
        num = std::max(num, static_cast<Eigen::Index>(
                                T((*y)[i] - f[i]).derivatives().size()));
      }
      if (num == 0) return;
      // dx and dx - df, a row for each element.
      Eigen::MatrixXd dx = Eigen::MatrixXd::Zero(size_, num), rest = dx;
      for (int i = 0; i < size_; ++i) {
        const T difference = (*y)[i] - f[i];
        for (Eigen::Index j = 0; j < num; ++j) {
          if ((*y)[i].derivatives().size() > 0) {
            dx(i, j) = (*y)[i].derivatives()[j];
          }
          if (difference.derivatives().size() > 0) {
            rest(i, j) = difference.derivatives()[j];
          }
        }
      }
      const Eigen::MatrixXd change = work->lu.solve(rest);
      dx -= change;
      for (int i = 0; i < size_; ++i) {
        (*y)[i] = T(work->x[i], dx.row(i).transpose());
      }
      const double size = change.cwiseAbs().maxCoeff();
      const double scale = dx.cwiseAbs().maxCoeff();
      if (size <= 4 * std::numeric_limits<double>::epsilon() * scale) return;
      if (!(size < before / 2)) {
        if (size <= 1e-10 * scale) return;
        break;
      }
      before = size;
    }
    ThrowUnsolved(*work, "the derivatives do not converge");
  }
}

template <typename T>
void LoopSolver<T>::ThrowUnsolved(const Work& work,
                                  const std::string& reason) const {
  throw std::runtime_error(fmt::format(
      "LoopSolver: {} did not solve the algebraic loop at {}: {}. After {} "
      "Newton steps, |x - f(x)| is {:g} at x = {}; wanted is a residual of at "
      "most {:g} max(1, |x|) in each element. Set a guess near a solution in "
      "its LoopSolverOptions, or break the loop with a state.",
      this->GetSystemPathname(),
      connection_.empty() ? this->get_input_port(0).GetFullDescription()
                          : connection_,
      reason, work.num_steps, work.norm, FormatPoint(work.x),
      options_.tolerance));
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::LoopSolver);
#if WYVERN_AUTODIFF
template wyvern::systems::LoopSolver<double>::LoopSolver(
    const wyvern::systems::LoopSolver<wyvern::AutoDiffXd>&);
template wyvern::systems::LoopSolver<wyvern::AutoDiffXd>::LoopSolver(
    const wyvern::systems::LoopSolver<double>&);
#endif
