#include "input.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "failure.h"
#include "memory_limit.h"

namespace retrygarden::cli {

namespace {

constexpr std::size_t kMostFaultsShown = 50;
constexpr std::size_t kMostShownBytes = 4096;

// What a text takes at most while it is read, by measurement: a list of short numbers takes most.
constexpr std::uint64_t kBytesPerByteOfText = 40;

[[noreturn]] void throw_read_failure(const std::string& path) {
  throw Failure(ExitCode::kInputOutputFailed,
                fmt::format("cannot read {}: {}", input_name(path), std::strerror(errno)));
}

class FileDescriptor {
 public:
  explicit FileDescriptor(const std::string& path)
      : is_standard_input_(path == "-"),
        descriptor_(is_standard_input_ ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) {
      throw_read_failure(path);
    }
  }
  ~FileDescriptor() {
    if (!is_standard_input_) {
      close(descriptor_);
    }
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;

  int get() const { return descriptor_; }

 private:
  bool is_standard_input_;
  int descriptor_;
};

}  // namespace

std::string input_name(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

std::string read_input(const std::string& path, std::uint64_t memory_limit) {
  const FileDescriptor file(path);
  std::string text;
  std::string piece(std::size_t{1} << 16, '\0');
  for (;;) {
    const ssize_t count = read(file.get(), piece.data(), piece.size());
    if (count == 0) {
      return text;
    }
    if (count > 0) {
      text.append(piece, 0, static_cast<std::size_t>(count));
      require_memory(text.size() * kBytesPerByteOfText, memory_limit, "reading so long a text");
    } else if (errno != EINTR) {
      throw_read_failure(path);
    }
  }
}

void throw_faults(const std::string& path, const Faults& faults) {
  std::string message = fmt::format("{} is not valid:", input_name(path));
  for (std::size_t i = 0; i < std::min(faults.size(), kMostFaultsShown); ++i) {
    message += "\n  " + to_string(faults[i]);
  }
  if (faults.size() > kMostFaultsShown) {
    message += fmt::format("\n  and {}{} more", faults.size() == kMaxFaults ? "at least " : "",
                           faults.size() - kMostFaultsShown);
  }
  throw Failure(ExitCode::kInvalidInput, message);
}

Scenario load_scenario(const std::string& path, std::uint64_t memory_limit) {
  auto scenario = read_scenario(read_input(path, memory_limit));
  if (!scenario) {
    throw_faults(path, scenario.error());
  }
  return *std::move(scenario);
}

Scenario load_scenario(const std::string& path, std::uint64_t memory_limit,
                       const std::vector<std::string>& policy_names) {
  Scenario scenario = load_scenario(path, memory_limit);
  select_policies(scenario, policy_names);
  return scenario;
}

void select_policies(Scenario& scenario, const std::vector<std::string>& policy_names) {
  if (policy_names.empty()) {
    return;
  }
  for (const std::string& name : policy_names) {
    if (std::none_of(scenario.policies.begin(), scenario.policies.end(),
                     [&](const Policy& policy) { return policy.name == name; })) {
      std::string message =
          fmt::format("no policy is called \"{}\"; there are:", printable(name, kMostShownBytes));
      for (const Policy& policy : scenario.policies) {
        message += "\n  " + printable(policy.name, 200);
      }
      throw Failure(ExitCode::kUsage, message);
    }
  }
  std::erase_if(scenario.policies, [&](const Policy& policy) {
    return std::find(policy_names.begin(), policy_names.end(), policy.name) == policy_names.end();
  });
}

}  // namespace retrygarden::cli
