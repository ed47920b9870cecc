#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wyvern/multibody/tree/multibody_tree_indexes.h"

namespace wyvern::multibody::internal {

/** Throws the error of a failed look-up. `model` is the class that was asked,
and `kind` is "body", "joint", .... */
[[noreturn]] void ThrowNoElementNamed(std::string_view model,
                                      std::string_view kind,
                                      std::string_view name,
                                      std::string_view where,
                                      const std::vector<std::string>& known);
[[noreturn]] void ThrowAmbiguousName(std::string_view model,
                                     std::string_view kind,
                                     std::string_view name,
                                     const std::vector<std::string>& where);
[[noreturn]] void ThrowDuplicateName(std::string_view model,
                                     std::string_view kind,
                                     std::string_view name,
                                     std::string_view model_instance);
[[noreturn]] void ThrowNoElementAt(std::string_view model,
                                   std::string_view kind, int index, int size);

/** The elements of one kind, found by index and by name.

Elements are owned unless added as borrowed. Indexes are handed out in the order
of addition and never reused: a removed element leaves a gap. Names are unique
in a model instance. */
template <class Element, class Index>
class ElementCollection {
 public:
  ElementCollection(const char* model, const char* kind)
      : model_(model), kind_(kind) {}

  int num() const { return static_cast<int>(indices_.size()); }
  /** The indices in use, increasing. */
  const std::vector<Index>& indices() const { return indices_; }
  /** The present elements, in the order of their indices. */
  const std::vector<Element*>& elements() const { return elements_; }
  Index next_index() const { return Index(static_cast<int>(by_index_.size())); }

  Element& Add(std::unique_ptr<Element> element) {
    Element& result = AddBorrowed(element.get());
    owned_.back() = std::move(element);
    return result;
  }
  Element& AddBorrowed(Element* element) {
    by_index_.push_back(element);
    owned_.emplace_back();
    indices_.push_back(Index(static_cast<int>(by_index_.size()) - 1));
    elements_.push_back(element);
    names_[element->name()].emplace(element->model_instance(), indices_.back());
    return *element;
  }
  void Remove(Index index) {
    Element* element = by_index_[index];
    std::erase(indices_, index);
    std::erase(elements_, element);
    const auto named = names_.find(element->name());
    named->second.erase(element->model_instance());
    if (named->second.empty()) names_.erase(named);
    by_index_[index] = nullptr;
    owned_[index].reset();
  }
  /** Keeps an index unused, for a copy of a collection with gaps. */
  void AppendGap() {
    by_index_.push_back(nullptr);
    owned_.emplace_back();
  }

  bool has(Index index) const {
    return index.is_valid() && index < static_cast<int>(by_index_.size()) &&
           by_index_[index] != nullptr;
  }
  /** Returns the element.
  @throws std::out_of_range if there is none. */
  Element& get(Index index) const {
    if (!has(index)) {
      ThrowNoElementAt(model_, kind_, index,
                       static_cast<int>(by_index_.size()));
    }
    return *by_index_[index];
  }
  bool is_member(const Element& element, Index index) const {
    return has(index) && by_index_[index] == &element;
  }

  int CountNamed(std::string_view name) const {
    const auto named = names_.find(name);
    return named == names_.end() ? 0 : static_cast<int>(named->second.size());
  }
  /** The element of that name in one model instance, or null. */
  Element* Find(std::string_view name, ModelInstanceIndex instance) const {
    const auto named = names_.find(name);
    if (named == names_.end()) return nullptr;
    const auto found = named->second.find(instance);
    return found == named->second.end() ? nullptr : by_index_[found->second];
  }
  /** The only element of that name in the model, or null if there is none;
  `instance_name(index)` is used for messages.
  @throws std::logic_error if several model instances have one. */
  template <class InstanceName>
  Element* FindUnique(std::string_view name,
                      const InstanceName& instance_name) const {
    const auto named = names_.find(name);
    if (named == names_.end()) return nullptr;
    if (named->second.size() > 1) {
      std::vector<std::string> where;
      for (const auto& [instance, index] : named->second) {
        where.push_back(instance_name(instance));
      }
      ThrowAmbiguousName(model_, kind_, name, where);
    }
    return by_index_[named->second.begin()->second];
  }
  /** Returns the element of a name, in a model instance or in all of them.
  @throws std::logic_error naming what there is if there is no such one. */
  template <class InstanceName>
  Element& GetByName(std::string_view name,
                     std::optional<ModelInstanceIndex> instance,
                     const InstanceName& instance_name) const {
    Element* element = instance.has_value() ? Find(name, *instance)
                                            : FindUnique(name, instance_name);
    if (element != nullptr) return *element;
    std::vector<std::string> known;
    for (const Element* candidate : elements_) {
      if (!instance.has_value() || candidate->model_instance() == *instance) {
        known.push_back(candidate->name());
      }
    }
    const std::string where =
        instance.has_value()
            ? "model instance '" + instance_name(*instance) + "'"
            : std::string("the model");
    ThrowNoElementNamed(model_, kind_, name, where, known);
  }

 private:
  const char* model_;
  const char* kind_;
  std::vector<Element*> by_index_;
  std::vector<std::unique_ptr<Element>> owned_;
  std::vector<Index> indices_;
  std::vector<Element*> elements_;
  // Worlds have thousands of models whose elements share a name.
  std::map<std::string, std::map<ModelInstanceIndex, Index>, std::less<>>
      names_;
};

}  // namespace wyvern::multibody::internal
