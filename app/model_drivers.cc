#include "wyvern/app/model_drivers.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/app/element_units.h"
#include "wyvern/app/home_inputs.h"
#include "wyvern/app/reference_source.h"
#include "wyvern/app/scenario_models.h"
#include "wyvern/multibody/control/inverse_dynamics.h"
#include "wyvern/multibody/control/muscle_actuation.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/controllers/linear_quadratic_regulator.h"
#include "wyvern/systems/controllers/pid_controller.h"
#include "wyvern/systems/primitives/adder.h"
#include "wyvern/systems/primitives/constant_vector_source.h"
#include "wyvern/systems/primitives/linear/matrix_gain.h"

/* Drivers made of blocks that are there. Of the plant's state x the actuated
joints are selected by S, of generalized forces by B':

  reference --[q; v]--> PID of S x --+--> u            PD: plus B' (-tau_g)
       |                             |                 impedance: the same,
       '--vdot-------> B ----(+)<-- B                   with C v - tau_app
                              |                        inverse dynamics:
                              '--> M vdot + C v - ...   the sum as vdot

All work on the whole plant, so that what a robot carries is counted. */

namespace wyvern::app {

using multibody::JointActuator;
using multibody::ModelInstanceIndex;
using multibody::MultibodyPlant;
using systems::Adder;
using systems::MatrixGain;
using systems::OutputPort;
using systems::controllers::InverseDynamics;
using systems::controllers::PidController;

namespace {

VectorX<double> SpreadGain(const std::string& who, const char* what,
                           const VectorX<double>& given, int size) {
  internal::RequireNonNegative(who, what, given);
  if (given.size() == 1) return VectorX<double>::Constant(size, given[0]);
  internal::RequireSize(who, what, given.size(), size,
                        "give as many numbers, or one for all");
  return given;
}

// Returns S with (positions, velocities) = S x, those of the actuated joints
// or, of an actuator of a tendon, its length and the rate of it.
MatrixX<double> MakeActuatorStateMatrix(const std::string& who,
                                        const MultibodyPlant<double>& plant,
                                        ModelInstanceIndex instance) {
  const auto indices = plant.GetJointActuatorIndices(instance);
  const int n = static_cast<int>(indices.size());
  MatrixX<double> S =
      MatrixX<double>::Zero(2 * n, plant.num_multibody_states());
  for (int i = 0; i < n; ++i) {
    const JointActuator<double>& actuator =
        plant.get_joint_actuator(indices[i]);
    if (actuator.acts_on_spatial_tendon()) {
      throw std::logic_error(fmt::format(
          "{}: actuator '{}' acts along a spatial tendon, whose length is not "
          "linear in the positions; give a driver without feedback.",
          who, actuator.name()));
    }
    for (const auto& term : actuator.terms()) {
      S(i, term.joint->position_start()) += term.coefficient;
      S(n + i, plant.num_positions() + term.joint->velocity_start()) +=
          term.coefficient;
    }
  }
  return S;
}

// Adds the blocks of one model's driver.
class DriverBuilder {
 public:
  DriverBuilder(const std::string& model, const Scenario& scenario,
                const std::filesystem::path& folder,
                const multibody::ModelFacts& facts,
                MultibodyPlant<double>* plant,
                systems::DiagramBuilder<double>* builder)
      : model_(model),
        who_(fmt::format("Scenario (model_drivers['{}'])", model)),
        scenario_(scenario),
        folder_(folder),
        plant_(*plant),
        builder_(*builder),
        instance_(FindModel(who_, model, *plant)),
        home_(CalcHomeInputs(*plant, instance_, facts)) {
    FindMuscles(facts.actuators);
    if (size() > 0) return;
    throw std::logic_error(
        fmt::format("{}: the model has no actuators, so nothing can drive it; "
                    "add actuators to its joints by the key 'actuators', as in "
                    "actuators: {{{}: {{}}}}.",
                    who_, model));
  }

  void operator()(const ZeroForceDriver&) {
    Drive(Add<systems::ConstantVectorSource<double>>(
              "driver", VectorX<double>::Zero(size()))
              ->get_output_port());
  }

  void operator()(const PdDriver& driver) {
    auto* pid = AddPid(kPidGains, driver.kp, driver.ki, driver.kd,
                       MatrixX<double>::Identity(size(), size()),
                       AddReference(driver.reference));
    if (!driver.gravity_compensation) {
      pid->set_name(model_ + "_driver");
      Drive(pid->get_output_port_control());
      return;
    }
    DriveWithSum(pid->get_output_port_control(),
                 AddInverseDynamics(
                     InverseDynamics<double>::kGravityCompensation, nullptr));
  }

  void operator()(const JointImpedanceDriver& driver) {
    auto* pid = AddPid({"stiffness", "", "damping"}, driver.stiffness,
                       VectorX<double>::Zero(1), driver.damping,
                       MatrixX<double>::Identity(size(), size()),
                       AddReference(driver.reference));
    auto* at_rest = Add<systems::ConstantVectorSource<double>>(
        "no_acceleration", VectorX<double>::Zero(plant_.num_velocities()));
    DriveWithSum(pid->get_output_port_control(),
                 AddInverseDynamics(InverseDynamics<double>::kInverseDynamics,
                                    &at_rest->get_output_port()));
  }

  void operator()(const InverseDynamicsDriver& driver) {
    auto* reference = AddReference(driver.reference);
    auto* pid = AddPid(kPidGains, driver.kp, driver.ki, driver.kd,
                       MakeActuationInverse().transpose(), reference);
    auto* feed_forward = Add<MatrixGain<double>>(
        "acceleration_to_plant",
        MatrixX<double>(MakeActuationInverse().transpose()));
    builder_.Connect(reference->GetOutputPort("desired_acceleration"),
                     feed_forward->get_input_port());
    auto* sum = Add<Adder<double>>("acceleration", 2, plant_.num_velocities());
    builder_.Connect(pid->get_output_port_control(), sum->get_input_port(0));
    builder_.Connect(feed_forward->get_output_port(), sum->get_input_port(1));
    const auto& force = AddInverseDynamics(
        InverseDynamics<double>::kInverseDynamics, &sum->get_output_port());
    Drive(force);
  }

  void operator()(const LqrDriver& driver) {
    // The regulator knows no contact: a plant of its own has no shapes.
    multibody::MultibodyPlantConfig config = scenario_.plant_config;
    MultibodyPlant<double> model(config.time_step);
    config.use_sampled_output_ports = false;
    ApplyMultibodyPlantConfig(config, &model);
    const AddedModels models = AddModels(scenario_, folder_, &model, nullptr);
    SetDefaultPositions(who_, driver.position, &model);
    const auto context = model.CreateDefaultContext();
    for (ModelInstanceIndex i(0); i < model.num_model_instances(); ++i) {
      if (!HasServos(model, i)) continue;
      model.get_desired_state_input_port(i).FixValue(
          context.get(), CalcHomeInputs(model, i, models.facts).desired_state);
    }
    const VectorX<double> gravity =
        model.CalcGravityGeneralizedForces(*context);
    const VectorX<double> u0 = -MakeActuationInverse() * gravity;
    const auto& port = model.get_actuation_input_port(instance_);
    port.FixValue(context.get(), u0);
    const VectorX<double> Q =
        SpreadGain(who_, "Q", driver.Q, model.num_multibody_states());
    const VectorX<double> R = SpreadGain(who_, "R", driver.R, size());
    auto regulator = systems::controllers::LinearQuadraticRegulator(
        model, *context, Q.asDiagonal().toDenseMatrix(),
        R.asDiagonal().toDenseMatrix(), MatrixX<double>(), port.get_index());
    regulator->set_name(model_ + "_driver");
    auto* added = builder_.AddSystem(std::move(regulator));
    builder_.Connect(plant_.get_state_output_port(), added->get_input_port());
    Drive(added->get_output_port());
  }

  void operator()(const ServoDriver& driver) {
    if (!HasServos(plant_, instance_)) {
      throw std::logic_error(fmt::format(
          "{}: the actuators have no gains in the model's file, so they take "
          "forces; give a !PdDriver with gains.",
          who_));
    }
    HoldHome(driver.reference);
  }

  /** Feeds ports that neither a driver nor a wire feeds: servos hold their home
  position, and other actuators, with muscles among them, have their home
  input. */
  void HoldHome(const std::optional<Reference>& reference = {}) {
    const bool is_free = !IsWired(plant_.get_actuation_input_port(instance_));
    if (is_free && !muscles_.empty()) {
      DriveMuscles();
    } else if (is_free && !home_.feed_forward.isZero(0)) {
      Drive(Add<systems::ConstantVectorSource<double>>("home_force",
                                                       home_.feed_forward)
                ->get_output_port());
    }
    FeedServos(reference);
  }

  /** Feeds the port desired_state, if there are servos. */
  void FeedServos(const std::optional<Reference>& reference = {}) {
    if (!HasServos(plant_, instance_)) return;
    const auto& port = plant_.get_desired_state_input_port(instance_);
    if (IsWired(port)) {
      if (reference.has_value()) ThrowFedTwice(port, "");
      return;
    }
    const OutputPort<double>& desired_state =
        reference.has_value()
            ? AddReference(*reference)->GetOutputPort("desired_state")
            : Add<systems::ConstantVectorSource<double>>("home_state",
                                                         home_.desired_state)
                  ->get_output_port();
    builder_.Connect(desired_state, port);
  }

  const DriverGains& gains() const { return gains_; }

 private:
  inline static const std::vector<std::string> kPidGains{"kp", "ki", "kd"};

  int size() const {
    return static_cast<int>(plant_.GetJointActuatorIndices(instance_).size());
  }

  // Takes the muscles and their home excitations from the facts.
  void FindMuscles(const multibody::ActuatorFactsMap& facts) {
    const auto indices = plant_.GetJointActuatorIndices(instance_);
    home_control_ = home_.feed_forward;
    for (int i = 0; i < size(); ++i) {
      const auto found = facts.find(indices[i]);
      if (found == facts.end() || !found->second.muscle.has_value()) continue;
      muscles_.emplace(indices[i], *found->second.muscle);
      home_control_[i] = found->second.home_excitation;
    }
  }

  void DriveMuscles() {
    auto* muscles = Add<multibody::MuscleActuation<double>>(
        "muscles", plant_, instance_, muscles_);
    auto* control = Add<systems::ConstantVectorSource<double>>("home_control",
                                                               home_control_);
    builder_.Connect(plant_.get_state_output_port(),
                     muscles->get_state_input_port());
    builder_.Connect(control->get_output_port(),
                     muscles->get_control_input_port());
    Drive(muscles->get_actuation_output_port());
  }

  // Returns whether a connection of the scenario feeds a port of the plant.
  bool IsWired(const systems::InputPort<double>& port) const {
    const std::string name =
        fmt::format("{}/{}", plant_.get_name(), port.get_name());
    return std::ranges::any_of(scenario_.connections,
                               [&name](const systems::Connection& one) {
                                 return one.to.name == name;
                               });
  }

  [[noreturn]] void ThrowFedTwice(const systems::InputPort<double>& port,
                                  const char* cure) const {
    throw std::logic_error(fmt::format(
        "{}: the driver and a connection both feed 'plant/{}'; take one out{}.",
        who_, port.get_name(), cure));
  }

  // Returns the actuation of the model for generalized forces.
  MatrixX<double> MakeActuationInverse() const {
    return plant_
               .MakeActuatorSelectorMatrix(
                   plant_.GetJointActuatorIndices(instance_))
               .transpose() *
           plant_.MakeActuationMatrixPseudoinverse();
  }

  template <class Block, typename... Args>
  Block* Add(const char* what, Args&&... args) {
    return builder_.template AddNamedSystem<Block>(
        fmt::format("{}_{}", model_, what), std::forward<Args>(args)...);
  }

  ReferenceSource* AddReference(const Reference& reference) {
    return Add<ReferenceSource>("reference", reference, size(), folder_);
  }

  // The names are what the scenario calls the gains.
  PidController<double>* AddPid(const std::vector<std::string>& names,
                                const VectorX<double>& kp,
                                const VectorX<double>& ki,
                                const VectorX<double>& kd,
                                const MatrixX<double>& output_projection,
                                ReferenceSource* reference) {
    auto* pid = Add<PidController<double>>(
        "pid", MakeActuatorStateMatrix(who_, plant_, instance_),
        output_projection, SpreadGain(who_, "kp", kp, size()),
        SpreadGain(who_, "ki", ki, size()), SpreadGain(who_, "kd", kd, size()));
    const bool is_tuned = std::ranges::any_of(
        scenario_.tunables,
        [this](const Tunable& one) { return one.model == model_; });
    if (is_tuned) pid->MakeTunable();
    gains_ = {pid, names};
    builder_.Connect(plant_.get_state_output_port(),
                     pid->get_input_port_estimated_state());
    builder_.Connect(reference->GetOutputPort("desired_state"),
                     pid->get_input_port_desired_state());
    return pid;
  }

  // The forces at the actuators, of those of the whole plant.
  const OutputPort<double>& AddInverseDynamics(
      InverseDynamics<double>::InverseDynamicsMode mode,
      const OutputPort<double>* acceleration) {
    auto* dynamics = Add<InverseDynamics<double>>("dynamics", &plant_, mode);
    builder_.Connect(plant_.get_state_output_port(),
                     dynamics->get_input_port_estimated_state());
    if (acceleration != nullptr) {
      builder_.Connect(*acceleration,
                       dynamics->get_input_port_desired_acceleration());
    }
    auto* select =
        Add<MatrixGain<double>>("force_to_actuators", MakeActuationInverse());
    builder_.Connect(dynamics->get_output_port_generalized_force(),
                     select->get_input_port());
    return select->get_output_port();
  }

  void DriveWithSum(const OutputPort<double>& a, const OutputPort<double>& b) {
    auto* sum = Add<Adder<double>>("driver", 2, size());
    builder_.Connect(a, sum->get_input_port(0));
    builder_.Connect(b, sum->get_input_port(1));
    Drive(sum->get_output_port());
  }

  void Drive(const OutputPort<double>& force) {
    const auto& port = plant_.get_actuation_input_port(instance_);
    if (IsWired(port)) {
      ThrowFedTwice(port,
                    ", or connect to 'plant/actuation', which is added to it");
    }
    builder_.Connect(force, port);
  }

  const std::string& model_;
  const std::string who_;
  const Scenario& scenario_;
  const std::filesystem::path& folder_;
  MultibodyPlant<double>& plant_;
  systems::DiagramBuilder<double>& builder_;
  const ModelInstanceIndex instance_;
  const HomeInputs home_;
  multibody::MuscleActuation<double>::PropertiesMap muscles_;
  // The home forces of the actuators and the home excitations of the muscles.
  VectorX<double> home_control_;
  // From forces of the plant to those of the actuators.
  DriverGains gains_;
};

}  // namespace

std::map<std::string, DriverGains> AddModelDrivers(
    const Scenario& scenario, const std::filesystem::path& folder,
    const multibody::ModelFacts& facts, MultibodyPlant<double>* plant,
    systems::DiagramBuilder<double>* builder) {
  std::map<std::string, DriverGains> gains;
  for (const auto& [model, driver] : scenario.model_drivers) {
    DriverBuilder one(model, scenario, folder, facts, plant, builder);
    std::visit(one, driver);
    // A file's gains are 0 under such a driver, but their port needs a value.
    if (!std::holds_alternative<ServoDriver>(driver)) one.FeedServos();
    if (one.gains().block != nullptr) gains[model] = one.gains();
  }
  for (ModelInstanceIndex i(0); i < plant->num_model_instances(); ++i) {
    const std::string& model = plant->GetModelInstanceName(i);
    if (scenario.model_drivers.contains(model)) continue;
    if (plant->GetJointActuatorIndices(i).empty()) continue;
    DriverBuilder(model, scenario, folder, facts, plant, builder).HoldHome();
  }
  return gains;
}

namespace {

// Returns the joint and the unit of a gain, for each actuator of a model.
std::vector<std::string> NameGains(const std::string& gain,
                                   bool gives_acceleration,
                                   ModelInstanceIndex instance,
                                   const MultibodyPlant<double>& plant) {
  std::vector<std::string> names;
  for (const auto index : plant.GetJointActuatorIndices(instance)) {
    const JointActuator<double>& actuator = plant.get_joint_actuator(index);
    if (actuator.acts_on_tendon()) {
      names.push_back(actuator.name());
      continue;
    }
    const std::string effort = GetEffortUnit(actuator);
    const std::string position = effort == "N" ? "m" : "rad";
    std::string unit;
    if (gives_acceleration) {
      unit = gain == "kp" ? "1/s²" : gain == "ki" ? "1/s³" : "1/s";
    } else if (gain == "kp" || gain == "stiffness") {
      unit = fmt::format("{}/{}", effort, position);
    } else if (gain == "ki") {
      unit = fmt::format("{}/({}·s)", effort, position);
    } else {
      unit = fmt::format("{}·s/{}", effort, position);
    }
    names.push_back(fmt::format("{} [{}]", actuator.joint().name(), unit));
  }
  return names;
}

// Two sliders of one number would contradict each other.
void RequireNoEarlier(const std::string& who,
                      const std::vector<Tunable>& tunables, std::size_t i) {
  const Tunable& wanted = tunables[i];
  for (std::size_t k = 0; k < i; ++k) {
    const Tunable& earlier = tunables[k];
    if (earlier.path != wanted.path || earlier.model != wanted.model ||
        (wanted.path.empty() && earlier.gain != wanted.gain)) {
      continue;
    }
    throw std::logic_error(fmt::format(
        "{}: tunables[{}] has {} already; remove one of them.", who, k,
        wanted.path.empty()
            ? fmt::format("the gain {} of '{}'", wanted.gain, wanted.model)
            : fmt::format("the path '{}'", wanted.path)));
  }
}

}  // namespace

std::vector<TunableGain> FindTunables(
    const Scenario& scenario, const std::map<std::string, DriverGains>& gains,
    const MultibodyPlant<double>& plant) {
  std::vector<TunableGain> result;
  for (std::size_t i = 0; i < scenario.tunables.size(); ++i) {
    const Tunable& wanted = scenario.tunables[i];
    const std::string who = fmt::format("Scenario (tunables[{}])", i);
    internal::RequireFinite(who, "min", wanted.min);
    internal::RequireFinite(who, "max", wanted.max);
    internal::RequirePositive(who, "max - min", wanted.max - wanted.min);
    if (wanted.model.empty() == wanted.path.empty()) {
      throw std::logic_error(fmt::format(
          "{}: the model is '{}' and the path is '{}'; give one of them: the "
          "model for a gain, the path for another number of the scenario.",
          who, wanted.model, wanted.path));
    }
    RequireNoEarlier(who, scenario.tunables, i);
    if (!wanted.path.empty()) continue;
    const auto found = gains.find(wanted.model);
    const DriverGains driver =
        found == gains.end() ? DriverGains{} : found->second;
    const auto gain = std::ranges::find(driver.names, wanted.gain);
    if (gain == driver.names.end() || wanted.gain.empty()) {
      throw std::logic_error(fmt::format(
          "{}: the driver of '{}' has no gain '{}'; give a model with a "
          "!PdDriver or !InverseDynamicsDriver and kp, ki or kd, or with a "
          "!JointImpedanceDriver and stiffness or damping.",
          who, wanted.model, wanted.gain));
    }
    result.push_back({driver.block,
                      systems::NumericParameterIndex(
                          static_cast<int>(gain - driver.names.begin())),
                      wanted,
                      NameGains(wanted.gain,
                                std::holds_alternative<InverseDynamicsDriver>(
                                    scenario.model_drivers.at(wanted.model)),
                                FindModel(who, wanted.model, plant), plant)});
  }
  return result;
}

}  // namespace wyvern::app
