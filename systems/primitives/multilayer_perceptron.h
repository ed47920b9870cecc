#pragma once

#include <functional>
#include <vector>

#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

/** Function that a layer of a MultilayerPerceptron applies to each sum. */
enum PerceptronActivationType {
  kIdentity,
  kReLU,  ///< max(0, x).
  kTanh,
};

/** A neural network of fully connected layers: x_(i+1) = s_i(W_i x_i + b_i).

Input port "x", output port "y", direct feedthrough. The weights and biases are
numeric parameter 0: for each layer W_i column by column, then b_i; zero by
default, and uniform in +-1/sqrt(number of inputs of the layer) in a random
Context. Layers count from 0; an index of none throws std::out_of_range. */
template <typename T>
class MultilayerPerceptron final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(MultilayerPerceptron);

  /** `layers`: numbers of inputs, of neurons in each hidden layer, and of
  outputs. One activation for all layers but the last, which is linear.
  @throws std::logic_error unless there are two numbers or more, all positive;
  so below. */
  explicit MultilayerPerceptron(
      const std::vector<int>& layers,
      PerceptronActivationType activation_type = kTanh);
  /** An activation for each layer. @throws std::logic_error also unless there
  are one less than `layers`. */
  MultilayerPerceptron(
      const std::vector<int>& layers,
      const std::vector<PerceptronActivationType>& activation_types);
  /** Inputs marked true, such as angles, come in as their sine and cosine: the
  number of features is layers()[0]. `remaining_layers` are those after it.
  @throws std::logic_error as above. */
  MultilayerPerceptron(
      const std::vector<bool>& use_sin_cos_for_input,
      const std::vector<int>& remaining_layers,
      const std::vector<PerceptronActivationType>& activation_types);
  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit MultilayerPerceptron(const MultilayerPerceptron<U>& other)
      : MultilayerPerceptron(other.use_sin_cos_for_input_,
                             {other.layers_.begin() + 1, other.layers_.end()},
                             other.activation_types_) {}

  /** Number of weights and biases of all layers. */
  int num_parameters() const { return num_parameters_; }
  /** Number of features, then of neurons in each layer; the last are
  outputs. */
  const std::vector<int>& layers() const { return layers_; }
  /** The activation of a layer. */
  PerceptronActivationType activation_type(int layer) const;

  /** @name All parameters
  @{ */
  /** All parameters, num_parameters() elements: a reference into `context`. */
  const VectorX<T>& GetParameters(const Context<T>& context) const;
  /** All parameters, to be changed: a view into `context`. */
  Eigen::VectorBlock<VectorX<T>> GetMutableParameters(
      Context<T>* context) const;
  /** Sets all parameters, num_parameters() elements.
  @throws std::logic_error on a wrong size. */
  void SetParameters(Context<T>* context,
                     const Eigen::Ref<const VectorX<T>>& params) const;
  void SetRandomParameters(const Context<T>& context, Parameters<T>* parameters,
                           RandomGenerator* generator) const final;
  /** @} */

  /** @name The parameters of a layer, in a Context or a vector of all
  The views refer to it. @throws std::logic_error on a wrong size.
  @{ */
  /** W_i in `context`. */
  Eigen::Map<const MatrixX<T>> GetWeights(const Context<T>& context,
                                          int layer) const;
  /** b_i in `context`. */
  Eigen::Map<const VectorX<T>> GetBiases(const Context<T>& context,
                                         int layer) const;
  /** W_i in `params`, num_parameters() elements. */
  Eigen::Map<const MatrixX<T>> GetWeights(
      const Eigen::Ref<const VectorX<T>>& params, int layer) const;
  /** b_i in `params`, num_parameters() elements. */
  Eigen::Map<const VectorX<T>> GetBiases(
      const Eigen::Ref<const VectorX<T>>& params, int layer) const;
  /** Sets W_i in `context`. */
  void SetWeights(Context<T>* context, int layer,
                  const Eigen::Ref<const MatrixX<T>>& W) const;
  /** Sets b_i in `context`. */
  void SetBiases(Context<T>* context, int layer,
                 const Eigen::Ref<const VectorX<T>>& b) const;
  /** Sets W_i in `params`, num_parameters() elements. */
  void SetWeights(EigenPtr<VectorX<T>> params, int layer,
                  const Eigen::Ref<const MatrixX<T>>& W) const;
  /** Sets b_i in `params`, num_parameters() elements. */
  void SetBiases(EigenPtr<VectorX<T>> params, int layer,
                 const Eigen::Ref<const VectorX<T>>& b) const;
  /** @} */

  /** Sets *dloss_dY, of the shape of Y, and returns the loss. */
  using ScalarLossFunction = std::function<T(
      const Eigen::Ref<const MatrixX<T>>& Y, EigenPtr<MatrixX<T>> dloss_dY)>;

  /** The loss of the outputs for inputs X, a column each, and its gradient by
  all parameters. @throws std::logic_error on sizes that do not fit. */
  T Backpropagation(const Context<T>& context,
                    const Eigen::Ref<const MatrixX<T>>& X,
                    const ScalarLossFunction& loss,
                    EigenPtr<VectorX<T>> dloss_dparams) const;
  /** Overload for the loss mean over columns of |Y - Y_desired|^2. */
  T BackpropagationMeanSquaredError(
      const Context<T>& context, const Eigen::Ref<const MatrixX<T>>& X,
      const Eigen::Ref<const MatrixX<T>>& Y_desired,
      EigenPtr<VectorX<T>> dloss_dparams) const;

  /** The outputs for inputs X, a column each; and, for a single output, its
  gradients by the inputs, in the shape of X.
  @throws std::logic_error on sizes that do not fit. */
  void BatchOutput(const Context<T>& context,
                   const Eigen::Ref<const MatrixX<T>>& X,
                   EigenPtr<MatrixX<T>> Y,
                   EigenPtr<MatrixX<T>> dYdX = nullptr) const;

 private:
  template <typename>
  friend class MultilayerPerceptron;

  // Output of a layer and its derivative by the layer's sums, one column for
  // each input.
  struct Activity {
    MatrixX<T> output;
    MatrixX<T> slope;
  };

  int num_weights() const { return static_cast<int>(activation_types_.size()); }
  void RequireLayer(const char* function, int layer) const;
  void RequireInputs(const char* function,
                     const Eigen::Ref<const MatrixX<T>>& X) const;
  MatrixX<T> CalcFeatures(const Eigen::Ref<const MatrixX<T>>& X) const;
  std::vector<Activity> CalcActivities(const VectorX<T>& params,
                                       const MatrixX<T>& features) const;
  void CalcOutput(const Context<T>& context, BasicVector<T>* y) const;

  const std::vector<bool> use_sin_cos_for_input_;
  std::vector<int> layers_;
  const std::vector<PerceptronActivationType> activation_types_;
  // Where in the parameters those of each layer start.
  std::vector<int> weights_start_;
  std::vector<int> biases_start_;
  int num_parameters_{0};
};

}  // namespace wyvern::systems
