/** @file
No attribute of MJCF is ignored silently. An invalid value of any attribute in
the schema table is refused or warned of, except for the attributes listed
here. */

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/parsing/mjcf_texts.h"
#include "wyvern/multibody/parsing/mjcf_schema.h"

namespace wyvern::multibody {
namespace mjcf_schema_test {

constexpr char kBodies[] =
    "<body name='a'><joint name='j'/><geom name='g' size='1'/><site name='s'/>"
    "</body><body name='b'><joint name='k'/><geom name='h' size='1'/>"
    "<site name='t'/></body>";
constexpr char kMesh[] = "<mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/>";

std::string World(const std::string& inside) {
  return "<worldbody>" + inside + "</worldbody>";
}
std::string After(const std::string& inside) { return World(kBodies) + inside; }
std::string Tendon(const std::string& tag) {
  return After("<tendon><" + tag + " name='t' @><joint joint='j' coef='1'/></" +
               tag + "></tendon>");
}
// The attributes are those of the tendon, its last site and its geom.
std::string Path(const std::string& tendon, const std::string& site,
                 const std::string& geom) {
  return After("<tendon><spatial name='t' stiffness='1' " + tendon +
               "><site site='s'/><geom " + geom + " geom='g'/><site " + site +
               " site='t'/></spatial></tendon>");
}
std::string Actuator(const std::string& tag) {
  return After(
      "<tendon><fixed name='t'><joint joint='j' coef='1'/></fixed>"
      "</tendon><actuator><" +
      tag + " name='x' @ joint='j'/></actuator>");
}

// Contents of <mujoco>, with @ where an attribute of the element may stand.
const std::multimap<std::string, std::string>& Samples() {
  static const std::multimap<std::string, std::string> samples{
      {"compiler", "<compiler @/>" + World(kBodies)},
      {"body", World("<body name='b' @><joint/><geom size='1'/></body>")},
      {"frame", World("<frame @><body name='b'/></frame>")},
      {"replicate",
       World("<replicate @ count='2'><body name='b'/></replicate>")},
      {"inertial", World("<body><joint/><inertial @ mass='1' pos='0 0 0'/>"
                         "</body>")},
      {"freejoint", World("<body><freejoint @/><geom size='1'/></body>")},
      {"joint", World("<body><joint name='j' @/><geom size='1'/></body>")},
      {"joint", World("<body gravcomp='1'><joint name='j' @ "
                      "actuatorfrcrange='0 1'/><geom size='1'/></body>")},
      {"joint", After("<equality><joint @ joint1='j' joint2='k'/></equality>")},
      {"joint", After("<tendon><fixed stiffness='1'><joint @ joint='j' "
                      "coef='1'/></fixed></tendon>")},
      {"geom", World("<geom name='g' @ type='box' size='1 1 1'/>")},
      {"geom", World("<body><joint/><geom @ size='1'/></body>")},
      {"geom", World("<geom @ type='hfield'/>") +
                   "<asset><hfield name='h' nrow='1' ncol='1' size='1 1 1 1'/>"
                   "</asset>"},
      {"geom", "<asset>" + std::string(kMesh) + "</asset>" +
                   World("<body><joint/><geom @ type='box' mesh='m'/></body>")},
      {"geom",
       "<option density='1'/>" +
           World("<body><joint/><geom @ type='mesh' mesh='m'/></body>") +
           "<asset>" + kMesh + "</asset>"},
      {"site", World("<body><site name='s' @/></body>")},
      {"mesh",
       "<asset><mesh name='m' @ vertex='0 0 0 1 0 0 0 1 0 0 0 1'/>"
       "</asset>" +
           World("<body><joint/><geom type='mesh' mesh='m'/></body>")},
      {"mesh", "<asset><mesh name='m' @ file='n.obj'/></asset>" +
                   World("<geom type='mesh' mesh='m'/>")},
      {"hfield",
       "<asset><hfield name='h' @ nrow='2' ncol='2' size='1 1 1 1'/>"
       "</asset>" +
           World("<geom type='hfield' hfield='h'/>")},
      {"exclude", After("<contact><exclude @ body1='a' body2='b'/></contact>")},
      {"pair", After("<contact><pair @ geom1='g' geom2='h'/></contact>")},
      {"option",
       "<option @><flag override='enable'/></option>" + World(kBodies)},
      {"flag", "<option><flag @/></option>" + World(kBodies)},
      {"tendon", After("<tendon><fixed name='t'><joint joint='j' coef='1'/>"
                       "</fixed></tendon><equality><tendon @ tendon1='t'/>"
                       "</equality>")},
      {"tendon",
       "<default><tendon @/></default>" +
           After("<tendon><fixed "
                 "name='t'><joint joint='j' coef='1'/></fixed></tendon>")},
      {"spatial", Path("@", "", "")},
      {"site", Path("", "@", "")},
      {"geom", Path("", "", "@")},
      {"fixed", Tendon("fixed")},
      {"fixed", After("<tendon><fixed @ stiffness='1'><joint joint='j' "
                      "coef='1'/></fixed></tendon>")},
      {"material", "<asset><material name='m' @/></asset>" +
                       World("<geom size='1' material='m'/>")},
      {"connect", After("<equality><connect @ body1='a' body2='b' "
                        "anchor='0 0 0'/></equality>")},
      {"connect", After("<equality><connect @ site1='s' site2='t'/>"
                        "</equality>")},
      {"weld", After("<equality><weld @ body1='a' body2='b'/></equality>")},
      {"weld", After("<equality><weld @ site1='s' site2='t'/></equality>")},
      {"general", Actuator("general")},
      {"motor", Actuator("motor")},
      {"position", Actuator("position")},
      {"velocity", Actuator("velocity")},
      {"muscle", Actuator("muscle lengthrange='0 1'")},
      {"key",
       "<worldbody><body mocap='true'/><body><joint/><geom size='1'/>"
       "</body></worldbody><keyframe><key @/></keyframe>"}};
  return samples;
}

// Returns the sample with `attribute` in place of the attribute's old value.
std::string With(std::string sample, const std::string& attribute,
                 const std::string& value) {
  const std::size_t at = sample.find('@');
  const std::size_t end = sample.find('>', at);
  const std::size_t begin = sample.rfind('<', at);
  const std::string old = " " + attribute + "='";
  const std::size_t found = sample.find(old, begin);
  const std::string added = value.empty() ? "" : attribute + "='" + value + "'";
  if (found != sample.npos && found < end && !value.empty()) {
    const std::size_t close = sample.find('\'', found + old.size());
    sample.erase(found, close + 1 - found);
  }
  return sample.replace(sample.find('@'), 1, added);
}

// Returns the outcome: warnings, or the error.
std::string Outcome(const std::string& inside) {
  std::vector<std::string> warnings;
  try {
    ReadMjcfText(MjcfText(inside), &warnings);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  std::string all;
  for (const std::string& warning : warnings) all += warning + "\n";
  return all;
}

bool IsSeen(const std::string& element, const std::string& attribute) {
  const auto [begin, end] = Samples().equal_range(element);
  return std::any_of(begin, end, [&](const auto& sample) {
    return Outcome(With(sample.second, attribute, "?")) !=
           Outcome(With(sample.second, attribute, ""));
  });
}

// Attributes without effect on the motion. Some affect only MuJoCo's motion:
// the README says that a plant has its own solver, contact and constraints.
std::set<std::string> PassedOver(const std::string& element) {
  static const std::map<std::string, std::string> words{
      {"*",
       "name class group user solref solimp solreffriction margin gap material "
       "rgba priority solmix condim solimpfriction solimplimit solreflimit "
       "content_type width"},
      {"body", "fuse simple sleep"},
      // Attributes of compilation and display.
      {"compiler",
       "assetdir conflict convexhull discardvisual fusestatic meshdir "
       "passthrough savecanonical savecompiled saveinertial texturedir "
       "usethread"},
      {"flag",
       "autoreset diagexact energy eulerdamp fwdinv invdiscrete ipc island "
       "midphase multiccd nativeccd refsafe sensor sleep speculative "
       "warmstart"},
      {"option",
       "apirate ccd_iterations ccd_tolerance cone impratio integrator "
       "iterations jacobian ls_iterations ls_tolerance magnetic mpr_iterations "
       "mpr_tolerance noslip_iterations noslip_tolerance o_margin o_solimp "
       "o_solref sdf_initpoints sdf_iterations sleep_tolerance solver timestep "
       "tolerance"},
      // Attributes of states and of actuators at sites, which are refused.
      {"general",
       "actdim actearly actlimited actrange cranklength dynprm inheritrange "
       "interp lengthrange refsite slidersite"},
      {"motor",
       "actdim actearly actlimited actrange cranklength interp lengthrange "
       "refsite slidersite"},
      // Limits of the input; the source of the input must keep them.
      {"position",
       "actdim actearly actlimited actrange cranklength ctrllimited ctrlrange "
       "inheritrange interp lengthrange refsite slidersite"},
      {"velocity",
       "actdim actearly actlimited actrange cranklength ctrllimited ctrlrange "
       "interp lengthrange refsite slidersite"},
      {"muscle",
       "actdim actearly actlimited actrange cranklength interp refsite "
       "slidersite"},
      {"geom", "castshadow"},
      {"key", "plastic time"},
      {"material",
       "emission metallic reflectance roughness shininess specular texrepeat "
       "texture texuniform"},
      {"mesh", "builtin maxhullvert normal params smoothnormal texcoord"},
      {"replicate", "sep"},
      {"site", "mesh size type"},
      // The samples have no spring with the defaults of a tendon.
      {"tendon", "springlength"}};
  std::set<std::string> result;
  for (const std::string& key : {std::string("*"), element}) {
    const auto found = words.find(key);
    if (found == words.end()) continue;
    std::istringstream stream(found->second);
    for (std::string word; stream >> word;) result.insert(word);
  }
  return result;
}

TEST(MjcfSchema, EveryAttributeIsTakenWarnedOfOrListed) {
  for (const auto& [element, attributes] : internal::MjcfAttributes()) {
    ASSERT_TRUE(Samples().contains(element)) << element;
    const std::set<std::string> passed_over = PassedOver(element);
    std::string unseen;
    for (const std::string& attribute : attributes) {
      if (passed_over.contains(attribute)) continue;
      if (!IsSeen(element, attribute)) unseen += attribute + " ";
    }
    EXPECT_EQ(unseen, "") << element;
  }
}

}  // namespace mjcf_schema_test
}  // namespace wyvern::multibody
