#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace wyvern::tests {

/// The table layers.txt: the folders of each layer, and the layers that it may
/// include, transitively.
class IncludeLaw {
 public:
  /// Reads lines `folder folder ... : layer layer ...`; # starts a comment. A
  /// layer has the name of its first folder.
  explicit IncludeLaw(const std::string& table);

  /// Returns the layer of a path such as systems/framework/context.h, or "" if
  /// there is none. The innermost folder of the table decides.
  std::string LayerOf(const std::string& path) const;

  /// One text per include of a file at `path` with `content` that breaks the
  /// law.
  std::vector<std::string> Violations(const std::string& path,
                                      const std::string& content) const;

  /// The layer of each folder of the table.
  const std::map<std::string, std::string>& layers() const { return layers_; }

 private:
  std::map<std::string, std::string> layers_;
  std::map<std::string, std::set<std::string>> allowed_;
};

/// Returns the includes of a source file, without the brackets or quotes.
std::vector<std::string> IncludesOf(const std::string& content);

/// The sources of the layers, as paths from the top folder.
std::vector<std::string> LibrarySources(const std::filesystem::path& top);

std::string ReadFile(const std::filesystem::path& path);

}  // namespace wyvern::tests
