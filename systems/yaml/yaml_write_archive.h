#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "wyvern/systems/yaml/yaml_node.h"
#include "wyvern/systems/yaml/yaml_types.h"

namespace wyvern::yaml::internal {

template <typename T>
std::shared_ptr<Node> Write(const T& value);

/** Passed to a Serialize() function to write a mapping. */
class YamlWriteArchive {
 public:
  /** Adds an entry; none for an optional field without a value. */
  template <typename NameAndValue>
  void Visit(const NameAndValue& field) {
    using T = std::remove_cvref_t<decltype(*field.value())>;
    if constexpr (IsOptional<T>::value) {
      if (!field.value()->has_value()) return;
    }
    node_->entries.emplace_back(field.name(), Write<T>(*field.value()));
  }

  std::shared_ptr<Node> node() const { return node_; }

 private:
  std::shared_ptr<Node> node_ = MakeNode(Node::Kind::kMapping);

  static std::shared_ptr<Node> MakeNode(Node::Kind kind);
};

std::shared_ptr<Node> WriteDouble(double value);
std::shared_ptr<Node> WriteString(const std::string& value);
std::shared_ptr<Node> WriteBytes(const std::vector<std::byte>& value);
/** A scalar that is written as it is. */
std::shared_ptr<Node> WritePlain(std::string text);
std::shared_ptr<Node> WriteEmpty(Node::Kind kind);

template <typename Items>
std::shared_ptr<Node> WriteItems(const Items& items) {
  auto node = WriteEmpty(Node::Kind::kSequence);
  for (const auto& item : items) {
    node->items.push_back(Write<typename Items::value_type>(item));
  }
  return node;
}

template <typename Matrix>
std::shared_ptr<Node> WriteMatrix(const Matrix& matrix) {
  auto node = WriteEmpty(Node::Kind::kSequence);
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    if constexpr (Matrix::ColsAtCompileTime == 1) {
      node->items.push_back(Write(matrix(i, 0)));
    } else {
      auto row = WriteEmpty(Node::Kind::kSequence);
      for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
        row->items.push_back(Write(matrix(i, j)));
      }
      node->items.push_back(row);
    }
  }
  return node;
}

/** Writes one value of any of the types that yaml_types.h lists. */
template <typename T>
std::shared_ptr<Node> Write(const T& value) {
  if constexpr (requires { value.WriteYaml(); }) {
    return value.WriteYaml();
  } else if constexpr (std::is_same_v<T, bool>) {
    return WritePlain(value ? "true" : "false");
  } else if constexpr (std::is_integral_v<T>) {
    return WritePlain(std::to_string(value));
  } else if constexpr (std::is_floating_point_v<T>) {
    return WriteDouble(value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return WriteString(value);
  } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
    return WriteString(value.string());
  } else if constexpr (IsOptional<T>::value) {
    return value ? Write(*value) : WriteEmpty(Node::Kind::kNull);
  } else if constexpr (IsVariant<T>::value) {
    return std::visit(
        [&value]<typename V>(const V& alternative) {
          auto node = Write(alternative);
          if (value.index() > 0) node->tag = TagOf<V>();
          return node;
        },
        value);
  } else if constexpr (std::is_same_v<T, std::vector<std::byte>>) {
    return WriteBytes(value);
  } else if constexpr (IsVector<T>::value || IsArray<T>::value) {
    return WriteItems(value);
  } else if constexpr (IsMap<T>::value) {
    auto node = WriteEmpty(Node::Kind::kMapping);
    // In the order of the keys, so that the same map gives the same text.
    for (const auto& [key, entry] :
         std::map<std::string, typename T::mapped_type>(value.begin(),
                                                        value.end())) {
      node->entries.emplace_back(key, Write(entry));
    }
    return node;
  } else if constexpr (EigenMatrix<T>) {
    return WriteMatrix(value);
  } else {
    YamlWriteArchive archive;
    // Serialize() reads and writes alike, so it is not const.
    CallSerialize(const_cast<T*>(&value), &archive);
    return archive.node();
  }
}

}  // namespace wyvern::yaml::internal
