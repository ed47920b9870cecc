// A robot's equations of motion, written as C code, compiled, and called: for a
// controller that cannot link a simulator.
//
//   arm.urdf --> plant --> expressions of q, v --> arm.h, arm.c --> arm.so
//                  |                                                  |
//                  +---------- M(q), C(q, v) v, v̇: the same? ---------+
#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>

#include "wyvern/multibody/parsing/parser.h"
#include "wyvern/multibody/symbolic/dynamics_code.h"
#include "wyvern/systems/plotting/write_file.h"

namespace multibody = wyvern::multibody;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Writes, compiles and loads the code.
void* Load(const multibody::DynamicsCode& code) {
  const std::string path =
      std::filesystem::temp_directory_path() / "wyvern_generated_dynamics/arm";
  wyvern::plotting::WriteFile(path + ".h", code.header);
  wyvern::plotting::WriteFile(path + ".c", code.source);
  const std::string command =
      "cc -O2 -shared -fPIC -o " + path + ".so " + path + ".c -lm";
  if (std::system(command.c_str()) != 0) return nullptr;
  return dlopen((path + ".so").c_str(), RTLD_NOW);
}

template <typename... Arguments>
void Call(void* library, const char* name, Arguments... arguments) {
  reinterpret_cast<void (*)(Arguments...)>(dlsym(library, name))(arguments...);
}

int main() {
  multibody::MultibodyPlant<double> plant(0.0);
  multibody::Parser(&plant).AddModels(WYVERN_MODELS_DIR "/arm.urdf");
  plant.Finalize();
  multibody::DynamicsCodeRequest what;
  what.name = "arm";
  void* const library = Load(multibody::GenerateDynamicsCode(plant, what));
  if (library == nullptr) return 77;  // There is no C compiler.

  const int n = plant.num_velocities();
  const auto context = plant.CreateDefaultContext();
  double worst = 0;
  for (int i = 0; i < 100; ++i) {
    const VectorXd q = VectorXd::Random(n), v = VectorXd::Random(n);
    const VectorXd vdot = VectorXd::Random(n);
    plant.SetPositions(context.get(), q);
    plant.SetVelocities(context.get(), v);
    MatrixXd M(n, n), M_code(n, n);
    VectorXd Cv(n), Cv_code(n), tau(n), vdot_code(n);
    plant.CalcMassMatrix(*context, &M);
    plant.CalcBiasTerm(*context, &Cv);
    Call(library, "arm_mass_matrix", q.data(), M_code.data());
    Call(library, "arm_bias_term", q.data(), v.data(), Cv_code.data());
    // The torques of a motion make that motion.
    Call(library, "arm_inverse_dynamics", q.data(), v.data(), vdot.data(),
         tau.data());
    const double* const torques = tau.data();
    Call(library, "arm_forward_dynamics", q.data(), v.data(), torques,
         vdot_code.data());
    worst = std::max({worst, (M - M_code).norm() / M.norm(),
                      (Cv - Cv_code).norm() / (1 + Cv.norm()),
                      (vdot - vdot_code).norm() / vdot.norm()});
  }
  std::cout << "arm.c computes M, C v and v̇ of " << n
            << " joints; at 100 states the plant's differ by " << worst
            << " of them at most.\n";
  return worst < 1e-10 ? EXIT_SUCCESS : EXIT_FAILURE;
}
