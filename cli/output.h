// Writing what the command line names, so that a file is there whole or not at all.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace retrygarden::cli {

// One output: standard output for "-", else a file. A file is written under a temporary name beside
// its own and takes its name with commit(); without commit() nothing is left of it, also when the
// program is interrupted. What exists and is no plain file (a device, a pipe), or is open already
// (/dev/fd/3), is written directly.
//
// All members throw Failure (input/output failed).
class Output {
 public:
  explicit Output(const std::string& path);
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void write(std::string_view text);
  void commit();

  std::uint64_t bytes_written() const { return bytes_written_; }

 private:
  void open_temporary(const std::string& path);
  void remove_temporary();
  [[noreturn]] void fail() const;

  std::string name_;            // as messages call it
  std::string path_;            // where the file will be; empty for standard output and devices
  std::string temporary_path_;  // where it is until then
  std::FILE* file_ = nullptr;
  std::uint64_t bytes_written_ = 0;
};

// Where the file of this path is written to: links are followed, whether or not there is something.
// Nothing if what is there must be written directly.
std::optional<std::filesystem::path> replaceable_file(const std::string& path);

// The mode of the file, or the one that creating it would give it.
mode_t mode_for(const std::string& path);

// Makes the folder unless it is there. Throws Failure.
void make_folder(const std::string& path);

// Removes temporary files when the program is told to end (SIGINT, SIGTERM, SIGHUP), and turns a
// closed pipe and a file that grows too large into write errors. Call once, at the start.
void install_signal_handlers();

}  // namespace retrygarden::cli
