# One static target per folder. A folder sees the headers of another only by linking its target, so
# that an include against the arrows of the design fails to build: each target's public include path
# holds nothing but its own folder under its own name.

# vmtax_folder(NAME FOLDER SOURCES ... [LINKS ...] [PRIVATE_LINKS ...])
function(vmtax_folder name folder)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  set(view ${CMAKE_BINARY_DIR}/include/${name})
  file(MAKE_DIRECTORY ${view})
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${view}/${folder} SYMBOLIC)
  target_include_directories(${name} PUBLIC ${view})
  target_link_libraries(${name} PUBLIC ${ARG_LINKS} PRIVATE vmtax_warnings ${ARG_PRIVATE_LINKS})
endfunction()
