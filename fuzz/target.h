// What a target defines. libFuzzer calls it through libfuzzer_main.cpp, for new inputs without end;
// replay_main.cpp calls it for files.
#pragma once

#include <string_view>

void run_target(std::string_view bytes);
