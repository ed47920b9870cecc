#include "wyvern/multibody/tree/spatial_tendon.h"

#include <memory>
#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/multibody/tree/rigid_body.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

template <typename T>
SpatialTendon<T>::SpatialTendon(const std::string& name,
                                std::vector<TendonSegment<T>> segments,
                                const TendonProperties& properties)
    : internal::TypedForceElement<SpatialTendon, T, internal::TendonForce<T>>(
          fmt::format("SpatialTendon '{}'",
                      internal::RequireName(name, "tendon")),
          std::make_unique<internal::TendonPath<T>>(
              fmt::format("SpatialTendon '{}'", name), std::move(segments)),
          properties),
      name_(name) {}

template <typename T>
SpatialTendon<T>::~SpatialTendon() = default;

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::SpatialTendon);
