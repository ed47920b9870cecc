#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::internal {

const char WYVERN_OWN_LAYOUT_NAME = 0;

}  // namespace wyvern::internal
