#pragma once

#include <string>

#include "wyvern/systems/symbolic/formula.h"

namespace wyvern::symbolic {

/** LaTeX code, for math mode. Numbers that are no integers have `precision`
digits behind the point. Ends with "..." as Expression::to_string() does.
@throws std::runtime_error of an uninterpreted function,
std::logic_error if `precision` is not from 0 to 17. */
std::string ToLatex(const Expression& e, int precision = 3);
std::string ToLatex(const Formula& f, int precision = 3);
std::string ToLatex(const Eigen::Ref<const MatrixX<Expression>>& M,
                    int precision = 3);
std::string ToLatex(const Eigen::Ref<const Eigen::MatrixXd>& M,
                    int precision = 3);
std::string ToLatex(double number, int precision = 3);

}  // namespace wyvern::symbolic
