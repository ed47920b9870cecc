#include "wyvern/geometry/viewer/viewer_diagram.h"

#include <algorithm>
#include <charconv>
#include <exception>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/json_text.h"
#include "wyvern/systems/framework/basic_vector.h"

/* A page names a block by its places from the root down, "1.0" for the first
part of the second, and a port by its block, its side and its number:
"1.0:y2", ":u0" for an input of the root. It says every second which ports it
wants, so that a page that is gone is forgotten without being told; what was
wanted is a list that the simulation's thread looks at when it has changed,
and once a second. */

namespace wyvern::geometry {

using systems::BasicVector;
using systems::BlockDescription;
using systems::Context;
using systems::PortDescription;
using systems::SystemBase;
using wyvern::internal::JsonString;

namespace {

constexpr size_t kMaxPorts = 64;
constexpr int kMaxElements = 64;
constexpr auto kLease = std::chrono::seconds(5);
constexpr auto kLookPeriod = std::chrono::seconds(1);

using Units = std::map<std::string, std::string>;

std::string PortName(const std::string& block, bool is_output, int index) {
  return fmt::format("{}:{}{}", block, is_output ? 'y' : 'u', index);
}

// A list of the texts of the elements that are shown.
std::string TextsJson(const std::vector<std::string>& texts) {
  const size_t count = std::min<size_t>(kMaxElements, texts.size());
  std::string json = "[";
  for (size_t i = 0; i < count; ++i) {
    json += (i > 0 ? "," : "") + JsonString(texts[i]);
  }
  return json + "]";
}

// A text for all elements, or a list of one for each.
std::string UnitsJson(const std::vector<std::string>& units) {
  const bool is_one = std::ranges::all_of(
      units, [&](const auto& unit) { return unit == units.front(); });
  if (!is_one) return TextsJson(units);
  return JsonString(units.empty() ? std::string_view() : units.front());
}

// [name, type, size], then units if there are any, those of the page or else
// those of the port; then names of elements if there are any.
std::string PortJson(const PortDescription& port, const std::string& type,
                     const std::string* unit) {
  std::string json = fmt::format("[{},{},{}", JsonString(port.name),
                                 JsonString(type), port.size);
  if (unit != nullptr || !port.units.empty() || !port.element_names.empty()) {
    json += "," + (unit != nullptr ? JsonString(*unit) : UnitsJson(port.units));
  }
  if (!port.element_names.empty()) json += "," + TextsJson(port.element_names);
  return json + "]";
}

std::string ValueType(const systems::System<double>& system, bool is_output,
                      int index) {
  const auto value =
      is_output ? system.get_output_port(index, false).Allocate()
                : system.get_input_port_base(systems::InputPortIndex(index))
                      .Allocate();
  return value->GetNiceTypeName();
}

std::string PortsJson(const BlockDescription& block, bool is_output,
                      const std::string& place, const Units& units) {
  const auto* system =
      dynamic_cast<const systems::System<double>*>(block.system);
  const auto& ports = is_output ? block.outputs : block.inputs;
  std::string json;
  for (int i = 0; i < static_cast<int>(ports.size()); ++i) {
    const auto unit = units.find(PortName(place, is_output, i));
    const std::string type =
        ports[i].type == systems::kVectorValued || system == nullptr
            ? ""
            : ValueType(*system, is_output, i);
    json +=
        (i > 0 ? "," : "") +
        PortJson(ports[i], type, unit == units.end() ? nullptr : &unit->second);
  }
  return json;
}

std::string PartPlace(const std::string& place, size_t part) {
  return place.empty() ? fmt::format("{}", part)
                       : fmt::format("{}.{}", place, part);
}

// Pairs of an input and an output that depends on it directly, of a block
// without parts.
std::string FeedthroughJson(const BlockDescription& block) {
  std::string json;
  if (!block.parts.empty()) return json;
  for (const auto& [input, output] : block.system->GetDirectFeedthroughs()) {
    json += fmt::format("{}[{},{}]", json.empty() ? "" : ",", input, output);
  }
  return json;
}

// {"name", "type", "in", "out", "rates", "period", "parts", "wires",
// "through"}.
std::string BlockJson(const BlockDescription& block, const std::string& place,
                      const Units& units) {
  std::string rates, parts, wires;
  for (const std::string& line : systems::internal::RateLines(block)) {
    rates += (rates.empty() ? "" : ",") + JsonString(line);
  }
  for (size_t i = 0; i < block.parts.size(); ++i) {
    parts += (i > 0 ? ",\n" : "") +
             BlockJson(block.parts[i], PartPlace(place, i), units);
  }
  for (const auto& [from, to] : block.wires) {
    wires += fmt::format("{}[{},{},{},{}]", wires.empty() ? "" : ",",
                         from.system, from.port, to.system, to.port);
  }
  const double period =
      block.updates.empty() ? 0 : block.updates.front().period_sec();
  return fmt::format(
      R"({{"name":{},"type":{},"in":[{}],"out":[{}],"rates":[{}],"period":{},"parts":[{}],"wires":[{}],"through":[{}]}})",
      JsonString(block.name), JsonString(block.type),
      PortsJson(block, false, place, units),
      PortsJson(block, true, place, units), rates, period, parts, wires,
      FeedthroughJson(block));
}

void FindPlaces(const BlockDescription& block, const std::string& place,
                std::map<const SystemBase*, std::string>* place_of) {
  (*place_of)[block.system] = place;
  for (size_t i = 0; i < block.parts.size(); ++i) {
    FindPlaces(block.parts[i], PartPlace(place, i), place_of);
  }
}

}  // namespace

ViewerDiagram::ViewerDiagram(const systems::System<double>& system,
                             std::shared_ptr<Viewer> viewer,
                             const ViewerDiagramParams& params)
    : system_(system),
      viewer_([&] {
        wyvern::internal::RequireNotNull("ViewerDiagram", "the viewer", viewer,
                                         "pass one");
        wyvern::internal::RequirePositive("ViewerDiagram", "publish_period",
                                          params.publish_period);
        if (system.get_parent() != nullptr) {
          throw std::logic_error(fmt::format(
              "ViewerDiagram: {} is in a Diagram; pass the outermost one.",
              system.GetSystemPathname()));
        }
        return std::move(viewer);
      }()),
      params_(params),
      root_(systems::DescribeBlock(system, std::numeric_limits<int>::max(),
                                   params.element_names)),
      link_(
          viewer_.get(), "watch",
          [this](const internal::PageMessage& message) { Receive(message); }) {
  FindPlaces(root_, "", &place_of_);
  Send();
}

ViewerDiagram::~ViewerDiagram() = default;

void ViewerDiagram::Send() {
  link_.state().Set("diagram", "",
                    fmt::format(R"({{"type":"diagram","root":{}}})",
                                BlockJson(root_, "", units_)));
}

void ViewerDiagram::SetUnit(const systems::OutputPort<double>& port,
                            std::string_view unit) {
  const auto place = place_of_.find(&port.get_system());
  if (place == place_of_.end()) {
    throw std::logic_error(fmt::format(
        "ViewerDiagram::SetUnit(): {} is not of a block of {}; pass "
        "a port of a block that is drawn.",
        port.GetFullDescription(), root_.name));
  }
  units_[PortName(place->second, true, port.get_index())] = unit;
  Send();
}

// On the server's thread.
void ViewerDiagram::Receive(const internal::PageMessage& message) {
  constexpr size_t kMaxName = 256;
  const auto now = Clock::now();
  const auto until = now + kLease;
  const std::lock_guard lock(wanted_mutex_);
  // A simulation that is paused or over does not look at what is forgotten.
  if (wanted_.size() >= kMaxPorts) {
    std::erase_if(wanted_,
                  [now](const auto& wanted) { return wanted.second < now; });
  }
  bool is_new = false;
  for (const std::string& name : message.paths) {
    const auto found = wanted_.find(name);
    if (found != wanted_.end()) {
      found->second = until;
    } else if (wanted_.size() < kMaxPorts && name.size() <= kMaxName) {
      wanted_.emplace(name, until);
      is_new = true;
    }
  }
  if (is_new) ++num_changes_;
}

// The port of that name, if there is one and it has numbers.
auto ViewerDiagram::FindPort(const std::string& name) const
    -> std::optional<Port> {
  const char* at = name.data();
  const char* const end = at + name.size();
  const auto number = [&at, end](int limit) {
    int value = -1;
    const auto [next, error] = std::from_chars(at, end, value);
    at = next;
    return error == std::errc{} && value >= 0 && value < limit ? value : -1;
  };
  const BlockDescription* block = &root_;
  while (at != end && *at != ':') {
    const int part = number(static_cast<int>(block->parts.size()));
    if (part < 0) return std::nullopt;
    block = &block->parts[part];
    if (at != end && *at == '.') ++at;
  }
  if (end - at < 3 || (at[1] != 'u' && at[1] != 'y')) return std::nullopt;
  const bool is_output = at[1] == 'y';
  at += 2;
  const auto& ports = is_output ? block->outputs : block->inputs;
  const int index = number(static_cast<int>(ports.size()));
  if (index < 0 || at != end || ports[index].type != systems::kVectorValued ||
      ports[index].size == 0) {
    return std::nullopt;
  }
  return Port{
      .signal = "port:" + name,
      .system = dynamic_cast<const systems::System<double>*>(block->system),
      .is_output = is_output,
      .index = index};
}

// Brings ports_ in line with what pages want.
void ViewerDiagram::UpdatePorts() {
  const auto now = Clock::now();
  if (num_changes_ == num_changes_seen_ && now < next_look_) return;
  next_look_ = now + kLookPeriod;
  const std::lock_guard lock(wanted_mutex_);
  num_changes_seen_ = num_changes_;
  std::erase_if(wanted_,
                [now](const auto& wanted) { return wanted.second < now; });
  std::erase_if(ports_, [this](const Port& port) {
    const bool is_gone = !wanted_.contains(port.signal.substr(5));
    if (is_gone) link_.state().DeleteSignal(port.signal);
    return is_gone;
  });
  for (const auto& [name, until] : wanted_) {
    const bool is_there =
        std::any_of(ports_.begin(), ports_.end(), [&](const Port& port) {
          return std::string_view(port.signal).substr(5) == name;
        });
    if (is_there) continue;
    if (auto port = FindPort(name)) ports_.push_back(std::move(*port));
  }
}

void ViewerDiagram::Publish(const Context<double>& context, bool is_due) {
  system_.ValidateContext(context);
  const double time = context.get_time();
  const bool has_changed = num_changes_ != num_changes_seen_;
  // Due at the last step before a period is over, give or take its rounding.
  if (!is_due && !has_changed && last_time_ && time >= *last_time_ &&
      time < *last_time_ + params_.publish_period * (1 - 1e-9)) {
    return;
  }
  UpdatePorts();
  if (last_time_ != time || has_changed || is_due) {
    for (Port& port : ports_) Show(context, &port);
  }
  last_time_ = time;
}

void ViewerDiagram::Show(const Context<double>& root, Port* port) {
  const auto send = [&](const Eigen::VectorXd& values) {
    const int size = std::min<int>(kMaxElements, values.size());
    if (!values.head(size).allFinite()) return;
    link_.state().AddSample(port->signal, root.get_time(), values.data(), size);
  };
  if (port->failed) return;
  const systems::System<double>& system = *port->system;
  try {
    const Context<double>& context = system.GetMyContextFromRoot(root);
    if (port->is_output) {
      send(system.get_output_port(port->index, false).Eval(context));
    } else if (const auto* input =
                   system.EvalVectorInput<BasicVector>(context, port->index)) {
      send(input->value());
    }
  } catch (const std::exception& error) {
    port->failed = true;
    ShowFault(error.what(), root);
  }
}

void ViewerDiagram::MarkBlock(const SystemBase& system,
                              std::string_view message) {
  const std::string& place = place_of_.at(&system);
  link_.state().Set("fault", place,
                    fmt::format(R"({{"type":"fault","path":{},"message":{}}})",
                                JsonString(place), JsonString(message)));
  faults_.push_back(place);
}

const SystemBase* ViewerDiagram::FindCulprit(
    std::string_view message, const Context<double>& root) const {
  const SystemBase* best = nullptr;
  size_t length = 0;
  for (const auto& [system, place] : place_of_) {
    const std::string path = system->GetSystemPathname();
    if (path.size() > length && system != root_.system &&
        message.find(path) != std::string_view::npos) {
      best = system;
      length = path.size();
    }
  }
  if (best != nullptr) return best;
  const auto throws = [](const auto& evaluate) {
    try {
      evaluate();
      return false;
    } catch (const std::exception&) {
      return true;
    }
  };
  for (const auto& [base, place] : place_of_) {
    const auto* system = dynamic_cast<const systems::System<double>*>(base);
    if (system == nullptr || system == &system_) continue;
    const Context<double>& context = system->GetMyContextFromRoot(root);
    const bool has_inputs = !throws([&] {
      for (int i = 0; i < system->num_input_ports(); ++i) {
        system->EvalAbstractInput(context, i);
      }
    });
    const bool fails = has_inputs && throws([&] {
                         system->EvalTimeDerivatives(context);
                         for (int i = 0; i < system->num_output_ports(); ++i) {
                           const auto& port = system->get_output_port(i, false);
                           if (port.get_data_type() == systems::kVectorValued)
                             port.Eval(context);
                         }
                       });
    // The innermost has the longest name.
    if (fails &&
        (best == nullptr || system->GetSystemPathname().size() > length)) {
      best = system;
      length = system->GetSystemPathname().size();
    }
  }
  return best == nullptr ? &system_ : best;
}

void ViewerDiagram::ShowFault(std::string_view message,
                              const Context<double>& context) {
  MarkBlock(*FindCulprit(message, context), message);
}

void ViewerDiagram::ClearFaults() {
  for (const std::string& place : faults_) {
    link_.state().DeleteItem("fault", place);
  }
  faults_.clear();
}

}  // namespace wyvern::geometry
