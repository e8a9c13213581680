#include "output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "failure.h"
#include "retrygarden/json.h"

namespace retrygarden::cli {

namespace {

constexpr std::size_t kMostShownBytes = 4096;

// Paths that a signal handler may remove: fixed storage, since a handler must not allocate.
struct TemporaryName {
  std::array<char, PATH_MAX> path{};
  volatile std::sig_atomic_t in_use = 0;
};
std::array<TemporaryName, 4> temporary_names;

constexpr std::array kEndingSignals = {SIGINT, SIGTERM, SIGHUP};

// Holds back the signals that end the program while it lives.
class SignalsHeldBack {
 public:
  SignalsHeldBack() {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : kEndingSignals) {
      sigaddset(&signals, signal);
    }
    pthread_sigmask(SIG_BLOCK, &signals, &before_);
  }
  ~SignalsHeldBack() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeldBack(const SignalsHeldBack&) = delete;
  SignalsHeldBack& operator=(const SignalsHeldBack&) = delete;

 private:
  sigset_t before_{};
};

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

// A file of a new name in the folder; path becomes that name. -1 if it cannot be made.
int make_temporary(std::string& path) {
  const SignalsHeldBack held_back;  // so that no signal comes between making it and remembering it
  const int descriptor = mkstemp(path.data());
  if (descriptor >= 0) {
    remember_temporary(path);
  }
  return descriptor;
}

// The descriptor that a path like /dev/stdout or /dev/fd/3 names. Writing there must go to what is
// open, and not replace the file behind it.
std::optional<int> named_descriptor(const std::string& path) {
  if (path == "/dev/stdout") {
    return STDOUT_FILENO;
  }
  if (path == "/dev/stderr") {
    return STDERR_FILENO;
  }
  constexpr std::string_view kFolder = "/dev/fd/";
  int descriptor = 0;
  const char* const end = path.data() + path.size();
  if (path.starts_with(kFolder) &&
      std::from_chars(path.data() + kFolder.size(), end, descriptor).ptr == end) {
    return descriptor;
  }
  return std::nullopt;
}

// Where a chain of symbolic links leads, whether or not there is something. A link that is written
// to stays a link.
std::filesystem::path link_target(std::filesystem::path path) {
  constexpr int kMostLinks = 40;  // as the kernel has it
  std::error_code error;
  for (int i = 0; i < kMostLinks && std::filesystem::is_symlink(path, error); ++i) {
    path = path.parent_path() / std::filesystem::read_symlink(path, error);
  }
  return path;
}

}  // namespace

void install_signal_handlers() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int signal : kEndingSignals) {
    // A signal that is ignored from the start (nohup, background jobs of a shell) stays ignored.
    if (std::signal(signal, remove_temporaries_and_end) == SIG_IGN) {
      std::signal(signal, SIG_IGN);
    }
  }
}

std::optional<std::filesystem::path> replaceable_file(const std::string& path) {
  using std::filesystem::file_type;
  std::error_code error;
  const auto type = std::filesystem::status(path, error).type();
  if (path == "-" || named_descriptor(path) ||
      (type != file_type::regular && type != file_type::not_found)) {
    return std::nullopt;
  }
  return link_target(path);
}

mode_t mode_for(const std::string& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) == 0) {
    return status.st_mode & 07777;
  }
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

Output::Output(const std::string& path)
    : name_(path == "-" ? "standard output" : printable(path, kMostShownBytes)) {
  const auto descriptor = path == "-" ? STDOUT_FILENO : named_descriptor(path);
  if (descriptor == STDOUT_FILENO) {
    file_ = stdout;
    return;
  }
  if (descriptor) {
    file_ = fdopen(dup(*descriptor), "wb");
  } else if (const auto target = replaceable_file(path)) {
    open_temporary(target->string());
  } else {
    file_ = std::fopen(path.c_str(), "wb");
  }
  if (file_ == nullptr) {
    fail();
  }
}

void Output::open_temporary(const std::string& path) {
  path_ = path;
  temporary_path_ = (std::filesystem::path(path_).parent_path() / ".retrygarden.XXXXXX").string();
  const int descriptor = make_temporary(temporary_path_);
  if (descriptor < 0) {
    temporary_path_.clear();
    fail();
  }
  if (fchmod(descriptor, mode_for(path_)) == 0) {
    file_ = fdopen(descriptor, "wb");
  }
  if (file_ == nullptr) {
    const int error = errno;
    close(descriptor);
    remove_temporary();
    errno = error;
    fail();
  }
}

Output::~Output() {
  if (file_ != nullptr && file_ != stdout) {
    std::fclose(file_);
  }
  remove_temporary();
}

void Output::remove_temporary() {
  if (!temporary_path_.empty()) {
    unlink(temporary_path_.c_str());
    forget_temporary(temporary_path_);
    temporary_path_.clear();
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
                  fmt::format("cannot make the folder {}: {}", printable(path, kMostShownBytes),
                              error.message()));
  }
}

}  // namespace retrygarden::cli
