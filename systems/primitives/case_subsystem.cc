#include "wyvern/systems/primitives/case_subsystem.h"

#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

namespace {

internal::ActivationRule MakeCaseRule(
    const std::vector<std::vector<int>>& cases, int num_systems) {
  const char* const who = "CaseSubsystem";
  wyvern::internal::RequireNotEmpty(who, "the list of cases", cases.empty());
  std::set<int> all;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    wyvern::internal::RequireNotEmpty(who, fmt::format("cases[{}]", i),
                                      cases[i].empty());
    for (const int one : cases[i]) {
      if (all.insert(one).second) continue;
      throw std::logic_error(fmt::format(
          "CaseSubsystem(): the case {} is given twice; let each case select "
          "one System.",
          one));
    }
  }
  const auto num_cases = static_cast<int>(cases.size());
  if (num_systems != num_cases && num_systems != num_cases + 1) {
    throw std::logic_error(fmt::format(
        "CaseSubsystem(): there are {} Systems for {} lists of cases; give one "
        "for each list, and one more for all other cases if you want.",
        num_systems, num_cases));
  }
  return {.kind = internal::ActivationRule::Kind::kCase,
          .num_systems = num_systems,
          .cases = cases};
}

}  // namespace

template <typename T>
CaseSubsystem<T>::CaseSubsystem(const std::vector<std::vector<int>>& cases,
                                std::vector<std::shared_ptr<System<T>>> systems,
                                const ActivationOptions& options)
    : internal::ConditionalDiagram<T>(
          SystemTypeTag<systems::CaseSubsystem>{}, "CaseSubsystem", "selector",
          MakeCaseRule(cases, static_cast<int>(systems.size())), systems,
          options) {}

template <typename T>
CaseSubsystem<T>::~CaseSubsystem() = default;

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::CaseSubsystem);
