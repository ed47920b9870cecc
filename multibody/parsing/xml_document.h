#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "wyvern/multibody/parsing/xml_element.h"

namespace tinyxml2 {
class XMLDocument;
}  // namespace tinyxml2

namespace wyvern::multibody::internal {

/** A well-formed XML document in memory. Elements refer to it. */
class XmlDocument {
 public:
  /** Reads a file of XML.
  @throws std::runtime_error "file:line: message" if the file cannot be read
  or is not well-formed, and why: that includes zero bytes, attributes given
  twice, a second root, and elements nested more than 100 deep. */
  static XmlDocument FromFile(const std::filesystem::path& file);
  /** Parses `contents` as if `file` had them: names of other files are relative
  to its folder. */
  static XmlDocument FromContents(const std::string& contents,
                                  const std::filesystem::path& file);
  /** @param source what errors call the text. */
  static XmlDocument FromString(const std::string& contents,
                                const std::string& source);
  XmlDocument(XmlDocument&&) noexcept;
  ~XmlDocument();

  const std::string& source() const { return *source_; }
  /** The text that it was read from. */
  const std::string& contents() const { return *contents_; }
  /** The folder of the file; nothing for a text that is in no file. */
  std::optional<std::filesystem::path> folder() const { return folder_; }
  XmlElement root() const;

 private:
  XmlDocument();

  std::unique_ptr<std::string> source_;
  std::unique_ptr<std::string> contents_;
  std::optional<std::filesystem::path> folder_;
  std::unique_ptr<tinyxml2::XMLDocument> document_;
};

}  // namespace wyvern::multibody::internal
