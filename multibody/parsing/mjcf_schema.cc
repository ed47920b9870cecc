// The attributes of MJCF by element, whether they are read or not; of elements
// of one name in several sections, such as <joint>, all together.
#include "wyvern/multibody/parsing/mjcf_schema.h"

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

namespace wyvern::multibody::internal {

namespace {

using Words = std::set<std::string>;

Words Split(const std::string& text) {
  std::istringstream stream(text);
  Words result;
  for (std::string word; stream >> word;) result.insert(word);
  return result;
}

std::map<std::string, Words> MakeTable() {
  const std::string pose = " name class pos quat axisangle xyaxes zaxis euler ";
  const std::string contact =
      " condim friction solref solreffriction solimp margin gap adhesion ";
  const std::string actuator =
      " name class group nsample interp delay ctrllimited ctrlrange "
      "forcelimited forcerange user gear armature damping cranklength joint "
      "jointinparent tendon site refsite slidersite cranksite body lengthrange "
      "actlimited actrange actdim actearly ";
  const std::string tendon =
      " name class group limited actuatorfrclimited range actuatorfrcrange "
      "solreflimit solimplimit solreffriction solimpfriction margin "
      "frictionloss stiffness springlength springyield damping armature width "
      "material rgba user ";
  return {
      {"compiler",
       Split("alignfree angle assetdir autolimits balanceinertia boundinertia "
             "boundmass conflict coordinate discardvisual eulerseq fitaabb "
             "fusestatic inertiafromgeom inertiagrouprange meshdir passthrough "
             "savecanonical savecompiled saveinertial settotalmass strippath "
             "texturedir usethread exactmeshinertia convexhull")},
      {"body",
       Split(pose + "childclass mocap gravcomp user sleep fuse simple")},
      {"frame", Split(pose + "childclass")},
      {"replicate", Split("count sep offset euler")},
      {"inertial", Split(pose + "mass diaginertia fullinertia")},
      {"freejoint", Split("name group align")},
      {"joint",
       Split("name class type group pos axis springdamper limited "
             "actuatorfrclimited solreflimit solimplimit solreffriction "
             "solimpfriction stiffness range actuatorfrcrange actuatorgravcomp "
             "margin ref springref springyield armature damping frictionloss "
             "user joint1 joint2 polycoef active solref solimp joint coef")},
      {"geom",
       Split(pose + contact +
             "type contype conaffinity group priority size material mass "
             "density shellinertia solmix fromto rgba fitscale hfield mesh "
             "fluidshape fluidcoef user castshadow surfacevel geom sidesite")},
      {"site",
       Split(pose + "type group material size fromto rgba mesh user site")},
      {"mesh",
       Split("name class content_type file vertex normal texcoord face refpos "
             "refquat scale smoothnormal maxhullvert inertia builtin params "
             "material")},
      {"hfield", Split("name content_type file nrow ncol size elevation")},
      {"exclude", Split("name body1 body2")},
      {"pair", Split("name class geom1 geom2 condim friction solref "
                     "solreffriction solimp margin gap adhesion")},
      {"option",
       Split(
           "timestep apirate impratio gravity wind magnetic density viscosity "
           "o_margin o_solref o_solimp o_friction integrator cone jacobian "
           "solver iterations tolerance ls_iterations ls_tolerance "
           "noslip_iterations noslip_tolerance ccd_iterations ccd_tolerance "
           "mpr_iterations mpr_tolerance sdf_iterations sdf_initpoints "
           "sleep_tolerance actuatorgroupdisable collision")},
      {"flag",
       Split("constraint equality frictionloss limit contact passive spring "
             "damper gravity clampctrl warmstart filterparent actuation "
             "refsafe sensor midphase nativeccd eulerdamp autoreset override "
             "energy fwdinv invdiscrete multiccd island diagexact ipc sleep "
             "speculative")},
      {"tendon",
       Split(tendon + "tendon1 tendon2 polycoef active solref solimp")},
      {"spatial", Split(tendon)},
      {"fixed", Split(tendon)},
      {"material",
       Split("name class texture texrepeat texuniform emission specular "
             "shininess reflectance metallic roughness rgba")},
      {"connect", Split("name class active body1 body2 anchor site1 site2 "
                        "solref solimp")},
      {"weld", Split("name class active body1 body2 anchor site1 site2 relpose "
                     "torquescale solref solimp")},
      {"general",
       Split(actuator + "dyntype dynprm gaintype gainprm biastype biasprm "
                        "inheritrange ffrange velrange input")},
      {"motor", Split(actuator)},
      {"position", Split(actuator + "kp kv dampratio timeconst inheritrange")},
      {"velocity", Split(actuator + "kv")},
      {"muscle", Split(actuator + "timeconst tausmooth range force scale lmin "
                                  "lmax vmax fpmax fvmax")},
      {"key", Split("name time qpos qvel act mpos mquat ctrl plastic")}};
}

}  // namespace

const std::map<std::string, Words>& MjcfAttributes() {
  static const std::map<std::string, Words> table = MakeTable();
  return table;
}

void WarnOfUnknownMjcf(const MjcfNode& node, WarningLog* log) {
  const std::map<std::string, Words>& table = MjcfAttributes();
  const auto found = table.find(std::string(node.element.name()));
  if (found != table.end()) {
    node.element.ExpectAttributesOf(found->second, log);
  }
  for (const MjcfNode& child : node.children) WarnOfUnknownMjcf(child, log);
}

}  // namespace wyvern::multibody::internal
