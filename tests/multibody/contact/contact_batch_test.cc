// Contacts side by side are what their laws say one by one.
#include "wyvern/multibody/contact/contact_batch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/contact/random_contact.h"
#include "tests/support/near.h"
#include "tests/support/random_numbers.h"

namespace wyvern::multibody::internal {
namespace contact_batch_test {

using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using test::Near;
using Random = test::RandomNumbers;
using Law = ContactLaw<double>;

// Contacts whose rows are in another order than theirs, some with other numbers
// between; all numbers of rows are random.
struct Contacts {
  std::vector<Law> laws;
  std::vector<int> rows;
  VectorXd v, dv;
};

Contacts MakeContacts(int size, Random* random) {
  Contacts contacts;
  for (int i = 0; i < size; ++i) {
    const auto kind =
        random->Integer(0, 1) ? Law::Kind::kLagged : Law::Kind::kSimilar;
    contacts.laws.push_back(test::RandomContact(kind, random));
    contacts.laws.back().eps = std::pow(10, random->Uniform(-5, -1));
    contacts.rows.push_back(4 * (size - 1 - i) + i % 2);
  }
  contacts.v = random->Matrix(4 * size + 1, 1);
  contacts.dv = random->Matrix(4 * size + 1, 1);
  return contacts;
}

void Fill(const Contacts& contacts, ContactBatch* batch) {
  batch->Clear();
  for (std::size_t i = 0; i < contacts.laws.size(); ++i) {
    batch->Add(contacts.laws[i], contacts.rows[i]);
  }
}

Vector3d At(const VectorXd& by_row, int row) { return by_row.segment<3>(row); }

// Narrow and wide.
class Batches : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (GetParam() && !wyvern::internal::kHasWideRegisters) {
      GTEST_SKIP() << "The processor has no wide registers.";
    }
  }
  // Sizes that fill all lanes of a pack, some, or none, in memory used before.
  const std::vector<int> sizes_{0, 1, 2, 7, 3, 8, 5, 1, 4, 0, 40};
};

TEST_P(Batches, HaveTheImpulsesAndSlopesOfTheLaws) {
  Random random(1);
  ContactBatch batch(GetParam());
  int num_acting = 0;
  for (const int size : sizes_) {
    const Contacts contacts = MakeContacts(size, &random);
    Fill(contacts, &batch);
    ASSERT_EQ(batch.size(), size);
    const VectorXd nothing = VectorXd::Constant(contacts.v.size(), 7);
    for (const bool is_near : {false, true}) {
      batch.ResetFrictionDirections(contacts.v.data(), is_near);
      VectorXd g = nothing, g_2 = nothing;
      batch.CalcImpulses(contacts.v.data(), g.data());
      batch.CalcSlopes(contacts.v.data(), g_2.data());
      EXPECT_EQ(g, g_2);
      for (int i = 0; i < size; ++i) {
        const int row = contacts.rows[i];
        Vector3d impulse;
        Matrix3d slopes, G;
        contacts.laws[i].Calc(At(contacts.v, row), &impulse, &slopes);
        if (!is_near) {
          slopes = test::CalcSlopesByDirection(contacts.laws[i],
                                               At(contacts.v, row), {0, 0});
        }
        EXPECT_TRUE(Near(At(g, row), impulse, 1e-13 * impulse.norm()));
        EXPECT_EQ(batch.GetSlopes(i, &G), !slopes.isZero(0));
        EXPECT_TRUE(Near(G, slopes, 1e-13 * slopes.norm()));
        num_acting += impulse[2] > 0;
        g.segment<3>(row).setConstant(7);
      }
      EXPECT_EQ(g, nothing);  // Other rows are left alone.
    }
  }
  EXPECT_GT(num_acting, 20);
}

TEST_P(Batches, SumUpAlongALine) {
  Random random(2);
  ContactBatch batch(GetParam());
  for (const int size : sizes_) {
    const Contacts contacts = MakeContacts(size, &random);
    Fill(contacts, &batch);
    batch.StartLine(contacts.v.data(), contacts.dv.data());
    const double alpha = random.Uniform(0, 1.5);
    double impulse = 3, curvature = 5, all = 8;
    double line_impulse = impulse, line_curvature = curvature;
    for (int i = 0; i < size; ++i) {
      const Vector3d v = At(contacts.v, contacts.rows[i]);
      const Vector3d dv = At(contacts.dv, contacts.rows[i]);
      double slope;
      const double along =
          contacts.laws[i].CalcAlong(v + alpha * dv, dv, &slope);
      impulse += along;
      curvature += slope;
      all += std::abs(along) + std::abs(slope);
    }
    batch.AddAlong(alpha, &line_impulse, &line_curvature);
    EXPECT_NEAR(line_impulse, impulse, 1e-13 * all) << size;
    EXPECT_NEAR(line_curvature, curvature, 1e-13 * all) << size;
  }
}

// Slopes after a step are those by the direction that the step leaves.
TEST_P(Batches, MoveTheirDirections) {
  Random random(3);
  ContactBatch batch(GetParam());
  int num_long = 0;
  for (const int size : sizes_) {
    const Contacts contacts = MakeContacts(size, &random);
    Fill(contacts, &batch);
    batch.ResetFrictionDirections(contacts.v.data(), true);
    batch.StartLine(contacts.v.data(), contacts.dv.data());
    const double alpha = random.Uniform(0, 1.5);
    batch.UpdateFrictionDirections(alpha);
    VectorXd g = contacts.v;
    batch.CalcSlopes(contacts.v.data(), g.data());
    for (int i = 0; i < size; ++i) {
      const Law& law = contacts.laws[i];
      const Vector3d v = At(contacts.v, contacts.rows[i]);
      const Vector2d v_t = v.head<2>();
      const Vector2d dv_t = alpha * At(contacts.dv, contacts.rows[i]).head<2>();
      const double s = std::hypot(v_t.norm(), law.eps);
      Vector2d w = v_t / s;
      w = (v_t + dv_t - w * (v_t.dot(dv_t) / s)) / s;
      num_long += w.norm() > 1;
      w /= std::max(1.0, w.norm());
      const Matrix3d slopes = test::CalcSlopesByDirection(law, v, w);
      Matrix3d G;
      batch.GetSlopes(i, &G);
      EXPECT_TRUE(Near(G, slopes, 1e-12 * slopes.norm())) << size << " " << i;
    }
  }
  EXPECT_GT(num_long, 5);
}

TEST_P(Batches, DoNotHideAVelocityThatIsNoNumber) {
  Random random(4);
  for (int i = 0; i < 3; ++i) {
    ContactBatch batch(GetParam());
    Contacts contacts = MakeContacts(1, &random);
    contacts.laws[0].kind = Law::Kind::kSimilar;
    contacts.v[contacts.rows[0] + i] = std::numeric_limits<double>::quiet_NaN();
    Fill(contacts, &batch);
    batch.StartLine(contacts.v.data(), contacts.dv.data());
    double impulse = 0, curvature = 0;
    batch.AddAlong(0.5, &impulse, &curvature);
    EXPECT_TRUE(std::isnan(impulse)) << i;
    VectorXd g = contacts.v;
    batch.CalcImpulses(contacts.v.data(), g.data());
    EXPECT_FALSE(At(g, contacts.rows[0]).allFinite()) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Registers, Batches, ::testing::Bool());

// Bits do not depend on the registers, nor on which contacts are beside one.
TEST(ContactBatch, AreTheSameByTwosAndByFours) {
  if (!wyvern::internal::kHasWideRegisters) {
    GTEST_SKIP() << "The processor has no wide registers.";
  }
  Random random(5);
  for (const int size : {1, 2, 3, 4, 5, 11}) {
    const Contacts contacts = MakeContacts(size, &random);
    ContactBatch narrow(false), wide(true), single;
    VectorXd g[2] = {contacts.v, contacts.v};
    double impulse[2]{}, curvature[2]{};
    ContactBatch* const both[] = {&narrow, &wide};
    for (int k = 0; k < 2; ++k) {
      Fill(contacts, both[k]);
      both[k]->ResetFrictionDirections(contacts.v.data(), true);
      both[k]->StartLine(contacts.v.data(), contacts.dv.data());
      both[k]->UpdateFrictionDirections(0.7);
      both[k]->CalcSlopes(contacts.v.data(), g[k].data());
      both[k]->AddAlong(0.7, &impulse[k], &curvature[k]);
    }
    EXPECT_EQ(g[0], g[1]);
    EXPECT_EQ(impulse[0], impulse[1]);
    EXPECT_EQ(curvature[0], curvature[1]);
    for (int i = 0; i < size; ++i) {
      Matrix3d G[3];
      narrow.GetSlopes(i, &G[0]);
      wide.GetSlopes(i, &G[1]);
      single.Clear();
      single.Add(contacts.laws[i], contacts.rows[i]);
      single.ResetFrictionDirections(contacts.v.data(), true);
      single.StartLine(contacts.v.data(), contacts.dv.data());
      single.UpdateFrictionDirections(0.7);
      single.CalcSlopes(contacts.v.data(), g[1].data());
      single.GetSlopes(0, &G[2]);
      EXPECT_EQ(G[0], G[1]);
      EXPECT_EQ(G[0], G[2]);
    }
    EXPECT_EQ(g[0], g[1]);
  }
}

}  // namespace contact_batch_test
}  // namespace wyvern::multibody::internal
