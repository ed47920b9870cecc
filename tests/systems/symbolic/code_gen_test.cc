// Generated code: its text, and what it computes when the compiler has made a
// library of it.
#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/compiled_code.h"
#include "tests/support/expect_throws.h"
#include "wyvern/systems/symbolic/algebra/code_gen.h"
#include "wyvern/systems/symbolic/algebra/latex.h"
#include "wyvern/systems/symbolic/expression_matrix.h"

namespace wyvern::symbolic {
namespace {

class SymbolicCodeGen : public ::testing::Test {
 protected:
  const Variable x{"x"}, y{"y"}, z{"z"};
  const Variable b{"b", Variable::Type::BOOLEAN};
  const std::vector<Variable> xyz_{x, y, z};
};

TEST_F(SymbolicCodeGen, WritesAFunction) {
  EXPECT_EQ(CodeGen("f", {x, y}, 1 + 2 * x * sin(y)), R"(#include <math.h>

double f(const double* p) {
  return (1.0 + 2.0 * (p[0] * sin(p[1])));
}
typedef struct {
  struct {
    int size;
  } p;
} f_meta_t;
f_meta_t f_meta() {
  f_meta_t meta = {{2}};
  return meta;
}
)");
}

TEST_F(SymbolicCodeGen, ComputesARepeatedPartOnce) {
  const Expression s = sin(x + y), again = sin(y + x);
  const std::string text =
      CodeGen("f", {x, y}, Vector2<Expression>(s * x, pow(again, 2) - cos(s)));
  EXPECT_NE(text.find("  const double t0 = sin((p[0] + p[1]));\n"
                      "  m[0] = (p[0] * t0);\n"
                      "  m[1] = ((t0 * t0) - cos(t0));\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(text,
            CodeGen("f", {x, y},
                    Vector2<Expression>(x * again, pow(s, 2) - cos(again))));
}

TEST_F(SymbolicCodeGen, DividesOnceByADivisorOfSeveralQuotients) {
  const Expression d = 1 + x * x;
  const std::string text =
      CodeGen("f", xyz_, Vector4<Expression>(y / d, 1 / d, -z / d, y / z));
  EXPECT_NE(text.find(" = 1.0 / t"), std::string::npos) << text;
  // One for d, one of y / z, which has no other.
  EXPECT_EQ(std::count(text.begin(), text.end(), '/'), 2) << text;
  const test::CompiledCode library({{"code.c", text}});
  auto* const f = library.Get<void(const double*, double*)>("f");
  ASSERT_NE(f, nullptr);
  const double p[3] = {0.7, -1.3, 2.9};
  double values[4];
  f(p, values);
  EXPECT_DOUBLE_EQ(values[0], -1.3 / 1.49);
  EXPECT_DOUBLE_EQ(values[1], 1 / 1.49);
  EXPECT_DOUBLE_EQ(values[2], -2.9 / 1.49);
  EXPECT_DOUBLE_EQ(values[3], -1.3 / 2.9);
}

TEST_F(SymbolicCodeGen, OfConstantsNeedsNoParameters) {
  EXPECT_NE(CodeGen("f", {x}, 0.5).find("{\n  (void)p;\n  return 0.5;\n}"),
            std::string::npos);
}

// All operations, each where it is smooth or on either side of its kink.
std::vector<Expression> EveryOperation(const Variable& x, const Variable& y,
                                       const Variable& z, const Variable& b) {
  return {x + 2 * y - 3.5 * z - 1,
          -x * y * pow(z, 3),
          pow(x, 2) * pow(y, -2) * 1e-3,
          -2.5 * x / (y - 5),
          -1 / x,
          log(2 + sin(x)),
          abs(-x * y),
          exp(-x * x),
          sqrt(3 + cos(y)),
          pow(abs(x) + 1, y),
          pow(2, x) - pow(x + y, 4),
          tan(0.3 * x),
          asin(0.3 * sin(x)),
          acos(0.3 * sin(y)),
          atan(x),
          atan2(-y, x),
          sinh(x),
          cosh(x),
          tanh(y),
          min(x, -y),
          max(x, y + z),
          ceil(3 * x),
          floor(3 * y),
          if_then_else((x > y && !(z <= 0.5)) || b, x, -y),
          if_then_else(x == y || x != z, x * x, 1),
          if_then_else(!b, 1 / (x - x * y), -7),
          Expression(-4)};
}

TEST_F(SymbolicCodeGen, ComputesWhatTheExpressionsAre) {
  const std::vector<Expression> all = EveryOperation(x, y, z, b);
  const Eigen::Map<const VectorX<Expression>> e(
      all.data(), static_cast<Eigen::Index>(all.size()));
  const std::string code = CodeGen("f", {x, y, z, b}, MatrixX<Expression>(e));
  for (const char* const language : {"c", "cc"}) {
    // C++ mangles names.
    const bool is_cpp = std::string(language) == "cc";
    const test::CompiledCode library(
        {{std::string("code.") + language,
          is_cpp ? "extern \"C\" {\n" + code + "}\n" : code}});
    auto* const f = library.Get<void(const double*, double*)>("f");
    ASSERT_NE(f, nullptr);
    std::mt19937 generator(1);
    std::uniform_real_distribution<double> draw(-2, 2);
    for (int n = 0; n < 50; ++n) {
      const double p[4] = {draw(generator), draw(generator), draw(generator),
                           n % 2 == 0 ? 1.0 : 0.0};
      std::vector<double> values(all.size());
      f(p, values.data());
      const Eigen::VectorXd wanted =
          Evaluate(e, {{x, p[0]}, {y, p[1]}, {z, p[2]}, {b, p[3]}});
      for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_NEAR(values[i], wanted[i], 1e-12 * (1 + std::abs(wanted[i])))
            << all[i];
      }
    }
  }
}

TEST_F(SymbolicCodeGen, SparseMatricesSayWhereTheirEntriesStand) {
  Eigen::SparseMatrix<Expression> M(3, 4);
  M.insert(0, 0) = x;
  M.insert(2, 0) = sin(y);
  M.insert(1, 2) = sin(y) * z;
  M.makeCompressed();
  const std::string code =
      CodeGen("f", xyz_, M) +
      "int sizes(int i) {\n"
      "  f_meta_t m = f_meta();\n"
      "  int all[] = {m.p.size, m.m.rows, m.m.cols, m.m.non_zeros,\n"
      "               m.m.outer_indices, m.m.inner_indices};\n"
      "  return all[i];\n}\n";
  const test::CompiledCode library({{"code.c", code}});
  auto* const sizes = library.Get<int(int)>("sizes");
  auto* const f = library.Get<void(const double*, int*, int*, double*)>("f");
  ASSERT_NE(f, nullptr);
  const int wanted[] = {3, 3, 4, 3, 5, 3};
  for (int i = 0; i < 6; ++i) EXPECT_EQ(sizes(i), wanted[i]);
  const double p[3] = {1, 2, 3};
  int outer[5], inner[3];
  double values[3];
  f(p, outer, inner, values);
  const Eigen::SparseMatrix<double> made =
      Eigen::Map<Eigen::SparseMatrix<double>>(3, 4, 3, outer, inner, values);
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(3, 4);
  dense(0, 0) = 1;
  dense(2, 0) = std::sin(2.0);
  dense(1, 2) = 3 * std::sin(2.0);
  EXPECT_LT((Eigen::MatrixXd(made) - dense).norm(), 1e-15);
}

// f_meta() of a matrix that is no vector, by columns.
TEST_F(SymbolicCodeGen, DenseMatricesSayTheirShape) {
  MatrixX<Expression> M(2, 3);
  M << x, y, 3, x * y, -y, 0;
  const test::CompiledCode library(
      {{"code.c", CodeGen("f", {x, y}, M) +
                      "int sizes(int i) {\n"
                      "  f_meta_t m = f_meta();\n"
                      "  int all[] = {m.p.size, m.m.rows, m.m.cols};\n"
                      "  return all[i];\n}\n"}});
  auto* const sizes = library.Get<int(int)>("sizes");
  auto* const f = library.Get<void(const double*, double*)>("f");
  ASSERT_TRUE(f != nullptr && sizes != nullptr);
  EXPECT_EQ(sizes(0), 2);
  EXPECT_EQ(sizes(1), 2);
  EXPECT_EQ(sizes(2), 3);
  const double p[2] = {2, 5};
  Eigen::Matrix<double, 2, 3> given, wanted;
  f(p, given.data());
  wanted << 2, 5, 3, 10, -5, 0;
  EXPECT_EQ(given, wanted);
}

TEST_F(SymbolicCodeGen, AVisitorWritesOnePiece) {
  const CodeGenVisitor visitor({x, y});
  EXPECT_EQ(visitor.CodeGen(1 + 2 * x * sin(y)),
            "(1.0 + 2.0 * (p[0] * sin(p[1])))");
  EXPECT_EQ(visitor.CodeGen(-3), "-3.0");
  // Repeats are spelled out, quotients of one divisor too.
  const Expression s = 1 / (x + y);
  EXPECT_EQ(visitor.CodeGen(sin(s) + cos(s)),
            "(sin((1.0 / (p[0] + p[1]))) + cos((1.0 / (p[0] + p[1]))))");
  EXPECT_THROWS_MESSAGE(visitor.CodeGen(z), std::runtime_error,
                        "'z' is no parameter");
  EXPECT_THROWS_MESSAGE(CodeGenVisitor({x, x}).CodeGen(x), std::logic_error,
                        "'x' is there twice");
  Expression doubled(x);
  for (int i = 0; i < 40; ++i) doubled = sin(doubled) + cos(doubled);
  EXPECT_THROWS_MESSAGE(visitor.CodeGen(doubled), std::runtime_error,
                        "too long in one piece");
}

TEST_F(SymbolicCodeGen, NoLineIsLongHoweverDeepTheGraph) {
  Expression e(x);
  for (int i = 0; i < 100'000; ++i) e = sin(e) + 0.1 * y;
  const std::string text = CodeGen("f", {x, y}, e);
  std::size_t longest = 0, start = 0;
  for (std::size_t end; (end = text.find('\n', start)) != std::string::npos;
       start = end + 1) {
    longest = std::max(longest, end - start);
  }
  EXPECT_LT(longest, 1000u);
}

TEST_F(SymbolicCodeGen, SaysWhatHasNoCode) {
  EXPECT_THROWS_MESSAGE(CodeGen("f", {x}, x + y), std::runtime_error,
                        "'y' is no parameter");
  EXPECT_THROWS_MESSAGE(CodeGen("f", {x, y, x}, x + y), std::logic_error,
                        "'x' is there twice");
  for (const char* const name : {"", "2f", "f g", "f;", "double"}) {
    EXPECT_THROWS_MESSAGE(CodeGen(name, {x}, x), std::logic_error,
                          "is no identifier");
  }
  EXPECT_THROWS_MESSAGE(CodeGen("f", {x}, uninterpreted_function("g", {x})),
                        std::runtime_error, "there is no code for g(x)");
}

TEST_F(SymbolicCodeGen, LatexIsAsDrakeWritesIt) {
  EXPECT_EQ(ToLatex(x / y + 2 * x * pow(y, 2) + 1),
            "(1 + 2x y^{2} + \\frac{x}{y})");
  EXPECT_EQ(ToLatex(sqrt(x) * abs(y)), "|y| \\sqrt{x}");
  EXPECT_EQ(ToLatex(pow(x + 1, y)), "(1 + x)^{y}");
  EXPECT_EQ(ToLatex(exp(x)), "e^{x}");
  EXPECT_EQ(ToLatex(if_then_else(x > y, x, y)),
            "\\begin{cases} x & \\text{if } x > y, \\\\ y & "
            "\\text{otherwise}.\\end{cases}");
  EXPECT_EQ(ToLatex(x >= y), "x \\ge y");
  EXPECT_EQ(ToLatex(x > 0 && y != 1), "y \\neq 1 \\land x > 0");
  EXPECT_EQ(ToLatex(!(x > 0)), "x \\le 0");
  EXPECT_EQ(ToLatex(forall({x}, x > 0)), "\\forall x: (x > 0)");
  EXPECT_EQ(ToLatex(Expression(3.14159265)), "3.142");
  EXPECT_EQ(ToLatex(-x), "-1 x");
  EXPECT_EQ(ToLatex(x - y), "(x - y)");
  EXPECT_EQ(ToLatex(0.5 * x), "0.500 x");
  EXPECT_EQ(ToLatex(2 * (x + y) * z), "2 z (x + y)");
  EXPECT_EQ(ToLatex(Expression(INFINITY)), "\\infty");
  Matrix2<Expression> M;
  M << x, y, 1, z;
  EXPECT_EQ(ToLatex(M), "\\begin{bmatrix} x & y \\\\ 1 & z \\end{bmatrix}");
  EXPECT_EQ(ToLatex(Eigen::MatrixXd(Eigen::RowVector2d(1.5, 2))),
            "\\begin{bmatrix} 1.500 & 2 \\end{bmatrix}");
  EXPECT_EQ(ToLatex(asin(x)), "\\arcsin{x}");
  EXPECT_THROWS_MESSAGE(ToLatex(uninterpreted_function("g", {x})),
                        std::runtime_error, "g(x)");
  EXPECT_THROW(ToLatex(Expression(1.5), 99), std::logic_error);
}

}  // namespace
}  // namespace wyvern::symbolic
