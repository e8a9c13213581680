# Strict warnings for the project's own code; they are errors in all presets.
function(target_strict_warnings target)
  target_compile_options(
    ${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor -Wold-style-cast
                      # Designated initialisers leave out what has a default.
                      -Wno-missing-field-initializers)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC bug 105329: false alarms for std::string's operator+.
    target_compile_options(${target} PRIVATE -Wno-restrict)
  endif()
endfunction()
