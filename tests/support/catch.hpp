// The one place that knows which Catch2 this is: version 2 on Debian 12, 3 elsewhere.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif

// A test that needs what this machine lacks says so and ends; CTest shows it as skipped.
#define VMTAX_SKIP(why)          \
  do {                           \
    WARN("vmtax-skip: " << why); \
    return;                      \
  } while (false)
