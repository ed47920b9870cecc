#pragma once

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace wyvern::test {

/** Code, made into a library by the compiler of the tests, WYVERN_CXX, without
any header of Wyvern. */
class CompiledCode {
 public:
  /** @param files names and contents; those on .c and .cc are compiled. */
  explicit CompiledCode(
      const std::vector<std::pair<std::string, std::string>>& files) {
    char folder[] = "/tmp/wyvern_code_XXXXXX";
    folder_ = mkdtemp(folder);
    std::string command = std::string(WYVERN_CXX) +
                          " -Wall -Wextra -Werror -O1 -shared -fPIC -o " +
                          folder_ + "/code.so";
    for (const auto& [name, content] : files) {
      std::ofstream(folder_ + "/" + name) << content;
      if (name.ends_with(".c")) command += " -x c " + folder_ + "/" + name;
      if (name.ends_with(".cc")) command += " -x c++ " + folder_ + "/" + name;
    }
    EXPECT_EQ(std::system((command + " -lm").c_str()), 0) << command;
    handle_ = dlopen((folder_ + "/code.so").c_str(), RTLD_NOW);
    EXPECT_NE(handle_, nullptr);
  }
  CompiledCode(const CompiledCode&) = delete;
  CompiledCode& operator=(const CompiledCode&) = delete;
  ~CompiledCode() {
    if (handle_ != nullptr) dlclose(handle_);
    std::filesystem::remove_all(folder_);
  }

  /** A function of it; null if it has none of that name. */
  template <typename Function>
  Function* Get(const char* name) const {
    return handle_ == nullptr
               ? nullptr
               : reinterpret_cast<Function*>(dlsym(handle_, name));
  }

 private:
  std::string folder_;
  void* handle_{};
};

}  // namespace wyvern::test
