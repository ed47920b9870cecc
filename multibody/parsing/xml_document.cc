#include "wyvern/multibody/parsing/xml_document.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <tinyxml2.h>

namespace wyvern::multibody::internal {

namespace {

[[noreturn]] void ThrowOfFile(const std::filesystem::path& file,
                              std::string_view message) {
  throw std::runtime_error(fmt::format("{}: {}", file.string(), message));
}

[[noreturn]] void ThrowAt(const std::string& source, int line,
                          std::string_view message) {
  throw std::runtime_error(fmt::format("{}:{}: {}", source, line, message));
}

std::string ReadFile(const std::filesystem::path& file) {
  std::error_code error;
  // Reading a pipe or a device might never end.
  if (!std::filesystem::is_regular_file(file, error)) {
    ThrowOfFile(file,
                std::filesystem::exists(file, error)
                    ? "this is not a file but a folder or device; give a file."
                    : "there is no such file.");
  }
  std::ifstream stream(file, std::ios::binary);
  std::string contents{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) {
    ThrowOfFile(file, "the file cannot be read; check its permissions.");
  }
  return contents;
}

void ThrowIfZeroByte(const std::string& contents, const std::string& source) {
  const std::size_t zero = contents.find('\0');
  if (zero == std::string::npos) return;
  const auto line =
      1 + std::count(contents.begin(), contents.begin() + zero, '\n');
  ThrowAt(source, static_cast<int>(line),
          "a zero byte; this is not a text file.");
}

// " of <link>", if the library knows which element.
std::string ElementOfError(const tinyxml2::XMLDocument& document) {
  constexpr std::string_view kMark = "XMLElement name=";
  const std::string_view text = document.ErrorStr();
  const std::size_t at = text.find(kMark);
  if (at == text.npos) return {};
  return fmt::format(" of <{}>", text.substr(at + kMark.size()));
}

// What is wrong and, where that can be said, what to do.
std::string DescribeXmlError(const tinyxml2::XMLDocument& document) {
  const std::string element = ElementOfError(document);
  switch (document.ErrorID()) {
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT:
      return fmt::format(
          "the end{} is missing, or that of another element is in its place; "
          "the file may be cut off",
          element);
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
      return fmt::format(
          "an attribute{} is not written as name=\"value\", or is there twice",
          element);
    case tinyxml2::XML_ERROR_PARSING_ELEMENT:
      return fmt::format("the tag{} has no end", element);
    case tinyxml2::XML_ERROR_PARSING_TEXT:
      return "there is text outside of the document's element, or text that "
             "does not end";
    case tinyxml2::XML_ERROR_PARSING_COMMENT:
      return "a remark has no end; it is -->";
    case tinyxml2::XML_ERROR_PARSING_CDATA:
      return "a <![CDATA[ has no end; it is ]]>";
    case tinyxml2::XML_ERROR_PARSING_DECLARATION:
      return "a declaration <?...?> has no end or is not at the beginning";
    case tinyxml2::XML_ERROR_PARSING_UNKNOWN:
      return "a <!... has no end";
    case tinyxml2::XML_ERROR_PARSING:
      return "a '<' begins no tag; write &lt; for one in a text";
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT:
      return "it is empty";
    case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED:
      return "elements are nested more than 100 deep";
    default:
      return document.ErrorName();
  }
}

}  // namespace

XmlDocument::XmlDocument() = default;
XmlDocument::XmlDocument(XmlDocument&&) noexcept = default;
XmlDocument::~XmlDocument() = default;

XmlDocument XmlDocument::FromFile(const std::filesystem::path& file) {
  XmlDocument result = FromString(ReadFile(file), file.string());
  result.folder_ = std::filesystem::absolute(file).parent_path();
  return result;
}

XmlDocument XmlDocument::FromString(const std::string& contents,
                                    const std::string& source) {
  ThrowIfZeroByte(contents, source);
  XmlDocument result;
  result.source_ = std::make_unique<std::string>(source);
  result.contents_ = std::make_unique<std::string>(contents);
  result.document_ = std::make_unique<tinyxml2::XMLDocument>();
  tinyxml2::XMLDocument& document = *result.document_;
  if (document.Parse(contents.data(), contents.size()) !=
      tinyxml2::XML_SUCCESS) {
    ThrowAt(source, document.ErrorLineNum(),
            fmt::format("this is not well-formed XML: {}.",
                        DescribeXmlError(document)));
  }
  const tinyxml2::XMLElement* const root = document.RootElement();
  if (root == nullptr) ThrowAt(source, 1, "the document has no element.");
  if (const auto* const other = root->NextSiblingElement()) {
    ThrowAt(source, other->GetLineNum(),
            fmt::format("this is not well-formed XML: after <{}>, which is the "
                        "document, there is a <{}>.",
                        root->Name(), other->Name()));
  }
  return result;
}

XmlElement XmlDocument::root() const {
  return XmlElement(document_->RootElement(), source_.get());
}

}  // namespace wyvern::multibody::internal
