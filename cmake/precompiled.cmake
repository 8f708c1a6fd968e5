# Read by CMake behind the project's own line (CMAKE_PROJECT_INCLUDE in tools/install, tools/package and
# tests/consumers/installed.sh): the headers of others that most sources read are compiled once for each of the large parts.
# What is built is the same. Projects that have this one as a folder precompile nothing.
function(hclvm_precompile)
  foreach(target IN ITEMS hclvm_core_objects hclvm_hclvm_objects hclvm_commands_objects hclvm_serve_objects hclvm)
    if(TARGET ${target})
      target_precompile_headers(${target} PRIVATE <algorithm> <cstdint> <functional> <memory> <optional> <string>
        <string_view> <utility> <vector> <absl/container/flat_hash_map.h> <absl/container/inlined_vector.h>
        <absl/strings/str_cat.h> <absl/types/span.h>)
    endif()
  endforeach()
endfunction()

# Older ones cannot wait for the parts, and do without.
if(CMAKE_VERSION VERSION_GREATER_EQUAL 3.19)
  cmake_language(DEFER CALL hclvm_precompile)
endif()
