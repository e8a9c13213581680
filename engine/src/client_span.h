// ClientSpan: clients with neighbouring numbers, such as those of a process or of a shard.
#pragma once

#include <algorithm>
#include <cstdint>

#include "retrygarden/plan.h"

namespace retrygarden {

// Clients begin … end-1.
struct ClientSpan {
  Client begin;
  Client end;

  std::uint32_t size() const { return end - begin; }

  // One of so many parts, which follow each other and are about equally large. Each begins at a
  // multiple of `unit` clients from the span's begin, so that no unit is split.
  ClientSpan part(std::uint64_t index, std::uint64_t parts, std::uint32_t unit = 1) const {
    const std::uint64_t units = units_of(unit);
    const auto border = [&](std::uint64_t i) {
      return static_cast<Client>(begin + std::min<std::uint64_t>(size(), units * i / parts * unit));
    };
    return {border(index), border(index + 1)};
  }

  // How many units there are, the last of which may be smaller.
  std::uint64_t units_of(std::uint32_t unit) const {
    return size() / unit + (size() % unit > 0 ? 1 : 0);
  }
};

}  // namespace retrygarden
