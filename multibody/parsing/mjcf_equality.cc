#include "wyvern/multibody/parsing/mjcf_equality.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/parsing/mjcf_pose.h"
#include "wyvern/multibody/parsing/mjcf_tendon.h"

/* Equalities: two points, two frames, two joints, or two tendons. An equality
of tendons is a tendon over the joints of both, which is limited to one
length. What is not given, such as the point of the second body, is as the
file draws it, where all joints have their reference positions. MuJoCo's are
soft; the plant's hold. */

namespace wyvern::multibody::internal {

using math::RigidTransform;

namespace {

// A frame on each of two bodies.
struct Pair {
  const MjcfBody* body_A{};
  const MjcfBody* body_B{};
  RigidTransform<double> X_AP;
  RigidTransform<double> X_BQ;
};

/** Reads one equality. */
class EqualityReader {
 public:
  EqualityReader(const MjcfElement& element, const MjcfDocument& document,
                 const MjcfTree& tree, ParsedModel* model)
      : element_(element), document_(document), tree_(tree), model_(*model) {}

  void Read() {
    const XmlElement& own = element_.own();
    if (own.IsNamed("connect")) {
      ReadConnect();
    } else if (own.IsNamed("weld")) {
      ReadWeld();
    } else if (own.IsNamed("joint")) {
      ReadCoupler();
    } else if (own.IsNamed("tendon")) {
      ReadTendons();
    } else {
      own.Throw(fmt::format("an equality <{}> is not modelled.", own.name()));
    }
  }

 private:
  const MjcfBody& Body(const char* attribute) const {
    const std::string name = element_.Text(attribute, kWorldName);
    const MjcfBody* const body = tree_.FindBody(name);
    if (body == nullptr) {
      element_.Throw(fmt::format("there is no body '{}' in this file.", name));
    }
    return *body;
  }

  const MjcfSite& Site(const char* attribute) const {
    const std::string name(element_.own().RequiredAttribute(attribute));
    const auto found = tree_.sites.find(name);
    if (found == tree_.sites.end()) {
      element_.Throw(fmt::format("there is no site '{}' in this file.", name));
    }
    return found->second;
  }

  // The bodies, and the frames of sites if they are given by sites.
  Pair ReadPair() const {
    Pair result;
    if (element_.Has("site1")) {
      const MjcfSite& one = Site("site1");
      const MjcfSite& two = Site("site2");
      result = {.body_A = &tree_.bodies[one.body],
                .body_B = &tree_.bodies[two.body],
                .X_AP = one.X_BS,
                .X_BQ = two.X_BS};
    } else {
      element_.own().RequiredAttribute("body1");
      result.body_A = &Body("body1");
      result.body_B = &Body("body2");
    }
    if (result.body_A == result.body_B) {
      element_.Throw("both ends are on one body; name two.");
    }
    return result;
  }

  void ReadConnect() {
    Pair pair = ReadPair();
    if (!element_.Has("site1")) {
      element_.own().RequiredAttribute("anchor");
      const Vector3<double> p_AP =
          element_.Triple("anchor", Vector3<double>::Zero());
      pair.X_AP.set_translation(p_AP);
      pair.X_BQ.set_translation(pair.body_B->X_WB.inverse() *
                                (pair.body_A->X_WB * p_AP));
    }
    model_.ball_constraints.push_back({.body_A = pair.body_A->name,
                                       .body_B = pair.body_B->name,
                                       .p_AP = pair.X_AP.translation(),
                                       .p_BQ = pair.X_BQ.translation()});
  }

  void ReadWeld() {
    Pair pair = ReadPair();
    if (element_.Number("torquescale", 1) == 0) {
      element_.Throw(
          "a weld that leaves turning free is not modelled; make "
          "it a <connect>.");
    }
    if (!element_.Has("site1")) {
      pair.X_BQ.set_translation(
          element_.Triple("anchor", Vector3<double>::Zero()));
      pair.X_AP = ReadRelativePose(pair) * pair.X_BQ;
    }
    model_.weld_constraints.push_back({.body_A = pair.body_A->name,
                                       .X_AP = pair.X_AP,
                                       .body_B = pair.body_B->name,
                                       .X_BQ = pair.X_BQ});
  }

  // Without a quaternion, as drawn.
  RigidTransform<double> ReadRelativePose(const Pair& pair) const {
    VectorX<double> fallback = VectorX<double>::Zero(7);
    fallback[1] = 1;
    const VectorX<double> given = element_.Numbers("relpose", fallback);
    if (given.tail<4>().isZero(0)) {
      return pair.body_A->X_WB.inverse() * pair.body_B->X_WB;
    }
    return {ToMjcfRotation(element_.own(), given.tail<4>()),
            Vector3<double>(given.head<3>())};
  }

  const MjcfJoint& Joint(const std::string& name) const {
    return RequireMjcfJoint(element_, name, tree_).joint;
  }

  // Any other, for a joint that is held where it is.
  const MjcfJoint& AnyBut(const MjcfJoint& held) const {
    for (const MjcfMovement& moved : tree_.joints) {
      if (moved.joint.HasOneDof() && moved.joint.name != held.name) {
        return moved.joint;
      }
    }
    element_.Throw("the only joint is held; weld its body instead.");
  }

  // Returns five coefficients; all but the first are 0 if there is no second
  // element.
  VectorX<double> ReadPolynomial(bool has_two) const {
    VectorX<double> fallback = VectorX<double>::Zero(5);
    fallback[1] = 1;
    VectorX<double> c = element_.Numbers("polycoef", fallback);
    if (!has_two) c.tail<4>().setZero();
    return c;
  }

  // L1 - L1_ref = c0 + c1 (L2 - L2_ref), with the lengths as drawn.
  void ReadTendons() {
    const std::string one(element_.own().RequiredAttribute("tendon1"));
    const bool has_two = element_.Has("tendon2");
    const VectorX<double> c = ReadPolynomial(has_two);
    if (!c.tail<3>().isZero(0)) {
      element_.Throw(
          "polycoef of tendons that is not linear is not modelled; give two "
          "numbers.");
    }
    ParsedTendon result{
        .name = one,
        .terms = RequireMjcfTendon(element_, one, document_, tree_)};
    if (has_two) {
      for (auto [joint, coefficient] : RequireMjcfTendon(
               element_, element_.Text("tendon2"), document_, tree_)) {
        result.terms.push_back({joint, -c[1] * coefficient});
      }
    }
    double length = c[0];
    for (const auto& [joint, coefficient] : result.terms) {
      length += coefficient * tree_.FindJoint(joint)->joint.reference;
    }
    const bool is_large =
        std::ranges::any_of(result.terms, [](const ParsedTendonTerm& term) {
          return !(std::abs(term.coefficient) <= 1e100);
        });
    if (is_large || !std::isfinite(length)) {
      element_.Throw("the tendons are too long; give smaller coefficients.");
    }
    RequireTwoTrees(element_, "an equality of tendons", tree_, result.terms);
    result.properties = {.shortest = length,
                         .longest = length,
                         .lower_limit = length,
                         .upper_limit = length};
    model_.tendons.push_back(std::move(result));
  }

  // q1 - ref1 = sum of c_k (q2 - ref2)^k.
  void AddPolynomial(const MjcfJoint& one, const MjcfJoint& two,
                     const VectorX<double>& c) {
    if (!(c.cwiseAbs().maxCoeff() <= 1e50)) {
      element_.Throw(fmt::format(
          "polycoef is \"{}\"; give numbers of magnitudes up to 1e50.",
          element_.Text("polycoef")));
    }
    ParsedPolynomial added{.joint0 = one.name, .joint1 = two.name};
    for (int k = 0; k < 5; ++k) added.polynomial.c[k] = c[k];
    added.polynomial.c[0] += one.reference;
    added.polynomial.x0 = two.reference;
    model_.polynomials.push_back(added);
  }

  // q1 - ref1 = c0 + c1 (q2 - ref2), unless it has higher powers.
  void ReadCoupler() {
    const MjcfJoint& one =
        Joint(std::string(element_.own().RequiredAttribute("joint1")));
    const bool has_two = element_.Has("joint2");
    const VectorX<double> c = ReadPolynomial(has_two);
    const MjcfJoint& two =
        has_two ? Joint(element_.Text("joint2")) : AnyBut(one);
    if (one.name == two.name) element_.Throw("both joints are one; name two.");
    if (!c.tail<3>().isZero(0)) {
      AddPolynomial(one, two, c);
      return;
    }
    model_.couplers.push_back(
        {.joint0 = one.name,
         .joint1 = two.name,
         .gear_ratio = c[1],
         .offset = one.reference + c[0] - c[1] * two.reference});
  }

  const MjcfElement& element_;
  const MjcfDocument& document_;
  const MjcfTree& tree_;
  ParsedModel& model_;
};

}  // namespace

void ReadMjcfEqualities(const MjcfDocument& document,
                        const MjcfContext& context, const MjcfTree& tree,
                        ParsedModel* model) {
  if (!context.settings.main().has_equalities) return;
  for (const MjcfNode* const node : document.Contents("equality")) {
    const MjcfElement element =
        context.defaults.Apply(node->element, {}, {"equality"});
    if (!element.Flag("active", true)) {
      element.own().Warn("an equality that is not active is left out.",
                         context.log);
      continue;
    }
    EqualityReader(element, document, tree, model).Read();
  }
}

}  // namespace wyvern::multibody::internal
