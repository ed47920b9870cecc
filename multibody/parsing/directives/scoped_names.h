#pragma once

#include <string>

namespace wyvern::multibody {
template <typename T>
class Frame;
template <typename T>
class MultibodyPlant;
}  // namespace wyvern::multibody

namespace wyvern::multibody::parsing {

/** The frame of a name such as "arm::hand", in the plant's model instance
"arm"; "world" is the world's. Without a scope it is looked for in all.
@returns null if there is none.
@throws std::logic_error if there are several. */
template <typename T>
const Frame<T>* GetScopedFrameByNameMaybe(const MultibodyPlant<T>& plant,
                                          const std::string& full_name);

/** Variant that also throws std::logic_error if there is none. */
template <typename T>
const Frame<T>& GetScopedFrameByName(const MultibodyPlant<T>& plant,
                                     const std::string& full_name);

}  // namespace wyvern::multibody::parsing
