# Read by CMake behind the project's own line (CMAKE_PROJECT_INCLUDE, tests/consumers/installed.sh): the headers that most
# sources read are compiled once for each of the large parts. Where nothing is optimized, they are much of the work; what
# is built is the same.
function(hclvm_precompile)
  foreach(part IN ITEMS core hclvm)
    if(TARGET hclvm_${part}_objects)
      target_precompile_headers(hclvm_${part}_objects PRIVATE <algorithm> <functional> <memory> <optional> <string> <vector>
        <absl/container/flat_hash_map.h> <absl/container/inlined_vector.h> <absl/strings/str_cat.h> <absl/types/span.h>)
    endif()
  endforeach()
endfunction()

# Older ones cannot wait for the parts, and do without.
if(CMAKE_VERSION VERSION_GREATER_EQUAL 3.19)
  cmake_language(DEFER CALL hclvm_precompile)
endif()
