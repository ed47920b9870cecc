#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::internal {

const char WYVERN_LAYOUT_NAME(EIGEN_DEFAULT_ALIGN_BYTES,
                              EIGEN_MAX_STATIC_ALIGN_BYTES) = 0;

}  // namespace wyvern::internal
