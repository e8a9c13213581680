# embed_text(TARGET HEADER NAME FILE...): makes the texts of files part of TARGET, as an array of
# {file name without endings, text} called NAME in a generated header.
function(embed_text target header name)
  set(entries "")
  foreach(file IN LISTS ARGN)
    get_filename_component(stem ${file} NAME_WE)
    file(READ ${file} text)
    string(APPEND entries "    {\"${stem}\", R\"embedded(${text})embedded\"},\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  endforeach()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}_embedded)
  file(
    CONFIGURE
    OUTPUT ${folder}/${header}
    CONTENT
      "// Generated from the files of that name.\n#pragma once\n\n#include <string_view>\n#include <utility>\n\ninline constexpr std::pair<std::string_view, std::string_view> ${name}[] = {\n${entries}};\n"
    @ONLY)
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
