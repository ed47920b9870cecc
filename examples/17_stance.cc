// A humanoid that stands: on one foot by 6 contact constraints, on both by 12,
// and on all their corners by 24, twice as many as it takes.
//      O      torques by inverse dynamics under constraints; however these
//     /|\     share it, the ground carries the weight, below the centre
//   __/_\__   of mass
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wyvern/multibody/constraint_sets/constrained_dynamics.h"
#include "wyvern/multibody/constraint_sets/constrained_inverse_dynamics.h"
#include "wyvern/multibody/parsing/parser.h"

using namespace wyvern;             // NOLINT(build/namespaces)
using namespace wyvern::multibody;  // NOLINT(build/namespaces)
using Eigen::Vector3d;

// A foot held by 6 normals at three corners, or by 12 at all four.
void AddFoot(const RigidBody<double>& foot, int count,
             ConstraintSet<double>* set) {
  const std::string axes = count == 6 ? "xyzyzz" : "xyzxyzxyzxyz";
  const double x[] = {0.14, -0.06, -0.06, 0.14},
               y[] = {0.05, 0.05, -0.05, -0.05};
  int k = -1;
  for (size_t i = 0; i < axes.size(); ++i) {
    if (i == 0 || axes[i] <= axes[i - 1]) ++k;
    set->AddContactConstraint(foot, {x[k], y[k], -0.07},
                              Vector3d::Unit(axes[i] - 'x'),
                              foot.name() + " " + std::to_string(k));
  }
}

int main() {
  MultibodyPlant<double> plant(0);
  Parser(&plant).AddModels(WYVERN_MODELS_DIR "/humanoid.urdf");
  plant.Finalize();
  const auto context = plant.CreateDefaultContext();
  const int nv = plant.num_velocities();
  std::vector<bool> is_actuated(nv, true);
  std::fill_n(is_actuated.begin(), 6, false);  // The pelvis is free.
  const double weight = 9.81 * plant.CalcTotalMass(*context);
  const Vector3d center = plant.CalcCenterOfMassPositionInWorld(*context);
  double error = 0;
  for (const auto& [num_feet, on_each] :
       {std::pair(1, 6), std::pair(2, 6), std::pair(2, 12)}) {
    ConstraintSet<double> set;
    for (const char* foot : {"left_foot", "right_foot"}) {
      AddFoot(plant.GetBodyByName(foot), on_each, &set);
      if (num_feet == 1) break;
    }
    set.Bind(plant);
    set.SetActuationMap(plant, is_actuated);
    Eigen::VectorXd vdot(nv), tau(nv);
    const Eigen::VectorXd still = Eigen::VectorXd::Zero(nv);
    InverseDynamicsConstraints<double>(plant, *context, still, &set, &vdot,
                                       &tau);
    ForwardDynamicsConstraintsNullSpace<double>(plant, *context, tau, &set,
                                                &vdot);
    SpatialForce<double> ground = SpatialForce<double>::Zero();  // About Wo.
    for (int g = 0; g < set.num_groups(); ++g) {
      std::vector<BodyIndex> bodies;
      std::vector<math::RigidTransformd> frames;
      std::vector<SpatialForce<double>> forces;  // On the foot, on the ground.
      set.CalcForces(g, plant, *context, &bodies, &frames, &forces, true);
      ground += forces[0].Shift(-frames[0].translation());
    }
    const Vector3d f = ground.translational(), up = Vector3d::UnitZ();
    const Vector3d moment = ground.rotational() - center.cross(f);
    fmt::print("{} constraints, {} too many: {:.6f} N of {:.6f} N\n",
               set.size(), set.dependent_rows().size(), f.z(), weight);
    error =
        std::max({error, (f - weight * up).norm(), moment.norm(), vdot.norm()});
  }
  fmt::print("force, moment and motion off by {:.1e} at most\n", error);
  return error < 1e-8 * weight ? 0 : 1;
}
