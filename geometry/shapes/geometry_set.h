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
  explicit GeometrySet(GeometryId geometry_id) { Add(geometry_id); }
  explicit GeometrySet(FrameId frame_id) { Add(frame_id); }
  explicit GeometrySet(std::initializer_list<GeometryId> ids) { Add(ids); }
  explicit GeometrySet(std::initializer_list<FrameId> ids) { Add(ids); }
  template <typename Container>
  requires(
      RangeOf<Container, GeometryId> ||
      RangeOf<Container, FrameId>) explicit GeometrySet(const Container& ids) {
    Add(ids);
  }
  template <typename Geometries, typename Frames>
  GeometrySet(const Geometries& geometry_ids, const Frames& frame_ids) {
    Add(geometry_ids, frame_ids);
  }
  template <typename Frames>
  GeometrySet(std::initializer_list<GeometryId> geometry_ids,
              const Frames& frame_ids) {
    Add(geometry_ids, frame_ids);
  }
  template <typename Geometries>
  GeometrySet(const Geometries& geometry_ids,
              std::initializer_list<FrameId> frame_ids) {
    Add(geometry_ids, frame_ids);
  }
  GeometrySet(std::initializer_list<GeometryId> geometry_ids,
              std::initializer_list<FrameId> frame_ids) {
    Add(geometry_ids, frame_ids);
  }

  void Add(GeometryId geometry_id) { geometries_.insert(geometry_id); }
  void Add(FrameId frame_id) { frames_.insert(frame_id); }
  void Add(std::initializer_list<GeometryId> ids) {
    geometries_.insert(ids.begin(), ids.end());
  }
  void Add(std::initializer_list<FrameId> ids) {
    frames_.insert(ids.begin(), ids.end());
  }
  template <RangeOf<GeometryId> Container>
  void Add(const Container& ids) {
    for (const GeometryId id : ids) Add(id);
  }
  template <RangeOf<FrameId> Container>
  void Add(const Container& ids) {
    for (const FrameId id : ids) Add(id);
  }
  template <RangeOf<GeometryId> Geometries, RangeOf<FrameId> Frames>
  void Add(const Geometries& geometry_ids, const Frames& frame_ids) {
    Add(geometry_ids);
    Add(frame_ids);
  }
  template <RangeOf<FrameId> Frames>
  void Add(std::initializer_list<GeometryId> geometry_ids,
           const Frames& frame_ids) {
    Add(geometry_ids);
    Add(frame_ids);
  }
  template <RangeOf<GeometryId> Geometries>
  void Add(const Geometries& geometry_ids,
           std::initializer_list<FrameId> frame_ids) {
    Add(geometry_ids);
    Add(frame_ids);
  }
  void Add(std::initializer_list<GeometryId> geometry_ids,
           std::initializer_list<FrameId> frame_ids) {
    Add(geometry_ids);
    Add(frame_ids);
  }
  void Add(const GeometrySet& other) { Add(other.geometries_, other.frames_); }

  const std::unordered_set<GeometryId>& geometries() const {
    return geometries_;
  }
  const std::unordered_set<FrameId>& frames() const { return frames_; }

 private:
  std::unordered_set<GeometryId> geometries_;
  std::unordered_set<FrameId> frames_;
};

}  // namespace wyvern::geometry
