#include "tests/geometry/viewer/page_client.h"

#include <stdexcept>

#include <fmt/format.h>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>

namespace wyvern::geometry::test {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using asio::ip::tcp;

namespace {

tcp::endpoint At(int port) {
  return {asio::ip::address_v4::loopback(), static_cast<uint16_t>(port)};
}

}  // namespace

Answer Ask(int port, const std::string& text) {
  asio::io_context context;
  tcp::socket socket(context);
  socket.connect(At(port));
  boost::system::error_code error;
  asio::write(socket, asio::buffer(text), error);
  std::string answer;
  asio::read(socket, asio::dynamic_buffer(answer), error);
  Answer result;
  if (answer.size() > 12) result.status = std::stoi(answer.substr(9, 3));
  const size_t end = answer.find("\r\n\r\n");
  if (end != std::string::npos) result.body = answer.substr(end + 4);
  return result;
}

Answer Get(const Viewer& viewer, const std::string& target) {
  return Ask(viewer.port(),
             fmt::format("GET {} HTTP/1.1\r\nHost: localhost:{}\r\n\r\n",
                         target, viewer.port()));
}

std::string TokenOf(const Viewer& viewer) {
  const std::string url = viewer.web_url();
  return url.substr(url.find("token=") + 6);
}

class PageClient::Impl {
 public:
  Impl(const Viewer& viewer, const std::string& token,
       const std::string& origin) {
    beast::get_lowest_layer(stream).connect(At(viewer.port()));
    const std::string host = fmt::format("localhost:{}", viewer.port());
    stream.set_option(websocket::stream_base::decorator(
        [&](websocket::request_type& request) {
          request.set(beast::http::field::origin,
                      origin.empty() ? "http://" + host : origin);
        }));
    stream.handshake(host,
                     fmt::format("/socket?token={}",
                                 token.empty() ? TokenOf(viewer) : token));
  }

  asio::io_context context;
  websocket::stream<tcp::socket> stream{context};
};

PageClient::PageClient(const Viewer& viewer, const std::string& token,
                       const std::string& origin)
    : impl_(std::make_unique<Impl>(viewer, token, origin)) {}

PageClient::~PageClient() = default;

void PageClient::Send(const std::string& text) {
  impl_->stream.write(asio::buffer(text));
}

std::vector<nlohmann::json> PageClient::Read() {
  beast::flat_buffer buffer;
  impl_->stream.read(buffer);
  return nlohmann::json::parse(beast::buffers_to_string(buffer.data()));
}

std::vector<nlohmann::json> PageClient::ReadUntil(const std::string& type) {
  std::vector<nlohmann::json> result;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (std::chrono::steady_clock::now() < end) {
    for (const nlohmann::json& item : Read()) {
      result.push_back(item);
    }
    for (const nlohmann::json& item : result) {
      if (item["type"] == type) return result;
    }
  }
  throw std::runtime_error("No item of type " + type);
}

}  // namespace wyvern::geometry::test
