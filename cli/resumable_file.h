// A file that is written row by row over a long time, and goes on where it stopped.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace retrygarden::cli {

// FILE.partial holds the rows until commit() gives it the name FILE; FILE.partial.json tells what
// they belong to. Whatever ends the program, both stay. FILE itself is replaced only by what is
// whole.
//
// All members throw Failure (input/output failed, also for rows that belong to something else).
class ResumableFile {
 public:
  // path: of a file that is there or not, no link. identity: what the rows belong to, a line.
  ResumableFile(std::filesystem::path path, const std::string& identity);
  ~ResumableFile();
  ResumableFile(const ResumableFile&) = delete;
  ResumableFile& operator=(const ResumableFile&) = delete;

  // Reads the next row that is there already, which must begin with this text. Returns what follows
  // up to and with the line feed; empty when there is no further whole row.
  std::string_view read_row(std::string_view start);

  // Cuts off what is no whole row. To be called once, between reading and appending.
  void end_reading();

  // Refuses the rows that are there.
  [[noreturn]] void refuse() const;

  void append(std::string_view text) const;
  void commit();

 private:
  void lock() const;
  void claim(const std::string& identity);
  bool fill();

  std::filesystem::path path_;
  std::filesystem::path partial_path_;
  std::filesystem::path identity_path_;
  int descriptor_ = -1;
  std::string buffer_;        // what was read and is not consumed
  std::size_t consumed_ = 0;  // of the buffer
  off_t end_of_rows_ = 0;     // in the file
};

}  // namespace retrygarden::cli
