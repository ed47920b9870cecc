#include "wyvern/simulator/integrators/state_component_name.h"

#include <array>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/framework/diagram_context.h"

namespace wyvern::systems::internal {
namespace {

// Names element `index` of part `part` (0 for q, 1 for v, 2 for z).
template <typename T>
std::string NameInPart(const Context<T>& context, int part, int index) {
  if (const auto* all = dynamic_cast<const DiagramContext<T>*>(&context)) {
    for (int i = 0; i < all->num_subcontexts(); ++i) {
      const Context<T>& sub = all->GetSubsystemContext(SubsystemIndex(i));
      const ContinuousState<T>& xc = sub.get_continuous_state();
      const std::array<int, 3> sizes{xc.num_q(), xc.num_v(), xc.num_z()};
      if (index < sizes[part]) return NameInPart(sub, part, index);
      index -= sizes[part];
    }
  }
  return fmt::format("{}[{}] of '{}'", "qvz"[part], index,
                     context.GetSystemPathname());
}

}  // namespace

template <typename T>
std::string NameStateComponent(const Context<T>& context, int index) {
  const ContinuousState<T>& xc = context.get_continuous_state();
  const std::array<int, 3> sizes{xc.num_q(), xc.num_v(), xc.num_z()};
  int part = 0;
  int within = index;
  while (part < 2 && within >= sizes[part]) within -= sizes[part++];
  return fmt::format("{} (element {} of the whole continuous state)",
                     NameInPart(context, part, within), index);
}

template <typename T>
std::string NameStateElement(const Context<T>& context, int index) {
  const Context<T>* leaf = &context;
  int within = index;
  while (const auto* all = dynamic_cast<const DiagramContext<T>*>(leaf)) {
    for (int i = 0; i < all->num_subcontexts(); ++i) {
      leaf = &all->GetSubsystemContext(SubsystemIndex(i));
      if (within < leaf->num_continuous_states()) break;
      within -= leaf->num_continuous_states();
    }
  }
  const ContinuousState<T>& xc = leaf->get_continuous_state();
  const std::array<int, 3> sizes{xc.num_q(), xc.num_v(), xc.num_z()};
  int part = 0;
  while (part < 2 && within >= sizes[part]) within -= sizes[part++];
  return fmt::format("{} (element {} of the whole continuous state)",
                     NameInPart(*leaf, part, within), index);
}

template std::string NameStateComponent(const Context<double>&, int);
template std::string NameStateElement(const Context<double>&, int);
#if WYVERN_AUTODIFF
template std::string NameStateElement(const Context<AutoDiffXd>&, int);
template std::string NameStateComponent(const Context<AutoDiffXd>&, int);
#endif

}  // namespace wyvern::systems::internal
