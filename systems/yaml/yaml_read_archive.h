#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "wyvern/systems/yaml/yaml_place.h"
#include "wyvern/systems/yaml/yaml_types.h"

namespace wyvern::yaml::internal {

template <typename T>
void Read(const Place& place, const Node& node, T* value);

/** A type that reads itself from a value of any kind. Such a type also has
WriteYaml(), which returns the value, and a static MakeSchema(). */
template <typename T>
concept ReadsItself = requires(T* value, const Place& place, const Node& node) {
  value->ReadYaml(place, node);
};

/** Passed to a Serialize() function to read a mapping. The function hands each
field to Visit(), by name. */
class YamlReadArchive {
 public:
  /** Takes a mapping, whose entries are then visited.
  @throws std::runtime_error if the node is no mapping. */
  YamlReadArchive(const Place& place, const Node& node);

  /** Reads the entry of the field's name.
  @throws std::runtime_error if there is none, or it is not of its type. */
  template <typename NameAndValue>
  void Visit(const NameAndValue& field) {
    using T = std::remove_cvref_t<decltype(*field.value())>;
    const Node* entry = FindEntry(field.name(), IsOptional<T>::value);
    if (entry != nullptr) {
      Read(Place(place_, field.name()), *entry, field.value());
    } else if constexpr (IsOptional<T>::value) {
      if (!place_.options->allow_cpp_with_no_yaml) field.value()->reset();
    }
  }

  /** @throws std::runtime_error if there are entries that nobody visited. */
  void RequireAllVisited() const;

 private:
  const Node* FindEntry(const char* name, bool may_be_missing);

  const Place& place_;
  const Node& node_;
  std::vector<std::string> visited_;
};

void ReadBool(const Place& place, const Node& node, bool* value);
void ReadDouble(const Place& place, const Node& node, double* value);
void ReadString(const Place& place, const Node& node, std::string* value);
/** Reads a scalar with the tag !!binary, whose text is Base64 (RFC 4648).
@throws std::runtime_error if it has another tag or is not Base64. */
void ReadBytes(const Place& place, const Node& node,
               std::vector<std::byte>* value);
/** Returns the integer in the node.
@throws std::runtime_error unless it is a whole number in [least, most]. */
std::int64_t ReadSigned(const Place& place, const Node& node,
                        std::int64_t least, std::int64_t most);
std::uint64_t ReadUnsigned(const Place& place, const Node& node,
                           std::uint64_t most);
/** @throws std::runtime_error if the node is no sequence, or not of `size`
items, which -1 leaves open. */
void RequireSequence(const Place& place, const Node& node, int size);
void RequireMapping(const Place& place, const Node& node);
/** The place of the tag among `tags`; without a tag the first.
@throws std::runtime_error if it is none of them. */
int FindAlternative(const Place& place, const Node& node,
                    const std::vector<std::string>& tags);
/** The columns of a sequence of sequences of the same size. */
int CountColumns(const Place& place, const Node& node);
/** @throws std::runtime_error if a size, fixed or at most that of the type, is
not what it is read into; -1 leaves it open. */
void RequireShape(const Place& place, const Node& node, const char* what,
                  Eigen::Index size, int fixed, int most);

template <typename T>
void ReadInteger(const Place& place, const Node& node, T* value) {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_signed_v<T>) {
    *value =
        static_cast<T>(ReadSigned(place, node, Limits::min(), Limits::max()));
  } else {
    *value = static_cast<T>(ReadUnsigned(place, node, Limits::max()));
  }
}

template <typename Items>
void ReadItems(const Place& place, const Node& node, Items* items) {
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    // Fields of an item that the document omits keep their values.
    typename Items::value_type item = (*items)[i];
    Read(Place(place, static_cast<int>(i)), *node.items[i], &item);
    (*items)[i] = std::move(item);
  }
}

template <typename Map>
void ReadMap(const Place& place, const Node& node, Map* map) {
  RequireMapping(place, node);
  if (!place.options->retain_map_defaults) map->clear();
  for (const auto& [key, entry] : node.entries) {
    Read(Place(place, key.c_str()), *entry, &(*map)[key]);
  }
}

template <typename... V>
void ReadVariant(const Place& place, const Node& node,
                 std::variant<V...>* value) {
  const std::size_t wanted = FindAlternative(place, node, {TagOf<V>()...});
  std::size_t i = 0;
  // Fields that the document omits keep the values of the present alternative.
  const auto read = [&]<typename Alternative>(const Alternative*) {
    if (i++ != wanted) return;
    if (value->index() != wanted) value->template emplace<Alternative>();
    Read(place, node, &std::get<Alternative>(*value));
  };
  (read(static_cast<const V*>(nullptr)), ...);
}

template <typename Matrix>
void ReadMatrix(const Place& place, const Node& node, Matrix* matrix) {
  RequireSequence(place, node, -1);
  const Eigen::Index rows = node.items.size();
  RequireShape(place, node, "rows", rows, Matrix::RowsAtCompileTime,
               Matrix::MaxRowsAtCompileTime);
  if constexpr (Matrix::ColsAtCompileTime == 1) {
    matrix->resize(rows, 1);
    for (int i = 0; i < rows; ++i) {
      Read(Place(place, i), *node.items[i], &(*matrix)(i, 0));
    }
  } else {
    const int cols = CountColumns(place, node);
    RequireShape(place, node, "columns", cols, Matrix::ColsAtCompileTime,
                 Matrix::MaxColsAtCompileTime);
    // "[[]]" is 0 x 0, as "[]" is.
    const bool is_empty =
        cols == 0 && rows == 1 && Matrix::RowsAtCompileTime == Eigen::Dynamic;
    matrix->resize(is_empty ? 0 : rows, cols);
    for (int i = 0; i < matrix->rows(); ++i) {
      const Place row(place, i);
      for (int j = 0; j < cols; ++j) {
        Read(Place(row, j), *node.items[i]->items[j], &(*matrix)(i, j));
      }
    }
  }
}

/** Reads one value of any of the types that yaml_types.h lists. */
template <typename T>
void Read(const Place& place, const Node& node, T* value) {
  if constexpr (ReadsItself<T>) {
    value->ReadYaml(place, node);
  } else if constexpr (std::is_same_v<T, bool>) {
    ReadBool(place, node, value);
  } else if constexpr (std::is_integral_v<T>) {
    ReadInteger(place, node, value);
  } else if constexpr (std::is_floating_point_v<T>) {
    double number{};
    ReadDouble(place, node, &number);
    *value = static_cast<T>(number);
  } else if constexpr (std::is_same_v<T, std::string>) {
    ReadString(place, node, value);
  } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
    std::string text;
    ReadString(place, node, &text);
    *value = std::filesystem::path(text).lexically_normal();
  } else if constexpr (std::is_same_v<T, std::vector<std::byte>>) {
    ReadBytes(place, node, value);
  } else if constexpr (IsOptional<T>::value) {
    if (node.kind == Node::Kind::kNull) {
      value->reset();
    } else {
      if (!value->has_value()) value->emplace();
      Read(place, node, &**value);
    }
  } else if constexpr (IsVariant<T>::value) {
    ReadVariant(place, node, value);
  } else if constexpr (IsVector<T>::value) {
    RequireSequence(place, node, -1);
    value->resize(node.items.size());
    ReadItems(place, node, value);
  } else if constexpr (IsArray<T>::value) {
    RequireSequence(place, node, static_cast<int>(value->size()));
    ReadItems(place, node, value);
  } else if constexpr (IsMap<T>::value) {
    ReadMap(place, node, value);
  } else if constexpr (EigenMatrix<T>) {
    ReadMatrix(place, node, value);
  } else {
    YamlReadArchive archive(place, node);
    CallSerialize(value, &archive);
    archive.RequireAllVisited();
  }
}

}  // namespace wyvern::yaml::internal
