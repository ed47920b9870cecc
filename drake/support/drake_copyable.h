#pragma once

#include "wyvern/systems/common/class_macros.h"

#define DRAKE_NO_COPY_NO_MOVE_NO_ASSIGN(Classname) \
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Classname)

#define DRAKE_DEFAULT_COPY_AND_MOVE_AND_ASSIGN(Classname) \
  WYVERN_DEFAULT_COPY_AND_MOVE_AND_ASSIGN(Classname)

/** Declares copy and move, which the class's source file then defines. */
#define DRAKE_DECLARE_COPY_AND_MOVE_AND_ASSIGN(Classname) \
  Classname(const Classname&);                            \
  Classname& operator=(const Classname&);                 \
  Classname(Classname&&);                                 \
  Classname& operator=(Classname&&)
