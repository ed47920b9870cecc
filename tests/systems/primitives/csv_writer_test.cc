#include "wyvern/systems/primitives/csv_writer.h"

#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"

namespace wyvern::systems {
namespace {

using Eigen::Vector2d;
using Eigen::VectorXd;
namespace fs = std::filesystem;

std::string Contents(const std::string& filename) {
  std::ifstream file(filename);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

class CsvWriterTest : public testing::Test {
 protected:
  CsvWriterTest() {
    fs::remove(filename_);
    fs::remove(partial_);
  }
  ~CsvWriterTest() override {
    fs::remove(filename_);
    fs::remove(partial_);
  }

  const std::string filename_ =
      testing::TempDir() + "wyvern_csv_" +
      testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv";
  const std::string partial_ = filename_ + ".partial";
};

TEST_F(CsvWriterTest, WritesAHeaderAndRows) {
  CsvWriter writer(filename_, {"time", "a,b", "say \"x\""});
  writer.WriteRow(Eigen::Vector3d(0, 1.5, -2));
  writer.WriteRow(Eigen::Vector3d(0.1, 1e-300, 1e22));
  EXPECT_EQ(writer.num_rows(), 2);
  writer.Close();
  EXPECT_EQ(Contents(filename_),
            "time,\"a,b\",\"say \"\"x\"\"\"\n0,1.5,-2\n0.1,1e-300,1e+22\n");
}

TEST_F(CsvWriterTest, NumbersReadBackExactly) {
  VectorXd row(5);
  row << 1.0 / 3, -std::numeric_limits<double>::min(),
      std::numeric_limits<double>::max(),
      std::numeric_limits<double>::denorm_min(), 0.1 + 0.2;
  CsvWriter writer(filename_, {"a", "b", "c", "d", "e"});
  writer.WriteRow(row);
  writer.Close();
  std::istringstream text(Contents(filename_));
  std::string field;
  std::getline(text, field);
  for (int i = 0; i < row.size(); ++i) {
    std::getline(text, field, i + 1 < row.size() ? ',' : '\n');
    EXPECT_EQ(std::strtod(field.c_str(), nullptr), row[i]);
  }
}

TEST_F(CsvWriterTest, TheFileHasItsNameOnlyWhenComplete) {
  CsvWriter writer(filename_, {"a", "b"});
  writer.WriteRow(Vector2d(1, 2));
  writer.Flush();
  EXPECT_FALSE(fs::exists(filename_));
  EXPECT_EQ(Contents(partial_), "a,b\n1,2\n");
  writer.Close();
  EXPECT_TRUE(fs::exists(filename_));
  EXPECT_FALSE(fs::exists(partial_));
  EXPECT_FALSE(writer.is_open());
  EXPECT_NO_THROW(writer.Close());
}

TEST_F(CsvWriterTest, TheDestructorCompletesTheFile) {
  { CsvWriter(filename_, {"a"}).WriteRow(Vector<double, 1>(1)); }
  EXPECT_EQ(Contents(filename_), "a\n1\n");
}

TEST_F(CsvWriterTest, AnExceptionLeavesThePartialFile) {
  try {
    CsvWriter writer(filename_, {"a"});
    writer.WriteRow(Vector<double, 1>(1));
    throw std::runtime_error("the simulation failed");
  } catch (const std::runtime_error&) {
  }
  EXPECT_FALSE(fs::exists(filename_));
  EXPECT_EQ(Contents(partial_), "a\n1\n");
}

TEST_F(CsvWriterTest, RefusesBadRows) {
  CsvWriter writer(filename_, {"a", "b"});
  EXPECT_THROWS_MESSAGE(writer.WriteRow(VectorXd::Zero(3)), std::logic_error,
                        "row has size 3; it must have size 2.");
  EXPECT_THROWS_MESSAGE(writer.WriteRow(Vector2d(0, NAN)), std::runtime_error,
                        "row 1: b is nan");
  writer.WriteRow(Vector2d(1, 2));
  writer.Close();
  EXPECT_THROWS_MESSAGE(writer.WriteRow(Vector2d(1, 2)), std::logic_error,
                        "was closed already");
  EXPECT_EQ(Contents(filename_), "a,b\n1,2\n");
}

TEST_F(CsvWriterTest, RefusesBadColumnNames) {
  EXPECT_THROWS_MESSAGE(CsvWriter(filename_, {}), std::logic_error,
                        "no column names");
  EXPECT_THROWS_MESSAGE(CsvWriter(filename_, {"a", ""}), std::logic_error,
                        "is empty");
  EXPECT_THROWS_MESSAGE(CsvWriter(filename_, {"a", "a"}), std::logic_error,
                        "is a repetition");
  EXPECT_THROWS_MESSAGE(CsvWriter(filename_, {"a\nb"}), std::logic_error,
                        "has a line break");
  EXPECT_FALSE(fs::exists(partial_));
}

TEST_F(CsvWriterTest, RefusesAFolderThatDoesNotExist) {
  EXPECT_THROWS_MESSAGE(CsvWriter("/no/such/folder/x.csv", {"a"}),
                        std::runtime_error,
                        "cannot open '/no/such/folder/x.csv.partial'");
}

TEST_F(CsvWriterTest, RefusesAFileThatIsBeingWritten) {
  CsvWriter writer(filename_, {"a"});
  EXPECT_THROWS_MESSAGE(CsvWriter(filename_, {"a"}), std::logic_error,
                        "is being written by another CsvWriter");
  writer.Close();
  EXPECT_NO_THROW(CsvWriter(filename_, {"a"}));
}

TEST_F(CsvWriterTest, ReportsAFullDisk) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  fs::create_symlink("/dev/full", filename_);
  CsvWriter writer(filename_, {"a"});
  EXPECT_THROWS_MESSAGE(writer.Flush(), std::runtime_error, "cannot write");
}

TEST_F(CsvWriterTest, WritingAllocatesNothing) {
  if (!::wyvern::test::AllocationGuard::is_active())
    GTEST_SKIP() << "malloc is not counted";
  CsvWriter writer(filename_, {"a", "b"});
  const Vector2d row(1.0 / 3, -1e-300);
  const ::wyvern::test::AllocationGuard guard;
  for (int i = 0; i < 10000; ++i) writer.WriteRow(row);
  EXPECT_EQ(guard.count(), 0);
}

TEST_F(CsvWriterTest, AFileThatCannotBeRenamedIsFreeAgain) {
  CsvWriter writer(filename_, {"a"});
  fs::create_directories(filename_ + "/in the way");
  EXPECT_THROWS_MESSAGE(writer.Close(), std::runtime_error, "cannot rename");
  EXPECT_FALSE(writer.is_open());
  EXPECT_EQ(Contents(partial_), "a\n");
  fs::remove_all(filename_);
  CsvWriter(filename_, {"b"}).Close();
  EXPECT_EQ(Contents(filename_), "b\n");
}

// A writer holds the name until the file is in place. Otherwise one writer
// would rename the file that the next has begun.
TEST_F(CsvWriterTest, TwoThreadsThatTakeTurnsGetWholeFiles) {
  std::atomic<int> num_failures{0};
  const auto write = [&](double number) {
    for (int k = 0; k < 400; ++k) {
      try {
        CsvWriter writer(filename_, {"a"});
        writer.WriteRow(Vector<double, 1>(number));
        writer.Close();
      } catch (const std::logic_error&) {
        // The other one has it.
      } catch (const std::runtime_error&) {
        ++num_failures;
      }
    }
  };
  std::thread other(write, 1.0);
  write(2.0);
  other.join();
  EXPECT_EQ(num_failures, 0);
  EXPECT_FALSE(fs::exists(partial_));
}

}  // namespace
}  // namespace wyvern::systems
