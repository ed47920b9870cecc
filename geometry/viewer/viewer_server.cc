#include "wyvern/geometry/viewer/viewer_server.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <random>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

#include "wyvern/systems/common/check_argument.h"

/* One thread runs an io_context. On it live the acceptor, a timer that beats 60
times a second, and a Connection for each client: first an HTTP exchange,
which answers with the page or becomes a WebSocket. A Connection keeps the
number of the last change that its client was sent; at a beat, unless a write
is still under way, it asks the state for what is newer. So there is one
message at most for each client in memory, and no queue.

Other threads only read atomics, and wait for `seen_changed_`. */

namespace wyvern::geometry::internal {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using ErrorCode = boost::system::error_code;

constexpr auto kBeat = std::chrono::milliseconds(16);
// Limit for a request to arrive.
constexpr auto kRequestLimit = std::chrono::seconds(5);
// For the page, over a slow network.
constexpr auto kReplyLimit = std::chrono::seconds(60);
// Limit of open pages.
constexpr int kMaxConnections = 64;
// Limit of all connections. Beyond it the connection that has been silent for
// the longest time is closed, so silent connections block nobody.
constexpr size_t kMaxClients = 4 * kMaxConnections;
constexpr size_t kMaxMessage = 64 << 10;
// A page answers each message that it has processed with this text. At most
// kMaxUnread messages are on their way. Otherwise the network's buffers would
// give a busy page states that are seconds old.
constexpr std::string_view kRead = "read";
constexpr int kMaxUnread = 3;
constexpr int kFirstPort = 7000;
constexpr int kLastPort = 7999;

std::string RandomToken() {
  constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuvwxyz";
  std::random_device random;
  std::uniform_int_distribution<size_t> digit(0, kDigits.size() - 1);
  std::string token;
  for (int i = 0; i < 24; ++i) token += kDigits[digit(random)];
  return token;
}

std::string RequireToken(const std::string& token) {
  if (token.empty()) return RandomToken();
  const bool is_word = std::all_of(token.begin(), token.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
  });
  if (!is_word) {
    throw std::logic_error(fmt::format(
        "Viewer: the token is '{}'; it must be of letters and digits.", token));
  }
  return token;
}

asio::ip::address RequireAddress(const std::string& host) {
  if (host == "localhost") return asio::ip::address_v4::loopback();
  if (host == "*") return asio::ip::address_v4::any();
  ErrorCode error;
  const auto address = asio::ip::make_address(host, error);
  if (error) {
    throw std::logic_error(
        fmt::format("Viewer: the host is '{}'; it must be 'localhost', '*', or "
                    "an IP address of this machine.",
                    host));
  }
  return address;
}

// True only if all characters are the same, in a time that does not tell how
// many of the first are.
bool AreSame(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned char>(a[i] ^ b[i]);
  }
  return difference == 0;
}

}  // namespace

class ViewerServer::Impl {
 public:
  Impl(const ViewerParams& params, std::string_view page,
       const ViewerState& state, std::function<void(std::string_view)> receive)
      : page_(page),
        state_(state),
        receive_(std::move(receive)),
        token_(RequireToken(params.token)),
        is_local_(params.host == "localhost"),
        acceptor_(context_),
        timer_(context_) {
    Listen(params);
    Accept();
    Beat();
    thread_ = std::thread([this] { context_.run(); });
  }

  ~Impl() {
    asio::post(context_, [this] { context_.stop(); });
    thread_.join();
  }

  int port() const { return port_; }
  const std::string& token() const { return token_; }
  int num_connections() const { return num_sockets_; }

  bool WaitUntilSeen(std::chrono::milliseconds limit) const {
    std::unique_lock lock(seen_mutex_);
    const int64_t wanted = state_.version();
    return seen_changed_.wait_for(lock, limit, [&] {
      return num_sockets_ == 0 || oldest_seen_ >= wanted;
    });
  }

 private:
  class Connection;

  void Listen(const ViewerParams& params) {
    const asio::ip::address address = RequireAddress(params.host);
    if (params.port) {
      wyvern::internal::RequireInRange("Viewer", "the port", *params.port, 1,
                                       65535);
    }
    const int first = params.port.value_or(kFirstPort);
    const int last = params.port.value_or(kLastPort);
    ErrorCode error;
    for (port_ = first; port_ <= last; ++port_) {
      const tcp::endpoint endpoint(address, static_cast<uint16_t>(port_));
      acceptor_.open(endpoint.protocol(), error);
      // This option lets a viewer listen on a port that another has just
      // closed.
      acceptor_.set_option(asio::socket_base::reuse_address(true), error);
      acceptor_.bind(endpoint, error);
      if (!error) {
        acceptor_.listen(asio::socket_base::max_listen_connections, error);
      }
      if (!error) return;
      ErrorCode ignored;
      acceptor_.close(ignored);
    }
    throw std::runtime_error(fmt::format(
        "Viewer: cannot listen at {}, {}: {}; give a port that is free.",
        params.host,
        params.port ? fmt::format("port {}", first)
                    : fmt::format("any port from {} to {}", first, last),
        error.message()));
  }

  void Accept();
  void ForgetExpired();
  bool MakeRoom();
  void Beat();
  void UpdateSeen();
  bool IsOurs(std::string_view host_and_port) const;

  const std::string_view page_;
  const ViewerState& state_;
  const std::function<void(std::string_view)> receive_;
  const std::string token_;
  const bool is_local_;
  int port_{0};

  std::atomic<int> num_sockets_{0};
  int num_upgrades_{0};  // That are under way: of the server's thread.
  mutable std::mutex seen_mutex_;
  mutable std::condition_variable seen_changed_;
  int64_t oldest_seen_{0};

  std::vector<std::weak_ptr<Connection>> connections_;
  bool is_accepting_{true};
  // Destroys the connections that are left, which use what is above.
  asio::io_context context_{1};
  tcp::acceptor acceptor_;
  asio::steady_timer timer_;
  std::thread thread_;
};

// A client, alive as long as some operation of it is under way.
class ViewerServer::Impl::Connection final
    : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, Impl* server)
      : stream_(std::move(socket)), server_(*server) {
    parser_.header_limit(8192);
    parser_.body_limit(1024);
  }

  ~Connection() {
    if (is_open_) --server_.num_sockets_;
  }

  void Start() {
    stream_.next_layer().expires_after(kRequestLimit);
    http::async_read(stream_.next_layer(), buffer_, parser_,
                     [self = shared_from_this()](ErrorCode error, size_t) {
                       self->is_silent_ = false;
                       if (!error) self->Answer();
                     });
  }

  // Returns whether the request has not arrived yet.
  bool is_silent() const { return is_silent_; }
  // Ends the connection before its request has arrived.
  void Drop() { stream_.next_layer().close(); }

  bool is_open() const { return is_open_; }
  int64_t seen() const { return seen_; }

  // Sends what is new, if the client has taken what it was sent before.
  void Push() {
    if (!is_open_ || is_writing_ || num_unread_ >= kMaxUnread) return;
    int64_t collected = seen_;
    message_ = server_.state_.CollectSince(&collected);
    if (message_.empty()) return;
    is_writing_ = true;
    if (says_what_it_read_) ++num_unread_;
    stream_.async_write(
        asio::buffer(message_),
        [self = shared_from_this(), collected](ErrorCode error, size_t) {
          self->is_writing_ = false;
          if (error) {
            self->Close();
          } else {
            self->seen_ = collected;
          }
          self->server_.UpdateSeen();
        });
  }

 private:
  // The target without its query, and whether that has the token.
  static std::pair<std::string_view, std::string_view> Split(
      std::string_view target) {
    const size_t mark = target.find('?');
    if (mark == std::string_view::npos) return {target, {}};
    return {target.substr(0, mark), target.substr(mark + 1)};
  }

  void Answer() {
    const auto& request = parser_.get();
    const auto text = [](const auto& view) {
      return std::string_view(view.data(), view.size());
    };
    const auto [path, query] = Split(text(request.target()));
    const std::string_view host = text(request[http::field::host]);
    const bool has_token =
        query.starts_with("token=") && AreSame(query.substr(6), server_.token_);
    if (websocket::is_upgrade(request) && path == "/socket") {
      const std::string_view origin = text(request[http::field::origin]);
      if (!has_token || !server_.IsOurs(host) ||
          origin != fmt::format("http://{}", host)) {
        return Refuse(http::status::forbidden,
                      "The token or the origin is not that of this page.\n");
      }
      if (server_.num_sockets_ + server_.num_upgrades_ >= kMaxConnections) {
        return Refuse(http::status::service_unavailable,
                      "Too many pages are open.\n");
      }
      return Upgrade();
    }
    if (request.method() != http::verb::get) {
      return Refuse(http::status::method_not_allowed, "Only GET is served.\n");
    }
    if (path != "/") return Refuse(http::status::not_found, "Not here.\n");
    if (!has_token || !server_.IsOurs(host)) {
      return Refuse(http::status::forbidden,
                    "Open the address that the program printed, with its "
                    "token.\n");
    }
    Reply(http::status::ok, "text/html; charset=utf-8", server_.page_);
  }

  void Refuse(http::status status, std::string_view why) {
    Reply(status, "text/plain; charset=utf-8", why);
  }

  void Reply(http::status status, std::string_view type,
             std::string_view body) {
    response_.version(11);
    response_.result(status);
    response_.set(http::field::content_type, {type.data(), type.size()});
    response_.set(http::field::cache_control, "no-store");
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("Referrer-Policy", "no-referrer");
    response_.set("Content-Security-Policy",
                  "default-src 'none'; script-src 'unsafe-inline'; style-src "
                  "'unsafe-inline'; img-src data: blob:; media-src blob:; "
                  "connect-src 'self' ws: data: blob:; frame-ancestors 'none'");
    response_.keep_alive(false);
    response_.body() =
        http::span_body<const char>::value_type(body.data(), body.size());
    response_.prepare_payload();
    stream_.next_layer().expires_after(kReplyLimit);
    http::async_write(stream_.next_layer(), response_,
                      [self = shared_from_this()](ErrorCode, size_t) {
                        ErrorCode ignored;
                        self->stream_.next_layer().socket().shutdown(
                            tcp::socket::shutdown_send, ignored);
                      });
  }

  void Upgrade() {
    ++server_.num_upgrades_;
    stream_.next_layer().expires_never();
    stream_.set_option(
        websocket::stream_base::timeout::suggested(beast::role_type::server));
    stream_.read_message_max(kMaxMessage);
    stream_.text(true);
    stream_.async_accept(parser_.get(),
                         [self = shared_from_this()](ErrorCode error) {
                           --self->server_.num_upgrades_;
                           if (error) return;
                           self->is_open_ = true;
                           ++self->server_.num_sockets_;
                           self->server_.UpdateSeen();
                           self->buffer_.clear();
                           self->Read();
                         });
  }

  void Read() {
    stream_.async_read(
        buffer_, [self = shared_from_this()](ErrorCode error, size_t) {
          if (error) return self->Close();
          const auto data = self->buffer_.data();
          const std::string_view message(static_cast<const char*>(data.data()),
                                         data.size());
          if (message == kRead) {
            self->says_what_it_read_ = true;
            self->num_unread_ = std::max(0, self->num_unread_ - 1);
          } else {
            self->server_.receive_(message);
          }
          self->buffer_.clear();
          if (self->is_open_) self->Read();
        });
  }

  void Close() {
    if (!is_open_) return;
    is_open_ = false;
    --server_.num_sockets_;
    ErrorCode ignored;
    stream_.next_layer().socket().close(ignored);
    server_.UpdateSeen();
  }

  websocket::stream<beast::tcp_stream> stream_;
  Impl& server_;
  beast::flat_buffer buffer_{kMaxMessage};
  http::request_parser<http::string_body> parser_;
  http::response<http::span_body<const char>> response_;
  std::string message_;
  int64_t seen_{0};
  bool is_silent_{true};
  bool is_open_{false};
  bool is_writing_{false};
  bool says_what_it_read_{false};
  int num_unread_{0};
};

void ViewerServer::Impl::ForgetExpired() {
  std::erase_if(connections_,
                [](const auto& connection) { return connection.expired(); });
}

// Returns whether there is room for another connection. Connections are in the
// order of their arrival.
bool ViewerServer::Impl::MakeRoom() {
  if (connections_.size() < kMaxClients) return true;
  const auto oldest = std::ranges::find_if(connections_, [](const auto& weak) {
    const auto connection = weak.lock();
    return connection == nullptr || connection->is_silent();
  });
  if (oldest == connections_.end()) return false;
  if (const auto connection = oldest->lock()) connection->Drop();
  connections_.erase(oldest);
  return true;
}

void ViewerServer::Impl::Accept() {
  acceptor_.async_accept([this](ErrorCode error, tcp::socket socket) {
    ForgetExpired();
    if (!error && MakeRoom()) {
      const auto connection =
          std::make_shared<Connection>(std::move(socket), this);
      connections_.push_back(connection);
      connection->Start();
    }
    if (error == asio::error::operation_aborted) return;
    // Where there are no more files to open, the next beat tries again.
    if (error) {
      is_accepting_ = false;
    } else {
      Accept();
    }
  });
}

void ViewerServer::Impl::Beat() {
  timer_.expires_after(kBeat);
  timer_.async_wait([this](ErrorCode error) {
    if (error) return;
    std::erase_if(connections_,
                  [](const auto& connection) { return connection.expired(); });
    for (const auto& weak : connections_) {
      if (const auto connection = weak.lock()) connection->Push();
    }
    if (!is_accepting_) {
      is_accepting_ = true;
      Accept();
    }
    Beat();
  });
}

void ViewerServer::Impl::UpdateSeen() {
  int64_t oldest = state_.version();
  for (const auto& weak : connections_) {
    const auto connection = weak.lock();
    if (connection && connection->is_open()) {
      oldest = std::min(oldest, connection->seen());
    }
  }
  {
    const std::lock_guard lock(seen_mutex_);
    oldest_seen_ = oldest;
  }
  seen_changed_.notify_all();
}

// A page of another name that leads to this machine has that name as its host.
bool ViewerServer::Impl::IsOurs(std::string_view host_and_port) const {
  if (!is_local_) return true;
  for (const char* name : {"localhost", "127.0.0.1", "[::1]"}) {
    if (host_and_port == fmt::format("{}:{}", name, port_)) return true;
  }
  return false;
}

ViewerServer::ViewerServer(const ViewerParams& params, std::string_view page,
                           const ViewerState& state,
                           std::function<void(std::string_view)> receive)
    : impl_(std::make_unique<Impl>(params, page, state, std::move(receive))) {}

ViewerServer::~ViewerServer() = default;

int ViewerServer::port() const { return impl_->port(); }

const std::string& ViewerServer::token() const { return impl_->token(); }

int ViewerServer::num_connections() const { return impl_->num_connections(); }

bool ViewerServer::WaitUntilSeen(std::chrono::milliseconds limit) const {
  return impl_->WaitUntilSeen(limit);
}

}  // namespace wyvern::geometry::internal
