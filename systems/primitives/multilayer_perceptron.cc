#include "wyvern/systems/primitives/multilayer_perceptron.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/primitives/overflow_check.h"

/* All weights and biases are one vector, and those of a layer are views into
it, found by where it starts. Inputs become features, angles as sine and
cosine; a pass forward keeps the output and the slope of each layer, a column
for each sample; passes backward multiply by slopes and transposed weights.
The gradient by parameters has the layout of the parameters, and is written
by the same SetWeights() and SetBiases(). The gradient by inputs goes on
through sine and cosine. ReLU counts as flat at zero. */

namespace wyvern::systems {

namespace {

constexpr char kWho[] = "MultilayerPerceptron";

const std::vector<int>& RequireLayers(const std::vector<int>& layers) {
  if (layers.size() < 2 ||
      std::any_of(layers.begin(), layers.end(), [](int n) { return n < 1; })) {
    throw std::logic_error(fmt::format(
        "{}: {} layers with {} or more neurons each; give the input and at "
        "least one more, none of them empty.",
        kWho, layers.size(),
        layers.empty() ? 0 : *std::min_element(layers.begin(), layers.end())));
  }
  return layers;
}

// Linear in the last layer.
std::vector<PerceptronActivationType> HiddenActivations(
    const std::vector<int>& layers, PerceptronActivationType type) {
  std::vector<PerceptronActivationType> result(RequireLayers(layers).size() - 1,
                                               type);
  result.back() = kIdentity;
  return result;
}

std::vector<bool> NoSines(const std::vector<int>& layers) {
  return std::vector<bool>(RequireLayers(layers)[0], false);
}

// Returns the layers after the input. The sizes are checked here, too, because
// the order in which a constructor's arguments are evaluated is unspecified.
std::vector<int> WithoutInput(const std::vector<int>& layers) {
  RequireLayers(layers);
  return {layers.begin() + 1, layers.end()};
}

// The activation of x, and its derivative.
template <typename T>
std::pair<T, T> Activate(PerceptronActivationType type, const T& x) {
  using std::tanh;
  switch (type) {
    case kReLU:
      return x > 0 ? std::pair<T, T>{x, T(1.0)}
                   : std::pair<T, T>{T(0.0), T(0.0)};
    case kTanh: {
      const T y = tanh(x);
      return {y, T(1.0 - y * y)};
    }
    case kIdentity:
      break;
  }
  return {x, T(1.0)};
}

}  // namespace

template <typename T>
MultilayerPerceptron<T>::MultilayerPerceptron(
    const std::vector<int>& layers, PerceptronActivationType activation_type)
    : MultilayerPerceptron(layers, HiddenActivations(layers, activation_type)) {
}

template <typename T>
MultilayerPerceptron<T>::MultilayerPerceptron(
    const std::vector<int>& layers,
    const std::vector<PerceptronActivationType>& activation_types)
    : MultilayerPerceptron(NoSines(layers), WithoutInput(layers),
                           activation_types) {}

template <typename T>
MultilayerPerceptron<T>::MultilayerPerceptron(
    const std::vector<bool>& use_sin_cos_for_input,
    const std::vector<int>& remaining_layers,
    const std::vector<PerceptronActivationType>& activation_types)
    : LeafSystem<T>(SystemTypeTag<MultilayerPerceptron>{}),
      use_sin_cos_for_input_(use_sin_cos_for_input),
      layers_{static_cast<int>(use_sin_cos_for_input.size() +
                               std::count(use_sin_cos_for_input.begin(),
                                          use_sin_cos_for_input.end(), true))},
      activation_types_(activation_types) {
  layers_.insert(layers_.end(), remaining_layers.begin(),
                 remaining_layers.end());
  RequireLayers(layers_);
  wyvern::internal::RequireSize(kWho, "the number of activation types",
                                num_weights(),
                                static_cast<int>(layers_.size()) - 1);
  int64_t num_parameters = 0;
  for (int i = 0; i < num_weights(); ++i) {
    num_parameters += int64_t{layers_[i + 1]} * (int64_t{layers_[i]} + 1);
    wyvern::internal::RequireAtLeast(kWho, "the number of parameters",
                                     num_parameters, 0);
  }
  for (int i = 0; i < num_weights(); ++i) {
    weights_start_.push_back(num_parameters_);
    biases_start_.push_back(num_parameters_ + layers_[i + 1] * layers_[i]);
    num_parameters_ += layers_[i + 1] * (layers_[i] + 1);
  }
  this->DeclareNumericParameter(
      BasicVector<T>(VectorX<T>::Zero(num_parameters_)));
  this->DeclareVectorInputPort("x",
                               static_cast<int>(use_sin_cos_for_input_.size()));
  this->DeclareVectorOutputPort(
      "y", layers_.back(), &MultilayerPerceptron<T>::CalcOutput,
      {this->all_input_ports_ticket(), this->all_parameters_ticket()});
}

template <typename T>
void MultilayerPerceptron<T>::RequireLayer(const char* function,
                                           int layer) const {
  if (layer < 0 || layer >= num_weights()) {
    throw std::out_of_range(
        fmt::format("{}::{}(): layer {} was asked of a network that has {}, "
                    "counted from 0.",
                    kWho, function, layer, num_weights()));
  }
}

template <typename T>
PerceptronActivationType MultilayerPerceptron<T>::activation_type(
    int layer) const {
  RequireLayer("activation_type", layer);
  return activation_types_[layer];
}

// Parameters.

template <typename T>
const VectorX<T>& MultilayerPerceptron<T>::GetParameters(
    const Context<T>& context) const {
  this->ValidateContext(context);
  return context.get_numeric_parameter(0).value();
}

template <typename T>
Eigen::VectorBlock<VectorX<T>> MultilayerPerceptron<T>::GetMutableParameters(
    Context<T>* context) const {
  this->ValidateContext(context);
  return context->get_mutable_numeric_parameter(0).get_mutable_value();
}

template <typename T>
void MultilayerPerceptron<T>::SetParameters(
    Context<T>* context, const Eigen::Ref<const VectorX<T>>& params) const {
  wyvern::internal::RequireSize("MultilayerPerceptron::SetParameters()",
                                "params", params.size(), num_parameters_);
  GetMutableParameters(context) = params;
}

template <typename T>
void MultilayerPerceptron<T>::SetRandomParameters(
    const Context<T>&, Parameters<T>* parameters,
    RandomGenerator* generator) const {
  auto params =
      parameters->get_mutable_numeric_parameter(0).get_mutable_value();
  for (int i = 0; i < num_weights(); ++i) {
    const double range = 1 / std::sqrt(layers_[i]);
    std::uniform_real_distribution<double> uniform(-range, range);
    for (int k = 0; k < layers_[i + 1] * (layers_[i] + 1); ++k) {
      params[weights_start_[i] + k] = uniform(*generator);
    }
  }
}

template <typename T>
Eigen::Map<const MatrixX<T>> MultilayerPerceptron<T>::GetWeights(
    const Eigen::Ref<const VectorX<T>>& params, int layer) const {
  RequireLayer("GetWeights", layer);
  wyvern::internal::RequireSize("MultilayerPerceptron::GetWeights()", "params",
                                params.size(), num_parameters_);
  return {params.data() + weights_start_[layer], layers_[layer + 1],
          layers_[layer]};
}

template <typename T>
Eigen::Map<const VectorX<T>> MultilayerPerceptron<T>::GetBiases(
    const Eigen::Ref<const VectorX<T>>& params, int layer) const {
  RequireLayer("GetBiases", layer);
  wyvern::internal::RequireSize("MultilayerPerceptron::GetBiases()", "params",
                                params.size(), num_parameters_);
  return {params.data() + biases_start_[layer], layers_[layer + 1]};
}

template <typename T>
Eigen::Map<const MatrixX<T>> MultilayerPerceptron<T>::GetWeights(
    const Context<T>& context, int layer) const {
  return GetWeights(Eigen::Ref<const VectorX<T>>(GetParameters(context)),
                    layer);
}

template <typename T>
Eigen::Map<const VectorX<T>> MultilayerPerceptron<T>::GetBiases(
    const Context<T>& context, int layer) const {
  return GetBiases(Eigen::Ref<const VectorX<T>>(GetParameters(context)), layer);
}

template <typename T>
void MultilayerPerceptron<T>::SetWeights(
    EigenPtr<VectorX<T>> params, int layer,
    const Eigen::Ref<const MatrixX<T>>& W) const {
  constexpr char kSetWeights[] = "MultilayerPerceptron::SetWeights()";
  RequireLayer("SetWeights", layer);
  wyvern::internal::RequireSize(
      kSetWeights, "params",
      params == nullptr ? 0 : static_cast<int>(params->size()),
      num_parameters_);
  wyvern::internal::RequireSize(kSetWeights, "the number of rows of W",
                                W.rows(), layers_[layer + 1]);
  wyvern::internal::RequireSize(kSetWeights, "the number of columns of W",
                                W.cols(), layers_[layer]);
  params->segment(weights_start_[layer], W.size()) = W.reshaped();
}

template <typename T>
void MultilayerPerceptron<T>::SetBiases(
    EigenPtr<VectorX<T>> params, int layer,
    const Eigen::Ref<const VectorX<T>>& b) const {
  constexpr char kSetBiases[] = "MultilayerPerceptron::SetBiases()";
  RequireLayer("SetBiases", layer);
  wyvern::internal::RequireSize(
      kSetBiases, "params",
      params == nullptr ? 0 : static_cast<int>(params->size()),
      num_parameters_);
  wyvern::internal::RequireSize(kSetBiases, "b", b.size(), layers_[layer + 1]);
  params->segment(biases_start_[layer], b.size()) = b;
}

template <typename T>
void MultilayerPerceptron<T>::SetWeights(
    Context<T>* context, int layer,
    const Eigen::Ref<const MatrixX<T>>& W) const {
  auto params = GetMutableParameters(context);
  SetWeights(&params, layer, W);
}

template <typename T>
void MultilayerPerceptron<T>::SetBiases(
    Context<T>* context, int layer,
    const Eigen::Ref<const VectorX<T>>& b) const {
  auto params = GetMutableParameters(context);
  SetBiases(&params, layer, b);
}

// Evaluation.

template <typename T>
void MultilayerPerceptron<T>::RequireInputs(
    const char* function, const Eigen::Ref<const MatrixX<T>>& X) const {
  if (X.rows() != static_cast<int>(use_sin_cos_for_input_.size())) {
    throw std::logic_error(fmt::format(
        "{}::{}(): X has {} rows; the network takes {} inputs, a column each.",
        kWho, function, X.rows(), use_sin_cos_for_input_.size()));
  }
}

template <typename T>
MatrixX<T> MultilayerPerceptron<T>::CalcFeatures(
    const Eigen::Ref<const MatrixX<T>>& X) const {
  using std::cos;
  using std::sin;
  MatrixX<T> features(layers_[0], X.cols());
  int row = 0;
  for (int i = 0; i < X.rows(); ++i) {
    if (!use_sin_cos_for_input_[i]) {
      features.row(row++) = X.row(i);
      continue;
    }
    for (int j = 0; j < X.cols(); ++j) {
      features(row, j) = sin(X(i, j));
      features(row + 1, j) = cos(X(i, j));
    }
    row += 2;
  }
  return features;
}

template <typename T>
std::vector<typename MultilayerPerceptron<T>::Activity>
MultilayerPerceptron<T>::CalcActivities(const VectorX<T>& params,
                                        const MatrixX<T>& features) const {
  std::vector<Activity> activities(num_weights());
  for (int i = 0; i < num_weights(); ++i) {
    Activity& activity = activities[i];
    activity.output =
        GetWeights(params, i) * (i == 0 ? features : activities[i - 1].output);
    activity.output.colwise() += VectorX<T>(GetBiases(params, i));
    activity.slope.resizeLike(activity.output);
    for (int k = 0; k < activity.output.size(); ++k) {
      T& x = activity.output.data()[k];
      std::tie(x, activity.slope.data()[k]) =
          Activate(activation_types_[i], T(x));
    }
  }
  return activities;
}

template <typename T>
void MultilayerPerceptron<T>::CalcOutput(const Context<T>& context,
                                         BasicVector<T>* y) const {
  const VectorX<T>& x = this->get_input_port().Eval(context);
  y->SetFromVector(
      CalcActivities(GetParameters(context), CalcFeatures(x)).back().output);
  internal::RequireNoOverflow(*this, context, *y);
}

// The loss' gradient by the sums of the last layer is that by its outputs times
// the slopes; by those of layer i - 1 it is slope_(i-1) * W_i' of that of layer
// i. The gradients by W_i and b_i are that of layer i times x_i', and its sum.
template <typename T>
T MultilayerPerceptron<T>::Backpropagation(
    const Context<T>& context, const Eigen::Ref<const MatrixX<T>>& X,
    const ScalarLossFunction& loss, EigenPtr<VectorX<T>> dloss_dparams) const {
  RequireInputs("Backpropagation", X);
  wyvern::internal::RequireSize(
      "MultilayerPerceptron::Backpropagation()", "dloss_dparams",
      dloss_dparams == nullptr ? 0 : static_cast<int>(dloss_dparams->size()),
      num_parameters_);
  const VectorX<T>& params = GetParameters(context);
  const MatrixX<T> features = CalcFeatures(X);
  const std::vector<Activity> activities = CalcActivities(params, features);
  MatrixX<T> gradient = MatrixX<T>::Zero(layers_.back(), X.cols());
  const T result = loss(activities.back().output, &gradient);
  for (int i = num_weights() - 1; i >= 0; --i) {
    gradient.array() *= activities[i].slope.array();
    const MatrixX<T>& input = i == 0 ? features : activities[i - 1].output;
    SetWeights(dloss_dparams, i, gradient * input.transpose());
    SetBiases(dloss_dparams, i, VectorX<T>(gradient.rowwise().sum()));
    gradient = MatrixX<T>(GetWeights(params, i).transpose() * gradient);
  }
  return result;
}

template <typename T>
T MultilayerPerceptron<T>::BackpropagationMeanSquaredError(
    const Context<T>& context, const Eigen::Ref<const MatrixX<T>>& X,
    const Eigen::Ref<const MatrixX<T>>& Y_desired,
    EigenPtr<VectorX<T>> dloss_dparams) const {
  if (Y_desired.rows() != layers_.back() || Y_desired.cols() != X.cols() ||
      X.cols() == 0) {
    throw std::logic_error(fmt::format(
        "{}::BackpropagationMeanSquaredError(): Y_desired is {} x {}; it must "
        "be {} x {}, a column for each of X, one at least.",
        kWho, Y_desired.rows(), Y_desired.cols(), layers_.back(), X.cols()));
  }
  const auto loss = [&](const Eigen::Ref<const MatrixX<T>>& Y,
                        EigenPtr<MatrixX<T>> dloss_dY) -> T {
    const double n = static_cast<double>(X.cols());
    const MatrixX<T> error = Y - Y_desired;
    *dloss_dY = (2.0 / n) * error;
    return error.squaredNorm() / n;
  };
  return Backpropagation(context, X, loss, dloss_dparams);
}

template <typename T>
void MultilayerPerceptron<T>::BatchOutput(const Context<T>& context,
                                          const Eigen::Ref<const MatrixX<T>>& X,
                                          EigenPtr<MatrixX<T>> Y,
                                          EigenPtr<MatrixX<T>> dYdX) const {
  RequireInputs("BatchOutput", X);
  if (Y == nullptr || Y->rows() != layers_.back() || Y->cols() != X.cols()) {
    throw std::logic_error(
        fmt::format("{}::BatchOutput(): Y does not fit; give one of {} x {}.",
                    kWho, layers_.back(), X.cols()));
  }
  const VectorX<T>& params = GetParameters(context);
  const auto activities = CalcActivities(params, CalcFeatures(X));
  *Y = activities.back().output;
  if (dYdX == nullptr) return;
  if (layers_.back() != 1 || dYdX->rows() != X.rows() ||
      dYdX->cols() != X.cols()) {
    throw std::logic_error(fmt::format(
        "{}::BatchOutput(): dYdX is {} x {} for {} outputs; gradients are for "
        "a single output, in the shape {} x {} of X.",
        kWho, dYdX->rows(), dYdX->cols(), layers_.back(), X.rows(), X.cols()));
  }
  MatrixX<T> gradient = MatrixX<T>::Ones(1, X.cols());
  for (int i = num_weights() - 1; i >= 0; --i) {
    gradient.array() *= activities[i].slope.array();
    gradient = MatrixX<T>(GetWeights(params, i).transpose() * gradient);
  }
  using std::cos;
  using std::sin;
  int row = 0;
  for (int i = 0; i < X.rows(); ++i) {
    if (!use_sin_cos_for_input_[i]) {
      dYdX->row(i) = gradient.row(row++);
      continue;
    }
    for (int j = 0; j < X.cols(); ++j) {
      (*dYdX)(i, j) =
          cos(X(i, j)) * gradient(row, j) - sin(X(i, j)) * gradient(row + 1, j);
    }
    row += 2;
  }
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::MultilayerPerceptron);
