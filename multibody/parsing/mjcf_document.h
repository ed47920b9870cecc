#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "wyvern/multibody/parsing/xml_document.h"

namespace wyvern::multibody::internal {

/** An element of an MJCF document, with what its includes stand for as if it
were written there. The children of a <replicate> are its copies, of the same
element, and theirs what lies in it, with the suffixes of names. */
struct MjcfNode {
  XmlElement element;
  std::vector<MjcfNode> children{};

  bool IsNamed(std::string_view name) const { return element.IsNamed(name); }
};

/** An MJCF document and the files that it includes, which it owns. */
class MjcfDocument {
 public:
  /** @param main must outlive this.
  @throws std::runtime_error "file:line: ..." if it is no <mujoco>, or a file
  that it includes cannot be read, is not well-formed, or is included twice. */
  explicit MjcfDocument(const XmlDocument& main);

  const MjcfNode& root() const { return root_; }
  /** All children of all sections of that name at the top, such as
  "worldbody", which there may be several of, in their order. */
  std::vector<const MjcfNode*> Contents(std::string_view section) const;
  /** The sections themselves. */
  std::vector<const MjcfNode*> Sections(std::string_view section) const;

 private:
  void Expand(MjcfNode* node, const std::filesystem::path& folder, int depth);
  void Include(const XmlElement& include, const std::filesystem::path& folder,
               int depth, std::vector<MjcfNode>* result);
  void Replicate(MjcfNode* node);
  void ReplicateReferences(MjcfNode* section) const;

  // What a <replicate> has made: names without suffixes, and these.
  struct Replica {
    std::set<std::string, std::less<>> names;
    std::vector<std::string> suffixes;
  };

  std::optional<std::filesystem::path> main_folder_;
  std::vector<std::unique_ptr<XmlDocument>> included_;
  std::vector<std::filesystem::path> files_;
  // The inner ones first.
  std::vector<Replica> replicas_;
  MjcfNode root_;
};

}  // namespace wyvern::multibody::internal
