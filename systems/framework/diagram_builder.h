#pragma once

#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/common/nice_type_name.h"
#include "wyvern/systems/framework/call_site.h"
#include "wyvern/systems/framework/diagram.h"
#include "wyvern/systems/framework/name_index.h"

namespace wyvern::systems {

/** Collects Systems, connects their ports, and builds a Diagram of them.

A builder builds once: afterwards methods that add, remove, connect or find
something throw std::logic_error. Errors name the ports they are about; all are
std::logic_error and leave the builder as it was.

A mistake in the wiring does not throw at once. The call has no effect then, and
Build() throws one std::logic_error that lists all mistakes, with the file and
line of each call. set_throws_at_once() makes each call throw its own mistake
instead. Mistakes are those of all functions that take a CallSite. */
template <typename T>
class DiagramBuilder {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(DiagramBuilder);
  /** An input port of a System and its index. */
  using InputPortLocator = typename Diagram<T>::InputPortLocator;
  /** An output port of a System and its index. */
  using OutputPortLocator = typename Diagram<T>::OutputPortLocator;

  /** Makes a builder without Systems. */
  DiagramBuilder();
  virtual ~DiagramBuilder();

  /** @name Mistakes
  @{ */
  /** Makes calls throw their mistakes (true), or Build() throw all of them
  together (false, the default). */
  void set_throws_at_once(bool throws) { throws_at_once_ = throws; }
  /** Returns the setting of set_throws_at_once(). */
  bool throws_at_once() const { return throws_at_once_; }
  /** Number of mistakes so far that Build() will list. It lists each once: a
  second Build() ignores the calls of the first list. */
  int num_mistakes() const { return static_cast<int>(mistakes_.size()); }
  /** @} */

  /** @name Systems
  AddSystem() takes the System and returns a pointer to it, alive as long as the
  builder or the Diagram. A System without a name is given one: its type and its
  number, as in "Gain_2".
  @{ */
  /** Adds `system`, which must not be null. */
  template <class S>
  S* AddSystem(std::unique_ptr<S> system) {
    return AddSystem(std::shared_ptr<S>(std::move(system)));
  }
  /** Adds `system`, whose owners share it; must not be null. */
  template <class S>
  S* AddSystem(std::shared_ptr<S> system) {
    S* result = system.get();
    Add(std::move(system));
    return result;
  }
  /** Makes the System: AddSystem<Gain<double>>(2.0, 3). */
  template <class S, typename... Args>
  S* AddSystem(Args&&... args) {
    return AddSystem(std::make_shared<S>(std::forward<Args>(args)...));
  }
  /** Adds a System of a class template: AddSystem<Gain>(2.0, 3). */
  template <template <typename Scalar> class S, typename... Args>
  S<T>* AddSystem(Args&&... args) {
    return AddSystem(std::make_shared<S<T>>(std::forward<Args>(args)...));
  }
  /** Renames `system` to `name` and adds it. */
  template <class S>
  S* AddNamedSystem(const std::string& name, std::unique_ptr<S> system) {
    return AddNamedSystem(name, std::shared_ptr<S>(std::move(system)));
  }
  /** Renames `system` to `name` and adds it; its owners share it. */
  template <class S>
  S* AddNamedSystem(const std::string& name, std::shared_ptr<S> system) {
    wyvern::internal::RequireNotNull("DiagramBuilder::AddNamedSystem",
                                     "a pointer", system.get());
    system->set_name(name);
    return AddSystem(std::move(system));
  }
  /** Makes a System and adds it: AddNamedSystem<Gain<double>>("k", 2.0, 3). */
  template <class S, typename... Args>
  S* AddNamedSystem(const std::string& name, Args&&... args) {
    return AddNamedSystem(name,
                          std::make_shared<S>(std::forward<Args>(args)...));
  }
  /** Overload for a class template: AddNamedSystem<Gain>("k", 2.0, 3). */
  template <template <typename Scalar> class S, typename... Args>
  S<T>* AddNamedSystem(const std::string& name, Args&&... args) {
    return AddNamedSystem(name,
                          std::make_shared<S<T>>(std::forward<Args>(args)...));
  }
  /** Removes a System with its connections and exported ports; a Diagram input
  that feeds nothing else goes too, and later ports move up. The System is
  destroyed unless shared. */
  void RemoveSystem(const System<T>& system);

  /** True if no System has been added. */
  bool empty() const { return blueprint_.systems.empty(); }
  /** True after Build() or BuildInto(). */
  bool already_built() const { return already_built_; }
  /** The Systems in the order in which they were added. */
  std::vector<const System<T>*> GetSystems() const;
  /** Mutable variant of GetSystems(). */
  std::vector<System<T>*> GetMutableSystems();
  /** True if an added System has this name. */
  bool HasSubsystemNamed(std::string_view name) const;
  /** Returns the added System of a name.
  @throws std::logic_error unless exactly one System has the name. */
  const System<T>& GetSubsystemByName(std::string_view name) const;
  /** Mutable variant of GetSubsystemByName(). */
  System<T>& GetMutableSubsystemByName(std::string_view name);
  /** The System of that name as a MySystem<T>.
  @throws std::logic_error also if it is not one. */
  template <template <typename> class MySystem>
  const MySystem<T>& GetDowncastSubsystemByName(std::string_view name) const {
    return GetDowncastSubsystemByName<MySystem<T>>(name);
  }
  /** The System of that name as a MySystem.
  @throws std::logic_error also if it is not one. */
  template <class MySystem>
  const MySystem& GetDowncastSubsystemByName(std::string_view name) const {
    const System<T>& system = GetSubsystemByName(name);
    const auto* result = dynamic_cast<const MySystem*>(&system);
    if (result == nullptr) {
      ThrowWrongType(system, NiceTypeName::Get<MySystem>());
    }
    return *result;
  }
  /** Mutable variant of GetDowncastSubsystemByName(). */
  template <template <typename> class MySystem>
  MySystem<T>& GetMutableDowncastSubsystemByName(std::string_view name) {
    return GetMutableDowncastSubsystemByName<MySystem<T>>(name);
  }
  /** Mutable variant of GetDowncastSubsystemByName(). */
  template <class MySystem>
  MySystem& GetMutableDowncastSubsystemByName(std::string_view name) {
    RequireNotYetBuilt("GetMutableDowncastSubsystemByName");
    return const_cast<MySystem&>(GetDowncastSubsystemByName<MySystem>(name));
  }
  /** @} */

  /** @name Connections
  An input port takes one connection, or is exported. Kind and size of connected
  ports must agree, for abstract values the type, and for elements that have
  units at both ends the units.
  @{ */
  /** From each connected input port to the output port that feeds it. */
  const std::map<InputPortLocator, OutputPortLocator>& connection_map() const {
    return blueprint_.connections;
  }
  /** Connects `src` to `dest`, ports of added Systems. */
  void Connect(const OutputPort<T>& src, const InputPort<T>& dest,
               const CallSite& at = CallSite::Here());
  /** From the only output port of `src` to the only input port of `dest`. */
  void Connect(const System<T>& src, const System<T>& dest,
               const CallSite& at = CallSite::Here());
  /** Connects the only output port of `src` to the only input port of
  `dest`. */
  void Cascade(const System<T>& src, const System<T>& dest,
               const CallSite& at = CallSite::Here());
  /** Undoes a Connect(). It is a mistake if there was none. */
  void Disconnect(const OutputPort<T>& src, const InputPort<T>& dest,
                  const CallSite& at = CallSite::Here());
  /** Undoes the Connect() of the only ports of both Systems. */
  void Disconnect(const System<T>& src, const System<T>& dest,
                  const CallSite& at = CallSite::Here());
  /** Feeds `dest` from what feeds `exemplar`, connection or exported input.
  Returns false if nothing does, and true after a mistake. */
  bool ConnectToSame(const InputPort<T>& exemplar, const InputPort<T>& dest,
                     const CallSite& at = CallSite::Here());
  /** Adds a System to the connection that ends at `input`: port 0 of `system`
  takes what fed `input`, and output port 0 of `system` feeds it. A
  ZeroOrderHold breaks an algebraic loop there by a delay of one period; see
  LoopSolver for a loop that is to be solved. It is a mistake if `input` is not
  connected, or does not suit the ports of `system`. */
  template <class S>
  S* InsertBefore(const InputPort<T>& input, std::unique_ptr<S> system,
                  const CallSite& at = CallSite::Here()) {
    S* result = AddSystem(std::move(system));
    PutBefore(input, *result, at);
    return result;
  }
  /** True if `port` is fed by a connection or by a port of the Diagram. */
  bool IsConnectedOrExported(const InputPort<T>& port) const;
  /** @} */

  /** @name Ports of the Diagram
  The default name of a port is "system_port".
  @{ */
  /** Makes `input` an input port of the Diagram, and returns its index; after a
  mistake the index is not valid. */
  InputPortIndex ExportInput(
      const InputPort<T>& input,
      std::variant<std::string, UseDefaultName> name = kUseDefaultName,
      const CallSite& at = CallSite::Here());
  /** Lets a Diagram input feed one more port. */
  void ConnectInput(std::string_view diagram_port_name,
                    const InputPort<T>& input,
                    const CallSite& at = CallSite::Here());
  /** Overload by the index of the Diagram input. */
  void ConnectInput(InputPortIndex diagram_port_index,
                    const InputPort<T>& input,
                    const CallSite& at = CallSite::Here());
  /** Makes `output` an output port of the Diagram, and returns its index; after
  a mistake the index is not valid. */
  OutputPortIndex ExportOutput(
      const OutputPort<T>& output,
      std::variant<std::string, UseDefaultName> name = kUseDefaultName,
      const CallSite& at = CallSite::Here());
  /** Number of input ports that the Diagram has so far. */
  int num_input_ports() const {
    return static_cast<int>(blueprint_.inputs.size());
  }
  /** Number of output ports that the Diagram has so far. */
  int num_output_ports() const {
    return static_cast<int>(blueprint_.outputs.size());
  }
  /** @} */

  /** The Diagram.
  @throws std::logic_error if there were mistakes in the wiring, there is no
  System, two have the same name, one is part of another Diagram or a Diagram
  not built itself, or a loop of connections and direct feedthroughs has no
  state in it. The message lists all of these, the ports of each loop and the
  fewest connections that break it. If a call was a mistake, it also lists
  inputs that nothing feeds and that are not optional. The builder is then as it
  was, to be mended and built. */
  std::unique_ptr<Diagram<T>> Build();
  /** Builds into `target`, an empty Diagram of a derived class.
  @throws std::logic_error as Build() does, and if `target` is null, has ports
  or Systems, or is one of those added here. */
  void BuildInto(Diagram<T>* target);

 private:
  void Add(std::shared_ptr<System<T>> system);
  void RequireNotYetBuilt(const char* function) const;
  void RequireAdded(const char* function, const System<T>& system) const;
  void RequireNotFed(const char* function, const InputPort<T>& input) const;
  template <typename Source>
  void RequireSameValues(const char* function, const Source& one,
                         const InputPort<T>& other) const;
  [[noreturn]] void ThrowWrongType(const System<T>& system,
                                   const std::string& wanted) const;
  void PutBefore(const InputPort<T>& input, const System<T>& added,
                 const CallSite& at);

  // Calls a function that wires. Throws its std::logic_error or makes it a
  // mistake of the call, about `input` if that is not null. Returns false after
  // a mistake.
  template <typename Function>
  bool Attempt(const CallSite& at, const InputPort<T>* input,
               const Function& function) {
    if (throws_at_once_) {
      function();
      return true;
    }
    try {
      function();
      return true;
    } catch (const std::logic_error& error) {
      AddMistake(at, error.what());
      if (input != nullptr) Explain(*input);
      return false;
    }
  }
  // Throws or adds to the list.
  void AddMistake(const CallSite& at, const std::string& text);
  // Notes that a mistake says why nothing feeds a port.
  void Explain(const InputPort<T>& input) {
    explained_.insert({&input.get_system(), input.get_index()});
  }
  bool IsExplained(const InputPort<T>& input) const {
    return explained_.contains({&input.get_system(), input.get_index()});
  }
  // Throws all mistakes in one exception, and forgets them, if there are any.
  void ThrowMistakes();
  std::string ListOpenInputs() const;
  void FindTwinNames();
  void FindAlgebraicLoops();
  internal::DiagramBlueprint<T> Compile(const Diagram<T>& target);
  typename internal::DiagramBlueprint<T>::Input* FindInput(
      const InputPort<T>& port);

  // Returns whether one of the added Systems has the name.
  bool IsNameTaken(const std::string& name) const;
  // Called before Systems leave this builder.
  void ForgetNames();
  // Rebuilds the index of exported ports.
  void IndexExports();

  internal::DiagramBlueprint<T> blueprint_;
  bool already_built_{false};
  bool throws_at_once_{false};
  // Mistakes of calls and of Build(), each with its place, and whether any is
  // of a call. What follows from a mistake is not listed as another: ports that
  // are not fed because of one, and Diagram inputs that do not exist.
  std::vector<std::string> mistakes_;
  bool has_mistaken_calls_{false};
  std::set<InputPortLocator> explained_;
  std::set<std::string> missing_inputs_;
  // Indexes of the blueprint, so that a call takes no longer in a large
  // Diagram: members, their names, exported ports and their names. A System in
  // two builders reports its name to only one of them.
  std::unordered_set<const System<T>*> members_;
  internal::NameIndex names_;
  bool knows_all_names_{true};
  std::map<InputPortLocator, int> exported_;
  std::unordered_set<std::string> input_names_;
  std::unordered_set<std::string> output_names_;
};

}  // namespace wyvern::systems
