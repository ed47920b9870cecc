#pragma once

/** @file What functions on a plant ask of vectors. `function` is who asks,
without its parentheses; `what` names the argument. */

#include <string_view>

#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

/** @throws std::logic_error if the size is not the wanted one. */
void RequireEntries(std::string_view function, std::string_view what,
                    Eigen::Index size, Eigen::Index wanted);

/** @throws std::logic_error if a vector for results is null or of another
size. */
template <typename T>
void RequireResult(std::string_view function, std::string_view what,
                   const EigenPtr<VectorX<T>>& result, Eigen::Index wanted);

/** The first entry that is not finite; -1 if all are. */
template <typename T>
int FindNotFinite(const Eigen::Ref<const VectorX<T>>& values);

/** @throws std::logic_error naming an entry that is not finite. */
template <typename T>
void RequireFiniteEntries(std::string_view function, std::string_view what,
                          const Eigen::Ref<const VectorX<T>>& values);

}  // namespace wyvern::multibody::internal
