#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace wyvern::systems::test {

/** A folder of its own, which goes when this does. */
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name =
        (std::filesystem::temp_directory_path() / "recording_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error(name);
    path_ = name;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  void operator=(const TemporaryFolder&) = delete;

  std::string operator/(const std::string& name) const {
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

inline std::string ContentsOf(const std::string& filename) {
  std::ifstream in(filename, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace wyvern::systems::test
