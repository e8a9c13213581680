#include "resumable_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "failure.h"
#include "input.h"
#include "memory_limit.h"
#include "output.h"
#include "retrygarden/json.h"

namespace retrygarden::cli {

namespace {

constexpr std::size_t kMostShownBytes = 4096;
constexpr std::size_t kPieceBytes = std::size_t{1} << 16;

std::string shown(const std::filesystem::path& path) {
  return printable(path.string(), kMostShownBytes);
}

[[noreturn]] void fail(std::string_view verb, const std::filesystem::path& path) {
  throw Failure(ExitCode::kInputOutputFailed,
                fmt::format("cannot {} {}: {}", verb, shown(path), std::strerror(errno)));
}

}  // namespace

ResumableFile::ResumableFile(std::filesystem::path path, const std::string& identity)
    : path_(std::move(path)),
      partial_path_(path_.string() + ".partial"),
      identity_path_(path_.string() + ".partial.json"),
      descriptor_(open(partial_path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, mode_for(path_))) {
  if (descriptor_ < 0) {
    fail("write", partial_path_);
  }
  try {
    lock();
    claim(identity);
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

ResumableFile::~ResumableFile() {
  close(descriptor_);
}

// Two programs that append to the same file would repeat rows. The other one may also have finished
// and renamed the file since it was opened here.
void ResumableFile::lock() const {
  struct stat opened = {};
  struct stat named = {};
  if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0 || fstat(descriptor_, &opened) != 0 ||
      stat(partial_path_.c_str(), &named) != 0 || opened.st_ino != named.st_ino) {
    throw Failure(ExitCode::kInputOutputFailed,
                  fmt::format("{} is being written by another program", shown(partial_path_)));
  }
}

void ResumableFile::claim(const std::string& identity) {
  struct stat status = {};
  if (fstat(descriptor_, &status) != 0) {
    fail("read", partial_path_);
  }
  if (status.st_size == 0) {
    Output output(identity_path_.string());
    output.write(identity);
    output.commit();
  } else if (!std::filesystem::exists(identity_path_) ||
             read_input(identity_path_.string(), default_memory_limit()) != identity) {
    refuse();
  }
}

std::string_view ResumableFile::read_row(std::string_view start) {
  std::size_t line_end = std::string::npos;
  do {
    const std::string_view rest = std::string_view(buffer_).substr(consumed_);
    if (rest.substr(0, start.size()) != start.substr(0, rest.size())) {
      refuse();
    }
    line_end = rest.size() < start.size() ? std::string::npos : rest.find('\n', start.size());
    if (line_end != std::string::npos) {
      consumed_ += line_end + 1;
      end_of_rows_ += static_cast<off_t>(line_end + 1);
      return rest.substr(start.size(), line_end + 1 - start.size());
    }
  } while (fill());
  return {};
}

bool ResumableFile::fill() {
  buffer_.erase(0, std::exchange(consumed_, 0));
  const std::size_t size = buffer_.size();
  buffer_.resize(size + kPieceBytes);
  ssize_t count = -1;
  do {
    count = read(descriptor_, buffer_.data() + size, kPieceBytes);
  } while (count < 0 && errno == EINTR);
  if (count < 0) {
    fail("read", partial_path_);
  }
  buffer_.resize(size + static_cast<std::size_t>(count));
  return count > 0;
}

void ResumableFile::end_reading() {
  if (ftruncate(descriptor_, end_of_rows_) != 0 ||
      lseek(descriptor_, end_of_rows_, SEEK_SET) != end_of_rows_) {
    fail("write", partial_path_);
  }
  buffer_ = {};
}

void ResumableFile::refuse() const {
  throw Failure(ExitCode::kInputOutputFailed,
                fmt::format("{} belongs to another sweep: remove it, or name another output",
                            shown(partial_path_)));
}

void ResumableFile::append(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t count = write(descriptor_, text.data(), text.size());
    if (count >= 0) {
      text.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      fail("write", partial_path_);
    }
  }
}

void ResumableFile::commit() {
  if (std::rename(partial_path_.c_str(), path_.c_str()) != 0) {
    fail("write", path_);
  }
  unlink(identity_path_.c_str());
}

}  // namespace retrygarden::cli
