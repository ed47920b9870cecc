#include "wyvern/multibody/parsing/xml_document.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <tinyxml2.h>

#include "wyvern/systems/common/file_paths.h"

/* An XML file in memory. TinyXML-2 parses it; what it says of a file that is
not well-formed is a code and a line that may be far from the fault. So the
text of such a file is gone through once more, tag by tag, for the one that
begins or ends nothing, and the message says what is wrong and where. */

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

void RequireNoZeroByte(const std::string& contents, const std::string& source) {
  const std::size_t zero = contents.find('\0');
  if (zero == std::string::npos) return;
  const auto line =
      1 + std::count(contents.begin(), contents.begin() + zero, '\n');
  ThrowAt(source, static_cast<int>(line),
          "a zero byte; this is not a text file.");
}

/** Finds the tag of a text that is not well-formed that begins or ends nothing,
by going through its tags. */
class TagScan {
 public:
  explicit TagScan(std::string_view text) : text_(text) {}

  /** Returns the first fault; empty if every tag has its counterpart. */
  std::string FindFault() {
    for (at_ = text_.find('<'); at_ != text_.npos; at_ = text_.find('<', at_)) {
      const std::string fault = Skip("<!--", "-->")        ? ""
                                : Skip("<![CDATA[", "]]>") ? ""
                                : Skip("<?", "?>")         ? ""
                                : Skip("<!", ">")          ? ""
                                                           : Tag();
      if (!fault.empty()) return fault;
      if (at_ == text_.npos) break;
    }
    if (open_.empty()) return {};
    return fmt::format(
        "it ends before the end of <{}>, which begins in line {}; is the file "
        "cut off?",
        open_.back().name, open_.back().line);
  }

 private:
  struct Open {
    std::string name;
    int line;
  };

  int LineOf(std::size_t place) {
    line_ += static_cast<int>(
        std::count(text_.begin() + counted_, text_.begin() + place, '\n'));
    counted_ = place;
    return line_;
  }

  // Whether what begins here was passed; if it has no end, to that of the text.
  bool Skip(std::string_view begin, std::string_view end) {
    if (!text_.substr(at_).starts_with(begin)) return false;
    at_ = text_.find(end, at_ + begin.size());
    return true;
  }

  std::string Tag() {
    const int line = LineOf(at_);
    const std::size_t end = FindEnd();
    const bool is_end = text_.substr(at_).starts_with("</");
    const std::size_t begin = at_ + (is_end ? 2 : 1);
    const std::size_t stop =
        std::min(text_.find_first_of(" \t\r\n/>", begin), text_.size());
    const std::string name(text_.substr(begin, stop - begin));
    if (end == text_.npos) {
      return fmt::format("the tag <{}{} in line {} has no end",
                         is_end ? "/" : "", name, line);
    }
    at_ = end;
    if (!is_end) {
      if (text_[end - 1] != '/') open_.push_back({name, line});
      return {};
    }
    if (open_.empty()) {
      return fmt::format("</{}> in line {} ends nothing", name, line);
    }
    if (open_.back().name != name) {
      return fmt::format(
          "</{}> in line {} comes before the end of <{}>, which begins in line "
          "{}",
          name, line, open_.back().name, open_.back().line);
    }
    open_.pop_back();
    return {};
  }

  // Returns the end of the tag; a '>' in quotes does not end it.
  std::size_t FindEnd() const {
    char quote = 0;
    for (std::size_t i = at_ + 1; i < text_.size(); ++i) {
      const char c = text_[i];
      if (quote == 0 && c == '>') return i;
      if (quote == 0 && (c == '"' || c == '\'')) {
        quote = c;
      } else if (c == quote) {
        quote = 0;
      }
    }
    return text_.npos;
  }

  const std::string_view text_;
  std::size_t at_{0};
  std::size_t counted_{0};
  int line_{1};
  std::vector<Open> open_;
};

// Returns a sentence on the fault and its place.
std::string DescribeXmlError(const tinyxml2::XMLDocument& document,
                             std::string_view text) {
  switch (document.ErrorID()) {
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT:
      return "it is empty";
    case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED:
      return "elements are nested more than 100 deep";
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
      return "an attribute is not written as name=\"value\", or is there twice";
    case tinyxml2::XML_ERROR_PARSING_COMMENT:
      return "a remark has no end; it is -->";
    case tinyxml2::XML_ERROR_PARSING_CDATA:
      return "a <![CDATA[ has no end; it is ]]>";
    case tinyxml2::XML_ERROR_PARSING_DECLARATION:
      return "a declaration <?...?> has no end or is not at the beginning";
    case tinyxml2::XML_ERROR_PARSING_UNKNOWN:
      return "a <!... has no end";
    default:
      break;
  }
  const std::string fault = TagScan(text).FindFault();
  if (!fault.empty()) return fault;
  return document.ErrorID() == tinyxml2::XML_ERROR_PARSING_TEXT
             ? "there is text outside of the document's element"
             : "a '<' begins no tag; write &lt; for one in a text";
}

}  // namespace

XmlDocument::XmlDocument() = default;
XmlDocument::XmlDocument(XmlDocument&&) noexcept = default;
XmlDocument::~XmlDocument() = default;

XmlDocument XmlDocument::FromFile(const std::filesystem::path& file) {
  return FromContents(ReadFile(file), file);
}

XmlDocument XmlDocument::FromContents(const std::string& contents,
                                      const std::filesystem::path& file) {
  XmlDocument result = FromString(contents, file.string());
  result.folder_ = wyvern::internal::MakeAbsolute("Parser", file).parent_path();
  return result;
}

XmlDocument XmlDocument::FromString(const std::string& contents,
                                    const std::string& source) {
  RequireNoZeroByte(contents, source);
  XmlDocument result;
  result.source_ = std::make_unique<std::string>(source);
  result.contents_ = std::make_unique<std::string>(contents);
  result.document_ = std::make_unique<tinyxml2::XMLDocument>();
  tinyxml2::XMLDocument& document = *result.document_;
  if (document.Parse(contents.data(), contents.size()) !=
      tinyxml2::XML_SUCCESS) {
    ThrowAt(source, document.ErrorLineNum(),
            fmt::format("this is not well-formed XML: {}.",
                        DescribeXmlError(document, contents)));
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
