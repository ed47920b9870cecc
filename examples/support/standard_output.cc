// Every example links this file: an example whose output is lost must not end
// like one whose check passed.
#include "wyvern/systems/common/standard_output.h"

namespace {

const wyvern::internal::StandardOutputGuard guard;

}  // namespace
