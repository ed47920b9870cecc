#include "wyvern/systems/common/nice_type_name.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace wyvern::nice_type_name_test {

struct Base {
  virtual ~Base() = default;
};
template <typename T>
struct Derived : Base {};

namespace {

TEST(NiceTypeName, BuiltInTypesAreNamedAsWritten) {
  EXPECT_EQ(NiceTypeName::Get<int>(), "int");
  EXPECT_EQ(NiceTypeName::Get<double>(), "double");
}

TEST(NiceTypeName, HidesWhatDiffersBetweenStandardLibraries) {
  EXPECT_EQ(NiceTypeName::Get<std::string>(), "std::string");
  EXPECT_EQ(NiceTypeName::Get<std::vector<std::string>>(),
            "std::vector<std::string>");
  EXPECT_EQ(NiceTypeName::Get<std::vector<std::vector<int>>>(),
            "std::vector<std::vector<int>>");
}

TEST(NiceTypeName, NamesTheMostDerivedType) {
  const std::unique_ptr<Base> thing = std::make_unique<Derived<int>>();
  EXPECT_EQ(NiceTypeName::Get(*thing),
            "wyvern::nice_type_name_test::Derived<int>");
}

TEST(NiceTypeName, RemovesOnlyTheNamespacesInFront) {
  EXPECT_EQ(NiceTypeName::RemoveNamespaces("a::b::Value<c::D<e::F>>"),
            "Value<c::D<e::F>>");
  EXPECT_EQ(NiceTypeName::RemoveNamespaces("int"), "int");
}

TEST(NiceTypeName, DemangleReturnsWhatIsNotMangled) {
  EXPECT_EQ(NiceTypeName::Demangle("not a mangled name"), "not a mangled name");
}

}  // namespace
}  // namespace wyvern::nice_type_name_test
