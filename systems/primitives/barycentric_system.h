#pragma once

#include "wyvern/systems/common/math/barycentric.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** y = f(u), interpolated between values at the points of a mesh; see
math::BarycentricMesh.

Input port u0 (mesh.get_input_size()), output port y0 (rows of output_values),
direct feedthrough. */
template <typename T>
class BarycentricMeshSystem final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(BarycentricMeshSystem);

  /** `output_values`: a column for each mesh point.
  @throws std::logic_error if there are more or fewer, or one is not finite. */
  BarycentricMeshSystem(math::BarycentricMesh<T> mesh,
                        const Eigen::Ref<const MatrixX<T>>& output_values);
  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit BarycentricMeshSystem(const BarycentricMeshSystem<U>& other);

  /** The mesh that was given to the constructor. */
  const math::BarycentricMesh<T>& get_mesh() const { return mesh_; }
  /** The values of f at the mesh points, one a column. */
  const MatrixX<T>& get_output_values() const { return output_values_; }

 private:
  void CalcOutput(const Context<T>& context, BasicVector<T>* y) const;

  const math::BarycentricMesh<T> mesh_;
  const MatrixX<T> output_values_;
};

}  // namespace wyvern::systems
