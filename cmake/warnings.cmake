# The warnings of our own code; errors in CI only, so that a newer compiler breaks nobody's build.

option(VMTAX_WERROR "Treat warnings as errors" OFF)

add_library(vmtax_warnings INTERFACE)
target_compile_options(vmtax_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wcast-align
  -Woverloaded-virtual -Wformat=2
  $<$<BOOL:${VMTAX_WERROR}>:-Werror>)
