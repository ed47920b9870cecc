// Every process of a test program has a folder for temporary files of its own,
// so that cases that run side by side never meet there. It is what
// std::filesystem::temp_directory_path() and testing::TempDir() say, here and
// in programs that the case starts.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace wyvern::test {
namespace {

class PrivateFolder {
 public:
  PrivateFolder() {
    std::string name =
        (std::filesystem::temp_directory_path() / "wyvern_test_XXXXXX")
            .string();
    if (mkdtemp(name.data()) == nullptr) return;  // The system's it is.
    path_ = name;
    setenv("TMPDIR", name.c_str(), 1);
    setenv("TEST_TMPDIR", name.c_str(), 1);
  }
  ~PrivateFolder() {
    // Forked children leave it to the process that made it.
    if (path_.empty() || getpid() != owner_) return;
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

 private:
  const pid_t owner_{getpid()};
  std::filesystem::path path_;
};

const PrivateFolder private_folder;

}  // namespace
}  // namespace wyvern::test
