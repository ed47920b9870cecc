#pragma once

/** Deletes copy and move: for a class that others point at. */
#define WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Classname) \
  Classname(const Classname&) = delete;             \
  void operator=(const Classname&) = delete;        \
  Classname(Classname&&) = delete;                  \
  void operator=(Classname&&) = delete

/** Defaults copy and move: for a class that is a value. */
#define WYVERN_DEFAULT_COPY_AND_MOVE_AND_ASSIGN(Classname) \
  Classname(const Classname&) = default;                   \
  Classname& operator=(const Classname&) = default;        \
  Classname(Classname&&) = default;                        \
  Classname& operator=(Classname&&) = default
