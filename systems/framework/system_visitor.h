#pragma once

namespace wyvern::systems {

template <typename T>
class System;
template <typename T>
class Diagram;

/** Called with each System by System::Accept(); a Diagram's visitor decides
whether to go on to its subsystems. */
template <typename T>
class SystemVisitor {
 public:
  virtual ~SystemVisitor() = default;
  /** Called with a System that is not a Diagram. */
  virtual void VisitSystem(const System<T>& system) = 0;
  /** Called with a Diagram. */
  virtual void VisitDiagram(const Diagram<T>& diagram) = 0;
};

}  // namespace wyvern::systems
