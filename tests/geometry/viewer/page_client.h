#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "wyvern/geometry/viewer/viewer.h"

namespace wyvern::geometry::test {

/** Answer of an HTTP server. */
struct Answer {
  int status{};
  std::string body;
};

/** Sends `text`, such as "GET / HTTP/1.1\r\n...", to a port of this machine,
and waits for the end of the answer. */
Answer Ask(int port, const std::string& text);

/** "GET <target>" to the Viewer, from a browser at localhost. */
Answer Get(const Viewer& viewer, const std::string& target);

/** The token of web_url(). */
std::string TokenOf(const Viewer& viewer);

/** A page, as far as a Viewer sees it. */
class PageClient {
 public:
  /** @throws std::runtime_error if it is refused. */
  explicit PageClient(const Viewer& viewer, const std::string& token = "",
                      const std::string& origin = "");
  ~PageClient();

  void Send(const std::string& text);
  /** Reads messages until `type` is among their items, 5 s at most; all items
  read, in their order. */
  std::vector<nlohmann::json> ReadUntil(const std::string& type);
  /** The next message's items. @throws if the connection ends. */
  std::vector<nlohmann::json> Read();

 private:
  class Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace wyvern::geometry::test
