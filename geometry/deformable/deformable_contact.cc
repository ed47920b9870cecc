#include "wyvern/geometry/deformable/deformable_contact.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

/* All is calculated in the world, where the vertices are. Each deformable keeps
a tree over its tetrahedra, planted in the reference configuration: its shape
stays, and its boxes are taken anew from where the vertices are, once a query
and only if something is near. So the order of results depends on
configurations and poses alone.

  deformable, rigid mesh    each triangle, clipped by tetrahedra
  deformable, half space    its plane in each tetrahedron
  deformable, deformable    the plane phi_A = phi_B of two tetrahedra, or A's
                            faces if all corners of both are on surfaces

The depth of what a rigid shape touches is found from the polygon: a walk
from tetrahedron to tetrahedron against the normal ends on the deformable's
surface, and the shape says how deep that is.

Han, Masterjohn, Castro, "A Convex Formulation of Frictional Contact between
Rigid and Deformable Bodies", RA-L 2023. The signed distance phi is that of
the reference configuration, carried along by the vertices, and linear on
each tetrahedron. */

namespace wyvern::geometry::internal {
namespace {

using Eigen::Vector3d;
using Eigen::Vector4d;
using math::RigidTransform;
using Deformable = DeformableContactModel::Deformable;
using Element = DeformableContactScratch::Element;
using Posed = DeformableContactScratch::Posed;

Aabb CalcBounds(const VectorX<double>& q) {
  const Eigen::Map<const Matrix3X<double>> p(q.data(), 3, q.size() / 3);
  return {p.rowwise().minCoeff(), p.rowwise().maxCoeff()};
}

class Surfaces {
 public:
  Surfaces(const ProximityEngine& engine, const DeformableContactModel& model,
           const std::vector<RigidTransform<double>>& X_WGs,
           const std::vector<VectorX<double>>& q_WGs,
           const std::function<std::string(GeometryId)>& describe,
           DeformableContactScratch* scratch,
           std::vector<DeformableContactSurface>* surfaces)
      : engine_(engine),
        model_(model),
        X_WGs_(X_WGs),
        q_WGs_(q_WGs),
        describe_(describe),
        scratch_(*scratch),
        surfaces_(*surfaces) {}

  void Calc() {
    // Each surface is to find the storage that it had.
    for (auto s = surfaces_.rbegin(); s != surfaces_.rend(); ++s) {
      scratch_.spare.push_back(std::move(*s));
    }
    surfaces_.clear();
    ++scratch_.query;
    const int n = static_cast<int>(model_.deformables.size());
    scratch_.posed.resize(n);
    for (int i = 0; i < n; ++i) {
      Posed& posed = scratch_.posed[i];
      posed.bounds = CalcBounds(Configuration(model_.deformables[i]));
      posed.is_fitted = false;
    }
    for (int a = 0; a < n; ++a) {
      // Rigid ones and later deformables, by increasing id.
      int r = 0, b = a + 1;
      while (r < engine_.num_geometries() || b < n) {
        if (b == n || (r < engine_.num_geometries() &&
                       engine_.ids()[r] < model_.deformables[b].id)) {
          CalcRigid(a, r++);
        } else {
          CalcDeformable(a, b++);
        }
      }
    }
  }

 private:
  const VectorX<double>& Configuration(const Deformable& d) const {
    return q_WGs_[d.place];
  }

  bool IsExcluded(GeometryId a, GeometryId b) const {
    const CollisionFilter& filter = engine_.collision_filter();
    return filter.IsExcludedAt(filter.RowOf(a), filter.RowOf(b));
  }

  const RigidMesh& MeshOf(const RigidSurface& rigid, GeometryId id) {
    const auto explain = [this, id](const std::exception& error) {
      surfaces_.clear();
      return fmt::format(
          "Contact of deformable geometry: {} has no surface: {} Filter the "
          "pair, or replace the shape.",
          describe_(id), error.what());
    };
    try {
      return rigid.mesh();
    } catch (const std::logic_error& error) {
      throw std::logic_error(explain(error));
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(explain(error));
    }
  }

  // The tree of deformable i, fitted to its configuration.
  const AabbTree& Fit(int i) {
    const Deformable& d = model_.deformables[i];
    Posed& posed = scratch_.posed[i];
    if (posed.is_fitted) return posed.tree;
    if (posed.planted != d.geometry) {
      posed.planted = d.geometry;
      posed.tree = d.geometry->tree;
      posed.boxes.resize(d.geometry->mesh_G.num_elements());
      posed.elements.assign(posed.boxes.size(), {});
    }
    const VectorX<double>& q = Configuration(d);
    const std::vector<VolumeElement>& elements =
        d.geometry->mesh_G.tetrahedra();
    for (size_t e = 0; e < elements.size(); ++e) {
      const Vector3d first = q.segment<3>(3 * elements[e].vertex(0));
      Aabb box{first, first};
      for (int k = 1; k < 4; ++k) {
        const Vector3d p = q.segment<3>(3 * elements[e].vertex(k));
        box.Include({p, p});
      }
      posed.boxes[e] = box;
    }
    posed.tree.Refit(posed.boxes);
    posed.is_fitted = true;
    return posed.tree;
  }

  // Element e of deformable i, fitted before; null if it is flat.
  const Element* Take(int i, int e) {
    Element& element = scratch_.posed[i].elements[e];
    if (element.query != scratch_.query) {
      const Deformable& d = model_.deformables[i];
      const VolumeElement& tetrahedron = d.geometry->mesh_G.tetrahedra()[e];
      const VectorX<double>& q = Configuration(d);
      std::array<Vector3d, 4> corners;
      for (int k = 0; k < 4; ++k) {
        const int v = tetrahedron.vertex(k);
        element.vertices[k] = v;
        element.phi[k] = d.geometry->signed_distance[v];
        corners[k] = q.segment<3>(3 * v);
      }
      element.centre_phi = d.geometry->centre_distance[e];
      element.is_flat = !element.tetrahedron.Set(corners);
      element.gradient = element.tetrahedron.CalcGradient(element.phi);
      element.query = scratch_.query;
    }
    return element.is_flat ? nullptr : &element;
  }

  void CalcRigid(int a, int r) {
    const RigidSurface& rigid = *model_.rigids[r];
    const Deformable& A = model_.deformables[a];
    const GeometryId id_B = engine_.ids()[r];
    const RigidTransform<double>& X_WR = X_WGs_[r];
    if (rigid.is_empty()) return;
    const Aabb& bounds = scratch_.posed[a].bounds;
    if (rigid.is_half_space()) {
      const Vector3d up = X_WR.rotation().matrix().col(2);
      const double lowest = -bounds.CalcReach(-up) - up.dot(X_WR.translation());
      if (lowest > 0 || IsExcluded(A.id, id_B)) return;
      Start(A.id, id_B, false);
      CalcHalfSpace(a, r, up, X_WR.translation());
    } else {
      if (!Overlap(bounds, engine_.CalcBox(r, X_WR)) ||
          IsExcluded(A.id, id_B)) {
        return;
      }
      const RigidMesh& mesh = MeshOf(rigid, id_B);
      Start(A.id, id_B, false);
      CalcMesh(a, r, mesh, X_WR);
    }
    Finish();
  }

  void CalcHalfSpace(int a, int r, const Vector3d& up, const Vector3d& p_WH) {
    const double level = up.dot(p_WH);
    scratch_.pairs.clear();
    Fit(a).AddBetween(up, level, level, &scratch_.pairs);
    const Vector3d centre = scratch_.posed[a].bounds.centre();
    for (const auto& [tet, unused] : scratch_.pairs) {
      const Element* element = Take(a, tet);
      if (element == nullptr) continue;
      Vector4d h;
      double scale = 0;
      for (int k = 0; k < 4; ++k) {
        const Vector3d& p = element->tetrahedron.corners()[k];
        h[k] = up.dot(p - p_WH);
        scale =
            std::max({scale, (p - centre).norm(), kFar * (p - p_WH).norm()});
      }
      Snap(scale, &h);
      if (HasOneSign(h)) continue;
      CutTetrahedron(element->tetrahedron.corners(), h, up, &scratch_.polygon);
      if (AddPoint(*element, nullptr, up)) SetRigidDepth(a, tet, r);
    }
  }

  void CalcMesh(int a, int r, const RigidMesh& rigid,
                const RigidTransform<double>& X_WR) {
    scratch_.pairs.clear();
    Fit(a).AddPosedOverlaps(rigid.tree, X_WR, &scratch_.pairs);
    ClippedPolygon<double>& polygon = scratch_.polygon;
    for (const auto& [tet, tri] : scratch_.pairs) {
      const Element* element = Take(a, tet);
      if (element == nullptr) continue;
      const SurfaceTriangle& triangle = rigid.mesh.element(tri);
      polygon.Clear();
      for (int k = 0; k < 3; ++k) {
        polygon.Add(X_WR * rigid.mesh.vertex(triangle.vertex(k)));
      }
      const Vector3d n = X_WR.rotation() * rigid.mesh.face_normal(tri);
      polygon.ClipToTetrahedron(element->tetrahedron, n);
      if (AddPoint(*element, nullptr, n)) SetRigidDepth(a, tet, r);
    }
  }

  // From a point of element e along a unit vector to the surface of deformable
  // a, m. Where elements fold back on themselves, it ends early.
  double CalcWayOut(int a, int e, const Vector3d& p, const Vector3d& along) {
    constexpr int kMostElements = 200;
    const auto& neighbors = model_.deformables[a].geometry->neighbors;
    double way = 0;
    for (int i = 0; i < kMostElements && e >= 0; ++i) {
      const Element* element = Take(a, e);
      if (element == nullptr) break;
      const Vector4d b = element->tetrahedron.CalcBarycentric(p);
      double least = std::numeric_limits<double>::infinity();
      int face = -1;
      for (int k = 0; k < 4; ++k) {
        const double rate = element->tetrahedron.gradient(k).dot(along);
        if (!(rate < 0) || !(-b[k] / rate < least)) continue;
        least = -b[k] / rate;
        face = k;
      }
      if (face < 0) break;
      way = std::max(way, least);
      e = neighbors[e][face];
    }
    return way;
  }

  // In a level element, e of deformable i, distances say nothing: the depth is
  // that along the normal. False if the surface is nearer the other way, to
  // where the point should not push.
  bool AddWayOut(int i, int e, double sign, DeformableContactPoint* point) {
    const Vector3d out = sign * point->nhat_BA_W;
    const double way = CalcWayOut(i, e, point->p_WC, out);
    if (!(way < CalcWayOut(i, e, point->p_WC, -out))) return false;
    point->phi -= way;
    return true;
  }

  // Sets the depth of the last point, which is in element e of deformable a, at
  // the surface of a rigid shape.
  void SetRigidDepth(int a, int e, int r) {
    const CollisionShape& shape = engine_.shape(r);
    DeformableContactPoint& point = surfaces_.back().points.back();
    const Vector3d& n = point.nhat_BA_W;
    const double way = CalcWayOut(a, e, point.p_WC, -n);
    if (shape.kind == ShapeKind::kHalfSpace) {
      point.phi = -way;
      return;
    }
    const Vector3d p_RE = X_WGs_[r].inverse() * (point.p_WC - way * n).eval();
    // C is on the shape's surface, so that E is no farther from it.
    const double phi =
        model_.rigids[r]->CalcDistance(shape, p_RE, way * (1 + 1e-9));
    if (phi < 0) point.phi = phi;
  }

  void CalcDeformable(int a, int b) {
    const Deformable& A = model_.deformables[a];
    const Deformable& B = model_.deformables[b];
    if (!Overlap(scratch_.posed[a].bounds, scratch_.posed[b].bounds) ||
        IsExcluded(A.id, B.id)) {
      return;
    }
    Start(A.id, B.id, true);
    scratch_.pairs.clear();
    Fit(a).AddOverlaps(Fit(b), &scratch_.pairs);
    for (const auto& [tet_a, tet_b] : scratch_.pairs) {
      const Element* in_A = Take(a, tet_a);
      const Element* in_B = Take(b, tet_b);
      if (in_A == nullptr || in_B == nullptr) continue;
      std::vector<DeformableContactPoint>& points = surfaces_.back().points;
      const size_t first = points.size();
      if (in_A->IsLevel() && in_B->IsLevel()) {
        CalcFaces(*in_A, A.geometry->neighbors[tet_a], *in_B);
      } else {
        CalcElements(*in_A, *in_B);
      }
      if (!in_A->IsLevel() && !in_B->IsLevel()) continue;
      for (size_t i = points.size(); i > first; --i) {
        DeformableContactPoint& point = points[i - 1];
        const bool counts =
            (!in_A->IsLevel() || AddWayOut(a, tet_a, -1, &point)) &&
            (!in_B->IsLevel() || AddWayOut(b, tet_b, 1, &point));
        if (!counts) Erase(i - 1);
      }
    }
    Finish();
  }

  // A's faces on its surface, as far as they are in B.
  void CalcFaces(const Element& in_A, const std::array<int, 4>& neighbors,
                 const Element& in_B) {
    ClippedPolygon<double>& polygon = scratch_.polygon;
    const std::array<Vector3d, 4>& p = in_A.tetrahedron.corners();
    for (int k = 0; k < 4; ++k) {
      if (neighbors[k] >= 0) continue;
      const Vector3d n = in_A.tetrahedron.gradient(k).normalized();
      polygon.Clear();
      for (int i = 1; i < 4; ++i) polygon.Add(p[(k + i) % 4]);
      // Where the two only touch, it belongs to neither.
      if (polygon.CalcAreaVector().dot(n) > 0) polygon.Reverse();
      polygon.ClipToTetrahedron(in_B.tetrahedron, -n);
      polygon.Reverse();
      AddPoint(in_A, &in_B, n);
    }
  }

  // The plane cuts one of the two, and the other clips it: A, or B if it is
  // level and A is not. So where one is level, the plane is the face of the
  // other, and counts where it goes through what is level.
  void CalcElements(const Element& in_A, const Element& in_B) {
    const bool cuts_B = in_B.IsLevel() && !in_A.IsLevel();
    const Element& cut = cuts_B ? in_B : in_A;
    const Element& clip = cuts_B ? in_A : in_B;
    // phi_B - phi_A: it rises into A, as phi_A falls there.
    Vector4d h;
    double scale = 0;
    for (int k = 0; k < 4; ++k) {
      const double own = cut.phi[k];
      const double other =
          clip.phi[0] + clip.gradient.dot(cut.tetrahedron.corners()[k] -
                                          clip.tetrahedron.corners()[0]);
      h[k] = cuts_B ? own - other : other - own;
      scale = std::max({scale, std::abs(own), std::abs(other)});
    }
    Snap(scale, &h);
    if (HasOneSign(h) || (cut.IsLevel() && !(h.maxCoeff() > 0))) return;
    const Vector3d difference = in_B.gradient - in_A.gradient;
    const double size = difference.norm();
    if (!(size >= kLeastSlope)) return;
    const Vector3d n = difference / size;
    if (!(-n.dot(in_A.gradient) >= kLeastCosine * in_A.gradient.norm()) ||
        !(n.dot(in_B.gradient) >= kLeastCosine * in_B.gradient.norm())) {
      return;
    }
    CutTetrahedron(cut.tetrahedron.corners(), h, n, &scratch_.polygon);
    scratch_.polygon.ClipToTetrahedron(clip.tetrahedron,
                                       cuts_B ? Vector3d(-n) : n);
    AddPoint(in_A, &in_B, n);
  }

  void Start(GeometryId id_A, GeometryId id_B, bool is_B_deformable) {
    if (scratch_.spare.empty()) {
      surfaces_.emplace_back();
    } else {
      surfaces_.push_back(std::move(scratch_.spare.back()));
      scratch_.spare.pop_back();
    }
    DeformableContactSurface& surface = surfaces_.back();
    surface.id_A = id_A;
    surface.id_B = id_B;
    surface.is_B_deformable = is_B_deformable;
    surface.points.clear();
    surface.face_data.clear();
    surface.vertices.clear();
  }

  // Adds the polygon, unless it is too small; whether it did.
  bool AddPoint(const Element& A, const Element* B, const Vector3d& n) {
    const ClippedPolygon<double>& polygon = scratch_.polygon;
    if (polygon.size() < 3) return false;
    DeformableContactPoint point;
    point.area = polygon.CalcAreaVector().dot(n);
    if (!(point.area >= kLeastFaceArea && std::isfinite(point.area))) {
      return false;
    }
    point.p_WC = polygon.CalcCentroid(n, point.area);
    point.nhat_BA_W = n;
    point.vertices_A = A.vertices;
    point.weights_A = A.tetrahedron.CalcBarycentric(point.p_WC);
    point.phi =
        B == nullptr ? A.CalcPhi(point.weights_A) : point.weights_A.dot(A.phi);
    if (B != nullptr) {
      point.vertices_B = B->vertices;
      point.weights_B = B->tetrahedron.CalcBarycentric(point.p_WC);
      point.phi += point.weights_B.dot(B->phi);
    }
    DeformableContactSurface& surface = surfaces_.back();
    surface.points.push_back(point);
    surface.face_data.push_back(polygon.size());
    for (int i = 0; i < polygon.size(); ++i) {
      surface.face_data.push_back(static_cast<int>(surface.vertices.size()));
      surface.vertices.push_back(polygon.p(i));
    }
    return true;
  }

  // Takes away a point and its polygon.
  void Erase(size_t i) {
    DeformableContactSurface& surface = surfaces_.back();
    auto face = surface.face_data.begin();
    for (size_t k = 0; k < i; ++k) face += 1 + *face;
    const int num = *face;
    surface.vertices.erase(surface.vertices.begin() + face[1],
                           surface.vertices.begin() + face[1] + num);
    face = surface.face_data.erase(face, face + 1 + num);
    while (face != surface.face_data.end()) {
      const int size = *face++;
      for (int k = 0; k < size; ++k) *face++ -= num;
    }
    surface.points.erase(surface.points.begin() + i);
  }

  void Finish() {
    if (!surfaces_.back().points.empty()) return;
    scratch_.spare.push_back(std::move(surfaces_.back()));
    surfaces_.pop_back();
  }

  // Signed distances of a meter fall by about one; of what is crushed they fall
  // faster, of what is torn slower.
  static constexpr double kLeastSlope = 1e-14;

  const ProximityEngine& engine_;
  const DeformableContactModel& model_;
  const std::vector<RigidTransform<double>>& X_WGs_;
  const std::vector<VectorX<double>>& q_WGs_;
  const std::function<std::string(GeometryId)>& describe_;
  DeformableContactScratch& scratch_;
  std::vector<DeformableContactSurface>& surfaces_;
};

}  // namespace

void CalcDeformableContact(
    const ProximityEngine& engine, const DeformableContactModel& model,
    const std::vector<RigidTransform<double>>& X_WGs,
    const std::vector<VectorX<double>>& q_WGs,
    const std::function<std::string(GeometryId)>& describe,
    DeformableContactScratch* scratch,
    std::vector<DeformableContactSurface>* surfaces) {
  Surfaces(engine, model, X_WGs, q_WGs, describe, scratch, surfaces).Calc();
}

}  // namespace wyvern::geometry::internal
