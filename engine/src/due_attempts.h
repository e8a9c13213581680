// DueAttempts: the attempts that lie ahead, by tick.
//
// A hierarchical timing wheel (Varghese, Lauck: Hashed and hierarchical timing wheels, SOSP 1987):
// four wheels of 256 slots, one for each byte of a tick. An attempt waits in the wheel of the
// highest byte in which its tick differs from the current one, and moves down when the current tick
// reaches its slot, so at most three times. Empty slots are skipped by bitmap; empty ticks cost
// nothing.
//
// Slots are chains of blocks from one pool, so adding allocates nothing per attempt, and what a
// tick took is at once free for what it adds.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "check.h"
#include "probe.h"
#include "retrygarden/scenario.h"

namespace retrygarden {

struct DueAttempt {
  Client client;
  std::uint32_t attempt;
};

class DueAttempts {
 public:
  DueAttempts() = default;
  DueAttempts(const DueAttempts&) = delete;
  DueAttempts& operator=(const DueAttempts&) = delete;

  // Precondition: tick is not before the current tick, and after it once that was taken. Inlined,
  // as compilers would not do by themselves: it is done for each attempt, and a call takes a fifth
  // of the time of a run.
  [[gnu::always_inline]] void add(Tick tick, DueAttempt due) {
    const Tick differing = tick ^ now_;
    const std::size_t wheel =
        differing == 0 ? 0 : (static_cast<std::size_t>(std::bit_width(differing)) - 1) / kSlotBits;
    RETRYGARDEN_PROBE(kWheelHighestLevel, wheel == kWheels - 1);
    add_to_slot(wheel, slot_of(tick, wheel), {tick, due});
  }

  // Goes to the earliest tick that has attempts, which is the current tick then. If there is none
  // up to `latest`, goes to `latest` and returns nothing. Precondition: latest is not before the
  // current tick.
  std::optional<Tick> advance(Tick latest) {
    for (;;) {
      const std::size_t wheel = lowest_occupied_wheel();
      const std::size_t slot = wheel == kWheels ? 0 : first_occupied_slot(wheel);
      if (wheel == kWheels || begin_of(wheel, slot) > latest) {
        now_ = latest;  // attempts that lie beyond stay in their slots
        return std::nullopt;
      }
      const Tick slot_begin = begin_of(wheel, slot);
      RETRYGARDEN_CHECK(slot_begin >= now_);
      now_ = slot_begin;
      if (wheel == 0) {
        return now_;
      }
      drain(wheel, slot, [this](const Entry& entry) { add(entry.tick, entry.due); });
    }
  }

  // Moves the attempts of the current tick to bucket, which is emptied first. Their order is that
  // in which they were added, or none in particular.
  void take(std::vector<DueAttempt>& bucket) {
    const std::size_t slot = slot_of(now_, 0);
    bucket.clear();
    if (const std::size_t needed = counts_[slot]; needed > bucket.capacity()) {
      bucket.shrink_to_fit();  // so that old and new room are not held at once
      bucket.reserve(needed);
    }
    counts_[slot] = 0;
    drain(0, slot, [&](const Entry& entry) {
      RETRYGARDEN_CHECK(entry.tick == now_);
      bucket.push_back(entry.due);
    });
  }

  // Bytes held for each waiting attempt.
  static constexpr std::size_t kBytesPerAttempt =
      12 + 1;  // an entry, and its share of a block's head
  // Bytes that partly filled blocks may hold beyond that.
  static constexpr std::size_t kSlackBytes = std::size_t{4} * 256 * 1024;

 private:
  static constexpr std::size_t kWheels = 4;
  static constexpr std::size_t kSlotBits = 8;
  static constexpr std::size_t kSlots = std::size_t{1} << kSlotBits;

  struct Entry {
    Tick tick;
    DueAttempt due;
  };
  struct Block {
    static constexpr std::size_t kEntries = 84;  // with 64-bit pointers a block is 1 KiB

    Block* next;
    std::size_t size;
    std::array<Entry, kEntries> entries;
  };
  static_assert(sizeof(Block) == sizeof(Entry) * Block::kEntries + 2 * sizeof(Block*));
  static constexpr std::size_t kMostBlocksPerAllocation = 1024;

  static std::size_t slot_of(Tick tick, std::size_t wheel) {
    return (tick >> (wheel * kSlotBits)) & (kSlots - 1);
  }

  // The first tick of a slot: the bytes above it are the current tick's, those below are 0.
  Tick begin_of(std::size_t wheel, std::size_t slot) const {
    const std::size_t shift = wheel * kSlotBits;
    const Tick above =
        wheel + 1 == kWheels ? 0 : (now_ >> (shift + kSlotBits)) << (shift + kSlotBits);
    return above | static_cast<Tick>(slot << shift);
  }

  std::size_t lowest_occupied_wheel() const {
    std::size_t wheel = 0;
    while (wheel < kWheels && occupied_[wheel] == std::array<std::uint64_t, kSlots / 64>{}) {
      ++wheel;
    }
    return wheel;
  }

  std::size_t first_occupied_slot(std::size_t wheel) const {
    std::size_t word = 0;
    while (occupied_[wheel][word] == 0) {
      ++word;
    }
    return word * 64 + static_cast<std::size_t>(std::countr_zero(occupied_[wheel][word]));
  }

  [[gnu::always_inline]] void add_to_slot(std::size_t wheel, std::size_t slot, Entry entry) {
    Block*& head = heads_[wheel * kSlots + slot];
    if (head == nullptr || head->size == Block::kEntries) {
      head = new_block(head);
      occupied_[wheel][slot / 64] |= std::uint64_t{1} << (slot % 64);
    }
    head->entries[head->size++] = entry;
    if (wheel == 0) {
      ++counts_[slot];
    }
  }

  // Empties the slot and visits what was in it. Visiting may add to other slots.
  template <class Visit>
  void drain(std::size_t wheel, std::size_t slot, Visit visit) {
    Block* block = std::exchange(heads_[wheel * kSlots + slot], nullptr);
    occupied_[wheel][slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
    block = reversed(block);  // the block filled last is the first of its chain
    while (block != nullptr) {
      for (std::size_t i = 0; i < block->size; ++i) {
        visit(block->entries[i]);
      }
      Block* const next = block->next;
      block->next = free_;
      free_ = block;
      block = next;
    }
  }

  static Block* reversed(Block* chain) {
    Block* result = nullptr;
    while (chain != nullptr) {
      Block* const next = std::exchange(chain->next, result);
      result = std::exchange(chain, next);
    }
    return result;
  }

  Block* new_block(Block* next) {
    Block* block = free_;
    if (block != nullptr) {
      free_ = block->next;
    } else {
      if (fresh_ == fresh_end_) {
        allocate();
      }
      block = fresh_++;
    }
    block->next = next;
    block->size = 0;
    return block;
  }

  // Twice as many blocks as before, so that small runs stay small.
  void allocate() {
    blocks_per_allocation_ = std::min(2 * blocks_per_allocation_, kMostBlocksPerAllocation);
    // Not make_unique(), which would fill what is written anyway.
    fresh_ = pool_.emplace_back(new Block[blocks_per_allocation_]).get();
    fresh_end_ = fresh_ + blocks_per_allocation_;
  }

  Tick now_ = 0;
  std::array<Block*, kWheels * kSlots> heads_{};
  std::array<std::array<std::uint64_t, kSlots / 64>, kWheels> occupied_{};
  std::array<std::size_t, kSlots> counts_{};  // of the lowest wheel's slots
  Block* free_ = nullptr;                     // blocks that were emptied
  Block* fresh_ = nullptr;                    // blocks of the last allocation that were never used
  Block* fresh_end_ = nullptr;
  std::size_t blocks_per_allocation_ = 1;
  std::vector<std::unique_ptr<Block[]>> pool_;
};

}  // namespace retrygarden
