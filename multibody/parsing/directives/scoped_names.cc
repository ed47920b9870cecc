#include "wyvern/multibody/parsing/directives/scoped_names.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/multibody/tree/scoped_name.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody::parsing {

template <typename T>
const Frame<T>* GetScopedFrameByNameMaybe(const MultibodyPlant<T>& plant,
                                          const std::string& full_name) {
  if (full_name == "world") return &plant.world_frame();
  const ScopedName name = ScopedName::Parse(full_name);
  if (name.get_namespace().empty()) {
    return plant.HasFrameNamed(name.get_element())
               ? &plant.GetFrameByName(name.get_element())
               : nullptr;
  }
  if (!plant.HasModelInstanceNamed(name.get_namespace())) return nullptr;
  const ModelInstanceIndex instance =
      plant.GetModelInstanceByName(name.get_namespace());
  return plant.HasFrameNamed(name.get_element(), instance)
             ? &plant.GetFrameByName(name.get_element(), instance)
             : nullptr;
}

template <typename T>
const Frame<T>& GetScopedFrameByName(const MultibodyPlant<T>& plant,
                                     const std::string& full_name) {
  const Frame<T>* const frame = GetScopedFrameByNameMaybe(plant, full_name);
  if (frame != nullptr) return *frame;
  throw std::logic_error(
      fmt::format("GetScopedFrameByName(): there is no frame '{}'; give the "
                  "name of one that has been added, model::frame.",
                  full_name));
}

#define WYVERN_INSTANTIATE(T)                                                  \
  template const Frame<T>* GetScopedFrameByNameMaybe(const MultibodyPlant<T>&, \
                                                     const std::string&);      \
  template const Frame<T>& GetScopedFrameByName(const MultibodyPlant<T>&,      \
                                                const std::string&);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::parsing
