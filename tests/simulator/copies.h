#pragma once

/** @file
Laws of copies: a clone of a Context, and a simulation that was saved,
go on as the one they were taken from, whatever it was doing at that moment. */

#include <cmath>
#include <functional>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "wyvern/simulator/simulator.h"
#include "wyvern/simulator/simulator_serialization.h"
#include "wyvern/systems/common/value_serialization.h"
#include "wyvern/systems/framework/context_serialization.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/framework/diagram_context.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems::copies {

/** Calls a function whenever it is asked for anything: in derivatives, updates,
publishes, and to compute its output. Has a state of each numeric kind. */
class Probe final : public LeafSystem<double> {
 public:
  Probe() {
    DeclareContinuousState(1);
    DeclareDiscreteState(1);
    DeclarePeriodicDiscreteUpdateEvent(0.03, 0, &Probe::Update);
    DeclarePeriodicUnrestrictedUpdateEvent(0.04, 0.01, &Probe::Change);
    DeclarePeriodicPublishEvent(0.05, 0, &Probe::Show);
    DeclareVectorOutputPort("y", 1, &Probe::CalcOutput);
  }
  std::function<void(bool may_save)> call;

 private:
  void Call(bool may_save) const {
    if (!call || is_calling_) return;
    is_calling_ = true;
    call(may_save);
    is_calling_ = false;
  }
  void DoCalcTimeDerivatives(const Context<double>& context,
                             ContinuousState<double>* xdot) const final {
    Call(false);
    get_output_port().Eval(context);
    (*xdot)[0] = std::cos(3 * context.get_time());
  }
  void CalcOutput(const Context<double>& context,
                  BasicVector<double>* y) const {
    Call(false);
    (*y)[0] = context.get_continuous_state()[0] + context.get_time();
  }
  EventStatus Update(const Context<double>& context,
                     DiscreteValues<double>* next) const {
    Call(true);
    (*next)[0] = context.get_discrete_state(0)[0] + 1;
    return EventStatus::Succeeded();
  }
  EventStatus Change(const Context<double>&, State<double>* next) const {
    Call(true);
    next->get_mutable_discrete_state()[0] *= 0.5;
    return EventStatus::Succeeded();
  }
  EventStatus Show(const Context<double>&) const {
    Call(true);
    return EventStatus::Succeeded();
  }
  mutable bool is_calling_{false};
};

inline std::string Save(const Context<double>& context) {
  std::ostringstream stream;
  SaveContext(context, &stream);
  return stream.str();
}

inline std::unique_ptr<Context<double>> Load(const System<double>& system,
                                             const std::string& saved) {
  auto context = system.CreateDefaultContext();
  std::istringstream stream(saved);
  LoadContext(&stream, context.get());
  return context;
}

/** Which cache entries are up to date, and how often each was computed. */
inline std::string DescribeCache(const Context<double>& context) {
  std::string result;
  for (CacheIndex i(0); i < context.get_cache().cache_size(); ++i) {
    const auto& entry = context.get_cache().get_cache_entry_value(i);
    result += fmt::format("{} {} {}\n", entry.description(),
                          entry.is_out_of_date(), entry.serial_number());
  }
  if (const auto* diagram =
          dynamic_cast<const DiagramContext<double>*>(&context)) {
    for (SubsystemIndex i(0); i < diagram->num_subcontexts(); ++i) {
      result += DescribeCache(diagram->GetSubsystemContext(i));
    }
  }
  return result;
}

/** Every output port of the subsystems of `diagram`, and the derivatives. */
inline std::string Evaluate(const Diagram<double>& diagram,
                            const Context<double>& root) {
  std::ostringstream stream;
  for (const System<double>* system : diagram.GetSystems()) {
    const Context<double>& context = system->GetMyContextFromRoot(root);
    for (int i = 0; i < system->num_output_ports(); ++i) {
      const OutputPort<double>& port = system->get_output_port(i);
      stream << "\n" << system->get_name() << " " << port.get_name() << " ";
      try {
        if (port.get_data_type() == kVectorValued) {
          stream << port.Eval(context).transpose().format(
              Eigen::IOFormat(Eigen::FullPrecision));
        } else {
          ValueSerialization::Write(port.Eval<AbstractValue>(context), &stream);
        }
      } catch (const std::exception& e) {
        stream << "throws";
      }
    }
  }
  stream << diagram.EvalTimeDerivatives(root).CopyToVector().transpose().format(
      Eigen::IOFormat(Eigen::FullPrecision));
  return stream.str();
}

/** Runs a simulation to `end`, when nothing is due, and takes copies at all
moments. */
class CopiesOfARun {
 public:
  using Make = std::function<std::unique_ptr<Diagram<double>>()>;
  using SetUp =
      std::function<void(const Diagram<double>&, Context<double>* root)>;

  /** Each Diagram that `make` makes has a Probe.
  @param stops_steer whether the times of stops change the steps, as they do
  with updates of each step and with witness functions: then saved simulations
  stop where the run did. */
  CopiesOfARun(const Make& make, const SetUp& set_up, double end = 0.1237,
               bool stops_steer = false)
      : diagram_(make()),
        set_up_(set_up),
        end_(end),
        stops_steer_(stops_steer) {
    Run();
    CheckClones();
    CheckSaves(*diagram_);
    CheckSaves(*make());
  }

 private:
  static constexpr double kDuration = 0.01;  // Of what clones are run for.
  static constexpr double kStops[] = {0.0137, 0.06};

  // Some of many: all at the start, then one now and then.
  static bool IsTaken(int i) { return i < 4 || i % 211 == 0; }

  void Run() {
    Simulator<double> simulator(*diagram_, MakeContext(*diagram_));
    Probe* probe = FindProbe();
    const Context<double>& context = simulator.get_context();
    int calls = 0;
    int handled = 0;
    probe->call = [&](bool may_save) {
      if (IsTaken(may_save ? handled++ : calls++)) Clone(context);
      if (may_save && IsTaken(handled)) saves_.push_back(SaveRun(simulator));
    };
    int steps = 0;
    simulator.set_monitor([&](const Context<double>& root) {
      if (IsTaken(steps++)) {
        Clone(root);
        saves_.push_back(SaveRun(simulator));
      }
      return EventStatus::DidNothing();
    });
    for (const double stop : kStops) {
      simulator.AdvanceTo(stop);
      Clone(context);
      saves_.push_back(SaveRun(simulator));
    }
    simulator.AdvanceTo(end_);
    probe->call = nullptr;
    at_end_ = Save(context);
  }

  std::unique_ptr<Context<double>> MakeContext(const Diagram<double>& diagram) {
    auto context = diagram.CreateDefaultContext();
    if (set_up_) set_up_(diagram, context.get());
    return context;
  }

  Probe* FindProbe() {
    for (const System<double>* system : diagram_->GetSystems()) {
      if (const auto* probe = dynamic_cast<const Probe*>(system)) {
        return const_cast<Probe*>(probe);
      }
    }
    throw std::logic_error("there is no Probe");
  }

  void Clone(const Context<double>& context) {
    const std::string before = DescribeCache(context);
    clones_.push_back({context.Clone(), Save(context)});
    EXPECT_EQ(DescribeCache(context), before);
    EXPECT_EQ(DescribeCache(*clones_.back().context), before);
    EXPECT_EQ(Save(*clones_.back().context), clones_.back().saved);
  }

  // After what they were cloned from has gone on, and is no more.
  void CheckClones() {
    for (Kept& kept : clones_) {
      const double time = kept.context->get_time();
      auto fresh = Load(*diagram_, kept.saved);
      EXPECT_EQ(Evaluate(*diagram_, *kept.context), Evaluate(*diagram_, *fresh))
          << "at " << time;
      Simulator<double> one(*diagram_, std::move(kept.context));
      Simulator<double> other(*diagram_, std::move(fresh));
      one.AdvanceTo(time + kDuration);
      other.AdvanceTo(time + kDuration);
      EXPECT_EQ(Save(one.get_context()), Save(other.get_context()))
          << "at " << time;
    }
  }

  static std::string SaveRun(const Simulator<double>& simulator) {
    std::ostringstream stream;
    SaveSimulation(simulator, &stream);
    return stream.str();
  }

  // The ids in what is saved are those of `diagram`.
  void CheckSaves(const Diagram<double>& diagram) {
    const std::string expected = Save(*Load(diagram, at_end_));
    EXPECT_GT(saves_.size(), 5u);
    for (const std::string& saved : saves_) {
      Simulator<double> simulator(diagram);
      std::istringstream stream(saved);
      LoadSimulation(&stream, &simulator);
      const double time = simulator.get_context().get_time();
      for (const double stop : kStops) {
        if (stops_steer_ && stop > time) simulator.AdvanceTo(stop);
      }
      simulator.AdvanceTo(end_);
      EXPECT_EQ(Save(simulator.get_context()), expected) << "at " << time;
    }
  }

  struct Kept {
    std::unique_ptr<Context<double>> context;
    std::string saved;
  };
  std::unique_ptr<Diagram<double>> diagram_;
  SetUp set_up_;
  double end_;
  bool stops_steer_;
  std::vector<Kept> clones_;
  std::vector<std::string> saves_;
  std::string at_end_;
};

}  // namespace wyvern::systems::copies
