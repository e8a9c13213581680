// The program's commands. Each takes what its options say, prints, and returns; what goes wrong is
// thrown as Failure.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "failure.h"
#include "retrygarden/workers.h"

namespace retrygarden::cli {

struct RunOptions {
  enum class Format { kTable, kJson, kCsv };

  std::string scenario;
  std::vector<std::string> policies;
  std::vector<std::string> with;  // SYSTEM:FILE, whose policies take the place of the scenario's
  Format format = Format::kTable;
  Workers workers;
  std::uint64_t memory_limit = 0;
};
void run_command(const RunOptions& options);

struct ExportOptions {
  enum class Format { kJson, kNdjson, kCsv };

  std::string scenario;
  std::string output = "-";
  Format format = Format::kJson;
  bool compress = false;  // by zstd
  Workers workers;
  std::uint64_t memory_limit = 0;
};
void export_command(const ExportOptions& options);

struct ReportOptions {
  std::string scenario;
  std::string output = "-";
  std::string page;  // empty: the one that belongs to the program
  std::uint64_t memory_limit = 0;
};
void report_command(const ReportOptions& options);

struct AttemptsOptions {
  std::string scenario;
  std::vector<std::string> policies;
  std::vector<std::uint64_t> clients;
  std::vector<std::uint64_t> ticks;
  std::uint64_t memory_limit = 0;
};
void attempts_command(const AttemptsOptions& options);

struct DelaysOptions {
  std::string scenario;                                   // empty where there is `from`
  std::vector<std::pair<std::string, std::string>> from;  // system and file
  std::string tick = "1ms";                               // of these
  std::vector<std::string> policies;
  std::uint32_t attempts = 20;  // shown at most
  std::uint64_t memory_limit = 0;
};
void delays_command(const DelaysOptions& options);

struct VerifyOptions {
  std::string document;
  std::uint64_t memory_limit = 0;
};
void verify_command(const VerifyOptions& options);

class SweepRunners;

struct SweepOptions {
  enum class Format { kCsv, kNdjson };

  std::string sweep;
  std::string output = "-";
  Format format = Format::kCsv;
  std::string statistics;  // empty: none as CSV
  unsigned threads = 1;
  SweepRunners* runners = nullptr;  // null: the threads of this process
  std::uint64_t memory_limit = 0;
};
void sweep_command(const SweepOptions& options);

void check_command(const std::string& scenario);

struct NewOptions {
  std::string preset;
  std::string output = "-";
  bool list = false;
};
void new_command(const NewOptions& options);

struct ImportOptions {
  std::string system;
  std::string file;
  std::string tick = "1ms";
  std::string output = "-";
  bool strict = false;
  bool list = false;  // the systems, or the example of the one that is named
  std::uint64_t memory_limit = 0;
};
void import_command(const ImportOptions& options);

void schema_command();

}  // namespace retrygarden::cli
