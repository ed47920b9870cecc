#pragma once

#include <concepts>
#include <initializer_list>
#include <ranges>
#include <type_traits>
#include <unordered_set>

#include "wyvern/geometry/shapes/geometry_ids.h"

namespace wyvern::geometry {

template <typename Range, typename Id>
concept RangeOf = std::ranges::range<Range> &&
    std::same_as<std::remove_cvref_t<std::ranges::range_value_t<Range>>, Id>;

/** Geometries and frames, by id: the argument of collision filters. A frame
stands for all geometries fixed to it when the set is used. The ids need not
name anything until then. */
class GeometrySet {
 public:
  GeometrySet() = default;
  /** A set of one geometry. */
  explicit GeometrySet(GeometryId geometry_id) { Add(geometry_id); }
  /** A set of one frame. */
  explicit GeometrySet(FrameId frame_id) { Add(frame_id); }
  /** A set of geometries. */
  explicit GeometrySet(std::initializer_list<GeometryId> ids) { Add(ids); }
  /** A set of frames. */
  explicit GeometrySet(std::initializer_list<FrameId> ids) { Add(ids); }
  /** A set of geometries or of frames, from any range of ids. */
  template <typename Container>
  requires(
      RangeOf<Container, GeometryId> ||
      RangeOf<Container, FrameId>) explicit GeometrySet(const Container& ids) {
    Add(ids);
  }
  /** A set of geometries and frames, from any ranges of ids. */
  template <typename Geometries, typename Frames>
  GeometrySet(const Geometries& geometry_ids, const Frames& frame_ids) {
    Add(geometry_ids, frame_ids);
  }
  /** Overload for listed geometries. */
  template <typename Frames>
  GeometrySet(std::initializer_list<GeometryId> geometry_ids,
              const Frames& frame_ids) {
    Add(geometry_ids, frame_ids);
  }
  /** Overload for listed frames. */
  template <typename Geometries>
  GeometrySet(const Geometries& geometry_ids,
              std::initializer_list<FrameId> frame_ids) {
    Add(geometry_ids, frame_ids);
  }
  /** Overload for listed geometries and frames. */
  GeometrySet(std::initializer_list<GeometryId> geometry_ids,
              std::initializer_list<FrameId> frame_ids) {
    Add(geometry_ids, frame_ids);
  }

  /** Adds a geometry; one that is there already changes nothing. */
  void Add(GeometryId geometry_id) { geometries_.insert(geometry_id); }
  /** Adds a frame; one that is there already changes nothing. */
  void Add(FrameId frame_id) { frames_.insert(frame_id); }
  /** Adds geometries. */
  void Add(std::initializer_list<GeometryId> ids) {
    geometries_.insert(ids.begin(), ids.end());
  }
  /** Adds frames. */
  void Add(std::initializer_list<FrameId> ids) {
    frames_.insert(ids.begin(), ids.end());
  }
  /** Adds a range of geometries. */
  template <RangeOf<GeometryId> Container>
  void Add(const Container& ids) {
    for (const GeometryId id : ids) Add(id);
  }
  /** Adds a range of frames. */
  template <RangeOf<FrameId> Container>
  void Add(const Container& ids) {
    for (const FrameId id : ids) Add(id);
  }
  /** Adds a range of geometries and a range of frames. */
  template <RangeOf<GeometryId> Geometries, RangeOf<FrameId> Frames>
  void Add(const Geometries& geometry_ids, const Frames& frame_ids) {
    Add(geometry_ids);
    Add(frame_ids);
  }
  /** Overload for listed geometries. */
  template <RangeOf<FrameId> Frames>
  void Add(std::initializer_list<GeometryId> geometry_ids,
           const Frames& frame_ids) {
    Add(geometry_ids);
    Add(frame_ids);
  }
  /** Overload for listed frames. */
  template <RangeOf<GeometryId> Geometries>
  void Add(const Geometries& geometry_ids,
           std::initializer_list<FrameId> frame_ids) {
    Add(geometry_ids);
    Add(frame_ids);
  }
  /** Overload for listed geometries and frames. */
  void Add(std::initializer_list<GeometryId> geometry_ids,
           std::initializer_list<FrameId> frame_ids) {
    Add(geometry_ids);
    Add(frame_ids);
  }
  /** Adds all that `other` has. */
  void Add(const GeometrySet& other) { Add(other.geometries_, other.frames_); }

  /** The geometries, without those of frames(). */
  const std::unordered_set<GeometryId>& geometries() const {
    return geometries_;
  }
  /** The frames. */
  const std::unordered_set<FrameId>& frames() const { return frames_; }

 private:
  std::unordered_set<GeometryId> geometries_;
  std::unordered_set<FrameId> frames_;
};

}  // namespace wyvern::geometry
