#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
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
collection per subsystem. Each collection knows whether it has events and tells
the Diagram's collection that it is a part of. So a question about the events of
a Diagram does not visit the subsystems. */
template <typename EventType>
class EventCollection {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(EventCollection);
  virtual ~EventCollection() {
    if (whole_ != nullptr) whole_->DoLosePart(index_in_whole_);
  }

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
  bool HasEvents() const { return has_events_; }

 protected:
  EventCollection() = default;
  virtual void DoAddToEnd(const EventCollection<EventType>& other) = 0;
  /** Called in a Diagram's collection when its part `index` gets its first
  event or loses its last one. */
  virtual void DoNotePart(int /* index */, bool /* has_events */) {}
  /** Called in a Diagram's collection when its part `index` is destroyed. */
  virtual void DoLosePart(int /* index */) {}
  /** Each derived class calls this after a change, with what HasEvents() is to
  return. */
  void NoteEvents(bool has_events) {
    if (has_events == has_events_) return;
    has_events_ = has_events;
    if (whole_ != nullptr) whole_->DoNotePart(index_in_whole_, has_events);
  }

 private:
  template <typename>
  friend class DiagramEventCollection;

  // The Diagram's collection that this is a part of, or null.
  EventCollection<EventType>* whole_{};
  int index_in_whole_{};
  bool has_events_{false};
};

/** The events of one leaf System. Clear() keeps the memory. */
template <typename EventType>
class LeafEventCollection final : public EventCollection<EventType> {
 public:
  /** Makes an empty collection. */
  LeafEventCollection() = default;

  /** One event without a callback, of trigger kForced. */
  static std::unique_ptr<LeafEventCollection> MakeForcedEventCollection() {
    auto result = std::make_unique<LeafEventCollection>();
    result->AddEvent(EventType(TriggerType::kForced));
    return result;
  }

  /** Makes room for that many events. */
  void Reserve(int capacity) { events_.reserve(capacity); }

  /** The events in the order in which they were added. */
  const std::vector<const EventType*>& get_events() const { return events_; }
  void AddEvent(EventType event) final {
    if (owned_ == nullptr) owned_ = std::make_unique<std::deque<EventType>>();
    owned_->push_back(std::move(event));
    Add(&owned_->back());
  }
  void AddEventReference(const EventType* event) final {
    if (event == nullptr) internal::ThrowNullEvent();
    Add(event);
  }
  void Clear() final {
    if (owned_ != nullptr) owned_->clear();
    events_.clear();
    this->NoteEvents(false);
  }

 private:
  // Events that somebody owns elsewhere are referred to; a copy is taken only
  // of those that this collection owns, for they may go away.
  void DoAddToEnd(const EventCollection<EventType>& other_base) final {
    const auto& other =
        static_cast<const LeafEventCollection<EventType>&>(other_base);
    const size_t num_owned = other.owned_ == nullptr ? 0 : other.owned_->size();
    size_t next_owned = 0;
    for (const EventType* event : other.events_) {
      if (next_owned < num_owned && event == &(*other.owned_)[next_owned]) {
        AddEvent(*event);
        ++next_owned;
      } else {
        AddEventReference(event);
      }
    }
  }
  void Add(const EventType* event) {
    events_.push_back(event);
    this->NoteEvents(true);
  }

  std::vector<const EventType*> events_;
  // Null until the first AddEvent(): most collections own nothing, and an empty
  // deque takes 600 bytes.
  std::unique_ptr<std::deque<EventType>> owned_;
};

/** The events of a Diagram: one collection per subsystem. A bad index throws
std::out_of_range. */
template <typename EventType>
class DiagramEventCollection final : public EventCollection<EventType> {
 public:
  /** Makes a collection for `num_subsystems` subsystems, whose own collections
  are to be set before use. */
  explicit DiagramEventCollection(int num_subsystems)
      : subevents_(num_subsystems),
        owned_(num_subsystems),
        with_events_((num_subsystems + 63) / 64) {}
  ~DiagramEventCollection() final {
    for (auto* sub : subevents_) {
      if (sub != nullptr) sub->whole_ = nullptr;
    }
  }

  /** Number of direct subsystems. */
  int num_subsystems() const { return static_cast<int>(subevents_.size()); }
  /** Sets the collection of a subsystem, which must outlive this.
  @throws std::logic_error if it is null or in a Diagram's collection
  already. */
  void set_subevent_collection(int index,
                               EventCollection<EventType>* collection) {
    RequireExisting(index);
    if (collection == nullptr || collection->whole_ != nullptr) {
      internal::ThrowSubevents(index, collection == nullptr);
    }
    if (subevents_[index] != nullptr) {
      subevents_[index]->whole_ = nullptr;
      DoLosePart(index);
    }
    subevents_[index] = collection;
    collection->whole_ = this;
    collection->index_in_whole_ = index;
    if (collection->HasEvents()) DoNotePart(index, true);
  }
  /** Sets the collection of a subsystem and owns it.
  @throws std::logic_error as set_subevent_collection(). */
  void set_and_own_subevent_collection(
      int index, std::unique_ptr<EventCollection<EventType>> collection) {
    set_subevent_collection(index, collection.get());
    owned_[index] = std::move(collection);
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
  /** Returns the first subsystem from number `index` on that has events, or
  num_subsystems() if none has. So a loop over i = FindEvents(0), then
  i = FindEvents(i + 1), visits only those that have some. */
  int FindEvents(int index) const {
    if (index >= num_subsystems()) return num_subsystems();
    std::size_t w = index / 64;
    uint64_t word = with_events_[w] & (~uint64_t{0} << index % 64);
    while (word == 0) {
      if (++w == with_events_.size()) return num_subsystems();
      word = with_events_[w];
    }
    return static_cast<int>(w * 64) + std::countr_zero(word);
  }
  void AddEvent(EventType) final { ThrowNotALeaf(); }
  void AddEventReference(const EventType*) final { ThrowNotALeaf(); }
  void Clear() final {
    for (int i = FindEvents(0); i < num_subsystems(); i = FindEvents(i + 1)) {
      subevents_[i]->Clear();
    }
  }

 private:
  void DoNotePart(int index, bool has_events) final {
    const uint64_t bit = uint64_t{1} << index % 64;
    with_events_[index / 64] ^= bit;
    count_ += has_events ? 1 : -1;
    this->NoteEvents(count_ > 0);
  }
  void DoLosePart(int index) final {
    subevents_[index] = nullptr;
    if (FindEvents(index) == index) DoNotePart(index, false);
  }
  void DoAddToEnd(const EventCollection<EventType>& other_base) final {
    const auto& other =
        static_cast<const DiagramEventCollection<EventType>&>(other_base);
    for (int i = other.FindEvents(0); i < num_subsystems();
         i = other.FindEvents(i + 1)) {
      subevents_[i]->AddToEnd(*other.subevents_[i]);
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
  // A bit for each subsystem that has events, and their number.
  std::vector<uint64_t> with_events_;
  int count_{0};
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

  /** True if System::CalcNextUpdateTime() is to fill this without the guards
  that are due: the events by which blocks change their modes. Whoever asks a
  System that is not active, such as one in an EnabledSubsystem, wants its next
  samples, which a guard that is due now would hide. */
  bool excludes_guards() const { return excludes_guards_; }
  /** Sets excludes_guards(), in a Diagram's collection of all subsystems. */
  void set_excludes_guards(bool excludes) {
    if (excludes == excludes_guards_) return;
    excludes_guards_ = excludes;
    DoSetExcludesGuards(excludes);
  }

  /** The id of the System that this was made for. */
  internal::SystemId get_system_id() const { return system_id_; }
  /** For the framework: says which System this was made for. */
  void set_system_id(internal::SystemId id) { system_id_ = id; }

 protected:
  /** The collections of the three kinds, members of the derived class. */
  CompositeEventCollection(
      EventCollection<PublishEvent<T>>* publish,
      EventCollection<DiscreteUpdateEvent<T>>* discrete,
      EventCollection<UnrestrictedUpdateEvent<T>>* unrestricted)
      : publish_(publish), discrete_(discrete), unrestricted_(unrestricted) {}
  /** Sets excludes_guards() of the parts. */
  virtual void DoSetExcludesGuards(bool /* excludes */) {}

 private:
  EventCollection<PublishEvent<T>>* const publish_;
  EventCollection<DiscreteUpdateEvent<T>>* const discrete_;
  EventCollection<UnrestrictedUpdateEvent<T>>* const unrestricted_;
  internal::SystemId system_id_;
  bool excludes_guards_{false};
};

/** A leaf System's CompositeEventCollection. */
template <typename T>
class LeafCompositeEventCollection final : public CompositeEventCollection<T> {
 public:
  /** Makes an empty collection. */
  LeafCompositeEventCollection()
      : CompositeEventCollection<T>(&publish_, &discrete_, &unrestricted_) {}

  /** The publish events as a leaf's collection. */
  const LeafEventCollection<PublishEvent<T>>& get_publish_events() const {
    return publish_;
  }
  /** The discrete update events as a leaf's collection. */
  const LeafEventCollection<DiscreteUpdateEvent<T>>&
  get_discrete_update_events() const {
    return discrete_;
  }
  /** The unrestricted update events as a leaf's collection. */
  const LeafEventCollection<UnrestrictedUpdateEvent<T>>&
  get_unrestricted_update_events() const {
    return unrestricted_;
  }

 private:
  LeafEventCollection<PublishEvent<T>> publish_;
  LeafEventCollection<DiscreteUpdateEvent<T>> discrete_;
  LeafEventCollection<UnrestrictedUpdateEvent<T>> unrestricted_;
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
      : CompositeEventCollection<T>(&publish_, &discrete_, &unrestricted_),
        subevents_(std::move(subevents)),
        publish_(num_subsystems()),
        discrete_(num_subsystems()),
        unrestricted_(num_subsystems()) {
    for (int i = 0; i < num_subsystems(); ++i) {
      CompositeEventCollection<T>& part = *subevents_[i];
      publish_.set_subevent_collection(i, &part.get_mutable_publish_events());
      discrete_.set_subevent_collection(
          i, &part.get_mutable_discrete_update_events());
      unrestricted_.set_subevent_collection(
          i, &part.get_mutable_unrestricted_update_events());
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
  /** Clears the events of each subsystem whose time in mutable_times() is after
  `latest` [s]. */
  void ClearEventsAfter(double latest) {
    ClearEventsAfter(latest, &publish_);
    ClearEventsAfter(latest, &discrete_);
    ClearEventsAfter(latest, &unrestricted_);
  }
  /** Scratch for Diagram::DoCalcNextUpdateTime(): each subsystem's time. */
  std::vector<T>& mutable_times() { return times_; }

 private:
  void DoSetExcludesGuards(bool excludes) final {
    for (const auto& part : subevents_) part->set_excludes_guards(excludes);
  }
  template <typename EventType>
  void ClearEventsAfter(double latest,
                        DiagramEventCollection<EventType>* events) const {
    for (int i = events->FindEvents(0); i < num_subsystems();
         i = events->FindEvents(i + 1)) {
      if (times_[i] > latest) {
        events->get_mutable_subevent_collection(i).Clear();
      }
    }
  }
  void RequireExisting(int index) const {
    if (index < 0 || index >= num_subsystems()) {
      internal::ThrowSubeventIndex(index, num_subsystems());
    }
  }

  // Destroyed after the collections by kind, which refer to them.
  std::vector<std::unique_ptr<CompositeEventCollection<T>>> subevents_;
  DiagramEventCollection<PublishEvent<T>> publish_;
  DiagramEventCollection<DiscreteUpdateEvent<T>> discrete_;
  DiagramEventCollection<UnrestrictedUpdateEvent<T>> unrestricted_;
  std::vector<T> times_;
};

}  // namespace wyvern::systems
