#include "wyvern/systems/framework/port_base.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/nice_type_name.h"
#include "wyvern/systems/framework/block_description.h"
#include "wyvern/systems/framework/system_base.h"

namespace wyvern::systems {

PortBase::PortBase(const char* kind, SystemBase* owning_system,
                   std::string name, int index, DependencyTicket ticket,
                   PortDataType data_type, int size)
    : system_id_(owning_system->get_system_id()),
      kind_(kind),
      owning_system_(owning_system),
      index_(index),
      ticket_(ticket),
      data_type_(data_type),
      size_(size),
      name_(std::move(name)) {
  if (name_.empty()) {
    throw std::logic_error(fmt::format(
        "{}: port {} of System {} was given an empty name; name it, or pass "
        "kUseDefaultName.",
        kind_, index_, owning_system_->GetSystemPathname()));
  }
  if (size_ < 0) {
    throw std::logic_error(fmt::format(
        "{}: port '{}' of System {} was given the size {}; a size is not "
        "negative.",
        kind_, name_, owning_system_->GetSystemPathname(), size_));
  }
}

void PortBase::ThrowWrongType(const AbstractValue& value,
                              const std::type_info& wanted) const {
  throw std::logic_error(fmt::format(
      "{}::Eval(): {} holds a {}, and was read as a {}; read it as what it "
      "holds{}.",
      kind_, GetFullDescription(), value.GetNiceTypeName(),
      NiceTypeName::Get(wanted),
      data_type_ == kVectorValued ? ", or as a vector: Eval(context)" : ""));
}

void PortBase::set_unit(const std::string& unit) {
  if (data_type_ != kVectorValued) {
    set_units({unit});
    return;
  }
  set_units(std::vector<std::string>(unit.empty() ? 0 : size_, unit));
}

void PortBase::set_units(std::vector<std::string> units) {
  const int num = static_cast<int>(units.size());
  if (num > 0 && data_type_ != kVectorValued) {
    throw std::logic_error(fmt::format(
        "PortBase::set_units(): {} carries an abstract value; only vectors "
        "have units.",
        GetFullDescription()));
  }
  if (num > 0 && num != size_) {
    throw std::logic_error(fmt::format(
        "PortBase::set_units(): {} has {} elements and was given {} units; "
        "give one for each element, or an empty text for none.",
        GetFullDescription(), size_, num));
  }
  units_ = std::move(units);
}

std::string PortBase::DescribeUnits() const {
  return internal::DescribeUnits(units_);
}

std::string PortBase::GetFullDescription() const {
  return fmt::format("{}[{}] ({}) of System {} ({})", kind_, index_, name_,
                     owning_system_->GetSystemPathname(),
                     owning_system_->GetSystemType());
}

}  // namespace wyvern::systems
