#include "wyvern/multibody/parsing/mjcf_path.h"

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/tree/tendon_path.h"

/* A path is a list of sites, with a geom between two sites where the tendon
bends, and a <pulley> where a new branch begins. The lengths of all branches
add up, each divided by the divisor of the pulley before it. */

namespace wyvern::multibody::internal {

using math::RigidTransform;

namespace {

/** Reads one path. */
class PathReader {
 public:
  explicit PathReader(const MjcfTree& tree) : tree_(tree) {}

  std::vector<ParsedTendonSegment> Read(const MjcfNode& tendon) {
    for (const MjcfNode& child : tendon.children) {
      if (child.IsNamed("site")) {
        AddSite(child.element);
      } else if (child.IsNamed("geom")) {
        AddGeom(child.element);
      } else if (child.IsNamed("pulley")) {
        EndBranch(child.element);
        divisor_ = child.element.RequiredNumber("divisor");
        if (!(divisor_ > 0 && divisor_ < 1e100)) {
          child.element.Throw(fmt::format(
              "divisor is {}; give a positive number below 1e100.", divisor_));
        }
      } else {
        child.element.Throw(
            fmt::format("<{}> in a <spatial> tendon is not known; give <site>, "
                        "<geom> and <pulley>.",
                        child.element.name()));
      }
    }
    EndBranch(tendon.element);
    if (segments_.empty()) {
      tendon.element.Throw("the tendon has no path; give two sites or more.");
    }
    return std::move(segments_);
  }

 private:
  const MjcfSite& FindSite(const XmlElement& element,
                           const std::string& name) const {
    const auto found = tree_.sites.find(name);
    if (found == tree_.sites.end()) {
      element.Throw(fmt::format("there is no site '{}' in this file.", name));
    }
    return found->second;
  }

  void AddSite(const XmlElement& element) {
    const MjcfSite& site =
        FindSite(element, std::string(element.RequiredAttribute("site")));
    ParsedTendonPoint point{tree_.bodies[site.body].name,
                            site.X_BS.translation()};
    RequireNear(element, point.p_LP);
    if (num_sites_ > 0) {
      segments_.push_back({last_, point, obstacle_, divisor_});
    }
    obstacle_.reset();
    last_ = std::move(point);
    ++num_sites_;
  }

  void AddGeom(const XmlElement& element) {
    const std::string name(element.RequiredAttribute("geom"));
    if (!tree_.geoms.contains(name)) {
      element.Throw(fmt::format("there is no geom '{}' in this file.", name));
    }
    const auto found = tree_.round_geoms.find(name);
    if (found == tree_.round_geoms.end()) {
      element.Throw(fmt::format(
          "geom '{}' is neither a sphere nor a cylinder, so no tendon bends "
          "around it; name one that is.",
          name));
    }
    if (num_sites_ == 0 || obstacle_.has_value()) {
      element.Throw("a geom of a tendon must be between two sites.");
    }
    const MjcfRoundGeom& geom = found->second;
    RequireNear(element, geom.X_BG.translation());
    obstacle_ = {.link = tree_.bodies[geom.body].name,
                 .X_LG = geom.X_BG,
                 .radius = geom.radius,
                 .is_cylinder = geom.is_cylinder};
    const auto side = element.Attribute("sidesite");
    if (!side.has_value() || side->empty()) return;
    const MjcfSite& site = FindSite(element, std::string(*side));
    if (site.body != geom.body) {
      element.Throw(fmt::format(
          "sidesite '{}' is on another body than geom '{}', which is not "
          "modelled; put both on one body.",
          *side, name));
    }
    const Vector3<double> p_GS = geom.X_BG.inverse() * site.X_BS.translation();
    const double distance =
        geom.is_cylinder ? p_GS.head<2>().norm() : p_GS.norm();
    // As in MuJoCo, a site nearer to the middle than the radius, be it near the
    // axis or not, leads the tendon through the inside.
    const bool is_inner = p_GS.norm() < geom.radius;
    if (is_inner || distance > 0) obstacle_->p_GS = p_GS;
  }

  void EndBranch(const XmlElement& element) {
    if (obstacle_.has_value()) {
      element.Throw("a geom of a tendon must be between two sites.");
    }
    if (num_sites_ == 1) {
      element.Throw("a branch of a tendon has one site alone; give two.");
    }
    num_sites_ = 0;
  }

  // The squares of greater numbers would be lost.
  static void RequireNear(const XmlElement& element, const Vector3<double>& p) {
    if (p.cwiseAbs().maxCoeff() <= 1e100) return;
    element.Throw("it is too far from its body; give a nearer place.");
  }

  const MjcfTree& tree_;
  std::vector<ParsedTendonSegment> segments_;
  double divisor_{1};
  // Number of sites of the branch so far.
  int num_sites_{0};
  ParsedTendonPoint last_;
  std::optional<ParsedTendonObstacle> obstacle_;
};

// Returns the poses of the bodies where all springs of joints are at rest.
std::vector<RigidTransform<double>> CalcPosesAtRest(const MjcfTree& tree) {
  std::vector<RigidTransform<double>> X_WB;
  for (const MjcfBody& body : tree.bodies) {
    const int b = static_cast<int>(X_WB.size());
    if (b == 0) {
      X_WB.push_back(body.X_WB);
      continue;
    }
    RigidTransform<double> X =
        X_WB[body.parent] * tree.bodies[body.parent].X_WB.inverse() * body.X_WB;
    for (const MjcfMovement& moved : tree.joints) {
      if (moved.body != b || !moved.joint.HasOneDof()) continue;
      const RigidTransform<double> X_BJ(moved.joint.position);
      X = X * X_BJ *
          moved.joint.Motion(moved.joint.spring_reference -
                             moved.joint.reference) *
          X_BJ.inverse();
    }
    X_WB.push_back(X);
  }
  return X_WB;
}

}  // namespace

std::vector<ParsedTendonSegment> ReadMjcfPath(const MjcfNode& tendon,
                                              const MjcfTree& tree) {
  return PathReader(tree).Read(tendon);
}

double CalcMjcfPathAtRest(const std::vector<ParsedTendonSegment>& segments,
                          const MjcfTree& tree) {
  const std::vector<RigidTransform<double>> X_WB = CalcPosesAtRest(tree);
  const auto pose = [&](const std::string& link) {
    return X_WB[tree.FindBody(link) - tree.bodies.data()];
  };
  double length = 0;
  for (const ParsedTendonSegment& segment : segments) {
    const Vector3<double> p_WP = pose(segment.start.link) * segment.start.p_LP;
    const Vector3<double> p_WQ = pose(segment.end.link) * segment.end.p_LP;
    std::optional<TendonWrap<double>> wrap;
    RigidTransform<double> X_WG;
    if (segment.obstacle.has_value()) {
      const ParsedTendonObstacle& o = *segment.obstacle;
      X_WG = pose(o.link) * o.X_LG;
      const RigidTransform<double> X_GW = X_WG.inverse();
      wrap = CalcTendonWrap<double>(
          X_GW * p_WP, X_GW * p_WQ,
          {nullptr, o.X_LG, o.radius, o.is_cylinder, o.p_GS});
    }
    const double l = wrap.has_value()
                         ? (X_WG * wrap->p_GA - p_WP).norm() + wrap->arc +
                               (p_WQ - X_WG * wrap->p_GB).norm()
                         : (p_WQ - p_WP).norm();
    length += l / segment.divisor;
  }
  return length;
}

}  // namespace wyvern::multibody::internal
