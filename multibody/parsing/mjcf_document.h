#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "wyvern/multibody/parsing/file_record.h"
#include "wyvern/multibody/parsing/xml_document.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

/** An element of an MJCF document, with what its includes stand for as if it
were written there. The children of a <replicate> are its copies, of the same
element, and theirs what lies in it, with the suffixes of names. */
struct MjcfNode {
  XmlElement element;
  std::vector<MjcfNode> children{};
  /** Positions of an attached model's joint in that model's key. */
  std::shared_ptr<const VectorX<double>> key{};

  bool IsNamed(std::string_view name) const { return element.IsNamed(name); }
};

/** A node and all below it. */
std::size_t CountMjcfNodes(const MjcfNode& node);

class MjcfDocument;

/** A model of which something is attached, and how names begin there. */
struct MjcfAttachment {
  const MjcfDocument* model{};
  std::string prefix;
  /** The outermost class of the model's defaults. */
  std::string main_class;

  /** Returns a unique name in this document for a class of the model. */
  std::string ClassName(const std::string& name) const;
};

/** An MJCF document, the files that it includes, which it owns, and what is
attached, which is where it is attached. */
class MjcfDocument {
 public:
  /** Elements may be nested no deeper, as those of one file. */
  static constexpr int kMostDepth = 100;

  /** @param main must outlive this. @param record of the files that it
  includes and attaches; null: they are not recorded.
  @throws std::runtime_error "file:line: ..." if it is no <mujoco>, or a file
  that it includes cannot be read, is not well-formed, or is included twice. */
  explicit MjcfDocument(const XmlDocument& main, FileRecord* record = nullptr);

  const MjcfNode& root() const { return root_; }
  /** All children of all sections of that name at the top, such as
  "worldbody", which there may be several of, in their order. */
  std::vector<const MjcfNode*> Contents(std::string_view section) const;
  /** The sections themselves. */
  std::vector<const MjcfNode*> Sections(std::string_view section) const;

  /** Returns the document's name in errors. */
  const std::string& source() const { return source_; }
  /** The folder of its file; nothing if it is in a string. */
  const std::optional<std::filesystem::path>& folder() const {
    return main_folder_;
  }
  /** Whether the element is written in its file, or in one that it includes. */
  bool Wrote(const XmlElement& element) const;
  /** Models of which something is attached, each prefix once. */
  const std::vector<MjcfAttachment>& attachments() const {
    return attachments_;
  }

 private:
  friend class MjcfAttacher;

  // How deep in models that are attached, how many of them are read, and the
  // record of their files, or null.
  struct Nesting {
    int depth{0};
    std::shared_ptr<int> num_models{std::make_shared<int>(0)};
    FileRecord* record{};
  };

  MjcfDocument(const XmlDocument& main, const Nesting& nesting);

  std::filesystem::path FindFile(const XmlElement& element,
                                 const std::filesystem::path& folder,
                                 const char* what) const;
  MjcfDocument* ReadModel(const XmlElement& model);
  void ReplicateAll(MjcfNode* node);
  void Expand(MjcfNode* node, const std::filesystem::path& folder, int depth);
  void Include(const XmlElement& include, const std::filesystem::path& folder,
               int depth, std::vector<MjcfNode>* result);
  void Replicate(MjcfNode* node);
  void ReplicateReferences(MjcfNode* section) const;

  // Copies made by a <replicate>: names without suffixes, and the suffixes.
  struct Replica {
    std::set<std::string, std::less<>> names;
    std::vector<std::string> suffixes;
  };

  Nesting nesting_;
  std::string source_;
  std::optional<std::filesystem::path> main_folder_;
  // Texts of attached models, and their documents.
  std::vector<std::unique_ptr<XmlDocument>> model_texts_;
  std::vector<std::unique_ptr<MjcfDocument>> models_;
  std::vector<MjcfAttachment> attachments_;
  // Sections that come with what is attached.
  std::vector<MjcfNode> added_;
  std::vector<std::unique_ptr<XmlDocument>> included_;
  std::vector<std::filesystem::path> files_;
  // The inner ones first.
  std::vector<Replica> replicas_;
  MjcfNode root_;
};

}  // namespace wyvern::multibody::internal
