#include "mpi_sweep.h"

#include <mpi.h>

#include <chrono>
#include <future>
#include <map>
#include <thread>
#include <utility>

namespace retrygarden::cli {

namespace {

using Values = std::vector<SummaryValues>;

enum Tag { kJob, kValues, kEnd };

// Two words a value: whether it is there, and what it is.
std::vector<std::uint64_t> words_of(const Values& values) {
  std::vector<std::uint64_t> words;
  for (const SummaryValues& row : values) {
    for (const std::optional<std::uint64_t>& value : row) {
      words.push_back(value ? 1 : 0);
      words.push_back(value.value_or(0));
    }
  }
  return words;
}

Values values_of(const std::vector<std::uint64_t>& words, std::size_t rows) {
  Values values(rows);
  const std::size_t words_a_row = words.size() / rows;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    values[i / words_a_row].push_back(words[i] != 0 ? std::optional(words[i + 1]) : std::nullopt);
  }
  return values;
}

void send(const std::vector<std::uint64_t>& words, int rank, Tag tag) {
  MPI_Send(words.data(), static_cast<int>(words.size()), MPI_UINT64_T, rank, tag, MPI_COMM_WORLD);
}

std::vector<std::uint64_t> receive(const MPI_Status& status) {
  int count = 0;
  MPI_Get_count(&status, MPI_UINT64_T, &count);
  std::vector<std::uint64_t> words(static_cast<std::size_t>(count));
  MPI_Recv(words.data(), count, MPI_UINT64_T, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  return words;
}

// Hands out the jobs, at the first process.
class HandingOut {
 public:
  HandingOut(std::size_t processes, const SweepRunners::Next& next, const SweepRunners::Run& run,
             const SweepRunners::Write& write)
      : next_(next), run_(run), write_(write), under_way_(processes) {}

  void run_all() {
    for (;;) {
      write_in_order();  // makes room for more
      hand_out();
      if (handed_out_ == written_) {
        break;
      }
      if (!take_own() && !take_from_others()) {
        std::this_thread::sleep_for(std::chrono::microseconds(50));
      }
    }
    for (std::size_t rank = 1; rank < under_way_.size(); ++rank) {
      send({}, static_cast<int>(rank), kEnd);
    }
  }

 private:
  struct Numbered {
    std::uint64_t number;
    SweepJob job;
  };

  // A job for each process that has none.
  void hand_out() {
    for (std::size_t i = 0; i < under_way_.size() && has_more_; ++i) {
      const std::size_t rank = under_way_.size() - 1 - i;  // the others first
      if (under_way_[rank] ||
          handed_out_ - written_ == SweepRunners::kJobsARunner * under_way_.size()) {
        continue;
      }
      std::optional<SweepJob> job = next_();
      if (!job) {
        has_more_ = false;
        return;
      }
      const SweepPlace& first = job->first;
      if (rank == 0) {
        own_ = std::async(std::launch::async, run_, *job);
      } else {
        send({first.point, first.seed_index, first.policy}, static_cast<int>(rank), kJob);
      }
      under_way_[rank] = {handed_out_++, *std::move(job)};
    }
  }

  // Takes what this process has run itself, if that is done.
  bool take_own() {
    if (!own_.valid() || own_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
      return false;
    }
    finish(0, own_.get());
    return true;
  }

  // Takes what another process has run, if one is done.
  bool take_from_others() {
    MPI_Status status;
    int is_there = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, kValues, MPI_COMM_WORLD, &is_there, &status);
    if (is_there == 0) {
      return false;
    }
    const auto rank = static_cast<std::size_t>(status.MPI_SOURCE);
    const SweepJob& job = under_way_[rank]->job;
    finish(rank, values_of(receive(status), job.scenario->policies.size() - job.first.policy));
    return true;
  }

  void finish(std::size_t rank, Values values) {
    Numbered& numbered = *under_way_[rank];
    finished_.emplace(numbered.number, std::pair(std::move(numbered.job), std::move(values)));
    under_way_[rank].reset();
  }

  void write_in_order() {
    while (!finished_.empty() && finished_.begin()->first == written_) {
      auto& [job, values] = finished_.begin()->second;
      write_(job, std::move(values));
      finished_.erase(finished_.begin());
      ++written_;
    }
  }

  const SweepRunners::Next& next_;
  const SweepRunners::Run& run_;
  const SweepRunners::Write& write_;
  std::vector<std::optional<Numbered>> under_way_;  // by rank
  std::future<Values> own_;
  std::map<std::uint64_t, std::pair<SweepJob, Values>> finished_;  // and not written
  std::uint64_t handed_out_ = 0;
  std::uint64_t written_ = 0;
  bool has_more_ = true;
};

}  // namespace

void MpiSweep::run_all(const Next& next, const Run& run, const Write& write) {
  HandingOut(peers_.count(), next, run, write).run_all();
}

void MpiSweep::help(const RunPlace& run) {
  for (;;) {
    MPI_Status status;
    MPI_Probe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    const std::vector<std::uint64_t> words = receive(status);
    if (status.MPI_TAG == kEnd) {
      return;
    }
    send(words_of(run({words[0], words[1], words[2]})), 0, kValues);
  }
}

}  // namespace retrygarden::cli
