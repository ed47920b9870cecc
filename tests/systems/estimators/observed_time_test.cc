/** @file Estimators of a System that depends on time and has a parameter. */

#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "tests/systems/estimators/observed_systems.h"
#include "wyvern/systems/estimators/extended_kalman_filter.h"
#include "wyvern/systems/estimators/luenberger_observer.h"
#include "wyvern/systems/estimators/unscented_kalman_filter.h"

namespace wyvern::systems::estimators {
namespace observed_time_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Filter = std::unique_ptr<GaussianStateObserver<double>>;

MatrixXd One(double x) { return MatrixXd::Constant(1, 1, x); }

// x' = -k x + cos t, or with a period x[n+1] = that; y = x + t.
template <typename T>
class Driven final : public LeafSystem<T> {
 public:
  explicit Driven(double period, double offset = 0)
      : LeafSystem<T>(SystemTypeTag<Driven>{}),
        period_(period),
        offset_(offset) {
    this->DeclareNumericParameter(BasicVector<T>({T(1)}));
    if (period > 0) {
      this->DeclareDiscreteState(1);
      this->DeclarePeriodicDiscreteUpdateEvent(period, offset, &Driven::Update);
    } else {
      this->DeclareContinuousState(1);
    }
    this->DeclareVectorOutputPort("y", 1, &Driven::CalcOutput);
  }
  template <typename U>
  explicit Driven(const Driven<U>& other)
      : Driven(other.period(), other.offset()) {}
  double period() const { return period_; }
  double offset() const { return offset_; }

 private:
  T StateOf(const Context<T>& context) const {
    return period_ > 0 ? context.get_discrete_state(0)[0]
                       : context.get_continuous_state()[0];
  }
  T CalcNext(const Context<T>& context) const {
    using std::cos;
    return -context.get_numeric_parameter(0)[0] * StateOf(context) +
           cos(context.get_time());
  }
  void DoCalcTimeDerivatives(const Context<T>& context,
                             ContinuousState<T>* derivatives) const final {
    if (period_ == 0) (*derivatives)[0] = CalcNext(context);
  }
  EventStatus Update(const Context<T>& context, DiscreteValues<T>* next) const {
    (*next)[0] = CalcNext(context);
    return EventStatus::Succeeded();
  }
  void CalcOutput(const Context<T>& context, BasicVector<T>* y) const {
    (*y)[0] = StateOf(context) + context.get_time();
  }

  const double period_;
  const double offset_;
};

std::vector<Filter> MakeFilters(double period, double offset,
                                double measurement_period,
                                double measurement_offset) {
  const auto model = std::make_shared<Driven<double>>(period, offset);
  const auto context = model->CreateDefaultContext();
  context->get_mutable_numeric_parameter(0)[0] = 3;
  const auto set = [&](auto options) {
    if (measurement_period > 0) {
      options.discrete_measurement_time_period = measurement_period;
      options.discrete_measurement_time_offset = measurement_offset;
    }
    return options;
  };
  std::vector<Filter> filters;
  filters.push_back(ExtendedKalmanFilter(*model, *context, One(0.2), One(0.1),
                                         set(ExtendedKalmanFilterOptions())));
  filters.push_back(UnscentedKalmanFilter(model, *context, One(0.2), One(0.1),
                                          set(UnscentedKalmanFilterOptions())));
  return filters;
}

constexpr double kTime = 0.7;
constexpr double kState = 0.5;

// A measurement that is as expected leaves the dynamics, here with k = 3.
TEST(ObservedTime, FiltersFollowTheModelInTime) {
  const double wanted = -3 * kState + std::cos(kTime);
  for (const double period : {0.0, 0.25}) {
    for (const Filter& filter : MakeFilters(period, 0, 0, 0)) {
      const auto context = test::MakeFilterContext(
          *filter, VectorXd(0), VectorXd::Constant(1, kState + kTime));
      context->SetTime(kTime);
      filter->SetStateEstimateAndCovariance(
          context.get(), VectorXd::Constant(1, kState), One(0.3));
      if (period > 0) {
        test::Update(*filter, context.get());
        EXPECT_NEAR(filter->GetStateEstimate(*context)[0], wanted, 1e-12);
      } else {
        EXPECT_NEAR(filter->EvalTimeDerivatives(*context)[0], wanted, 1e-12);
      }
    }
  }
}

TEST(ObservedTime, AnObserverFollowsTheModelInTime) {
  const auto model = std::make_shared<Driven<double>>(0);
  const auto model_context = model->CreateDefaultContext();
  model_context->get_mutable_numeric_parameter(0)[0] = 3;
  const LuenbergerObserver<double> observer(model, *model_context, One(2));
  const auto context = observer.CreateDefaultContext();
  observer.get_observed_system_output_input_port().FixValue(
      context.get(), VectorXd::Constant(1, kState + kTime));
  context->SetTimeAndContinuousState(kTime, VectorXd::Constant(1, kState));
  EXPECT_NEAR(observer.EvalTimeDerivatives(*context)[0],
              -3 * kState + std::cos(kTime), 1e-15);
}

// The first update, or measurement, is at the offset.
TEST(ObservedTime, FiltersAreUpdatedWithTheModelsOffset) {
  const auto next = [](const Filter& filter) {
    const auto context =
        test::MakeFilterContext(*filter, VectorXd(0), VectorXd::Zero(1));
    const auto events = filter->AllocateCompositeEventCollection();
    return filter->CalcNextUpdateTime(*context, events.get());
  };
  for (const Filter& filter : MakeFilters(0.25, 0.1, 0, 0)) {
    EXPECT_EQ(next(filter), 0.1);
  }
  for (const Filter& filter : MakeFilters(0, 0, 0.25, 0.1)) {
    EXPECT_EQ(next(filter), 0.1);
  }
}

}  // namespace observed_time_test
}  // namespace wyvern::systems::estimators
