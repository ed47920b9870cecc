#include "wyvern/multibody/symbolic/dynamics_code.h"

#include <cctype>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/symbolic/symbolic_dynamics.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/symbolic/algebra/code_gen.h"

/* C code of a robot's equations. SymbolicDynamics gives the expressions; each
function becomes C with subexpressions that occur twice in local variables. All
masses and lengths are numbers in the code. Derivatives are by the entries of q.
A request without functions is an error. */

namespace wyvern::multibody {
namespace {

using symbolic::Expression;
using symbolic::Variable;
using symbolic::internal::GeneratedFunction;

GeneratedFunction::Input MakeInput(const char* name,
                                   const VectorX<Variable>& variables) {
  return {name, {variables.data(), variables.data() + variables.size()}};
}

GeneratedFunction::Output MakeOutput(const char* name,
                                     const MatrixX<Expression>& m) {
  return {name, {m.data(), m.data() + m.size()}};
}

std::string ToIdentifier(std::string text) {
  for (char& c : text) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return text;
}

std::string ToUpper(std::string text) {
  for (char& c : text) {
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return text;
}

// Declarations and definitions of the functions that are added.
class CodeFile {
 public:
  void Add(const std::string& comment, const GeneratedFunction& function) {
    if (!names_.insert(function.name).second) {
      throw std::logic_error(fmt::format(
          "GenerateDynamicsCode(): two functions would be called '{}'; give "
          "frames of different names.",
          function.name));
    }
    declarations += fmt::format("/* {} */\n{};\n", comment,
                                symbolic::internal::DeclareFunction(function));
    definitions += "\n" + symbolic::internal::DefineFunction(function);
  }

  std::string declarations;
  std::string definitions;

 private:
  std::set<std::string> names_;
};

void AddDynamics(const SymbolicDynamics& dynamics,
                 const DynamicsCodeRequest& what, CodeFile* file) {
  const auto q = MakeInput("q", dynamics.q());
  const auto v = MakeInput("v", dynamics.v());
  if (what.mass_matrix) {
    file->Add("M(q), by columns.",
              {what.name + "_mass_matrix",
               {q},
               {MakeOutput("M", dynamics.CalcMassMatrix())}});
  }
  if (what.bias_term) {
    file->Add("C(q, v) v.", {what.name + "_bias_term",
                             {q, v},
                             {MakeOutput("Cv", dynamics.CalcBiasTerm())}});
  }
  if (what.gravity) {
    file->Add("Gravity's generalized forces.",
              {what.name + "_gravity",
               {q},
               {MakeOutput("g", dynamics.CalcGravityGeneralizedForces())}});
  }
  if (what.inverse_dynamics) {
    file->Add("M vdot + C v - g + d v.",
              {what.name + "_inverse_dynamics",
               {q, v, MakeInput("vdot", dynamics.vdot())},
               {MakeOutput("tau", dynamics.CalcInverseDynamics())}});
  }
  if (what.forward_dynamics) {
    file->Add("The vdot that tau makes.",
              {what.name + "_forward_dynamics",
               {q, v, MakeInput("tau", dynamics.tau())},
               {MakeOutput("vdot", dynamics.CalcForwardDynamics())}});
  }
}

void AddDerivatives(const SymbolicDynamics& dynamics,
                    const DynamicsCodeRequest& what, CodeFile* file) {
  const auto q = MakeInput("q", dynamics.q());
  const auto v = MakeInput("v", dynamics.v());
  if (what.inverse_dynamics_derivatives) {
    const auto of = dynamics.CalcInverseDynamicsDerivatives();
    file->Add("The derivatives of tau by q and v, by columns.",
              {what.name + "_inverse_dynamics_derivatives",
               {q, v, MakeInput("vdot", dynamics.vdot())},
               {MakeOutput("dq", of.dq), MakeOutput("dv", of.dv)}});
  }
  if (what.forward_dynamics_derivatives) {
    const auto of = dynamics.CalcForwardDynamicsDerivatives();
    file->Add("The derivatives of vdot by q, v and tau, by columns.",
              {what.name + "_forward_dynamics_derivatives",
               {q, v, MakeInput("tau", dynamics.tau())},
               {MakeOutput("dq", of.dq), MakeOutput("dv", of.dv),
                MakeOutput("dtau", of.dtau)}});
  }
}

void AddFrame(const SymbolicDynamics& dynamics, const Frame<double>& frame,
              const std::string& name, CodeFile* file) {
  const auto q = MakeInput("q", dynamics.q());
  const std::string suffix = ToIdentifier(frame.name());
  const auto [R, p] = dynamics.CalcFramePose(frame);
  MatrixX<Expression> X(3, 4);
  X << R, p;
  file->Add("Rotation and position, 3 x 4, by columns.",
            {name + "_pose_" + suffix, {q}, {MakeOutput("X", X)}});
  file->Add("Of angular and linear velocity, 6 rows, by columns.",
            {name + "_jacobian_" + suffix,
             {q},
             {MakeOutput("J", dynamics.CalcSpatialVelocityJacobian(frame))}});
}

}  // namespace

DynamicsCode GenerateDynamicsCode(const MultibodyPlant<double>& plant,
                                  const DynamicsCodeRequest& what) {
  const SymbolicDynamics dynamics(plant);
  CodeFile file;
  AddDynamics(dynamics, what, &file);
  AddDerivatives(dynamics, what, &file);
  for (const FrameIndex frame : what.frames) {
    wyvern::internal::RequireIndex("GenerateDynamicsCode", "frame", frame,
                                   plant.num_frames());
    AddFrame(dynamics, plant.get_frame(frame), what.name, &file);
  }
  if (file.declarations.empty()) {
    throw std::logic_error(
        "GenerateDynamicsCode(): nothing is requested; set one of the "
        "request's flags or give a frame.");
  }
  const std::string upper = ToUpper(what.name);
  DynamicsCode code;
  code.header = fmt::format(
      "#ifndef {0}_H_\n#define {0}_H_\n\n/* Written by Wyvern's "
      "GenerateDynamicsCode(). */\n\n#define {0}_NUM_POSITIONS {1}\n#define "
      "{0}_NUM_VELOCITIES {2}\n\n#ifdef __cplusplus\nextern \"C\" "
      "{{\n#endif\n\n{3}\n#ifdef __cplusplus\n}}\n#endif\n\n#endif\n",
      upper, dynamics.q().size(), dynamics.v().size(), file.declarations);
  code.source = fmt::format("#include \"{}.h\"\n\n#include <math.h>\n{}",
                            what.name, file.definitions);
  return code;
}

}  // namespace wyvern::multibody
