#pragma once

#include <memory>
#include <tuple>

#include "wyvern/geometry/scene_graph/scene_graph.h"
#include "wyvern/systems/framework/diagram_builder.h"

namespace wyvern::multibody {

template <typename T>
class MultibodyPlant;

/** Result of AddMultibodyPlantSceneGraph(). It can be taken as a reference
to the plant, by its fields, by structured binding, or with std::tie() into two
pointers. */
template <typename T>
struct AddMultibodyPlantSceneGraphResult final {
  /** The plant, which the diagram owns. */
  MultibodyPlant<T>& plant;
  /** The SceneGraph, which the diagram owns. */
  geometry::SceneGraph<T>& scene_graph;

  /** Takes pointers that must not be null. */
  AddMultibodyPlantSceneGraphResult(MultibodyPlant<T>* plant_in,
                                    geometry::SceneGraph<T>* scene_graph_in)
      : plant(*plant_in),
        scene_graph(*scene_graph_in),
        plant_pointer(plant_in),
        scene_graph_pointer(scene_graph_in) {}

  /** Converts to the plant. */
  operator MultibodyPlant<T>&() { return plant; }
  /** Converts to pointers to both, for std::tie(). */
  operator std::tuple<MultibodyPlant<T>*&, geometry::SceneGraph<T>*&>() {
    return std::tie(plant_pointer, scene_graph_pointer);
  }

 private:
  template <std::size_t N, typename U>
  friend decltype(auto) get(const AddMultibodyPlantSceneGraphResult<U>&);
  MultibodyPlant<T>* plant_pointer{};
  geometry::SceneGraph<T>* scene_graph_pointer{};
};

/** For structured binding. */
template <std::size_t N, typename T>
decltype(auto) get(const AddMultibodyPlantSceneGraphResult<T>& result) {
  if constexpr (N == 0) {
    return (result.plant);
  } else {
    return (result.scene_graph);
  }
}

/** Adds a plant and a SceneGraph, named "plant" and "scene_graph" if they have
no names, to a diagram, and connects them: the plant is a source of the
SceneGraph, poses go there, and queries come back.
@param time_step of the plant, [s]; zero for a continuous one.
@param scene_graph a new one if it is null.
@throws std::logic_error if the builder or plant is null. */
template <typename T>
AddMultibodyPlantSceneGraphResult<T> AddMultibodyPlantSceneGraph(
    systems::DiagramBuilder<T>* builder, double time_step,
    std::unique_ptr<geometry::SceneGraph<T>> scene_graph = nullptr);
/** Overload with a given plant, which is not finalized, or is finalized and
registered with the given SceneGraph. */
template <typename T>
AddMultibodyPlantSceneGraphResult<T> AddMultibodyPlantSceneGraph(
    systems::DiagramBuilder<T>* builder,
    std::unique_ptr<MultibodyPlant<T>> plant,
    std::unique_ptr<geometry::SceneGraph<T>> scene_graph = nullptr);

}  // namespace wyvern::multibody

namespace std {
template <typename T>
struct tuple_size<wyvern::multibody::AddMultibodyPlantSceneGraphResult<T>>
    : std::integral_constant<std::size_t, 2> {};
template <typename T>
struct tuple_element<0,
                     wyvern::multibody::AddMultibodyPlantSceneGraphResult<T>> {
  using type = wyvern::multibody::MultibodyPlant<T>;
};
template <typename T>
struct tuple_element<1,
                     wyvern::multibody::AddMultibodyPlantSceneGraphResult<T>> {
  using type = wyvern::geometry::SceneGraph<T>;
};
}  // namespace std
