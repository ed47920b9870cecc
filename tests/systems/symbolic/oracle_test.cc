// Texts of expressions against those that pydrake 1.51 writes.
#include <fstream>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "wyvern/systems/symbolic/expression_kinds.h"

namespace wyvern::symbolic {
namespace {

std::string WithoutSpaces(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c != ' ' && c != '\n') result += c;
  }
  return result;
}

// By the code, without its spaces.
std::map<std::string, std::string> ReadRows() {
  std::ifstream file(WYVERN_SOURCE_DIR "/tests/oracles/symbolic.txt");
  std::map<std::string, std::string> rows;
  std::string line;
  while (std::getline(file, line)) {
    const auto tab = line.find('\t');
    rows[WithoutSpaces(line.substr(0, tab))] = line.substr(tab + 1);
  }
  return rows;
}

Formula conj(const Formula& a, const Formula& b) { return a && b; }
Formula disj(const Formula& a, const Formula& b) { return a || b; }
Formula neg(const Formula& a) { return !a; }

std::string TextOf(const Expression& e) { return e.to_string(); }
std::string TextOf(const Formula& f) { return f.to_string(); }

class SymbolicOracle : public ::testing::Test {
 protected:
  template <typename Value>
  void Check(const std::string& code, const Value& value) {
    const auto found = rows_.find(WithoutSpaces(code));
    ASSERT_NE(found, rows_.end()) << code;
    EXPECT_EQ(TextOf(value), found->second) << code;
    ++count_;
  }

  // All rows of the file, in parts that compile fast.
  void CheckSimplification1();
  void CheckSimplification2();
  void CheckSimplification3();
  void CheckSimplification4();
  void CheckFormulas();
  void CheckRewriting();

  static inline const std::map<std::string, std::string> rows_ = ReadRows();
  int count_ = 0;
  const Variable x{"x"}, y{"y"}, z{"z"};
  const Variable b{"b", Variable::Type::BOOLEAN};
};

#define ROW(...) Check(#__VA_ARGS__, __VA_ARGS__)

void SymbolicOracle::CheckSimplification1() {
  ROW(x + y);
  ROW(y + x);
  ROW(x + 1);
  ROW(1 + x);
  ROW(x + x);
  ROW(2 * x + 3 * x);
  ROW(x - x);
  ROW(x - y);
  ROW(y - x);
  ROW(-x);
  ROW(-(x + y));
  ROW(-(2 * x * y));
  ROW(x + y - x);
  ROW(2 * (x + y));
  ROW((x + y) * 2);
  ROW(-1 * (x + y));
  ROW(0 * x);
  ROW(x * 0);
  ROW(0 * log(x));
  ROW(0 / x);
  ROW(x * y);
  ROW(y * x);
  ROW(x * x);
  ROW(x * x * x);
  ROW(2 * x * 3 * y);
  ROW(x * y * x);
  ROW(pow(x, 2) * pow(x, 3));
  ROW(pow(x, -1) * x);
  ROW(x / x);
  ROW(x / y);
  ROW(x / 1);
  ROW(x / 2);
  ROW(2 / x);
  ROW((2 * x) / 2);
  ROW((2 * x * y) / 4);
  ROW((x * y) / x);
  ROW((x + y) / 2);
  ROW((2 * x) / (4 * y));
  ROW(pow(x, 2) / x);
  ROW(x * (1 / x));
}

void SymbolicOracle::CheckSimplification2() {
  ROW(1 / x);
  ROW(1 / (1 / x));
  ROW((x / y) / z);
  ROW(x / (y / z));
  ROW((x / y) * y);
  ROW((x / y) * z);
  ROW(3 * (x / y));
  ROW(-(x / y));
  ROW(y * (1 / x));
  ROW(-(1 / x));
  ROW(2 * (1 / x));
  ROW(x + 1 / x);
  ROW((1 / x) * (1 / y));
  ROW((x / y) * (1 / x));
  ROW((1 / x) * 2 * y);
  ROW((1 / x) + (1 / x));
  ROW(x / y + x / y);
  ROW(pow(x, 1));
  ROW(pow(x, 2));
  ROW(pow(x, 0.5));
  ROW(pow(pow(x, 2), 3));
  ROW(pow(2 * x, 2));
  ROW(pow(x * y, 2));
  ROW(pow(x + y, 2));
  ROW(pow(2, x));
  ROW(pow(0, x));
  ROW(pow(1, x));
  ROW(pow(x, -2));
  ROW(pow(x * y, 0.5));
  ROW(pow(x * y, z));
  ROW(pow(-x, 2));
  ROW(pow(2 * x * y, 3));
  ROW(pow(x, y));
  ROW(sqrt(x));
  ROW(sqrt(x * x));
  ROW(sqrt(pow(x, 2)));
  ROW(sqrt(pow(x, 4)));
  ROW(sqrt(pow(x, 3)));
  ROW(sqrt(x) * sqrt(x));
  ROW(pow(sqrt(x), 2));
}

void SymbolicOracle::CheckSimplification3() {
  ROW(abs(x));
  ROW(abs(-x));
  ROW(abs(abs(x)));
  ROW(abs(2 * x));
  ROW(abs(x) * abs(x));
  ROW(pow(abs(x), 2));
  ROW(abs(x * x));
  ROW(exp(x));
  ROW(log(exp(x)));
  ROW(exp(log(x)));
  ROW(log(x));
  ROW(log(x * y));
  ROW(exp(x) * exp(y));
  ROW(log(x) + log(y));
  ROW(log(pow(x, 2)));
  ROW(sin(x));
  ROW(sin(-x));
  ROW(cos(-x));
  ROW(cos(x));
  ROW(tan(x));
  ROW(asin(x));
  ROW(acos(x));
  ROW(atan(x));
  ROW(atan2(y, x));
  ROW(sinh(x));
  ROW(cosh(x));
  ROW(tanh(x));
  ROW(min(x, y));
  ROW(max(x, y));
  ROW(min(x, x));
  ROW(max(x, x));
  ROW(ceil(x));
  ROW(floor(x));
  ROW(pow(sin(x), 2) + pow(cos(x), 2));
  ROW(x + 2 * y + 3);
  ROW(2 * x * y + 3 * x * x + sin(x) + 1);
  ROW(x * sin(x));
  ROW(sin(x) * x);
  ROW(sin(x) + x);
  ROW(cos(x) * sin(x));
}

void SymbolicOracle::CheckSimplification4() {
  ROW(2 * sin(x) * cos(y) * x);
  ROW(x - 2 * y);
  ROW(-2 * x + y);
  ROW(-x - y);
  ROW(-3 - x);
  ROW(1.5 * x);
  ROW(1e10 * x);
  ROW(1e20 * x);
  ROW(1e-10 * x);
  ROW(x + 0.1);
  ROW(-x * y);
  ROW(x * -y);
  ROW(1e5 * x + 123456789);
  ROW(pow(x, 2) * y * 3);
  ROW(pow(x, -y));
  ROW(pow(x + y, z));
  ROW((x + y) * (x - y));
  ROW((x + y) * (x + y));
  ROW((x + y) * (y + x) * z);
  ROW(x / (x + y));
  ROW((x + 1) / (y + 1));
  ROW(-(x + 1) / (y + 1));
  ROW(2 * (x / y) + z);
  ROW((x * y) + (y * x));
  ROW(3 * (2 * x + 1));
  ROW(x * (2 * x + 1));
  ROW(-(2 * x + 1));
  ROW((2 * x + 4 * y) / 2);
  ROW((x + y) - (x + y));
  ROW((x + y) - x);
  ROW(2 * x - x);
  ROW(x * y - y * x);
  ROW(-pow(x, 2));
  ROW(-sin(x));
  ROW(-1 * x * y);
  ROW(-(-x));
}

void SymbolicOracle::CheckFormulas() {
  ROW(if_then_else(x > y, x, y));
  ROW(if_then_else(x > x, x, y));
  ROW(x > y);
  ROW(x >= y);
  ROW(x < y);
  ROW(x <= y);
  ROW(x == y);
  ROW(x != y);
  ROW(x == x);
  ROW(x != x);
  ROW(x < x);
  ROW(x <= x);
  ROW(x > x);
  ROW(x >= x);
  ROW(x + 1 > x);
  ROW(x - y > 0);
  ROW(2 * x > 2 * y);
  ROW(x > 1);
  ROW(conj(x > 0, y > 0));
  ROW(disj(x > 0, y > 0));
  ROW(neg(x > 0));
  ROW(neg(x == 0));
  ROW(neg(x >= 0));
  ROW(neg(neg(x > 0)));
  ROW(conj(x > 0, x > 0));
  ROW(conj(x > 0, neg(x > 0)));
  ROW(conj(conj(x > 0, y > 0), z > 0));
  ROW(disj(conj(x > 0, y > 0), z > 0));
  ROW(neg(conj(x > 0, y > 0)));
  ROW(conj(x > 0, Formula(b)));
  ROW(neg(Formula(b)));
  ROW(forall(Variables({x}), x > y));
  ROW(isnan(x + y));
  ROW(neg(isnan(x + y)));
}

void SymbolicOracle::CheckRewriting() {
  ROW(((x + y) * (x + y)).Expand());
  ROW(pow(x + 1, 3).Expand());
  ROW((x * (y + z)).Expand());
  ROW(pow(x + y, -2).Expand());
  ROW(((x + y) * sin(x * (y + 1))).Expand());
  ROW(((x + y) / z).Expand());
  ROW((2 * (x + y)).Expand());
  ROW(pow(x * (y + 1), 2).Expand());
  ROW(((x + y) / 2).Expand());
  ROW(((x + y) / (z * (x + 1))).Expand());
  ROW(sin((x + y) * z).Expand());
  ROW(pow(2 * x * y, 3).Expand());
  ROW((x * y / 2).Expand());
  ROW(pow(x + y, z + 1).Expand());
  ROW((x * x).Differentiate(x));
  ROW(sin(x).Differentiate(x));
  ROW(pow(x, y).Differentiate(x));
  ROW(pow(x, y).Differentiate(y));
  ROW((x / y).Differentiate(y));
  ROW(abs(x).Differentiate(x));
  ROW(sqrt(x).Differentiate(x));
  ROW(min(x, y).Differentiate(x));
  ROW(max(x, y).Differentiate(y));
  ROW(atan2(y, x).Differentiate(x));
  ROW(floor(x).Differentiate(x));
  ROW(if_then_else(x > y, x * x, y).Differentiate(x));
  ROW(log(x).Differentiate(x));
  ROW(tan(x).Differentiate(x));
  ROW(asin(x).Differentiate(x));
  ROW(acos(x).Differentiate(x));
  ROW(atan(x).Differentiate(x));
  ROW(sinh(x).Differentiate(x));
  ROW(tanh(x).Differentiate(x));
  ROW(exp(2 * x).Differentiate(x));
  ROW(ceil(x).Differentiate(y));
  ROW(pow(sin(x), 3).Differentiate(x));
  ROW((x * y * sin(x)).Differentiate(x));
  ROW(cos(x * y).Differentiate(x));
  ROW((x * sin(y)).Substitute(y, x + z));
}

#undef ROW

TEST_F(SymbolicOracle, TextsAreDrakes) {
  CheckSimplification1();
  CheckSimplification2();
  CheckSimplification3();
  CheckSimplification4();
  CheckFormulas();
  CheckRewriting();
  // No row was left out.
  EXPECT_EQ(count_, static_cast<int>(rows_.size()));
}

}  // namespace
}  // namespace wyvern::symbolic
