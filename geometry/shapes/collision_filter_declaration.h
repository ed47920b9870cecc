#pragma once

#include <utility>
#include <vector>

#include "wyvern/geometry/shapes/geometry_set.h"

namespace wyvern::geometry {

/** Which geometries of a set a filter statement is about. */
enum class CollisionFilterScope {
  kAll,             ///< Rigid and deformable.
  kOmitDeformable,  ///< Rigid only.
};

/** Statements of pairs of geometries to exclude from collision or to allow
again, applied in the order they were made; see CollisionFilterManager. */
class CollisionFilterDeclaration {
 public:
  /** Effect of a statement on pairs. */
  enum class StatementOp {
    kExcludeWithin,
    kExcludeBetween,
    kAllowWithin,
    kAllowBetween,
  };
  /** One statement. */
  struct Statement {
    /** Effect of the statement. */
    StatementOp operation;
    /** The set, or the first of two. */
    GeometrySet set_A;
    /** Empty for statements about one set. */
    GeometrySet set_B;
  };

  CollisionFilterDeclaration() = default;
  /** Makes a declaration without statements about geometries of this scope. */
  explicit CollisionFilterDeclaration(CollisionFilterScope scope)
      : scope_(scope) {}

  /** No pair (a, b), a in A and b in B, collides. */
  CollisionFilterDeclaration& ExcludeBetween(GeometrySet set_A,
                                             GeometrySet set_B) {
    return Add(StatementOp::kExcludeBetween, std::move(set_A),
               std::move(set_B));
  }
  /** No pair of the set collides. */
  CollisionFilterDeclaration& ExcludeWithin(GeometrySet geometry_set) {
    return Add(StatementOp::kExcludeWithin, std::move(geometry_set), {});
  }
  /** Every pair (a, b), a in A and b in B, may collide again. */
  CollisionFilterDeclaration& AllowBetween(const GeometrySet& set_A,
                                           const GeometrySet& set_B) {
    return Add(StatementOp::kAllowBetween, set_A, set_B);
  }
  /** Every pair of the set may collide again. */
  CollisionFilterDeclaration& AllowWithin(const GeometrySet& geometry_set) {
    return Add(StatementOp::kAllowWithin, geometry_set, {});
  }

  /** Which geometries the statements are about. */
  CollisionFilterScope scope() const { return scope_; }
  /** The statements, in the order in which they were made. */
  const std::vector<Statement>& statements() const { return statements_; }

 private:
  CollisionFilterDeclaration& Add(StatementOp operation, GeometrySet set_A,
                                  GeometrySet set_B) {
    statements_.push_back({operation, std::move(set_A), std::move(set_B)});
    return *this;
  }

  CollisionFilterScope scope_{CollisionFilterScope::kAll};
  std::vector<Statement> statements_;
};

}  // namespace wyvern::geometry
