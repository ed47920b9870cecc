#include "wyvern/systems/recording/hdf5_table.h"

#include <cmath>
#include <filesystem>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/systems/recording/temporary_folder.h"
#if WYVERN_HAS_HDF5
#include "tests/systems/recording/hdf5_reader.h"
#endif

namespace wyvern::systems {
namespace hdf5_table_test {

using test::ContentsOf;
using test::TemporaryFolder;

// More rows than a chunk has.
std::vector<TableColumn> MakeColumns(int num_rows = 30000) {
  std::vector<double> x;
  std::vector<std::uint64_t> n;
  std::vector<std::string> text;
  for (int i = 0; i < num_rows; ++i) {
    x.push_back(std::sqrt(i));
    n.push_back(std::numeric_limits<std::uint64_t>::max() - i);
    text.push_back(std::string(i % 7, 'a') + "ü");
  }
  return {{"x/y[0]", x}, {"n", n}, {"text", text}};
}

#if WYVERN_HAS_HDF5

TEST(Hdf5Table, HasEachColumnAsAField) {
  const TemporaryFolder folder;
  const std::vector<TableColumn> columns = MakeColumns();
  WriteHdf5Table(folder / "t.h5", columns, {{"study", "why"}, {"none", ""}});
  EXPECT_FALSE(std::filesystem::exists(folder / "t.h5.partial"));
  const test::Hdf5Reader reader(folder / "t.h5");
  EXPECT_EQ(reader.Field<double>("table", "x/y[0]", H5T_NATIVE_DOUBLE),
            std::get<0>(columns[0].values));
  EXPECT_EQ(reader.Field<std::uint64_t>("table", "n", H5T_NATIVE_UINT64),
            std::get<1>(columns[1].values));
  EXPECT_EQ(reader.TextField("table", "text"), std::get<2>(columns[2].values));
  EXPECT_EQ(reader.Text("study"), "why");
  EXPECT_EQ(reader.Text("none"), "");
}

TEST(Hdf5Table, MayHaveNoRows) {
  const TemporaryFolder folder;
  WriteHdf5Table(folder / "t.h5", MakeColumns(0));
  EXPECT_EQ(test::Hdf5Reader(folder / "t.h5").Shape("table").at(0), 0u);
}

TEST(Hdf5Table, IsTheSameBytesOfTheSameTable) {
  const TemporaryFolder folder;
  WriteHdf5Table(folder / "a.h5", MakeColumns(100));
  WriteHdf5Table(folder / "b.h5", MakeColumns(100));
  EXPECT_EQ(ContentsOf(folder / "a.h5"), ContentsOf(folder / "b.h5"));
  WriteHdf5Table(folder / "b.h5", MakeColumns(101));
  EXPECT_NE(ContentsOf(folder / "a.h5"), ContentsOf(folder / "b.h5"));
}

TEST(Hdf5Table, ThatCannotBeWrittenIsAnErrorWithItsReason) {
  const TemporaryFolder folder;
  EXPECT_THROWS_MESSAGE(WriteHdf5Table("/no/such/folder/t.h5", MakeColumns(1)),
                        std::runtime_error,
                        "WriteHdf5Table: cannot open "
                        "'/no/such/folder/t.h5.partial'");
  std::vector<TableColumn> wide;
  for (int i = 0; i < 20000; ++i) {
    wide.push_back({fmt::format("column {}", i), std::vector<double>{1}});
  }
  EXPECT_THROWS_MESSAGE(WriteHdf5Table(folder / "wide.h5", wide),
                        std::runtime_error, "header");
}

#else

TEST(Hdf5Table, SaysThatItIsNotThere) {
  EXPECT_THROWS_MESSAGE(WriteHdf5Table("t.h5", MakeColumns(1)),
                        std::logic_error, "built without HDF5");
}

#endif

TEST(Hdf5Table, WhatIsNoTableIsAnError) {
  EXPECT_THROWS_MESSAGE(WriteHdf5Table("t.h5", {}), std::logic_error,
                        "columns");
  std::vector<TableColumn> columns = MakeColumns(2);
  columns.push_back({"short", std::vector<double>{1}});
  EXPECT_THROWS_MESSAGE(WriteHdf5Table("t.h5", columns), std::logic_error,
                        "column 'short' has 1 rows, and 'x/y[0]' has 2");
  columns.back() = columns[1];
  EXPECT_THROWS_MESSAGE(WriteHdf5Table("t.h5", columns), std::logic_error,
                        "two columns have the name 'n'");
}

}  // namespace hdf5_table_test
}  // namespace wyvern::systems
