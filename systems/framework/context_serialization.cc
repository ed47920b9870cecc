#include "wyvern/systems/framework/context_serialization.h"

#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/nice_type_name.h"
#include "wyvern/systems/common/sealed_record.h"
#include "wyvern/systems/common/value_serialization.h"
#include "wyvern/systems/framework/bus_value.h"
#include "wyvern/systems/framework/diagram_context.h"

/* Writers and readers go over the same tree in the same order, and little in
the stream says where one is: what is changed in one must be changed in the
other, with a new kVersion. The model is compared before any value is read,
by names, sizes, types of abstract values, and a hash of the names of
computations. A vector is written apart from other values, so that one of a
subclass of BasicVector keeps its type. A fixed input cannot be released
again, and so a stream without a value for one is refused.

A sealed record. In it, what kind of model the Context is of, a line for each
Context in the tree, parents first, so that two models can be compared and
the first difference shown. Then time, accuracy, and for each Context in the
same order the inputs that are fixed in it and, for a leaf, its values.

Values are read into a copy of the Context, so that a bad stream changes
nothing, and they are read twice: what holds an id may come before what says
which object of this model has that id. */

namespace wyvern::systems {
namespace {

constexpr char kKind[] = "Context";
constexpr int kVersion = 7;

void RequireRootContext(const char* function, const Context<double>& context) {
  if (!context.is_root_context()) {
    throw std::logic_error(fmt::format(
        "{}(): the Context of {} is part of a Diagram's Context; pass the root "
        "Context.",
        function, context.GetSystemPathname()));
  }
}

// The model.

std::string TypeName(const AbstractValue& value) {
  return NiceTypeName::Get(value.static_type_info());
}

template <typename Item>
std::string FormatList(int size, Item&& item) {
  std::string result;
  for (int i = 0; i < size; ++i) {
    result += (i == 0 ? "" : ", ") + item(i);
  }
  return "[" + result + "]";
}

// The names of computations are many, and enter by their hash.
std::string DescribeComputations(const Context<double>& context) {
  std::string names;
  const Cache& cache = context.get_cache();
  for (CacheIndex i(0); i < cache.cache_size(); ++i) {
    names += cache.get_cache_entry_value(i).description() + "\n";
  }
  return fmt::format("{:016x}", wyvern::internal::HashBytes(names));
}

std::string DescribeOne(const Context<double>& c) {
  const ContinuousState<double>& xc = c.get_continuous_state();
  return fmt::format(
      "{}: {} inputs, {} outputs, continuous states [{}, {}, {}], discrete {}, "
      "abstract {}, numeric parameters {}, abstract {}, computations {}",
      c.GetSystemPathname(), c.num_input_ports(), c.num_output_ports(),
      xc.num_q(), xc.num_v(), xc.num_z(),
      FormatList(c.num_discrete_state_groups(),
                 [&](int i) {
                   return std::to_string(c.get_discrete_state(i).size());
                 }),
      FormatList(
          c.num_abstract_states(),
          [&](int i) { return TypeName(c.get_abstract_state().get_value(i)); }),
      FormatList(c.num_numeric_parameter_groups(),
                 [&](int i) {
                   return std::to_string(c.get_numeric_parameter(i).size());
                 }),
      FormatList(c.num_abstract_parameters(),
                 [&](int i) { return TypeName(c.get_abstract_parameter(i)); }),
      DescribeComputations(c));
}

void DescribeTree(const Context<double>& context,
                  std::vector<std::string>* lines) {
  lines->push_back(DescribeOne(context));
  const auto* diagram = dynamic_cast<const DiagramContext<double>*>(&context);
  if (diagram == nullptr) return;
  for (SubsystemIndex i(0); i < diagram->num_subcontexts(); ++i) {
    DescribeTree(diagram->GetSubsystemContext(i), lines);
  }
}

void WriteModel(const Context<double>& context, std::ostream* stream) {
  std::vector<std::string> lines;
  DescribeTree(context, &lines);
  WriteBinary(lines, stream, [](const std::string& line, std::ostream* s) {
    WriteBinary(line, s);
  });
}

void RequireModel(const Context<double>& context, std::istream* stream) {
  std::vector<std::string> there, here;
  ReadBinary(&there, stream, [](std::istream* s) {
    std::string line;
    ReadBinary(&line, s);
    return line;
  });
  DescribeTree(context, &here);
  if (there == here) return;
  const std::string end = "nothing more";
  size_t i = 0;
  while (i < there.size() && i < here.size() && there[i] == here[i]) ++i;
  throw std::runtime_error(fmt::format(
      "LoadContext(): the Context was saved from another model: that has '{}' "
      "where this has '{}'; load it into the System it was saved from, or one "
      "built the same way.",
      i < there.size() ? there[i] : end, i < here.size() ? here[i] : end));
}

// Values.

[[noreturn]] void ThrowMismatch(const Context<double>& context,
                                const std::string& what) {
  throw std::runtime_error(fmt::format(
      "LoadContext(): the stream has {} where the Context of {} differs; load "
      "a Context into the System it was saved from, or one built the same way.",
      what, context.GetSystemPathname()));
}

void WriteVector(const Eigen::VectorXd& v, std::ostream* stream) {
  WriteBinary(Eigen::Ref<const Eigen::MatrixXd>(v), stream);
}

void ReadVector(BasicVector<double>* v, std::istream* stream) {
  Eigen::VectorXd value;
  ReadBinary(&value, stream);
  v->SetFromVector(value);
}

// Vectors keep their derived type if there is one to keep.
void WriteValue(const AbstractValue& value, std::ostream* stream) {
  const auto* vector = value.maybe_get_value<BasicVector<double>>();
  WriteBinary(vector != nullptr, stream);
  if (vector != nullptr) {
    WriteVector(vector->value(), stream);
  } else {
    ValueSerialization::Write(value, stream);
  }
}

// Reads a value into a copy of `now`, or makes a new one if `now` is null.
std::unique_ptr<AbstractValue> ReadValue(const AbstractValue* now,
                                         std::istream* stream) {
  bool is_vector{};
  ReadBinary(&is_vector, stream);
  if (!is_vector) {
    if (now == nullptr) return ValueSerialization::ReadNew(stream);
    std::unique_ptr<AbstractValue> value = now->Clone();
    ValueSerialization::Read(value.get(), stream);
    return value;
  }
  Eigen::VectorXd vector;
  ReadBinary(&vector, stream);
  if (now == nullptr ||
      now->maybe_get_value<BasicVector<double>>() == nullptr) {
    return std::make_unique<Value<BasicVector<double>>>(vector);
  }
  std::unique_ptr<AbstractValue> value = now->Clone();
  value->get_mutable_value<BasicVector<double>>().SetFromVector(vector);
  return value;
}

void ReadInto(AbstractValue* value, std::istream* stream) {
  value->SetFrom(*ReadValue(value, stream));
}

void RegisterBusValue() {
  ValueSerialization::Register<BusValue>(
      [](const BusValue& bus, std::ostream* stream) {
        WriteBinary(bus.size(), stream);
        for (const auto& [name, value] : bus) {
          WriteBinary(name, stream);
          WriteValue(*value, stream);
        }
      },
      [](BusValue* bus, std::istream* stream) {
        int size{};
        ReadBinary(&size, stream);
        bus->Clear();
        for (int i = 0; i < size; ++i) {
          std::string name;
          ReadBinary(&name, stream);
          bus->Set(name, *ReadValue(nullptr, stream));
        }
      });
  ValueSerialization::Register<InputPortIndex>(
      [](const InputPortIndex& index, std::ostream* stream) {
        WriteBinary(static_cast<int>(index), stream);
      },
      [](InputPortIndex* index, std::istream* stream) {
        int value{};
        ReadBinary(&value, stream);
        *index = InputPortIndex(value);
      });
}

void RegisterTypesOfThisFolder() {
  static const bool once = (RegisterBusValue(), true);
  static_cast<void>(once);
}

void WriteLeaf(const Context<double>& context, std::ostream* stream) {
  WriteVector(context.get_continuous_state_vector().CopyToVector(), stream);
  for (int i = 0; i < context.num_discrete_state_groups(); ++i) {
    WriteVector(context.get_discrete_state(i).value(), stream);
  }
  for (int i = 0; i < context.num_abstract_states(); ++i) {
    WriteValue(context.get_abstract_state().get_value(i), stream);
  }
  for (int i = 0; i < context.num_numeric_parameter_groups(); ++i) {
    WriteVector(context.get_numeric_parameter(i).value(), stream);
  }
  for (int i = 0; i < context.num_abstract_parameters(); ++i) {
    WriteValue(context.get_abstract_parameter(i), stream);
  }
}

void ReadLeaf(std::istream* stream, Context<double>* context) {
  Eigen::VectorXd xc;
  ReadBinary(&xc, stream);
  context->SetContinuousState(xc);
  for (int i = 0; i < context->num_discrete_state_groups(); ++i) {
    ReadVector(&context->get_mutable_discrete_state(i), stream);
    if (!context->get_discrete_state(i).value().allFinite()) {
      ThrowMismatch(*context, "a discrete state that is not finite");
    }
  }
  AbstractValues& xa = context->get_mutable_abstract_state();
  for (int i = 0; i < xa.size(); ++i) {
    ReadInto(&xa.get_mutable_value(i), stream);
  }
  for (int i = 0; i < context->num_numeric_parameter_groups(); ++i) {
    ReadVector(&context->get_mutable_numeric_parameter(i), stream);
  }
  for (int i = 0; i < context->num_abstract_parameters(); ++i) {
    ReadInto(&context->get_mutable_abstract_parameter(i), stream);
  }
}

void WriteInputs(const Context<double>& context, std::ostream* stream) {
  for (int i = 0; i < context.num_input_ports(); ++i) {
    const FixedInputPortValue* fixed = context.MaybeGetFixedInputPortValue(i);
    WriteBinary(fixed != nullptr, stream);
    if (fixed != nullptr) WriteValue(fixed->get_value(), stream);
  }
}

void ReadInputs(std::istream* stream, Context<double>* context) {
  for (int i = 0; i < context->num_input_ports(); ++i) {
    bool is_fixed{};
    ReadBinary(&is_fixed, stream);
    const FixedInputPortValue* now = context->MaybeGetFixedInputPortValue(i);
    if (is_fixed) {
      context->FixInputPort(
          i, *ReadValue(now == nullptr ? nullptr : &now->get_value(), stream));
    } else if (now != nullptr) {
      ThrowMismatch(*context,
                    fmt::format("no fixed value for input port {}", i));
    }
  }
}

void WriteTree(const Context<double>& context, std::ostream* stream) {
  WriteInputs(context, stream);
  const auto* diagram = dynamic_cast<const DiagramContext<double>*>(&context);
  if (diagram == nullptr) return WriteLeaf(context, stream);
  for (SubsystemIndex i(0); i < diagram->num_subcontexts(); ++i) {
    WriteTree(diagram->GetSubsystemContext(i), stream);
  }
}

void ReadTree(std::istream* stream, Context<double>* context) {
  ReadInputs(stream, context);
  auto* diagram = dynamic_cast<DiagramContext<double>*>(context);
  if (diagram == nullptr) return ReadLeaf(stream, context);
  for (SubsystemIndex i(0); i < diagram->num_subcontexts(); ++i) {
    ReadTree(stream, &diagram->GetMutableSubsystemContext(i));
  }
}

void ReadAll(std::istream* stream, Context<double>* context) {
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
  wyvern::internal::RequireNotNull("SaveContext", "stream", stream);
  RequireRootContext("SaveContext", context);
  RegisterTypesOfThisFolder();
  std::ostringstream content;
  WriteModel(context, &content);
  WriteBinary(context.get_time(), &content);
  WriteBinary(context.get_accuracy().has_value(), &content);
  WriteBinary(context.get_accuracy().value_or(0.0), &content);
  WriteTree(context, &content);
  wyvern::internal::WriteSealed(kKind, kVersion, content.str(), stream);
  if (!*stream) {
    throw std::runtime_error(
        "SaveContext(): the stream cannot be written; see that the disk has "
        "room.");
  }
}

void LoadContext(std::istream* stream, Context<double>* context) {
  wyvern::internal::RequireNotNull("LoadContext", "stream", stream);
  wyvern::internal::RequireNotNull("LoadContext", "context", context);
  RequireRootContext("LoadContext", *context);
  RegisterTypesOfThisFolder();
  SavedValueStream content(
      wyvern::internal::ReadSealed("LoadContext", kKind, kVersion, stream));
  RequireModel(*context, &content);
  const std::unique_ptr<Context<double>> copy = context->Clone();
  const auto start = content.tellg();
  ReadAll(&content, copy.get());
  content.seekg(start);
  content.ids().StartLastReading();
  ReadAll(&content, copy.get());
  context->SetTimeStateAndParametersFrom(*copy);
  CopyInputs(*copy, context);
}

}  // namespace wyvern::systems
