// How the program ends: exit codes, and the exception that carries one with a message to main().
#pragma once

#include <stdexcept>
#include <string>

namespace retrygarden::cli {

enum class ExitCode {
  kDone = 0,
  kComparisonFailed = 1,
  kUsage = 2,
  kInvalidInput = 3,
  kInputOutputFailed = 4,
  kOverMemoryLimit = 5,
};

class Failure : public std::runtime_error {
 public:
  Failure(ExitCode exit_code, const std::string& message)
      : std::runtime_error(message), exit_code_(exit_code) {}

  ExitCode exit_code() const { return exit_code_; }

 private:
  ExitCode exit_code_;
};

}  // namespace retrygarden::cli
