#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "wyvern/systems/common/class_macros.h"

namespace wyvern::geometry::internal {

/** A position [m] and a quaternion (w, x, y, z), as a page has them. */
using ViewerPose = std::array<float, 7>;

/** State that every page shows: items, each with a key and the number of its
last change. It is all that the simulation's thread and the server's share.

A writer replaces an item and never waits for a page. A reader asks for what is
newer than the change it saw last: however slow it is, there is no queue, and it
goes on with the newest state. All functions may be called by any thread; a
change of a pose that is there already allocates nothing. */
class ViewerState {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ViewerState);
  ViewerState() = default;

  /** An item that is a JSON object. `kind` and `path` are its key. */
  void Set(std::string_view kind, std::string_view path, std::string json);
  /** The pose of what is at `path`, in that of its parent. */
  void SetPose(std::string_view path, const ViewerPose& pose);
  /** A number that the page shows by itself, such as the time. */
  void SetNumber(std::string_view kind, double value);
  /** Values of a signal at a time, after those of before, or in place of them
  if time went back or the size is another. The last 4096 are kept. */
  void AddSample(std::string_view signal, double time, const double* values,
                 int size);
  /** Forgets the samples of a signal; pages keep what they have. */
  void DeleteSignal(std::string_view signal);
  /** Takes away what is at `path` and below it, of every kind that shows
  something there; all, if `path` is empty. */
  void Delete(std::string_view path);
  /** Takes away one item. */
  void DeleteItem(std::string_view kind, std::string_view path);
  bool HasPath(std::string_view path) const;

  /** The number of the last change. */
  int64_t version() const;
  /** The changes after number `*seen`, oldest first, as the text of a JSON
  array; empty if there are none. `*seen` becomes the number of the last. */
  std::string CollectSince(int64_t* seen) const;

 private:
  using Key = std::pair<std::string, std::string>;  // Path, then kind.
  struct KeyLess {
    using is_transparent = void;
    template <typename A, typename B>
    bool operator()(const A& a, const B& b) const {
      const std::string_view path_a(a.first), path_b(b.first);
      return path_a != path_b
                 ? path_a < path_b
                 : std::string_view(a.second) < std::string_view(b.second);
    }
  };
  using Content = std::variant<std::string, ViewerPose, double>;
  struct Item {
    int64_t version{};
    Content content;
    std::list<const Key*>::iterator place;
  };
  using Items = std::map<Key, Item, KeyLess>;

  // The samples of a signal, the latest of them in a ring.
  struct Samples {
    int size{};               // Of one, without its time.
    int64_t count{0};         // Since it began, also of those overwritten.
    int64_t begin_version{};  // When it began.
    std::vector<int64_t> versions;  // When each was added.
    std::vector<double> numbers;    // Time and values, sample after sample.
  };

  void AppendSamples(int64_t seen, std::string* json) const;
  Item& Touch(std::string_view kind, std::string_view path);
  void Erase(Items::iterator item);
  void AddTombstone(std::string_view kind, std::string_view path,
                    std::string json);
  void BeginAnew();

  mutable std::mutex mutex_;
  Items items_;
  std::list<const Key*> by_version_;  // The newest last.
  std::map<std::string, Samples, std::less<>> samples_;
  int64_t version_{0};
  int num_tombstones_{0};
  int64_t oldest_good_{0};  // Who saw less has to begin anew.
};

/** `path` from the root, without '/' at its end: one that does not begin with
'/' is below "/wyvern". */
std::string FullPath(std::string_view path);

}  // namespace wyvern::geometry::internal
