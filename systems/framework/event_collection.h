#pragma once

#include <deque>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/framework/event.h"
#include "wyvern/systems/framework/framework_common.h"

namespace wyvern::systems {

/** Simultaneous events of one kind: a leaf's, or a Diagram's, which holds one
collection per subsystem. */
template <typename EventType>
class EventCollection {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(EventCollection);
  virtual ~EventCollection() = default;

  /** Replaces the contents by those of `other`, of the same structure. */
  void SetFrom(const EventCollection<EventType>& other) {
    Clear();
    AddToEnd(other);
  }
  /** Appends. Events that `other` owns are copied; all others are referred to
  and must outlive this. */
  void AddToEnd(const EventCollection<EventType>& other) { DoAddToEnd(other); }
  /** Takes a copy. A Diagram's collection throws std::logic_error: an event
  belongs to a leaf. */
  virtual void AddEvent(EventType event) = 0;
  /** Refers to `event`, which must outlive this.
  @throws std::logic_error if null. */
  virtual void AddEventReference(const EventType* event) = 0;
  /** Removes all events. */
  virtual void Clear() = 0;
  /** True if there is an event, in a Diagram's collection of any subsystem. */
  bool HasEvents() const {
    return !events_.empty() || (has_parts_ && DoPartsHaveEvents());
  }

 protected:
  /** `has_parts` for a Diagram's. */
  explicit EventCollection(bool has_parts) : has_parts_(has_parts) {}
  virtual void DoAddToEnd(const EventCollection<EventType>& other) = 0;
  virtual bool DoPartsHaveEvents() const { return false; }
  /** The events of a leaf. */
  std::vector<const EventType*>& mutable_events() { return events_; }
  const std::vector<const EventType*>& events() const { return events_; }

 private:
  std::vector<const EventType*> events_;
  const bool has_parts_;
};

/** The events of one leaf System. Clear() keeps the memory. */
template <typename EventType>
class LeafEventCollection final : public EventCollection<EventType> {
 public:
  /** Makes an empty collection. */
  LeafEventCollection() : EventCollection<EventType>(false) {}

  /** One event without a callback, of trigger kForced. */
  static std::unique_ptr<LeafEventCollection> MakeForcedEventCollection() {
    auto result = std::make_unique<LeafEventCollection>();
    result->AddEvent(EventType(TriggerType::kForced));
    return result;
  }

  /** Makes room for that many events. */
  void Reserve(int capacity) { this->mutable_events().reserve(capacity); }

  /** The events in the order in which they were added. */
  const std::vector<const EventType*>& get_events() const {
    return this->events();
  }
  void AddEvent(EventType event) final {
    owned_.push_back(std::move(event));
    this->mutable_events().push_back(&owned_.back());
  }
  void AddEventReference(const EventType* event) final {
    if (event == nullptr) internal::ThrowNullEvent();
    this->mutable_events().push_back(event);
  }
  void Clear() final {
    if (!owned_.empty()) owned_.clear();
    this->mutable_events().clear();
  }

 private:
  // Events that somebody owns elsewhere are referred to; a copy is taken only
  // of those that this collection owns, for they may go away.
  void DoAddToEnd(const EventCollection<EventType>& other_base) final {
    const auto& other =
        static_cast<const LeafEventCollection<EventType>&>(other_base);
    size_t next_owned = 0;
    for (const EventType* event : other.events()) {
      if (next_owned < other.owned_.size() &&
          event == &other.owned_[next_owned]) {
        AddEvent(*event);
        ++next_owned;
      } else {
        AddEventReference(event);
      }
    }
  }

  std::deque<EventType> owned_;
};

/** The events of a Diagram: one collection per subsystem. A bad index throws
std::out_of_range. */
template <typename EventType>
class DiagramEventCollection final : public EventCollection<EventType> {
 public:
  /** Makes a collection for `num_subsystems` subsystems, whose own collections
  are to be set before use. */
  explicit DiagramEventCollection(int num_subsystems)
      : EventCollection<EventType>(true),
        subevents_(num_subsystems),
        owned_(num_subsystems) {}

  /** Number of direct subsystems. */
  int num_subsystems() const { return static_cast<int>(subevents_.size()); }
  /** Sets the collection of a subsystem, which must outlive this. */
  void set_subevent_collection(int index,
                               EventCollection<EventType>* collection) {
    RequireExisting(index);
    subevents_[index] = collection;
  }
  /** Sets the collection of a subsystem and owns it. */
  void set_and_own_subevent_collection(
      int index, std::unique_ptr<EventCollection<EventType>> collection) {
    RequireExisting(index);
    owned_[index] = std::move(collection);
    subevents_[index] = owned_[index].get();
  }
  /** The collection of a subsystem. */
  const EventCollection<EventType>& get_subevent_collection(int index) const {
    RequireExisting(index);
    return *subevents_[index];
  }
  /** Mutable variant of get_subevent_collection(). */
  EventCollection<EventType>& get_mutable_subevent_collection(int index) {
    RequireExisting(index);
    return *subevents_[index];
  }
  void AddEvent(EventType) final { ThrowNotALeaf(); }
  void AddEventReference(const EventType*) final { ThrowNotALeaf(); }
  void Clear() final {
    for (auto* sub : subevents_) {
      if (sub->HasEvents()) sub->Clear();
    }
  }

 private:
  bool DoPartsHaveEvents() const final {
    for (const auto* sub : subevents_) {
      if (sub->HasEvents()) return true;
    }
    return false;
  }
  void DoAddToEnd(const EventCollection<EventType>& other_base) final {
    const auto& other =
        static_cast<const DiagramEventCollection<EventType>&>(other_base);
    for (int i = 0; i < num_subsystems(); ++i) {
      if (other.subevents_[i]->HasEvents()) {
        subevents_[i]->AddToEnd(*other.subevents_[i]);
      }
    }
  }
  void RequireExisting(int index) const {
    if (index < 0 || index >= num_subsystems()) {
      internal::ThrowSubeventIndex(index, num_subsystems());
    }
  }
  [[noreturn]] static void ThrowNotALeaf() {
    throw std::logic_error(
        "DiagramEventCollection::AddEvent(): an event belongs to a leaf "
        "System; add it to that System's collection.");
  }

  std::vector<EventCollection<EventType>*> subevents_;
  std::vector<std::unique_ptr<EventCollection<EventType>>> owned_;
};

/** Simultaneous events of all three kinds of one System. */
template <typename T>
class CompositeEventCollection {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(CompositeEventCollection);
  virtual ~CompositeEventCollection() = default;

  /** Removes all events of all kinds. */
  void Clear() {
    if (publish_->HasEvents()) publish_->Clear();
    if (discrete_->HasEvents()) discrete_->Clear();
    if (unrestricted_->HasEvents()) unrestricted_->Clear();
  }
  /** True if there is an event of any kind. */
  bool HasEvents() const {
    return HasUnrestrictedUpdateEvents() || HasDiscreteUpdateEvents() ||
           HasPublishEvents();
  }
  /** True if there is a publish event. */
  bool HasPublishEvents() const { return publish_->HasEvents(); }
  /** True if there is a discrete update event. */
  bool HasDiscreteUpdateEvents() const { return discrete_->HasEvents(); }
  /** True if there is an unrestricted update event. */
  bool HasUnrestrictedUpdateEvents() const {
    return unrestricted_->HasEvents();
  }

  /** Adds a copy of a publish event; a Diagram's collection throws
  std::logic_error, here and in the next two. */
  void AddPublishEvent(PublishEvent<T> event) {
    publish_->AddEvent(std::move(event));
  }
  /** Adds a copy of a discrete update event. */
  void AddDiscreteUpdateEvent(DiscreteUpdateEvent<T> event) {
    discrete_->AddEvent(std::move(event));
  }
  /** Adds a copy of an unrestricted update event. */
  void AddUnrestrictedUpdateEvent(UnrestrictedUpdateEvent<T> event) {
    unrestricted_->AddEvent(std::move(event));
  }
  /** Replaces the contents by those of `other`, of the same structure. */
  void SetFrom(const CompositeEventCollection<T>& other) {
    Clear();
    AddToEnd(other);
  }
  /** Appends the events of `other`, of the same structure. Events that `other`
  does not own are referred to, not copied. */
  void AddToEnd(const CompositeEventCollection<T>& other) {
    if (other.HasPublishEvents()) publish_->AddToEnd(*other.publish_);
    if (other.HasDiscreteUpdateEvents()) discrete_->AddToEnd(*other.discrete_);
    if (other.HasUnrestrictedUpdateEvents()) {
      unrestricted_->AddToEnd(*other.unrestricted_);
    }
  }

  /** The publish events. */
  const EventCollection<PublishEvent<T>>& get_publish_events() const {
    return *publish_;
  }
  /** The discrete update events. */
  const EventCollection<DiscreteUpdateEvent<T>>& get_discrete_update_events()
      const {
    return *discrete_;
  }
  /** The unrestricted update events. */
  const EventCollection<UnrestrictedUpdateEvent<T>>&
  get_unrestricted_update_events() const {
    return *unrestricted_;
  }
  /** The publish events, writable. */
  EventCollection<PublishEvent<T>>& get_mutable_publish_events() const {
    return *publish_;
  }
  /** The discrete update events, writable. */
  EventCollection<DiscreteUpdateEvent<T>>& get_mutable_discrete_update_events()
      const {
    return *discrete_;
  }
  /** The unrestricted update events, writable. */
  EventCollection<UnrestrictedUpdateEvent<T>>&
  get_mutable_unrestricted_update_events() const {
    return *unrestricted_;
  }

  /** The id of the System that this was made for. */
  internal::SystemId get_system_id() const { return system_id_; }
  /** For the framework: says which System this was made for. */
  void set_system_id(internal::SystemId id) { system_id_ = id; }

 protected:
  CompositeEventCollection(
      std::unique_ptr<EventCollection<PublishEvent<T>>> publish,
      std::unique_ptr<EventCollection<DiscreteUpdateEvent<T>>> discrete,
      std::unique_ptr<EventCollection<UnrestrictedUpdateEvent<T>>> unrestricted)
      : publish_(std::move(publish)),
        discrete_(std::move(discrete)),
        unrestricted_(std::move(unrestricted)) {}

 private:
  std::unique_ptr<EventCollection<PublishEvent<T>>> publish_;
  std::unique_ptr<EventCollection<DiscreteUpdateEvent<T>>> discrete_;
  std::unique_ptr<EventCollection<UnrestrictedUpdateEvent<T>>> unrestricted_;
  internal::SystemId system_id_;
};

/** A leaf System's CompositeEventCollection. */
template <typename T>
class LeafCompositeEventCollection final : public CompositeEventCollection<T> {
 public:
  /** Makes an empty collection. */
  LeafCompositeEventCollection()
      : CompositeEventCollection<T>(
            std::make_unique<LeafEventCollection<PublishEvent<T>>>(),
            std::make_unique<LeafEventCollection<DiscreteUpdateEvent<T>>>(),
            std::make_unique<
                LeafEventCollection<UnrestrictedUpdateEvent<T>>>()) {}

  /** The publish events as a leaf's collection. */
  const LeafEventCollection<PublishEvent<T>>& get_publish_events() const {
    return static_cast<const LeafEventCollection<PublishEvent<T>>&>(
        CompositeEventCollection<T>::get_publish_events());
  }
  /** The discrete update events as a leaf's collection. */
  const LeafEventCollection<DiscreteUpdateEvent<T>>&
  get_discrete_update_events() const {
    return static_cast<const LeafEventCollection<DiscreteUpdateEvent<T>>&>(
        CompositeEventCollection<T>::get_discrete_update_events());
  }
  /** The unrestricted update events as a leaf's collection. */
  const LeafEventCollection<UnrestrictedUpdateEvent<T>>&
  get_unrestricted_update_events() const {
    return static_cast<const LeafEventCollection<UnrestrictedUpdateEvent<T>>&>(
        CompositeEventCollection<T>::get_unrestricted_update_events());
  }
};

/** A Diagram's CompositeEventCollection: one per subsystem, seen also by kind.
 */
template <typename T>
class DiagramCompositeEventCollection final
    : public CompositeEventCollection<T> {
 public:
  /** Takes one collection for each subsystem, in order. */
  explicit DiagramCompositeEventCollection(
      std::vector<std::unique_ptr<CompositeEventCollection<T>>> subevents)
      : CompositeEventCollection<T>(
            std::make_unique<DiagramEventCollection<PublishEvent<T>>>(
                static_cast<int>(subevents.size())),
            std::make_unique<DiagramEventCollection<DiscreteUpdateEvent<T>>>(
                static_cast<int>(subevents.size())),
            std::make_unique<
                DiagramEventCollection<UnrestrictedUpdateEvent<T>>>(
                static_cast<int>(subevents.size()))),
        subevents_(std::move(subevents)) {
    for (int i = 0; i < num_subsystems(); ++i) {
      static_cast<DiagramEventCollection<PublishEvent<T>>&>(
          this->get_mutable_publish_events())
          .set_subevent_collection(
              i, &subevents_[i]->get_mutable_publish_events());
      static_cast<DiagramEventCollection<DiscreteUpdateEvent<T>>&>(
          this->get_mutable_discrete_update_events())
          .set_subevent_collection(
              i, &subevents_[i]->get_mutable_discrete_update_events());
      static_cast<DiagramEventCollection<UnrestrictedUpdateEvent<T>>&>(
          this->get_mutable_unrestricted_update_events())
          .set_subevent_collection(
              i, &subevents_[i]->get_mutable_unrestricted_update_events());
    }
  }

  /** Number of direct subsystems. */
  int num_subsystems() const { return static_cast<int>(subevents_.size()); }
  /** The events of a subsystem.
  @throws std::out_of_range on a bad index; so does the mutable variant. */
  const CompositeEventCollection<T>& get_subevent_collection(int index) const {
    RequireExisting(index);
    return *subevents_[index];
  }
  /** Mutable variant of get_subevent_collection(). */
  CompositeEventCollection<T>& get_mutable_subevent_collection(int index) {
    RequireExisting(index);
    return *subevents_[index];
  }
  /** Scratch for Diagram::DoCalcNextUpdateTime(): each subsystem's time. */
  std::vector<T>& mutable_times() { return times_; }

 private:
  void RequireExisting(int index) const {
    if (index < 0 || index >= num_subsystems()) {
      internal::ThrowSubeventIndex(index, num_subsystems());
    }
  }

  std::vector<std::unique_ptr<CompositeEventCollection<T>>> subevents_;
  std::vector<T> times_;
};

}  // namespace wyvern::systems
