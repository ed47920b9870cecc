// Random and degenerate pairs of all bounded shapes against certificates in
// long double. A unit vector n, a distance d and points a of A and b of B with
// a - b = d n prove a distance d > 0 if the support of A - B along -n is -d:
// that is the answer, whatever found it. For d < 0 they prove that the shapes
// come apart by -d; that none is smaller, a search over directions shows.
//
// WYVERN_CONVEX_PAIRS=1000000 sets the number of pairs.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <random>
#include <utility>

#include <gtest/gtest.h>

#include "tests/geometry/proximity/test_shapes.h"
#include "wyvern/geometry/proximity/contact_manifold.h"
#include "wyvern/geometry/proximity/convex_distance.h"
#include "wyvern/geometry/proximity/shape_distance.h"

namespace wyvern::geometry::internal {
namespace {

using Eigen::Vector3d;
using math::RigidTransformd;
using Real = long double;
using Vector3L = Eigen::Matrix<Real, 3, 1>;
using Matrix3L = Eigen::Matrix<Real, 3, 3>;

// A shape at a pose, by formulas of its own.
class Solid {
 public:
  Solid(const CollisionShape& shape, const RigidTransformd& X)
      : shape_(shape),
        R_(X.rotation().matrix().cast<Real>()),
        p_(X.translation().cast<Real>()),
        half_(shape.half.cast<Real>()) {}

  // max u·x over the solid.
  Real Support(const Vector3L& u_W) const {
    const Vector3L u = R_.transpose() * u_W;
    Real h = 0;
    switch (shape_.kind) {
      case ShapeKind::kSphere:
        h = half_[0] * u.norm();
        break;
      case ShapeKind::kCapsule:
        h = half_[0] * u.norm() + half_[2] * std::abs(u[2]);
        break;
      case ShapeKind::kCylinder:
        h = half_[0] * std::hypot(u[0], u[1]) + half_[2] * std::abs(u[2]);
        break;
      case ShapeKind::kEllipsoid:
        h = half_.cwiseProduct(u).norm();
        break;
      case ShapeKind::kBox:
        h = half_.dot(u.cwiseAbs());
        break;
      default:
        h = -1e30L;
        for (int i = 0; i < shape_.polytope->num_vertices(); ++i) {
          h = std::max(h, u.dot(shape_.polytope->vertex(i).cast<Real>()));
        }
    }
    return h + u_W.dot(p_);
  }

  // How far outside a point is, or 0; for an ellipsoid to first order.
  Real Outside(const Vector3L& p_W) const {
    const Vector3L x = R_.transpose() * (p_W - p_);
    const auto positive = [](Real y) { return std::max(y, Real(0)); };
    switch (shape_.kind) {
      case ShapeKind::kSphere:
        return positive(x.norm() - half_[0]);
      case ShapeKind::kCapsule:
        return positive(std::hypot(std::hypot(x[0], x[1]),
                                   positive(std::abs(x[2]) - half_[2])) -
                        half_[0]);
      case ShapeKind::kCylinder:
        return std::hypot(positive(std::hypot(x[0], x[1]) - half_[0]),
                          positive(std::abs(x[2]) - half_[2]));
      case ShapeKind::kEllipsoid: {
        const Vector3L y = x.cwiseQuotient(half_);
        const Real f = y.squaredNorm() - 1;
        return positive(f / (2 * y.cwiseQuotient(half_).norm()));
      }
      case ShapeKind::kBox:
        return (x.cwiseAbs() - half_).cwiseMax(0).norm();
      default: {
        Real most = 0;
        for (int f = 0; f < shape_.polytope->num_faces(); ++f) {
          most = std::max(most, shape_.polytope->normal(f).cast<Real>().dot(x) -
                                    shape_.polytope->offset(f));
        }
        return most;
      }
    }
  }

  const Vector3L& centre() const { return p_; }
  const Matrix3L& axes() const { return R_; }
  Real size() const {
    Real r = half_.norm();
    if (shape_.polytope) {
      for (int i = 0; i < shape_.polytope->num_vertices(); ++i) {
        r = std::max(r, Real(shape_.polytope->vertex(i).norm()));
      }
    }
    return r;
  }
  // Normals of flat faces, and directions of straight edges.
  void AddFeatures(std::vector<Vector3L>* directions) const {
    for (int i = 0; i < 3; ++i) directions->push_back(R_.col(i));
    if (!shape_.polytope) return;
    for (int f = 0; f < shape_.polytope->num_faces(); ++f) {
      directions->push_back(R_ * shape_.polytope->normal(f).cast<Real>());
    }
  }

 private:
  const CollisionShape& shape_;
  Matrix3L R_;
  Vector3L p_;
  Vector3L half_;
};

// The least extent of A - B beyond the origin over many directions, each of the
// best followed downhill in ever smaller steps.
Real LeastOverlap(const Solid& A, const Solid& B, const Vector3L& guess) {
  const auto overlap = [&](const Vector3L& u) {
    return A.Support(u) + B.Support(-u);
  };
  static const std::vector<Vector3L> even = [] {
    std::vector<Vector3L> u;
    constexpr int kCount = 400;
    for (int i = 0; i < kCount; ++i) {
      const Real z = 1 - (2 * i + Real(1)) / kCount;
      const Real angle = Real(2.39996322972865332L) * i;
      const Real r = std::sqrt(1 - z * z);
      u.push_back({r * std::cos(angle), r * std::sin(angle), z});
    }
    return u;
  }();
  struct Candidate {
    Real overlap;
    Vector3L u;
  };
  std::array<Candidate, 4> best;
  best.fill({Real(1e30L), Vector3L::UnitX()});
  const auto look = [&](const Vector3L& direction) {
    const Real length = direction.norm();
    if (!(length > 1e-6L)) return;
    const Vector3L u = direction / length;
    const Real here = overlap(u);
    for (size_t k = 0; k < best.size(); ++k) {
      if (here >= best[k].overlap) continue;
      std::move_backward(best.begin() + k, best.end() - 1, best.end());
      best[k] = {here, u};
      break;
    }
  };
  for (const Vector3L& u : even) look(u);
  std::vector<Vector3L> features;
  A.AddFeatures(&features);
  const size_t of_A = features.size();
  B.AddFeatures(&features);
  for (size_t i = 0; i < features.size(); ++i) {
    look(features[i]);
    look(-features[i]);
    for (size_t j = of_A; i < of_A && j < features.size(); ++j) {
      look(features[i].cross(features[j]));
      look(features[j].cross(features[i]));
    }
  }
  Real least = overlap(guess);
  for (Candidate& c : best) {
    int tries = 600;
    for (Real step = 0.1L; step > 1e-8L && tries > 0;) {
      const Vector3L t = c.u.unitOrthogonal(), s = c.u.cross(t);
      bool is_found = false;
      for (int k = 0; k < 8 && !is_found; ++k, --tries) {
        const Real angle = k * Real(0.785398163397448310L);
        const Vector3L u =
            (c.u + step * (std::cos(angle) * t + std::sin(angle) * s))
                .normalized();
        const Real here = overlap(u);
        if (here < c.overlap) {
          c = {here, u};
          is_found = true;
        }
      }
      if (!is_found) step /= 2;
    }
    least = std::min(least, c.overlap);
  }
  return least;
}

class Pairs {
 public:
  double Scalar(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  bool Chance(double share) { return Scalar(0, 1) < share; }
  Vector3d Vector(double reach) {
    return {Scalar(-reach, reach), Scalar(-reach, reach),
            Scalar(-reach, reach)};
  }
  double Length() {
    // Some thin or long.
    return Chance(0.1) ? std::exp(Scalar(-3, 1)) : Scalar(0.2, 1);
  }

  CollisionShape Shape() {
    switch (std::uniform_int_distribution<int>(0, 5)(random_)) {
      case 0:
        return MakeCollisionShape(Sphere(Length()));
      case 1:
        return MakeCollisionShape(Capsule(Length(), Length()));
      case 2:
        return MakeCollisionShape(Cylinder(Length(), Length()));
      case 3:
        return MakeCollisionShape(Ellipsoid(Length(), Length(), Length()));
      case 4:
        return MakeCollisionShape(Box(Length(), Length(), Length()));
      default:
        return hulls_[std::uniform_int_distribution<size_t>(
            0, hulls_.size() - 1)(random_)];
    }
  }

  // With lengths as another says; no hull.
  template <typename Length>
  CollisionShape Sized(const Length& length) {
    switch (Step(0, 4)) {
      case 0:
        return MakeCollisionShape(Sphere(length()));
      case 1:
        return MakeCollisionShape(Capsule(length(), length()));
      case 2:
        return MakeCollisionShape(Cylinder(length(), length()));
      case 3:
        return MakeCollisionShape(Ellipsoid(length(), length(), length()));
      default:
        return MakeCollisionShape(Box(length(), length(), length()));
    }
  }
  int Step(int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random_);
  }

  // Without rounding.
  RigidTransformd QuarterTurns() {
    Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
    for (int axis = 0; axis < 3; ++axis) {
      const int i = (axis + 1) % 3, j = (axis + 2) % 3;
      for (int turns = Step(0, 3); turns > 0; --turns) {
        const Vector3d before = R.col(i);
        R.col(i) = R.col(j);
        R.col(j) = -before;
      }
    }
    return RigidTransformd(math::RotationMatrixd(R), Vector3d::Zero());
  }

  RigidTransformd Rotation() {
    if (Chance(0.3)) {
      // Quarter turns, some of them nearly.
      Eigen::Quaterniond q(1, 0, 0, 0);
      for (int axis = 0; axis < 3; ++axis) {
        const int turns = std::uniform_int_distribution<int>(0, 3)(random_);
        q = q *
            Eigen::AngleAxisd(turns * 1.5707963267948966, Vector3d::Unit(axis));
      }
      if (Chance(0.5)) {
        const double tilt = std::exp(Scalar(-25, -1));
        q = q * Eigen::AngleAxisd(tilt, Vector(1).normalized());
      }
      return RigidTransformd(q.normalized(), Vector3d::Zero());
    }
    const Eigen::Vector4d v = Eigen::Vector4d(Scalar(-1, 1), Scalar(-1, 1),
                                              Scalar(-1, 1), Scalar(-1, 1))
                                  .normalized();
    return RigidTransformd(Eigen::Quaterniond(v[0], v[1], v[2], v[3]),
                           Vector3d::Zero());
  }

 private:
  static std::vector<CollisionShape> MakeHulls() {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> unit(-1, 1);
    std::vector<CollisionShape> hulls = {BoundedShapes().back()};
    for (int n : {4, 6, 16, 40}) {
      Eigen::Matrix3Xd points(3, n);
      for (int i = 0; i < n; ++i) {
        const Vector3d p(unit(random), unit(random), unit(random));
        points.col(i) = 0.6 * p.normalized();
      }
      hulls.push_back(MakeCollisionShape(Convex(points, "hull")));
    }
    return hulls;
  }
  std::mt19937_64 random_{5};
  std::vector<CollisionShape> hulls_{MakeHulls()};
};

int NumPairs() {
  const char* count = std::getenv("WYVERN_CONVEX_PAIRS");
  return count ? std::atoi(count) : 20000;
}

struct Errors {
  int pairs{0};
  double point{0}, support{0}, depth{0};
};

struct Case {
  CollisionShape A, B;
  RigidTransformd X_WA, X_WB;
  // By how much they are to overlap; NaN for as they are.
  double overlap;
};

// Apart, deep, and with one centre or nearly so; some to be moved until they
// touch or overlap by little.
Case NextCase(Pairs* random) {
  CollisionShape A = random->Shape(), B = random->Shape();
  const RigidTransformd X_WA = random->Rotation();
  RigidTransformd X_WB = random->Rotation();
  const double reach =
      random->Chance(0.1) ? std::exp(random->Scalar(-25, -2)) : 1.2;
  X_WB.set_translation(random->Chance(0.02) ? Vector3d(Vector3d::Zero())
                                            : random->Vector(reach));
  double overlap = std::numeric_limits<double>::quiet_NaN();
  if (random->Chance(0.5)) {
    overlap = random->Chance(0.1) ? 0 : std::exp(random->Scalar(-20, -3));
    if (!random->Chance(0.8)) overlap = -overlap;
  }
  return {std::move(A), std::move(B), X_WA, X_WB, overlap};
}

// Cases that random numbers do not give: equal shapes at one place, faces and
// edges in one plane, needles and plates, sizes that differ by powers of ten,
// one centre.
Case NextDegenerateCase(int i, Pairs* random) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const double tiny =
      random->Chance(0.3) ? 0 : std::exp(random->Scalar(-38, -8));
  const Vector3d nudge = tiny * random->Vector(1);
  const double touch = random->Chance(0.3)   ? 0
                       : random->Chance(0.5) ? tiny
                                             : -tiny;
  switch (i % 5) {
    case 0: {
      const CollisionShape A = random->Shape();
      const RigidTransformd X = random->Rotation();
      return {A, A, X, RigidTransformd(X.rotation(), nudge), kNone};
    }
    case 1: {
      const auto A = random->Sized([&] { return random->Step(1, 4) / 4.0; });
      const auto B = random->Sized([&] { return random->Step(1, 4) / 4.0; });
      const Vector3d p = Vector3d(random->Step(-8, 8), random->Step(-8, 8),
                                  random->Step(-8, 8)) /
                         8;
      return {A, B, random->QuarterTurns(),
              RigidTransformd(random->QuarterTurns().rotation(), p + nudge),
              random->Chance(0.7) ? kNone : touch};
    }
    case 2: {
      const auto length = [&] { return std::exp(random->Scalar(-7, 0)); };
      const RigidTransformd X = random->Rotation();
      return {random->Sized(length), random->Sized(length), random->Rotation(),
              RigidTransformd(X.rotation(), random->Vector(0.3)),
              random->Chance(0.5) ? kNone : touch};
    }
    case 3: {
      const double small = std::exp(random->Scalar(-12, 0));
      const RigidTransformd X = random->Rotation();
      CollisionShape A = random->Shape();
      CollisionShape B =
          random->Sized([&] { return small * random->Scalar(0.2, 1); });
      const bool swap = random->Chance(0.5);
      return {swap ? B : A, swap ? A : B, random->Rotation(),
              RigidTransformd(X.rotation(), random->Vector(0.8)),
              random->Chance(0.5) ? kNone : touch};
    }
    default: {
      const RigidTransformd X = random->Rotation();
      return {random->Shape(), random->Shape(), random->Rotation(),
              RigidTransformd(X.rotation(), nudge), kNone};
    }
  }
}

// Returns the signed distance; adds to `num_bad` if the answer is not proven.
double CheckCase(int i, Case* pair, std::map<std::string, Errors>* errors,
                 int* num_bad) {
  const CollisionShape &A = pair->A, &B = pair->B;
  if (!std::isnan(pair->overlap)) {
    const auto far = CalcShapeDistance(A, pair->X_WA, B, pair->X_WB);
    pair->X_WB.set_translation(pair->X_WB.translation() +
                               (far.distance + pair->overlap) * far.nhat_BA_W);
  }
  const auto r = CalcShapeDistance(A, pair->X_WA, B, pair->X_WB);
  const Solid a(A, pair->X_WA), b(B, pair->X_WB);
  const Real size = a.size() + b.size() + (a.centre() - b.centre()).norm();
  const Vector3L n = r.nhat_BA_W.cast<Real>();
  const Vector3L p_a = r.p_WCa.cast<Real>(), p_b = r.p_WCb.cast<Real>();
  const Real point =
      std::max({a.Outside(p_a), b.Outside(p_b), std::abs(n.norm() - 1),
                (p_a - p_b - Real(r.distance) * n).norm()});
  const Real support =
      std::abs(a.Support(-n) + b.Support(n) + Real(r.distance));
  Real depth = 0;
  if (r.distance < 0) depth = -Real(r.distance) - LeastOverlap(a, b, -n);
  std::string name[2] = {std::string(A.name), std::string(B.name)};
  std::sort(name, name + 2);
  Errors& e = (*errors)[name[0] + " - " + name[1]];
  ++e.pairs;
  e.point = std::max<double>(e.point, point / size);
  e.support = std::max<double>(e.support, support / size);
  e.depth = std::max<double>(e.depth, depth / size);
  // Cores that nearly touch have the direction of a small difference.
  const Real share = std::abs(r.distance) < 1e-6L * size ? 1e-8L : 1e-9L;
  if (!(point <= 1e-9L * size) || !(support <= share * size) ||
      !(depth <= share * size)) {
    if (++*num_bad <= 10) {
      ADD_FAILURE() << "pair " << i << ": " << A.name << " "
                    << A.half.transpose() << ", " << B.name << " "
                    << B.half.transpose() << "; distance " << r.distance
                    << ", points off by " << double(point) << ", support by "
                    << double(support) << ", a depth smaller by "
                    << double(depth);
    }
  }
  return r.distance;
}

void PrintErrors(const std::map<std::string, Errors>& errors, int num_bad,
                 int num_pairs) {
  if (!std::getenv("WYVERN_CONVEX_PAIRS")) return;
  for (const auto& [name, e] : errors) {
    std::printf("%-24s %8d  points %.1e  support %.1e  depth %.1e\n",
                name.c_str(), e.pairs, e.point, e.support, e.depth);
  }
  std::printf("%d of %d are off\n", num_bad, num_pairs);
}

TEST(ConvexPairs, AnswersComeWithTheirProof) {
  Pairs random;
  std::map<std::string, Errors> errors;
  const int num_pairs = NumPairs();
  int num_bad = 0, num_apart = 0;
  for (int i = 0; i < num_pairs; ++i) {
    Case pair = NextCase(&random);
    if (CheckCase(i, &pair, &errors, &num_bad) >= 0) ++num_apart;
  }
  EXPECT_EQ(num_bad, 0);
  EXPECT_GT(num_apart, num_pairs / 10);
  EXPECT_LT(num_apart, num_pairs / 2);
  PrintErrors(errors, num_bad, num_pairs);
}

TEST(ConvexPairs, DegenerateOnesComeWithTheirProof) {
  Pairs random;
  std::map<std::string, Errors> errors;
  const int num_pairs = NumPairs() / 5;
  int num_bad = 0, num_apart = 0;
  for (int i = 0; i < num_pairs; ++i) {
    Case pair = NextDegenerateCase(i, &random);
    if (CheckCase(i, &pair, &errors, &num_bad) >= 0) ++num_apart;
  }
  EXPECT_EQ(num_bad, 0);
  EXPECT_GT(num_apart, num_pairs / 10);
  EXPECT_LT(num_apart, num_pairs / 2);
  PrintErrors(errors, num_bad, num_pairs);
}

// A direction that has parted a pair, a little beside by now, tells no more
// than the search does: pairs that it parts are apart by it, in every way.
TEST(ConvexPairs, WhatADirectionPartsTheSearchFindsApart) {
  Pairs random;
  int num_parted = 0, num_clear = 0;
  for (int i = 0; i < NumPairs(); ++i) {
    Case pair = NextCase(&random);
    const CollisionShape &A = pair.A, &B = pair.B;
    if (HasClosedForm(A, B)) continue;
    const auto before = CalcShapeDistance(A, pair.X_WA, B, pair.X_WB);
    const double size = Solid(A, pair.X_WA).size() + Solid(B, pair.X_WB).size();
    double gap = before.distance;
    if (!std::isnan(pair.overlap)) {
      // Apart by as little as the overlap, and by less than rounding.
      gap = random.Chance(0.1) ? 1e-10 : pair.overlap;
      pair.X_WB.set_translation(pair.X_WB.translation() +
                                (before.distance - gap) * before.nhat_BA_W);
    }
    const double reach = random.Chance(0.5) ? 0 : 0.01 * size;
    const double tilt = std::exp(random.Scalar(-25, 0));
    for (const Vector3d& u :
         {before.nhat_BA_W,
          Vector3d((before.nhat_BA_W + random.Vector(tilt)).normalized())}) {
      if (!AreApartAlong(A, pair.X_WA, B, pair.X_WB, u, reach)) continue;
      ++num_parted;
      ASSERT_GT(CalcShapeDistance(A, pair.X_WA, B, pair.X_WB).distance, reach)
          << i;
      ContactManifold<double> manifold;
      manifold.reach = reach;
      CalcContactManifold(A, pair.X_WA, B, pair.X_WB, &manifold);
      ASSERT_EQ(manifold.size, 0) << i;
    }
    // Not by chance: where they are clearly apart, the normal shows it.
    if (gap > reach + 1e-6 * size) {
      ++num_clear;
      EXPECT_TRUE(
          AreApartAlong(A, pair.X_WA, B, pair.X_WB, before.nhat_BA_W, reach))
          << i;
    }
  }
  EXPECT_GT(num_parted, NumPairs() / 20);
  EXPECT_GT(num_clear, NumPairs() / 20);
}

// Pairs of a million that once were wrong: segments that nearly cross, a
// simplex that no longer shrinks, thin faces, faces left out that hid a smaller
// depth, rings of directions around a common axis, and rims that nearly touch
// an edge or another rim.
TEST(ConvexPairs, RareOnesToo) {
  Pairs random;
  std::map<std::string, Errors> errors;
  int num_bad = 0, next = 0;
  for (const int wanted :
       {50603,  55527,  68240,  74156,  93137,  148826, 154627, 161749, 171869,
        182306, 183024, 185008, 221678, 232869, 238984, 316040, 324020, 337120,
        349318, 369980, 389740, 390732, 394176, 451988, 454447, 473631, 491258,
        499374, 521538, 539548, 541477, 541635, 546681, 569023, 667599, 671310,
        679370, 697175, 699526, 785834, 788436, 789306, 799308, 812223, 835712,
        840061, 846871, 870721, 884421, 900028, 907389, 910367, 930677, 936157,
        936277, 981900, 983960, 998277}) {
    for (; next < wanted; ++next) NextCase(&random);
    Case pair = NextCase(&random);
    CheckCase(next++, &pair, &errors, &num_bad);
  }
  EXPECT_EQ(num_bad, 0);
}

}  // namespace
}  // namespace wyvern::geometry::internal
