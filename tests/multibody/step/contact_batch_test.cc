// Contacts side by side are what their laws say one by one.
#include "wyvern/multibody/step/laws/contact_batch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/step/random_contact.h"
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

// Numbers of contacts that fill packs, leave places, or are 0, in memory that
// was used before.
constexpr int kSizes[] = {0, 1, 2, 7, 3, 8, 5, 1, 4, 0, 40};

TEST(ContactBatch, HaveTheImpulsesAndSlopesOfTheLaws) {
  Random random(1);
  ContactBatch batch;
  int num_acting = 0;
  for (const int size : kSizes) {
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

TEST(ContactBatch, SumUpAlongALine) {
  Random random(2);
  ContactBatch batch;
  for (const int size : kSizes) {
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
TEST(ContactBatch, MoveTheirDirections) {
  Random random(3);
  ContactBatch batch;
  int num_long = 0;
  for (const int size : kSizes) {
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

TEST(ContactBatch, DoNotHideAVelocityThatIsNoNumber) {
  Random random(4);
  for (int i = 0; i < 3; ++i) {
    ContactBatch batch;
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

// The bits of a contact do not depend on those beside it.
TEST(ContactBatch, HasTheBitsOfEachContactAlone) {
  Random random(5);
  ContactBatch batch, single;
  const auto advance = [](const Contacts& contacts, ContactBatch* b) {
    b->ResetFrictionDirections(contacts.v.data(), true);
    b->StartLine(contacts.v.data(), contacts.dv.data());
    b->UpdateFrictionDirections(0.7);
    VectorXd g = contacts.v;
    b->CalcSlopes(contacts.v.data(), g.data());
    return g;
  };
  for (const int size : {1, 2, 3, 4, 5, 11}) {
    const Contacts contacts = MakeContacts(size, &random);
    Fill(contacts, &batch);
    const VectorXd g = advance(contacts, &batch);
    for (int i = 0; i < size; ++i) {
      single.Clear();
      single.Add(contacts.laws[i], contacts.rows[i]);
      const VectorXd g_i = advance(contacts, &single);
      EXPECT_EQ(At(g, contacts.rows[i]), At(g_i, contacts.rows[i]));
      Matrix3d G[2];
      batch.GetSlopes(i, &G[0]);
      single.GetSlopes(0, &G[1]);
      EXPECT_EQ(G[0], G[1]);
    }
  }
}

}  // namespace contact_batch_test
}  // namespace wyvern::multibody::internal
