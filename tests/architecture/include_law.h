#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace wyvern::tests {

/// layers.txt: for each layer the folders it may include, transitively, and
/// itself.
class IncludeLaw {
 public:
  /// Reads lines `layer : folder folder ...`; # starts a comment.
  explicit IncludeLaw(const std::string& table);

  /// The innermost layer that a path such as systems/framework/context.h is in,
  /// or "".
  std::string LayerOf(const std::string& path) const;

  /// One text per include of a file at `path` with `content` that breaks the
  /// law.
  std::vector<std::string> Violations(const std::string& path,
                                      const std::string& content) const;

  /// Layers in the order of the table.
  const std::vector<std::string>& layers() const { return layers_; }

 private:
  std::vector<std::string> layers_;
  std::map<std::string, std::set<std::string>> allowed_;
};

/// Returns the includes of a source file, without the brackets or quotes.
std::vector<std::string> IncludesOf(const std::string& content);

/// The sources of the layers, as paths from the top folder.
std::vector<std::string> LibrarySources(const std::filesystem::path& top);

std::string ReadFile(const std::filesystem::path& path);

}  // namespace wyvern::tests
