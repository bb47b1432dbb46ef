# How everything is compiled: language level, output folder, sanitizers, and ccache and mold where
# the machine has them.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

option(VMTAX_TESTS "Build the tests" ON)
set(VMTAX_SANITIZE "" CACHE STRING "Sanitizers for every target, as for -fsanitize= (empty: none)")

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

find_program(MOLD mold)
if(MOLD)
  add_link_options(-fuse-ld=mold)
endif()

if(VMTAX_SANITIZE)
  add_compile_options(-fsanitize=${VMTAX_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${VMTAX_SANITIZE})
endif()
