#pragma once

#include <sstream>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <Eigen/Core>

namespace wyvern {

/** The matrix, as text in a line for each row; to pass to fmt. */
template <typename Derived>
std::string fmt_eigen(const Eigen::MatrixBase<Derived>& matrix) {
  std::ostringstream out;
  out << matrix.eval();
  return out.str();
}

}  // namespace wyvern
