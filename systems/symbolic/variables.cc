#include "wyvern/systems/symbolic/variables.h"

#include <algorithm>

namespace wyvern::symbolic {

std::string Variables::to_string() const {
  std::string text = "{";
  for (const Variable& v : variables_) {
    if (text.size() > 1) text += ", ";
    text += v.get_name();
  }
  return text + "}";
}

Variables::size_type Variables::erase(const Variables& keys) {
  size_type count = 0;
  for (const Variable& key : keys) count += variables_.erase(key);
  return count;
}

bool Variables::IsSubsetOf(const Variables& others) const {
  return std::includes(others.begin(), others.end(), begin(), end(),
                       std::less<Variable>{});
}

bool operator<(const Variables& a, const Variables& b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                      std::less<Variable>{});
}

std::ostream& operator<<(std::ostream& out, const Variables& variables) {
  return out << variables.to_string();
}

Variables operator+=(Variables& a, const Variables& b) {
  a.insert(b);
  return a;
}
Variables operator+=(Variables& a, const Variable& b) {
  a.insert(b);
  return a;
}
Variables operator+(Variables a, const Variables& b) {
  a.insert(b);
  return a;
}
Variables operator+(Variables a, const Variable& b) {
  a.insert(b);
  return a;
}
Variables operator+(const Variable& a, Variables b) {
  b.insert(a);
  return b;
}
Variables operator-=(Variables& a, const Variables& b) {
  a.erase(b);
  return a;
}
Variables operator-=(Variables& a, const Variable& b) {
  a.erase(b);
  return a;
}
Variables operator-(Variables a, const Variables& b) {
  a.erase(b);
  return a;
}
Variables operator-(Variables a, const Variable& b) {
  a.erase(b);
  return a;
}

Variables intersect(const Variables& a, const Variables& b) {
  Variables result;
  for (const Variable& v : a) {
    if (b.include(v)) result.insert(v);
  }
  return result;
}

}  // namespace wyvern::symbolic
