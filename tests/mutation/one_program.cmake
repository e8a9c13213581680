# For mutate.py, which has CMake read this file at the project's first line: all tests of C++ in one
# program, mutation_tests, in which mutated objects take the place of the original ones.
#
# The engine is compiled without optimisation, since it is compiled for every mutant.

function(add_mutation_tests)
  set(tests ${PROJECT_SOURCE_DIR}/tests)
  file(GLOB sources CONFIGURE_DEPENDS ${tests}/support/*.cpp ${tests}/*/*_test.cpp)
  list(FILTER sources EXCLUDE REGEX "/probes_test") # needs an engine with probes
  add_executable(
    mutation_tests EXCLUDE_FROM_ALL
    ${sources} $<TARGET_OBJECTS:retrygarden_engine> $<TARGET_OBJECTS:retrygarden_reference_model>)
  target_include_directories(
    mutation_tests
    PRIVATE ${tests} ${PROJECT_SOURCE_DIR}/engine/include ${PROJECT_SOURCE_DIR}/engine/src
            ${PROJECT_SOURCE_DIR}/reference_model/include)
  target_include_directories(mutation_tests SYSTEM PRIVATE ${RANDOM123_INCLUDE_DIR})
  target_compile_definitions(mutation_tests PRIVATE GOLDEN_DIR="${PROJECT_SOURCE_DIR}/golden"
                                                    RETRYGARDEN_MEASURES_MEMORY)
  target_link_libraries(
    mutation_tests PRIVATE Boost::headers fmt::fmt GTest::gtest_main nlohmann_json::nlohmann_json
                           rapidcheck tl::expected)
  target_link_options(mutation_tests PRIVATE -fuse-ld=lld)

  target_compile_options(retrygarden_engine PRIVATE -O0)
  target_compile_options(retrygarden_reference_model PRIVATE -O1)
  target_compile_options(mutation_tests PRIVATE -O0)
  set(common
      <algorithm> <array> <charconv> <functional> <map> <optional> <string> <variant> <vector>
      <boost/multiprecision/cpp_int.hpp> <nlohmann/json.hpp>)
  target_precompile_headers(retrygarden_engine PRIVATE ${common} <fmt/format.h> <tl/expected.hpp>)
  target_precompile_headers(retrygarden_reference_model PRIVATE ${common})
  target_precompile_headers(
    mutation_tests PRIVATE ${common} <fmt/format.h> <gtest/gtest.h> <rapidcheck.h>
                           <tl/expected.hpp>)
endfunction()

cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR} CALL add_mutation_tests)
