#pragma once

#include <filesystem>

#include "wyvern/multibody/plant/multibody_plant.h"

namespace wyvern::examples {

/** The right Allegro hand of the package drake_models, on a wrist that turns it
about its z, all joints with PD controllers. In frame F of the hand x is out of
the palm, and z along the stretched fingers. */
class AllegroHand {
 public:
  /** Adds it to a plant; the wrist is at the pose X_WF.
  @param models The folder of the package. */
  AllegroHand(const std::filesystem::path& models,
              const math::RigidTransform<double>& X_WF,
              multibody::MultibodyPlant<double>* plant);

  const multibody::RigidBody<double>& palm() const { return *palm_; }
  /** Sets what the controllers aim at.
  @param close 0 for stretched fingers, 1 for a fist around a can.
  @param turn of the wrist, [rad]. */
  void SetDesired(double close, double turn,
                  systems::Context<double>* plant_context) const;

 private:
  const multibody::MultibodyPlant<double>* plant_{};
  const multibody::RigidBody<double>* palm_{};
};

}  // namespace wyvern::examples
