// Peers: the processes that share a run, each with a range of its clients.
//
// All of them make the same calls in the same order; each call returns when all have made it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

namespace retrygarden {

class Peers {
 public:
  // Processes are numbered 0 … count()-1; lower ranks have lower client numbers. The first shows
  // what the run yields.
  virtual std::uint32_t rank() const = 0;
  virtual std::uint32_t count() const = 0;
  bool is_first() const { return rank() == 0; }

  // Collects what each process gives, ordered by rank, at all of them. Pieces are equally long.
  virtual void all_gather(std::span<const std::byte> mine, std::span<std::byte> all) = 0;

  // Gives the first process what each has, by rank, in pieces. Their lengths may differ.
  virtual void gather_at_first(std::span<const std::byte> mine,
                               const std::function<void(std::span<const std::byte>)>& take) = 0;

  // all: one for each process.
  template <class T>
  void all_gather(const T& mine, std::vector<T>& all) {
    static_assert(std::is_trivially_copyable_v<T>);
    all_gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
  }

 protected:
  ~Peers() = default;
};

}  // namespace retrygarden
