#include "wyvern/systems/common/value_serialization.h"

#include <cstdint>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/systems/common/identifier.h"

namespace wyvern {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Reads all but the last byte of `written` as a V.
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

TEST(ReadBinary, WhatIsNeitherTrueNorFalseIsRefused) {
  for (const int byte : {0, 1, 2, 9, 255}) {
    std::stringstream stream(std::string(1, static_cast<char>(byte)));
    bool value{};
    if (byte <= 1) {
      ReadBinary(&value, &stream);
      EXPECT_EQ(value, byte == 1);
      continue;
    }
    EXPECT_THROWS_MESSAGE(ReadBinary(&value, &stream), std::runtime_error,
                          "gives " + std::to_string(byte) + " where true");
  }
}

TEST(ReadBinary, AMatrixIsNoVector) {
  std::stringstream stream;
  WriteBinary(MatrixXd::Ones(2, 3).eval(), &stream);
  VectorXd value;
  EXPECT_THROWS_MESSAGE(ReadBinary(&value, &stream), std::runtime_error,
                        "a 2x3 matrix for a vector");
}

struct Pair {
  int a{}, b{};
};

// Without a default constructor.
struct Given {
  explicit Given(int value) : a(value) {}
  int a;
};

TEST(ValueSerialization, ANewValueIsMadeOfTheTypeThatWasWritten) {
  ValueSerialization::Register<Pair>(
      [](const Pair& pair, std::ostream* stream) {
        WriteBinary(pair.a, stream);
        WriteBinary(pair.b, stream);
      },
      [](Pair* pair, std::istream* stream) {
        ReadBinary(&pair->a, stream);
        ReadBinary(&pair->b, stream);
      });
  std::stringstream stream;
  ValueSerialization::Write(Value<Pair>(Pair{3, 4}), &stream);
  ValueSerialization::Write(Value<double>(0.1), &stream);
  const auto pair = ValueSerialization::ReadNew(&stream);
  EXPECT_EQ(pair->get_value<Pair>().b, 4);
  EXPECT_EQ(ValueSerialization::ReadNew(&stream)->get_value<double>(), 0.1);
}

TEST(ValueSerialization, AValueOfAnotherTypeIsRefusedNamingBoth) {
  std::stringstream stream;
  ValueSerialization::Write(Value<double>(0.1), &stream);
  Value<int> wanted;
  EXPECT_THROWS_MESSAGE(ValueSerialization::Read(&wanted, &stream),
                        std::runtime_error,
                        "a value of type double where a int was wanted");
}

TEST(ValueSerialization, ATypeThatCannotBeMadeIsNamed) {
  ValueSerialization::Register<Given>(
      [](const Given& given, std::ostream* s) { WriteBinary(given.a, s); },
      [](Given* given, std::istream* s) { ReadBinary(&given->a, s); });
  std::stringstream stream;
  ValueSerialization::Write(Value<Given>(Given(5)), &stream);
  EXPECT_THROWS_MESSAGE(ValueSerialization::ReadNew(&stream),
                        std::runtime_error, "lack of a default constructor");
  std::stringstream unknown;
  WriteBinary(std::string("Nothing"), &unknown);
  EXPECT_THROWS_MESSAGE(ValueSerialization::ReadNew(&unknown),
                        std::runtime_error, "type Nothing was written, which");
}

TEST(SavedIds, AreKnownOnceTheirOwnerSaysSo) {
  using Id = Identifier<class SavedIdsTag>;
  std::ostringstream saved;
  const Id id = Id::get_new_id();
  const Id here = Id::get_new_id();
  WriteId(id, &saved);
  SavedValueStream stream(saved.str());
  EXPECT_FALSE(ReadId<Id>(&stream).is_valid());
  stream.ids().Add(id.get_value(), here);
  stream.seekg(0);
  EXPECT_EQ(ReadId<Id>(&stream), here);
  SavedValueStream other(saved.str());
  other.ids().StartLastReading();
  EXPECT_THROWS_MESSAGE(ReadId<Id>(&other), std::runtime_error,
                        "was saved without what it names");
  std::istringstream plain(saved.str());
  EXPECT_THROWS_MESSAGE(ReadId<Id>(&plain), std::logic_error,
                        "can only be read by LoadContext()");
}

}  // namespace
}  // namespace wyvern
