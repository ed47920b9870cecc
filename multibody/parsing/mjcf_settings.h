#pragma once

#include <filesystem>
#include <list>
#include <optional>
#include <string>
#include <utility>

#include "wyvern/multibody/parsing/mjcf_document.h"
#include "wyvern/multibody/parsing/warning_log.h"
#include "wyvern/multibody/tree/medium_force.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

/** Settings in <compiler> and <option> that apply to all elements of an MJCF
file. */
struct MjcfSettings {
  enum class InertiaFrom { kGeoms, kInertial, kInertialOrGeoms };

  /** [rad] of the file's unit of angles. */
  double angle{};
  bool autolimits{true};
  /** Capital letters are axes that stay, small ones those that turn. */
  std::string eulerseq{"xyz"};
  /** Folder of the file; nothing if the document is in a string. */
  std::optional<std::filesystem::path> folder;
  /** Where mesh files are, from the file's folder. */
  std::string meshdir;
  /** Folders in the names of mesh files are left out. */
  bool strippath{false};
  InertiaFrom inertia_from{InertiaFrom::kInertialOrGeoms};
  /** The first and the last group of geoms that have mass. */
  Vector2<double> inertia_groups{0, 5};
  bool balance_inertia{false};
  double bound_mass{0};
  double bound_inertia{0};
  /** Negative for none. */
  double total_mass{-1};
  /** Whether <option> of an attached model counts if this model's does not
  say. */
  bool merges_options{false};

  /** Whether free joints are at centres of mass by default. */
  bool aligns_free{false};
  /** Whether a shape is fitted to the box around a mesh rather than to its
  inertia. */
  bool fits_boxes{false};

  Vector3<double> gravity{0, 0, -9.81};
  FluidMedium medium{};
  /** Returns whether the medium acts on bodies. */
  bool has_medium() const {
    return has_passive_forces() && (medium.density > 0 || medium.viscosity > 0);
  }
  bool has_contact{true};
  bool has_limits{true};
  bool has_friction{true};
  bool has_springs{true};
  bool has_damping{true};
  /** Returns whether a medium and gravity compensation act. */
  bool has_passive_forces() const { return has_springs || has_damping; }
  bool has_equalities{true};
  /** Contacts have the friction of <option>, not that of geoms. */
  bool overrides_friction{false};
  double friction{1};
};

/** The settings of a document and of the models that are attached to it, each
of which keeps what its own <compiler> says; <option> is the document's. */
class MjcfSettingsOfModels {
 public:
  /** @param document must outlive this.
  @throws std::runtime_error "file:line: ..." if a setting is not valid, or if
  it moves the robot and is not modelled, such as disabled actuators. */
  MjcfSettingsOfModels(const MjcfDocument& document, WarningLog* log);

  const MjcfSettings& main() const { return all_.front().second; }
  /** Returns the settings of the file that contains the element. */
  const MjcfSettings& Of(const XmlElement& element) const;

 private:
  void AddModelsOf(const MjcfDocument& document, WarningLog* log);

  std::list<std::pair<const MjcfDocument*, MjcfSettings>> all_;
};

}  // namespace wyvern::multibody::internal
