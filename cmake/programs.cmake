# The programs, with their manual pages, the completions of shells and the unit for systemd. CMakeLists.txt includes this.
# Tested by tests/consumers/install.sh.

# hclvm_program_objects(PART LIBRARY...): the objects of a part of programs, as the target hclvm_PART_objects.
function(hclvm_program_objects part)
  add_library(hclvm_${part}_objects OBJECT ${hclvm_${part}_SOURCES})
  target_include_directories(hclvm_${part}_objects PRIVATE "${PROJECT_BINARY_DIR}/include"
    "${PROJECT_BINARY_DIR}/generated")
  target_link_libraries(hclvm_${part}_objects PRIVATE hclvm_hclvm ${hclvm_${part}_ABSL} ${ARGN})
endfunction()

# hclvm_program(NAME PARTS LIBRARY...): the program of that name, of its sources and the objects of these parts.
function(hclvm_program name parts)
  set(objects ${parts})
  list(TRANSFORM objects REPLACE "(.+)" "$<TARGET_OBJECTS:hclvm_\\1_objects>")
  add_executable(${name} ${hclvm_${name}_program_SOURCES} ${objects})
  target_include_directories(${name} PRIVATE "${PROJECT_BINARY_DIR}/include")
  target_link_libraries(${name} PRIVATE hclvm_hclvm ${hclvm_${name}_program_ABSL} ${ARGN})
  if(HCLVM_INSTALL)
    install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT programs)
  endif()
endfunction()

# What `hclvm explain` shows, as a text in C++ (cmd/hclvm/BUILD.bazel).
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/generated/hclvm/cmd/hclvm")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS docs/diagnostics.md)
file(READ docs/diagnostics.md hclvm_page)
file(WRITE "${PROJECT_BINARY_DIR}/generated/hclvm/cmd/hclvm/diagnostics_page.inc" "R\"~~~~(\n${hclvm_page})~~~~\"\n")

set(hclvm_programs hclvm hcldec)
hclvm_program_objects(commands)
hclvm_program_objects(workbench)
# The language server needs nlohmann's JSON, which is headers.
find_path(HCLVM_JSON_INCLUDE_DIR nlohmann/json.hpp)
mark_as_advanced(HCLVM_JSON_INCLUDE_DIR)
if(NOT HCLVM_JSON_INCLUDE_DIR)
  message(FATAL_ERROR "hclvm needs nlohmann's JSON (Debian: nlohmann-json3-dev)")
endif()
hclvm_program_objects(lsp Threads::Threads)
target_include_directories(hclvm_lsp_objects SYSTEM PRIVATE "${HCLVM_JSON_INCLUDE_DIR}")
# Bundles need libarchive: little of its archive, as the shared one loads a dozen other libraries.
find_library(HCLVM_ARCHIVE_LIBRARY NAMES libarchive.a archive)
hclvm_find_plain(archive archive.h archive)
if(NOT TARGET hclvm_dependencies::archive)
  message(FATAL_ERROR "hclvm needs libarchive (Debian: libarchive-dev)")
endif()
if(HCLVM_ARCHIVE_LIBRARY MATCHES "\\.a$" AND NOT APPLE)
  set_property(TARGET hclvm_dependencies::archive PROPERTY INTERFACE_LINK_OPTIONS "-Wl,--gc-sections")
endif()
set(hclvm_bundle_LIBRARIES ${hclvm_hash_functions_LIBRARIES} hclvm_dependencies::archive
  ${hclvm_gzip_functions_LIBRARIES} Threads::Threads)
hclvm_program_objects(bundle ${hclvm_bundle_LIBRARIES})
# `hclvm repl` loads libedit where there is a terminal, and reads plain lines without it.
hclvm_program(hclvm "commands;workbench;lsp;bundle" ${hclvm_bundle_LIBRARIES} Threads::Threads ${CMAKE_DL_LIBS})
hclvm_program(hcldec commands)

# The service needs OpenSSL's libssl and Boost's Asio and Beast, which are headers.
hclvm_find_plain(ssl openssl/ssl.h ssl)
find_path(HCLVM_BEAST_INCLUDE_DIR boost/beast/http.hpp)
mark_as_advanced(HCLVM_BEAST_INCLUDE_DIR)
if(TARGET hclvm_dependencies::ssl AND HCLVM_BEAST_INCLUDE_DIR)
  list(APPEND hclvm_programs hclvm-serve)
  set(hclvm_serve_LIBRARIES hclvm_dependencies::ssl ${hclvm_bundle_LIBRARIES} hclvm_dependencies::boost)
  hclvm_program_objects(serve ${hclvm_serve_LIBRARIES})
  hclvm_program(hclvm-serve "commands;workbench;bundle;serve" ${hclvm_serve_LIBRARIES})
else()
  message(STATUS "hclvm-serve is left out: it needs libssl and Boost.Beast")
endif()

# The service with all libraries in it, for images that have nothing else (tools/package): built when it is asked for.
find_package(PkgConfig QUIET)
if("hclvm-serve" IN_LIST hclvm_programs AND PKG_CONFIG_FOUND)
  set(hclvm_absl ${hclvm_core_ABSL} ${hclvm_bundle_ABSL} ${hclvm_serve_ABSL})
  list(TRANSFORM hclvm_absl REPLACE "absl::" "absl_")
  list(REMOVE_DUPLICATES hclvm_absl)
  pkg_check_modules(HCLVM_ABSL QUIET ${hclvm_absl})
  add_executable(hclvm-serve-static EXCLUDE_FROM_ALL ${hclvm_hclvm-serve_program_SOURCES}
    $<TARGET_OBJECTS:hclvm_commands_objects> $<TARGET_OBJECTS:hclvm_workbench_objects>
    $<TARGET_OBJECTS:hclvm_bundle_objects> $<TARGET_OBJECTS:hclvm_serve_objects>)
  add_dependencies(hclvm-serve-static hclvm_hclvm)
  target_include_directories(hclvm-serve-static PRIVATE "${PROJECT_BINARY_DIR}/include")
  target_link_options(hclvm-serve-static PRIVATE -static)
  target_link_libraries(hclvm-serve-static PRIVATE -Wl,--start-group $<TARGET_FILE:hclvm_hclvm>
    ${HCLVM_ABSL_STATIC_LIBRARIES} archive ssl crypto re2 yaml utf8proc z -Wl,--end-group)
endif()

# Envoy's protocol needs gRPC and protobuf, with their generators.
if("hclvm-serve" IN_LIST hclvm_programs)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(HCLVM_GRPC QUIET IMPORTED_TARGET grpc++ protobuf)
  endif()
  find_library(HCLVM_GRPC_REFLECTION_LIBRARY grpc++_reflection)
  find_program(HCLVM_PROTOC protoc)
  find_program(HCLVM_GRPC_PLUGIN grpc_cpp_plugin)
  mark_as_advanced(HCLVM_GRPC_REFLECTION_LIBRARY HCLVM_PROTOC HCLVM_GRPC_PLUGIN)
  if(TARGET PkgConfig::HCLVM_GRPC AND HCLVM_GRPC_REFLECTION_LIBRARY AND HCLVM_PROTOC AND HCLVM_GRPC_PLUGIN)
    list(APPEND hclvm_programs hclvm-envoy)
  else()
    message(STATUS "hclvm-envoy is left out: it needs gRPC and protobuf, with protoc and grpc_cpp_plugin")
  endif()
endif()
if("hclvm-envoy" IN_LIST hclvm_programs)
  set(protos envoy_auth envoy_core envoy_type health rpc_status)
  set(made "${PROJECT_BINARY_DIR}/generated")
  set(inputs ${protos})
  list(TRANSFORM inputs REPLACE "(.+)" "hclvm/serve/proto/\\1.proto")
  set(sources ${protos})
  list(TRANSFORM sources REPLACE "(.+)" "${made}/hclvm/serve/proto/\\1.pb.cc")
  foreach(service IN ITEMS envoy_auth health)
    list(APPEND sources "${made}/hclvm/serve/proto/${service}.grpc.pb.cc")
  endforeach()
  file(MAKE_DIRECTORY "${made}")
  file(GLOB proto_files CONFIGURE_DEPENDS serve/proto/*.proto)
  add_custom_command(OUTPUT ${sources}
    COMMAND "${HCLVM_PROTOC}" -I "${PROJECT_BINARY_DIR}/include" --cpp_out=${made} --grpc_out=${made}
      --plugin=protoc-gen-grpc=${HCLVM_GRPC_PLUGIN} ${inputs}
    WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/include" DEPENDS ${proto_files} VERBATIM)
  add_library(hclvm_proto_objects OBJECT ${sources})
  target_include_directories(hclvm_proto_objects PUBLIC "${made}")
  # Nobody here wrote them.
  target_compile_options(hclvm_proto_objects PRIVATE -w)
  target_link_libraries(hclvm_proto_objects PUBLIC PkgConfig::HCLVM_GRPC)
  hclvm_program(hclvm-envoy "commands;workbench;bundle;serve;proto" ${hclvm_serve_LIBRARIES} PkgConfig::HCLVM_GRPC
    ${HCLVM_GRPC_REFLECTION_LIBRARY})
  target_include_directories(hclvm-envoy PRIVATE "${made}")
  # With -Wl,--as-needed or without, what registers itself in the library of reflection must be there.
  add_dependencies(hclvm-envoy hclvm_proto_objects)
endif()

if(NOT HCLVM_INSTALL)
  return()
endif()

# Pages and completions are what the program itself prints. Where it cannot run here, there are none.
if(NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR)
  set(made "${PROJECT_BINARY_DIR}/share")
  add_custom_command(OUTPUT "${made}/made"
    COMMAND ${CMAKE_COMMAND} -E make_directory "${made}/bash" "${made}/zsh" "${made}/fish"
    COMMAND hclvm manual --into "${made}/man"
    COMMAND hclvm completion bash >"${made}/bash/hclvm"
    COMMAND hclvm completion zsh >"${made}/zsh/_hclvm"
    COMMAND hclvm completion fish hclvm >"${made}/fish/hclvm.fish"
    COMMAND hclvm completion fish hcldec >"${made}/fish/hcldec.fish"
    COMMAND hclvm completion fish hclvm-serve >"${made}/fish/hclvm-serve.fish"
    COMMAND hclvm completion fish hclvm-envoy >"${made}/fish/hclvm-envoy.fish"
    COMMAND ${CMAKE_COMMAND} -E touch "${made}/made"
    DEPENDS hclvm)
  add_custom_target(hclvm_share ALL DEPENDS "${made}/made")
  # bash looks for a file by the name of the program.
  foreach(program IN LISTS hclvm_programs)
    install(FILES "${made}/bash/hclvm" DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME ${program}
      COMPONENT programs)
    install(FILES "${made}/fish/${program}.fish" DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
      COMPONENT programs)
    install(DIRECTORY "${made}/man/" DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT programs
      FILES_MATCHING REGEX "/${program}(-(run|eval|check|test|convert|repl|lsp|fmt|diff|bench|profile|coverage|decode|disasm|doc|explain|functions|completion|manual|health|replay))?\\.[18]$")
  endforeach()
  install(FILES "${made}/zsh/_hclvm" DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT programs)
endif()

# systemd looks below /usr/lib and /etc; with another prefix, link or copy the units there.
if("hclvm-serve" IN_LIST hclvm_programs AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
  configure_file(cmake/hclvm-serve.service.in "${PROJECT_BINARY_DIR}/hclvm-serve.service" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/hclvm-serve.service" cmake/hclvm-serve.socket DESTINATION lib/systemd/system
    COMPONENT programs)
  install(FILES cmake/serve.hcl DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/hclvm COMPONENT programs)
  install(DIRECTORY examples/service/bundle DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/hclvm COMPONENT programs)
endif()
# What README.md sends its readers to stands where its links say.
install(FILES LICENSE README.md CHANGELOG.md SECURITY.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/hclvm COMPONENT programs)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/hclvm COMPONENT programs
  FILES_MATCHING PATTERN "*.md" PATTERN "*.svg")
install(FILES bindings/python/README.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/hclvm/bindings/python COMPONENT programs)
