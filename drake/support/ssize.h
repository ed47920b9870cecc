#pragma once

#include <iterator>

namespace wyvern {
using std::ssize;
}  // namespace wyvern
