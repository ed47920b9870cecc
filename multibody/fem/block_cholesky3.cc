#include "wyvern/multibody/fem/block_cholesky3.h"

#include <algorithm>
#include <atomic>

#include "wyvern/multibody/fem/dissection.h"
#include "wyvern/multibody/kernels/dense_tiles.h"

/* The analysis orders the vertices by dissection, finds the elimination tree of
that order and puts it in postorder, counts the rows of each column, and
joins columns with the same rows below, and with nearly the same if they are
narrow, to panels (Davis, "Direct Methods for Sparse Linear Systems", 2006,
chapter 4). The vertices that are to be last are one panel, whose rows are
all dense.

Factoring goes over the panels from left to right. Each starts as the matrix,
takes off what earlier panels with rows among its columns say, in their
order, and is factored as a dense matrix. What arrives in the last panel
before it is factored is the Schur complement. */

namespace wyvern::multibody::fem::internal {
using wyvern::internal::ForEach;
using wyvern::internal::WorkerThreads;

namespace {

// Rows of a part of a panel, on which one thread works.
constexpr int kRowsOfPart = 32;
// Least pivot relative to its block: the rest must exceed rounding.
constexpr double kLeast = 1e-15;

}  // namespace

BlockCholesky3::BlockCholesky3(const BlockPattern* pattern)
    : pattern_(pattern) {}

void BlockCholesky3::Analyze(std::span<const char> is_fixed,
                             std::span<const int> last) {
  if (is_analyzed_ && std::ranges::equal(is_fixed, is_fixed_) &&
      std::ranges::equal(last, last_)) {
    return;
  }
  is_fixed_.assign(is_fixed.begin(), is_fixed.end());
  last_.assign(last.begin(), last.end());
  const int num_vertices = pattern_->num_vertices();
  place_.assign(num_vertices, 0);
  for (const int v : last_) place_[v] = 1;
  order_.clear();
  for (int v = 0; v < num_vertices; ++v) {
    if (!is_fixed_[v] && place_[v] == 0) order_.push_back(v);
  }
  num_inner_ = static_cast<int>(order_.size());
  OrderByDissection(*pattern_, &order_);
  order_.insert(order_.end(), last_.begin(), last_.end());
  FindParents();
  Postorder();
  CountRows();
  MakePanels();
  FindRows();
  FindUpdates();
  FindSubtrees();
  y_.resize(3 * order_.size());
  least_.resize(3 * order_.size());
  is_analyzed_ = true;
}

// Liu's algorithm: the parent of a column is its first row below the diagonal.
void BlockCholesky3::FindParents() {
  const int n = static_cast<int>(order_.size());
  std::ranges::fill(place_, -1);
  for (int k = 0; k < n; ++k) place_[order_[k]] = k;
  parent_.assign(n, -1);
  ancestor_.assign(n, -1);
  for (int k = 0; k < n; ++k) {
    for (const auto& neighbour : pattern_->neighbours(order_[k])) {
      int i = place_[neighbour.vertex];
      while (i >= 0 && i < k) {
        const int next = ancestor_[i];
        ancestor_[i] = k;
        if (next < 0) parent_[i] = k;
        i = next;
      }
    }
  }
}

// So that a column's descendants are next to it.
void BlockCholesky3::Postorder() {
  // Children by their parent; of those without one among the inner, of none.
  std::vector<int>& first_child = mark_;
  first_child.assign(num_inner_ + 1, -1);
  next_.assign(num_inner_, -1);
  const auto parent_of = [this](int k) {
    return parent_[k] < 0 || parent_[k] >= num_inner_ ? num_inner_ : parent_[k];
  };
  for (int k = num_inner_ - 1; k >= 0; --k) {
    next_[k] = first_child[parent_of(k)];
    first_child[parent_of(k)] = k;
  }
  std::vector<int>& new_place = ancestor_;
  int num_done = 0;
  stack_.assign(1, num_inner_);
  while (!stack_.empty()) {
    const int k = stack_.back();
    const int child = first_child[k];
    if (child >= 0) {
      first_child[k] = next_[child];
      stack_.push_back(child);
      continue;
    }
    stack_.pop_back();
    if (k < num_inner_) new_place[k] = num_done++;
  }
  count_.assign(order_.begin(), order_.begin() + num_inner_);
  next_.assign(parent_.begin(), parent_.begin() + num_inner_);
  for (int k = 0; k < num_inner_; ++k) {
    const int place = new_place[k];
    order_[place] = count_[k];
    place_[count_[k]] = place;
    const bool is_inner = next_[k] >= 0 && next_[k] < num_inner_;
    parent_[place] = is_inner ? new_place[next_[k]] : next_[k];
  }
}

// Row k of the factor has a block in each column on the ways from its
// neighbours to k in the tree.
void BlockCholesky3::CountRows() {
  const int n = static_cast<int>(order_.size());
  count_.assign(num_inner_, 1);
  mark_.assign(n, -1);
  for (int k = 0; k < n; ++k) {
    mark_[k] = k;
    for (const auto& neighbour : pattern_->neighbours(order_[k])) {
      int i = place_[neighbour.vertex];
      while (i >= 0 && i < std::min(k, num_inner_) && mark_[i] != k) {
        mark_[i] = k;
        ++count_[i];
        i = parent_[i];
      }
    }
  }
}

namespace {

// Whether a panel so wide, in vertices, may have so large a share of zeros.
bool IsWorthIt(int width, double share) {
  if (width <= 4) return true;
  if (width <= 12) return share < 0.4;
  if (width <= 24) return share < 0.1;
  return share < 0.03;
}

}  // namespace

void BlockCholesky3::MakePanels() {
  panels_.clear();
  std::vector<int>& num_zeros = stack_;  // Of each panel.
  num_zeros.clear();
  for (int k = 0; k < num_inner_;) {
    Panel panel;
    panel.first = k;
    panel.num_rows = count_[k];
    for (++k; k < num_inner_ && parent_[k - 1] == k &&
              count_[k - 1] == count_[k] + 1;) {
      ++k;
    }
    panel.end = k;
    int zeros = 0;
    // The child before it.
    while (!panels_.empty()) {
      const Panel& child = panels_.back();
      const int up = parent_[child.end - 1];
      if (up < panel.first || up >= panel.end) break;
      const int width = panel.end - child.first;
      const int height = child.end - child.first + panel.num_rows;
      const int with = zeros + num_zeros.back() +
                       (child.end - child.first) * (height - child.num_rows);
      const double all = width * height - 0.5 * width * (width - 1);
      if (!IsWorthIt(width, with / all)) break;
      panel.first = child.first;
      panel.num_rows = height;
      zeros = with;
      panels_.pop_back();
      num_zeros.pop_back();
    }
    panels_.push_back(panel);
    num_zeros.push_back(zeros);
  }
  const int n = static_cast<int>(order_.size());
  if (n > num_inner_) {
    Panel& panel = panels_.emplace_back();
    panel.first = num_inner_;
    panel.end = n;
  }
  panel_of_.resize(n);
  for (std::size_t p = 0; p < panels_.size(); ++p) {
    for (int k = panels_[p].first; k < panels_[p].end; ++k) {
      panel_of_[k] = static_cast<int>(p);
    }
  }
}

namespace {

// With something to spare for the next time; old values are not kept.
void Grow(std::int64_t size, std::vector<double>* values) {
  if (static_cast<std::int64_t>(values->size()) >= size) return;
  values->clear();
  values->resize(size + size / 8);
}

}  // namespace

// Finds the rows of each panel: the rows of the matrix, and of the panels whose
// first row below is among the panel's columns.
void BlockCholesky3::FindRows() {
  const int num_panels = static_cast<int>(panels_.size());
  std::vector<int>& first_child = stack_;
  first_child.assign(num_panels, -1);
  next_.assign(num_panels, -1);
  mark_.assign(order_.size(), -1);
  rows_.clear();
  num_factor_blocks_ = 0;
  std::int64_t size = 0;
  for (int p = 0; p < num_panels; ++p) {
    Panel& panel = panels_[p];
    panel.row = static_cast<int>(rows_.size());
    for (int k = panel.first; k < panel.end; ++k) rows_.push_back(k);
    const auto add = [&](int place) {
      if (place < panel.end || mark_[place] == p) return;
      mark_[place] = p;
      rows_.push_back(place);
    };
    for (int k = panel.first; k < panel.end; ++k) {
      for (const auto& neighbour : pattern_->neighbours(order_[k])) {
        add(place_[neighbour.vertex]);
      }
    }
    for (int c = first_child[p]; c >= 0; c = next_[c]) {
      const Panel& child = panels_[c];
      for (int i = child.end - child.first; i < child.num_rows; ++i) {
        add(rows_[child.row + i]);
      }
    }
    const int num_columns = panel.end - panel.first;
    std::sort(rows_.begin() + panel.row + num_columns, rows_.end());
    panel.num_rows = static_cast<int>(rows_.size()) - panel.row;
    panel.value = size;
    num_factor_blocks_ += num_columns * panel.num_rows;
    size += static_cast<std::int64_t>(panel.width()) * panel.height();
    if (panel.num_rows == num_columns) continue;
    const int up = panel_of_[rows_[panel.row + num_columns]];
    next_[p] = first_child[up];
    first_child[up] = p;
  }
  Grow(size, &values_);
}

void BlockCholesky3::FindUpdates() {
  // Calls visit(target, update) for the rows of each panel by their panels.
  const auto visit_all = [this](auto&& visit) {
    for (int p = 0; p < static_cast<int>(panels_.size()); ++p) {
      const Panel& panel = panels_[p];
      for (int i = panel.end - panel.first; i < panel.num_rows;) {
        Update update{p, i, i};
        const int target = panel_of_[rows_[panel.row + i]];
        while (i < panel.num_rows &&
               panel_of_[rows_[panel.row + i]] == target) {
          ++i;
        }
        update.end = i;
        visit(&panels_[target], update);
      }
    }
  };
  std::int64_t size = 0;
  int num_below = 0;
  visit_all([&](Panel* target, const Update& update) {
    ++target->num_updates;
    const std::int64_t rows = panels_[update.panel].num_rows - update.row;
    size = std::max(size, 9 * rows * (update.end - update.row));
  });
  int start = 0;
  for (Panel& panel : panels_) {
    panel.update = start;
    start += panel.num_updates;
    panel.num_updates = 0;
    num_below = std::max(num_below, panel.height() - panel.width());
  }
  updates_.resize(start);
  visit_all([this](Panel* target, const Update& update) {
    updates_[target->update + target->num_updates++] = update;
  });
  product_size_ = size;
  below_.resize(num_below);
}

// Finds independent subtrees, each with a bounded share of the work. They are
// the same for any number of threads.
void BlockCholesky3::FindSubtrees() {
  constexpr double kMostOfAll = 1.0 / 16;
  const int num_panels = static_cast<int>(panels_.size());
  const auto parent_of = [this](const Panel& panel) {
    const int num_columns = panel.end - panel.first;
    return panel.num_rows == num_columns
               ? -1
               : panel_of_[rows_[panel.row + num_columns]];
  };
  std::vector<double>& work = work_;  // Of a panel and all below it.
  work.assign(num_panels, 0.0);
  double all = 0;
  for (int p = 0; p < num_panels; ++p) {
    const Panel& panel = panels_[p];
    const double own = 1.0 * panel.width() * panel.height() * panel.height();
    work[p] += own;
    all += own;
    const int up = parent_of(panel);
    if (up >= 0) work[up] += work[p];
  }
  subtrees_.clear();
  num_in_subtrees_.assign(num_panels, 0);
  for (int p = 0; p < num_panels; ++p) {
    // In postorder, what is below a panel is before it.
    num_in_subtrees_[p] += 1;
    const int up = parent_of(panels_[p]);
    if (up >= 0) num_in_subtrees_[up] += num_in_subtrees_[p];
    if (work[p] > kMostOfAll * all) continue;
    if (up >= 0 && work[up] <= kMostOfAll * all) continue;
    subtrees_.emplace_back(p + 1 - num_in_subtrees_[p], p + 1);
  }
}

bool BlockCholesky3::Factor(std::span<const Block> A, WorkerThreads* workers) {
  const int num_threads = workers == nullptr ? 1 : workers->num_threads();
  if (static_cast<int>(memory_.size()) < num_threads) {
    memory_.resize(num_threads);
  }
  for (Memory& memory : memory_) {
    if (memory.where.size() < order_.size()) memory.where.resize(order_.size());
    Grow(product_size_, &memory.product);
  }
  const int num_panels = static_cast<int>(panels_.size());
  if (workers == nullptr) {
    for (int p = 0; p < num_panels; ++p) {
      if (!FactorOne(panels_[p], A, &memory_[0], nullptr)) return false;
    }
    return true;
  }
  std::atomic<bool> is_positive = true;
  const int num_subtrees = static_cast<int>(subtrees_.size());
  workers->ForEach(num_subtrees, [&](int i, int thread) {
    for (int p = subtrees_[i].first; p < subtrees_[i].second; ++p) {
      if (FactorOne(panels_[p], A, &memory_[thread], nullptr)) continue;
      is_positive = false;
      return;
    }
  });
  // The others, which wait for each other, are large.
  for (int p = 0, i = 0; p < num_panels && is_positive; ++p) {
    if (i < num_subtrees && p == subtrees_[i].first) {
      p = subtrees_[i++].second - 1;
      continue;
    }
    is_positive = FactorOne(panels_[p], A, nullptr, workers);
  }
  return is_positive;
}

// By one thread in its memory, or by all threads.
bool BlockCholesky3::FactorOne(const Panel& panel, std::span<const Block> A,
                               Memory* memory, WorkerThreads* workers) {
  std::vector<int>& where = (memory ? *memory : memory_[0]).where;
  Assemble(panel, A, where.data());
  const int num_parts = (panel.num_rows + kRowsOfPart - 1) / kRowsOfPart;
  ForEach(workers, workers == nullptr ? 1 : num_parts, [&](int i, int thread) {
    const int begin = workers == nullptr ? 0 : i * kRowsOfPart;
    const int end = workers == nullptr
                        ? panel.num_rows
                        : std::min(begin + kRowsOfPart, panel.num_rows);
    double* const product = (memory ? *memory : memory_[thread]).product.data();
    for (int u = 0; u < panel.num_updates; ++u) {
      ApplyUpdate(updates_[panel.update + u], panel, where.data(), begin, end,
                  product);
    }
  });
  double* const values = values_.data() + panel.value;
  if (panel.first == num_inner_) {
    schur_.resize(panel.height(), panel.width());
    schur_.triangularView<Eigen::Lower>() = Eigen::Map<const MatrixX<double>>(
        values, panel.height(), panel.width());
  }
  return multibody::internal::FactorPanel(
      panel.height(), panel.width(), values, panel.height(),
      least_.data() + 3 * panel.first, workers);
}

void BlockCholesky3::Assemble(const Panel& panel, std::span<const Block> A,
                              int* where) {
  double* const values = values_.data() + panel.value;
  const int height = panel.height();
  std::fill_n(values, static_cast<std::int64_t>(height) * panel.width(), 0.0);
  for (int i = 0; i < panel.num_rows; ++i) where[rows_[panel.row + i]] = i;
  for (int k = panel.first; k < panel.end; ++k) {
    const int vertex = order_[k];
    double* const column = values + 3 * (k - panel.first) * height;
    const Block& diagonal = A[pattern_->FindBlock(vertex, vertex)];
    least_.segment<3>(3 * k).setConstant(
        kLeast * (diagonal[0] + diagonal[4] + diagonal[8]));
    for (const auto& neighbour : pattern_->neighbours(vertex)) {
      const int place = place_[neighbour.vertex];
      if (place < k) continue;
      const Block& block = A[neighbour.block];
      double* const to = column + 3 * where[place];
      const bool is_transposed = neighbour.vertex < vertex;
      for (int j = 0; j < 3; ++j) {
        for (int i = 0; i < 3; ++i) {
          to[i + j * height] = block[is_transposed ? 3 * i + j : 3 * j + i];
        }
      }
    }
  }
}

// In the rows begin ... end - 1 of the panel.
void BlockCholesky3::ApplyUpdate(const Update& update, const Panel& to,
                                 const int* where, int begin, int end,
                                 double* product) {
  const Panel& from = panels_[update.panel];
  const int* const rows = rows_.data() + from.row + update.row;
  const auto find = [rows, where, &from, &update](int row) {
    return static_cast<int>(
        std::lower_bound(
            rows, rows + from.num_rows - update.row, row,
            [where](int place, int r) { return where[place] < r; }) -
        rows);
  };
  const int low = begin == 0 ? 0 : find(begin);
  const int high = end == to.num_rows ? from.num_rows - update.row : find(end);
  if (low == high) return;
  // Columns beyond the last of these rows are above the diagonal.
  const int m = 3 * (high - low);
  const int n = 3 * std::min(update.end - update.row, high);
  const double* const L = values_.data() + from.value + 3 * update.row;
  std::fill_n(product, static_cast<std::int64_t>(m) * n, 0.0);
  multibody::internal::SubtractProduct(m, n, from.width(), L + 3 * low,
                                       from.height(), L, from.height(), product,
                                       m, low == 0);
  const int height = to.height();
  for (int j = 0; j < n; ++j) {
    const double* const column = product + j * m - 3 * low;
    double* const target = values_.data() + to.value +
                           (3 * (rows[j / 3] - to.first) + j % 3) * height;
    for (int i = std::max(j / 3, low); i < high; ++i) {
      double* const sum = target + 3 * where[rows[i]];
      sum[0] += column[3 * i];
      sum[1] += column[3 * i + 1];
      sum[2] += column[3 * i + 2];
    }
  }
}

void BlockCholesky3::Solve(const VectorX<double>& b, VectorX<double>* x) {
  for (std::size_t k = 0; k < order_.size(); ++k) {
    y_.segment<3>(3 * k) = b.segment<3>(3 * order_[k]);
  }
  for (const Panel& panel : panels_) {  // L z = y
    const int width = panel.width(), height = panel.height();
    const double* L = values_.data() + panel.value;
    double* const z = y_.data() + 3 * panel.first;
    if (std::all_of(z, z + width, [](double value) { return value == 0; })) {
      continue;
    }
    double* const below = below_.data();
    std::fill_n(below, height - width, 0.0);
    for (int j = 0; j < width; ++j, L += height) {
      const double value = z[j] *= L[j];
      for (int i = j + 1; i < width; ++i) z[i] -= L[i] * value;
      for (int i = width; i < height; ++i) below[i - width] += L[i] * value;
    }
    const int* const rows = rows_.data() + panel.row;
    for (int i = width; i < height; i += 3) {
      for (int a = 0; a < 3; ++a) {
        y_[3 * rows[i / 3] + a] -= below[i - width + a];
      }
    }
  }
  for (std::size_t p = panels_.size(); p-- > 0;) {  // L' y = z
    const Panel& panel = panels_[p];
    const int width = panel.width(), height = panel.height();
    double* const z = y_.data() + 3 * panel.first;
    double* const below = below_.data();
    const int* const rows = rows_.data() + panel.row;
    for (int i = width; i < height; i += 3) {
      for (int a = 0; a < 3; ++a) {
        below[i - width + a] = y_[3 * rows[i / 3] + a];
      }
    }
    for (int j = width - 1; j >= 0; --j) {
      const double* const L = values_.data() + panel.value + j * height;
      // Four sums, of every fourth.
      double sum[4] = {};
      int i = width;
      for (; i + 4 <= height; i += 4) {
        for (int a = 0; a < 4; ++a) sum[a] += L[i + a] * below[i - width + a];
      }
      for (; i < height; ++i) sum[0] += L[i] * below[i - width];
      double total = (sum[0] + sum[1]) + (sum[2] + sum[3]);
      for (i = j + 1; i < width; ++i) total += L[i] * z[i];
      z[j] = (z[j] - total) * L[j];
    }
  }
  x->setZero();
  for (std::size_t k = 0; k < order_.size(); ++k) {
    x->segment<3>(3 * order_[k]) = y_.segment<3>(3 * k);
  }
}

}  // namespace wyvern::multibody::fem::internal
