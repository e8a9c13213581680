#include "mpi_peers.h"

#include <mpi.h>

#include <algorithm>
#include <cstdlib>

namespace retrygarden::cli {

namespace {

// MPI counts in int.
constexpr std::size_t kMostBytes = std::size_t{1} << 30;

int int_of(std::size_t bytes) {
  return static_cast<int>(bytes);
}

void send(std::span<const std::byte> bytes, int rank) {
  const std::uint64_t size = bytes.size();
  MPI_Send(&size, 1, MPI_UINT64_T, rank, 0, MPI_COMM_WORLD);
  for (std::size_t begin = 0; begin < bytes.size(); begin += kMostBytes) {
    const auto piece = bytes.subspan(begin, std::min(kMostBytes, bytes.size() - begin));
    MPI_Send(piece.data(), int_of(piece.size()), MPI_BYTE, rank, 0, MPI_COMM_WORLD);
  }
}

std::vector<std::byte> receive(int rank) {
  std::uint64_t size = 0;
  MPI_Recv(&size, 1, MPI_UINT64_T, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  std::vector<std::byte> bytes(size);
  for (std::size_t begin = 0; begin < bytes.size(); begin += kMostBytes) {
    const auto piece = std::span(bytes).subspan(begin, std::min(kMostBytes, bytes.size() - begin));
    MPI_Recv(piece.data(), int_of(piece.size()), MPI_BYTE, rank, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  }
  return bytes;
}

}  // namespace

MpiPeers::MpiPeers(int& argc, char**& argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  int value = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &value);
  rank_ = static_cast<std::uint32_t>(value);
  MPI_Comm_size(MPI_COMM_WORLD, &value);
  count_ = static_cast<std::uint32_t>(value);
}

MpiPeers::~MpiPeers() {
  MPI_Finalize();
}

void MpiPeers::all_gather(std::span<const std::byte> mine, std::span<std::byte> all) {
  MPI_Allgather(mine.data(), int_of(mine.size()), MPI_BYTE, all.data(), int_of(mine.size()),
                MPI_BYTE, MPI_COMM_WORLD);
}

void MpiPeers::gather_at_first(std::span<const std::byte> mine,
                               const std::function<void(std::span<const std::byte>)>& take) {
  if (!is_first()) {
    send(mine, 0);
    return;
  }
  take(mine);
  for (std::uint32_t rank = 1; rank < count_; ++rank) {
    take(receive(static_cast<int>(rank)));
  }
}

void MpiPeers::end_all(int exit_code) {
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::abort();
}

}  // namespace retrygarden::cli
