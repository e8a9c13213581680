#include "output.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "failure.h"

namespace retrygarden::cli {

namespace {

// Paths that a signal handler may remove: fixed storage, since a handler must not allocate.
struct TemporaryName {
  std::array<char, PATH_MAX> path{};
  volatile std::sig_atomic_t in_use = 0;
};
std::array<TemporaryName, 4> temporary_names;

void remember_temporary(const std::string& path) {
  for (TemporaryName& name : temporary_names) {
    if (name.in_use == 0 && path.size() < name.path.size()) {
      std::copy_n(path.c_str(), path.size() + 1, name.path.begin());
      name.in_use = 1;
      return;
    }
  }
}

void forget_temporary(const std::string& path) {
  for (TemporaryName& name : temporary_names) {
    if (name.in_use != 0 && path == name.path.data()) {
      name.in_use = 0;
    }
  }
}

extern "C" void remove_temporaries_and_end(int signal) {
  for (const TemporaryName& name : temporary_names) {
    if (name.in_use != 0) {
      unlink(name.path.data());
    }
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// The mode that creating the file anew would give it, or the one it has.
mode_t mode_for(const std::string& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) == 0) {
    return status.st_mode & 07777;
  }
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

}  // namespace

void install_signal_handlers() {
  std::signal(SIGPIPE, SIG_IGN);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    std::signal(signal, remove_temporaries_and_end);
  }
}

Output::Output(const std::string& path) : name_(path == "-" ? "standard output" : path) {
  if (path == "-") {
    file_ = stdout;
    return;
  }
  std::error_code error;
  const auto type = std::filesystem::status(path, error).type();
  using std::filesystem::file_type;
  if (type == file_type::regular || type == file_type::not_found) {
    // A link stays a link; what it points to is replaced.
    const auto target = std::filesystem::weakly_canonical(path, error);
    path_ = error ? path : target.string();
    const auto folder = std::filesystem::path(path_).parent_path();
    temporary_path_ =
        (folder / fmt::format(".{}.XXXXXX", std::filesystem::path(path_).filename().string()))
            .string();
    const int descriptor = mkstemp(temporary_path_.data());
    if (descriptor < 0) {
      temporary_path_.clear();
      fail();
    }
    remember_temporary(temporary_path_);
    fchmod(descriptor, mode_for(path_));
    file_ = fdopen(descriptor, "wb");
  } else {
    file_ = std::fopen(path.c_str(), "wb");
  }
  if (file_ == nullptr) {
    fail();
  }
}

Output::~Output() {
  if (file_ != nullptr && file_ != stdout) {
    std::fclose(file_);
  }
  if (!temporary_path_.empty()) {
    unlink(temporary_path_.c_str());
    forget_temporary(temporary_path_);
  }
}

void Output::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) {
    fail();
  }
  bytes_written_ += text.size();
}

void Output::commit() {
  if (std::fflush(file_) != 0) {
    fail();
  }
  if (file_ == stdout) {
    return;
  }
  if (std::fclose(std::exchange(file_, nullptr)) != 0) {
    fail();
  }
  if (!temporary_path_.empty()) {
    if (std::rename(temporary_path_.c_str(), path_.c_str()) != 0) {
      fail();
    }
    forget_temporary(temporary_path_);
    temporary_path_.clear();
  }
}

void Output::fail() const {
  throw Failure(ExitCode::kInputOutputFailed,
                fmt::format("cannot write {}: {}", name_, std::strerror(errno)));
}

void make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directory(path, error);
  if (!error && !std::filesystem::is_directory(path, error)) {
    error = std::make_error_code(std::errc::not_a_directory);
  }
  if (error) {
    throw Failure(ExitCode::kInputOutputFailed,
                  fmt::format("cannot make the folder {}: {}", path, error.message()));
  }
}

}  // namespace retrygarden::cli
