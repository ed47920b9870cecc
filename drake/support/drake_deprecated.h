#pragma once

/** Marks a declaration as one to stop using; the first argument is the date on
which it goes away. */
#define DRAKE_DEPRECATED(removal_date, message) \
  [[deprecated(message " Will be removed on or after " removal_date ".")]]
