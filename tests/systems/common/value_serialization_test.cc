#include "wyvern/systems/common/value_serialization.h"

#include <cstdint>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"

namespace wyvern {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// What `written` becomes when all but its last byte are read as a V.
template <class V, class W>
void ReadTruncated(const W& written) {
  std::stringstream stream;
  WriteBinary(written, &stream);
  std::string bytes = stream.str();
  bytes.pop_back();
  std::stringstream truncated(bytes);
  V value{};
  ReadBinary(&value, &truncated);
}

TEST(ReadBinary, ATruncatedStreamIsRefused) {
  const char* const message = "the stream ends before the value does";
  EXPECT_THROWS_MESSAGE(ReadTruncated<double>(1.5), std::runtime_error,
                        message);
  EXPECT_THROWS_MESSAGE(ReadTruncated<std::string>(std::string("text")),
                        std::runtime_error, message);
  EXPECT_THROWS_MESSAGE(ReadTruncated<MatrixXd>(MatrixXd::Ones(2, 3).eval()),
                        std::runtime_error, message);
}

TEST(ReadBinary, ASizeBelowZeroIsRefused) {
  std::stringstream stream;
  WriteBinary(std::int64_t{-1}, &stream);
  std::string value;
  EXPECT_THROWS_MESSAGE(ReadBinary(&value, &stream), std::runtime_error,
                        "gives the size -1");
}

TEST(ReadBinary, AMatrixIsNoVector) {
  std::stringstream stream;
  WriteBinary(MatrixXd::Ones(2, 3).eval(), &stream);
  VectorXd value;
  EXPECT_THROWS_MESSAGE(ReadBinary(&value, &stream), std::runtime_error,
                        "a 2x3 matrix for a vector");
}

}  // namespace
}  // namespace wyvern
