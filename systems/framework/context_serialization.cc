#include "wyvern/systems/framework/context_serialization.h"

#include <array>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/value_serialization.h"
#include "wyvern/systems/framework/diagram_context.h"

// The stream: a magic word, then time, accuracy, and for each Context in the
// tree, parents first, its system's name, the sizes of its parts and, for a
// leaf, their values; then the inputs that are fixed in it.

namespace wyvern::systems {
namespace {

const std::string kMagic = "wyvern context 2";

void CheckRoot(const char* function, const Context<double>& context) {
  if (!context.is_root_context()) {
    throw std::logic_error(fmt::format(
        "{}(): the Context of {} is part of a Diagram's Context; pass the root "
        "Context.",
        function, context.GetSystemPathname()));
  }
}

void WriteVector(const Eigen::VectorXd& v, std::ostream* stream) {
  WriteBinary(Eigen::Ref<const Eigen::MatrixXd>(v), stream);
}

std::array<int, 4> CountParts(const Context<double>& context) {
  return {context.num_discrete_state_groups(), context.num_abstract_states(),
          context.num_numeric_parameter_groups(),
          context.num_abstract_parameters()};
}

void WriteLeaf(const Context<double>& context, std::ostream* stream) {
  for (const int count : CountParts(context)) WriteBinary(count, stream);
  WriteVector(context.get_continuous_state_vector().CopyToVector(), stream);
  for (int i = 0; i < context.num_discrete_state_groups(); ++i) {
    WriteVector(context.get_discrete_state(i).value(), stream);
  }
  for (int i = 0; i < context.num_abstract_states(); ++i) {
    ValueSerialization::Write(context.get_abstract_state().get_value(i),
                              stream);
  }
  for (int i = 0; i < context.num_numeric_parameter_groups(); ++i) {
    WriteVector(context.get_numeric_parameter(i).value(), stream);
  }
  for (int i = 0; i < context.num_abstract_parameters(); ++i) {
    ValueSerialization::Write(context.get_abstract_parameter(i), stream);
  }
}

void WriteInputs(const Context<double>& context, std::ostream* stream) {
  WriteBinary(context.num_input_ports(), stream);
  for (int i = 0; i < context.num_input_ports(); ++i) {
    const FixedInputPortValue* fixed = context.MaybeGetFixedInputPortValue(i);
    WriteBinary(fixed != nullptr, stream);
    if (fixed == nullptr) continue;
    const auto* vector =
        fixed->get_value().maybe_get_value<BasicVector<double>>();
    WriteBinary(vector != nullptr, stream);
    if (vector != nullptr) {
      WriteVector(vector->value(), stream);
    } else {
      ValueSerialization::Write(fixed->get_value(), stream);
    }
  }
}

void WriteTree(const Context<double>& context, std::ostream* stream) {
  const auto* diagram = dynamic_cast<const DiagramContext<double>*>(&context);
  WriteBinary(context.GetSystemName(), stream);
  WriteBinary(diagram == nullptr ? -1 : diagram->num_subcontexts(), stream);
  WriteInputs(context, stream);
  if (diagram == nullptr) return WriteLeaf(context, stream);
  for (int i = 0; i < diagram->num_subcontexts(); ++i) {
    WriteTree(diagram->GetSubsystemContext(SubsystemIndex(i)), stream);
  }
}

[[noreturn]] void ThrowMismatch(const Context<double>& context,
                                const std::string& what) {
  throw std::runtime_error(fmt::format(
      "LoadContext(): the stream has {} where the Context of {} differs; load "
      "a Context into the System it was saved from, or one built the same way.",
      what, context.GetSystemPathname()));
}

void CheckFinite(const Context<double>& context, const Eigen::VectorXd& v) {
  if (!v.allFinite()) ThrowMismatch(context, "a value that is not finite");
}

void ReadVector(const Context<double>& context, BasicVector<double>* v,
                std::istream* stream) {
  Eigen::VectorXd value;
  ReadBinary(&value, stream);
  if (value.size() != v->size()) {
    ThrowMismatch(context,
                  fmt::format("a vector of {} elements", value.size()));
  }
  v->SetFromVector(value);
}

void ReadLeaf(std::istream* stream, Context<double>* context) {
  for (const int expected : CountParts(*context)) {
    int count{};
    ReadBinary(&count, stream);
    if (count != expected) {
      ThrowMismatch(*context, fmt::format("{} of {} parts", count, expected));
    }
  }
  Eigen::VectorXd xc;
  ReadBinary(&xc, stream);
  if (xc.size() != context->num_continuous_states()) {
    ThrowMismatch(*context, fmt::format("{} continuous states", xc.size()));
  }
  context->SetContinuousState(xc);
  for (int i = 0; i < context->num_discrete_state_groups(); ++i) {
    ReadVector(*context, &context->get_mutable_discrete_state(i), stream);
    CheckFinite(*context, context->get_discrete_state(i).value());
  }
  AbstractValues& xa = context->get_mutable_abstract_state();
  for (int i = 0; i < xa.size(); ++i) {
    ValueSerialization::Read(&xa.get_mutable_value(i), stream);
  }
  for (int i = 0; i < context->num_numeric_parameter_groups(); ++i) {
    ReadVector(*context, &context->get_mutable_numeric_parameter(i), stream);
  }
  for (int i = 0; i < context->num_abstract_parameters(); ++i) {
    ValueSerialization::Read(&context->get_mutable_abstract_parameter(i),
                             stream);
  }
}

void ReadInputs(std::istream* stream, Context<double>* context) {
  int num_input_ports{};
  ReadBinary(&num_input_ports, stream);
  if (num_input_ports != context->num_input_ports()) {
    ThrowMismatch(*context, fmt::format("{} input ports", num_input_ports));
  }
  for (int i = 0; i < num_input_ports; ++i) {
    bool is_fixed{};
    ReadBinary(&is_fixed, stream);
    const FixedInputPortValue* now = context->MaybeGetFixedInputPortValue(i);
    if (is_fixed != (now != nullptr) && !is_fixed) {
      ThrowMismatch(*context,
                    fmt::format("no fixed value for input port {}", i));
    }
    if (!is_fixed) continue;
    bool is_vector{};
    ReadBinary(&is_vector, stream);
    if (is_vector) {
      Eigen::VectorXd value;
      ReadBinary(&value, stream);
      CheckFinite(*context, value);
      context->FixInputPort(
          i, Value<BasicVector<double>>(BasicVector<double>(value)));
    } else {
      if (now == nullptr) {
        ThrowMismatch(
            *context,
            fmt::format("an abstract value for input port {}, which must be "
                        "fixed at some value before loading",
                        i));
      }
      const std::unique_ptr<AbstractValue> value = now->get_value().Clone();
      ValueSerialization::Read(value.get(), stream);
      context->FixInputPort(i, *value);
    }
  }
}

void ReadTree(std::istream* stream, Context<double>* context) {
  auto* diagram = dynamic_cast<DiagramContext<double>*>(context);
  std::string name;
  ReadBinary(&name, stream);
  if (name != context->GetSystemName()) {
    ThrowMismatch(*context, fmt::format("the System '{}'", name));
  }
  int num_subcontexts{};
  ReadBinary(&num_subcontexts, stream);
  if (num_subcontexts !=
      (diagram == nullptr ? -1 : diagram->num_subcontexts())) {
    ThrowMismatch(*context, fmt::format("{} subsystems", num_subcontexts));
  }
  ReadInputs(stream, context);
  if (diagram == nullptr) return ReadLeaf(stream, context);
  for (int i = 0; i < num_subcontexts; ++i) {
    ReadTree(stream, &diagram->GetMutableSubsystemContext(SubsystemIndex(i)));
  }
}

void ReadAll(std::istream* stream, Context<double>* context) {
  std::ostringstream expected;
  WriteBinary(kMagic, &expected);
  std::string start(expected.str().size(), ' ');
  stream->read(start.data(), static_cast<std::streamsize>(start.size()));
  if (start != expected.str()) {
    throw std::runtime_error(
        "LoadContext(): the stream does not start as a saved Context does; "
        "pass one that SaveContext() wrote.");
  }
  double time{};
  ReadBinary(&time, stream);
  context->SetTime(time);
  bool has_accuracy{};
  double accuracy{};
  ReadBinary(&has_accuracy, stream);
  ReadBinary(&accuracy, stream);
  context->SetAccuracy(has_accuracy ? std::optional(accuracy) : std::nullopt);
  ReadTree(stream, context);
}

// Copies state, parameters, time and fixed inputs between two Contexts of one
// System.
void CopyInputs(const Context<double>& from, Context<double>* to) {
  for (int i = 0; i < from.num_input_ports(); ++i) {
    const FixedInputPortValue* fixed = from.MaybeGetFixedInputPortValue(i);
    if (fixed != nullptr) to->FixInputPort(i, fixed->get_value());
  }
  const auto* diagram = dynamic_cast<const DiagramContext<double>*>(&from);
  if (diagram == nullptr) return;
  for (SubsystemIndex i(0); i < diagram->num_subcontexts(); ++i) {
    CopyInputs(
        diagram->GetSubsystemContext(i),
        &dynamic_cast<DiagramContext<double>*>(to)->GetMutableSubsystemContext(
            i));
  }
}

}  // namespace

void SaveContext(const Context<double>& context, std::ostream* stream) {
  CheckRoot("SaveContext", context);
  WriteBinary(kMagic, stream);
  WriteBinary(context.get_time(), stream);
  WriteBinary(context.get_accuracy().has_value(), stream);
  WriteBinary(context.get_accuracy().value_or(0.0), stream);
  WriteTree(context, stream);
  if (!*stream) {
    throw std::runtime_error(
        "SaveContext(): the stream cannot be written; see that the disk has "
        "room.");
  }
}

void LoadContext(std::istream* stream, Context<double>* context) {
  CheckRoot("LoadContext", *context);
  // Into a copy first, so that a bad stream leaves `context` alone.
  const std::unique_ptr<Context<double>> copy = context->Clone();
  ReadAll(stream, copy.get());
  context->SetTimeStateAndParametersFrom(*copy);
  CopyInputs(*copy, context);
}

}  // namespace wyvern::systems
