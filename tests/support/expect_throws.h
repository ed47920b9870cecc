#pragma once

/** @file
Checks an error by its type and by what it tells the user. */

#include <string>

#include <gtest/gtest.h>

/** Passes if `statement` throws an ExceptionType whose what() contains
`substring`: EXPECT_THROWS_MESSAGE(f(), std::logic_error, "wanted 3"). */
#define EXPECT_THROWS_MESSAGE(statement, ExceptionType, substring)           \
  try {                                                                      \
    statement;                                                               \
    ADD_FAILURE() << #statement " did not throw";                            \
  } catch (const ExceptionType& wyvern_test_error) {                         \
    EXPECT_NE(std::string(wyvern_test_error.what()).find(substring),         \
              std::string::npos)                                             \
        << "the message was: " << wyvern_test_error.what();                  \
  } catch (const std::exception& wyvern_test_error) {                        \
    ADD_FAILURE() << #statement " threw another type of exception, saying: " \
                  << wyvern_test_error.what();                               \
  }
