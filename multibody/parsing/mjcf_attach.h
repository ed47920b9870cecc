#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wyvern/multibody/parsing/mjcf_document.h"

namespace wyvern::multibody::internal {

/** Names by what they are of: "body", "joint", "site", "geom", "tendon". */
using MjcfNamesByKind = std::map<std::string, std::set<std::string>>;

/** `element` of a model that is attached: its name, its class, and all that it
refers to, named as in the document that it is attached to. */
XmlElement RenameAttached(const XmlElement& element,
                          const MjcfAttachment& attachment);

/** Puts into a document what its <attach> elements stand for: a body, a <frame>
or all that another model has, or a body or frame of the document itself that
is above it; with it goes what refers to nothing else. */
class MjcfAttacher {
 public:
  explicit MjcfAttacher(MjcfDocument* document) : document_(*document) {}

  /** Replaces all <attach> elements of the document.
  @throws std::runtime_error "file:line: ..." if there is no such model,
  body or frame, or it would be too much. */
  void Attach();

 private:
  // A node and the class that its own elements have if they name none.
  struct FoundElement {
    const MjcfNode* node{};
    std::string childclass;
  };

  void FindModels();
  MjcfDocument& Model(const XmlElement& attach);
  void Walk(MjcfNode* node, int depth);
  std::vector<MjcfNode> Take(const XmlElement& attach);
  std::vector<MjcfNode> TakeOfModel(const XmlElement& attach,
                                    const std::string& prefix);
  std::vector<MjcfNode> TakeOfItself(const XmlElement& attach,
                                     const std::string& prefix);
  static FoundElement Find(const XmlElement& attach,
                           const MjcfDocument& document,
                           std::string_view whose);
  const MjcfAttachment& AddModel(const MjcfDocument& model,
                                 const std::string& prefix);
  void AddAssets(const MjcfAttachment& attachment);
  void AddSections(const MjcfAttachment& attachment,
                   const MjcfNamesByKind& attached);
  void AddOwnSections();

  MjcfDocument& document_;
  // The <model>s in <asset>, by their names; read when they are asked for.
  std::map<std::string, std::pair<XmlElement, MjcfDocument*>> models_;
  // The elements that were added.
  std::size_t num_added_{0};
  // Attachments of the document to itself: prefixes and names.
  std::vector<std::pair<std::string, MjcfNamesByKind>> own_;
};

}  // namespace wyvern::multibody::internal
