// Runs a target on files, for compilers without libFuzzer: <program> FILE_OR_FOLDER...
//
// What the fuzzer found once is checked in each test run. A failing oracle ends the program; the
// last file that is named is its input.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "target.h"

namespace {

std::vector<std::filesystem::path> files_of(const std::filesystem::path& path) {
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::is_directory(path)) {
    return {path};
  }
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

int main(int argc, char** argv) {
  // CTest judges the output only of a program that no signal ended.
  std::signal(SIGABRT, [](int) { std::_Exit(1); });
  std::size_t executions = 0;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 1; i < argc; ++i) {
    for (const auto& path : files_of(argv[i])) {
      std::ifstream file(path, std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(file), {}};
      if (!file) {
        std::fprintf(stderr, "cannot read %s\n", path.c_str());
        return 2;
      }
      std::fprintf(stderr, "%s\n", path.c_str());
      run_target(bytes);
      ++executions;
    }
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::fprintf(stderr, "%zu executions, %.0f a second\n", executions,
               static_cast<double>(executions) / seconds.count());
  return executions > 0 ? 0 : 2;
}
