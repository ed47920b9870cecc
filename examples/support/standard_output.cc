// Linked into every example: one whose results nobody can read must not end as
// one whose check passed.
#include "wyvern/systems/common/standard_output.h"

namespace {

const wyvern::internal::StandardOutputGuard guard;

}  // namespace
