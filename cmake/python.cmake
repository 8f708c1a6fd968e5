# The module for Python, as the target hclvm_python, which is built when it is asked for. CMakeLists.txt includes this with
# HCLVM_PYTHON=ON; tools/package does so, and makes a wheel of what is built. Tested by tools/package --try.

set(PYBIND11_FINDPYTHON ON)
find_package(pybind11 CONFIG REQUIRED)
file(GLOB hclvm_python_SOURCES CONFIGURE_DEPENDS bindings/python/*.cc)
# It runs tests of modules, as programs do, whose sources are in no library.
pybind11_add_module(hclvm_python MODULE EXCLUDE_FROM_ALL ${hclvm_python_SOURCES} ${hclvm_workbench_SOURCES})
set_target_properties(hclvm_python PROPERTIES PREFIX "" OUTPUT_NAME _hclvm SUFFIX .so)
target_include_directories(hclvm_python PRIVATE "${PROJECT_BINARY_DIR}/include")
target_link_libraries(hclvm_python PRIVATE hclvm_hclvm ${hclvm_workbench_ABSL})
# Nothing but what Python looks for: the libraries within are not for others in the process.
target_link_options(hclvm_python PRIVATE "LINKER:--version-script=${PROJECT_SOURCE_DIR}/bindings/python/symbols.map")
set_target_properties(hclvm_python PROPERTIES LINK_DEPENDS "${PROJECT_SOURCE_DIR}/bindings/python/symbols.map")
