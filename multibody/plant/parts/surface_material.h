#pragma once

#include <string>
#include <vector>

#include "wyvern/geometry/shapes/coulomb_friction.h"
#include "wyvern/geometry/shapes/proximity_properties.h"
#include "wyvern/multibody/plant/parts/contact_config.h"

namespace wyvern::multibody::internal {

/** Contact parameters of a geometry's proximity properties: see PlantContact.
 */
struct SurfaceMaterial {
  double stiffness{};        // [N/m]
  double dissipation{};      // [s/m]
  double relaxation_time{};  // [s]; NaN if it is missing.
  /** Hydroelastic modulus, [Pa]; infinite if the geometry is not compliant, NaN
  if it is missing: then QueryObject throws. */
  double modulus{};
  CoulombFriction<double> friction;
};

/** Reads the group "material", where what is missing is the default of
`config`, and the modulus.
@param geometry Its name, for errors.
@throws std::logic_error if the friction is missing, a property is of another
type, a stiffness is not positive, another number negative, or not finite. */
SurfaceMaterial ReadSurfaceMaterial(
    const geometry::ProximityProperties& properties,
    const ContactConfig& config, const std::string& geometry);

/** Which properties of a geometry the plant's contact model will not use, in
words that name them, with what is used instead. Of the dissipations only one
that stands alone is reported: a geometry may have both, to go with any plant.
*/
std::vector<std::string> FindUnusedProperties(
    const geometry::ProximityProperties& properties,
    const ContactConfig& config, bool is_discrete);

}  // namespace wyvern::multibody::internal
