// TimingWheel: what lies ahead, by tick.
//
// A hierarchical timing wheel (Varghese, Lauck: Hashed and hierarchical timing wheels, SOSP 1987):
// four wheels of 256 slots, one for each byte of a tick. An item waits in the wheel of the highest
// byte in which its tick differs from the current one, and moves down when the current tick reaches
// its slot, so at most three times. Empty slots are skipped by bitmap; empty ticks cost nothing.
//
// Slots are chains of blocks from one pool, so adding allocates nothing per item, and what a tick
// took is at once free for what it adds. In the lowest wheel the slot tells the tick, and blocks
// hold items alone; above, each item stands with its tick.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "check.h"
#include "probe.h"
#include "retrygarden/scenario.h"

namespace retrygarden {

// Item: small, and copied as bytes.
template <class Item>
class TimingWheel {
 public:
  TimingWheel() = default;
  TimingWheel(const TimingWheel&) = delete;
  TimingWheel& operator=(const TimingWheel&) = delete;

  // Precondition: tick is not before the current tick, and after it once that was taken. Inlined,
  // as compilers would not do by themselves: it is done for each attempt, and a call takes a fifth
  // of the time of a run.
  [[gnu::always_inline]] void add(Tick tick, Item item) {
    const Tick differing = tick ^ now_;
    if (differing < kSlots) {
      add_to_lowest(slot_of(tick, 0), item);
    } else {
      add_above(tick, item);
    }
  }

  // Goes to the earliest tick that has items, which is the current tick then. If there is none up
  // to `latest`, goes to `latest` and returns nothing. Precondition: latest is not before the
  // current tick.
  std::optional<Tick> advance(Tick latest) {
    for (;;) {
      const std::size_t wheel = lowest_occupied_wheel();
      const std::size_t slot = wheel == kWheels ? 0 : first_occupied_slot(wheel);
      if (wheel == kWheels || begin_of(wheel, slot) > latest) {
        now_ = latest;  // items that lie beyond stay in their slots
        return std::nullopt;
      }
      const Tick slot_begin = begin_of(wheel, slot);
      RETRYGARDEN_CHECK(slot_begin >= now_);
      now_ = slot_begin;
      if (wheel == 0) {
        return now_;
      }
      drain(wheel, slot, [this](const Block& block) {
        for (const Timed& timed : block.timed()) {
          add(timed.tick, timed.item);
        }
      });
    }
  }

  // How many items the current tick has.
  std::size_t count() const { return counts_[slot_of(now_, 0)]; }

  // Shows the items of the current tick, as spans, in no particular order.
  template <class Visit>
  void show(Visit visit) const {
    for (const Block* block = heads_[slot_of(now_, 0)]; block != nullptr; block = block->next) {
      visit(block->items());
    }
  }

  // Removes the items of the current tick, and gives them, as spans of at most kBlockItems, in the
  // order in which they were added or moved down. Visiting may add items for later ticks.
  template <class Visit>
  void take(Visit visit) {
    const std::size_t slot = slot_of(now_, 0);
    counts_[slot] = 0;
    drain(0, slot, [&](const Block& block) { visit(block.items()); });
  }

 private:
  static constexpr std::size_t kWheels = 4;
  static constexpr std::size_t kSlotBits = 8;
  static constexpr std::size_t kSlots = std::size_t{1} << kSlotBits;
  static constexpr std::size_t kBlockBytes = 1024;
  static constexpr std::size_t kMostBlocksPerAllocation = 1024;

  struct Timed {
    Tick tick;
    Item item;
  };
  static_assert(std::is_trivially_copyable_v<Item> && alignof(Item) == alignof(Tick));

  static constexpr std::size_t kRoom = kBlockBytes - 16;  // beside the head of a block

 public:
  static constexpr std::size_t kBlockItems = kRoom / sizeof(Item);

  // Bytes held for each waiting item, with its share of a block's head, where all ticks are below
  // the horizon, rounded up.
  static constexpr std::size_t bytes_per_item(std::uint32_t horizon) {
    const std::size_t items = horizon <= kSlots ? kBlockItems : kRoom / sizeof(Timed);
    return (kBlockBytes + items - 1) / items;
  }
  // Bytes that partly filled blocks may hold beyond that.
  static constexpr std::size_t slack_bytes(std::uint32_t horizon) {
    return (horizon <= kSlots ? 1 : kWheels) * kSlots * kBlockBytes;
  }

 private:
  struct Block {
    alignas(16) Block* next;
    std::uint32_t size;
    union {
      std::array<Item, kBlockItems> plain;
      std::array<Timed, kRoom / sizeof(Timed)> with_ticks;
    };

    // Trivial, so that nothing is filled that is written anyway.
    Block() {}  // NOLINT(modernize-use-equals-default,cppcoreguidelines-pro-type-member-init)

    std::span<const Item> items() const { return std::span(plain).first(size); }
    std::span<const Timed> timed() const { return std::span(with_ticks).first(size); }
  };
  static_assert(sizeof(Block) <= kBlockBytes);

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

  [[gnu::always_inline]] void add_to_lowest(std::size_t slot, Item item) {
    Block& block = block_with_room(0, slot, kBlockItems);
    block.plain[block.size++] = item;
    ++counts_[slot];
  }

  void add_above(Tick tick, Item item) {
    const auto wheel = (static_cast<std::size_t>(std::bit_width(tick ^ now_)) - 1) / kSlotBits;
    RETRYGARDEN_PROBE(kWheelHighestLevel, wheel == kWheels - 1);
    Block& block = block_with_room(wheel, slot_of(tick, wheel), kRoom / sizeof(Timed));
    block.with_ticks[block.size++] = {tick, item};
  }

  [[gnu::always_inline]] Block& block_with_room(std::size_t wheel, std::size_t slot,
                                                std::size_t room) {
    Block*& head = heads_[wheel * kSlots + slot];
    if (head == nullptr || head->size == room) {
      head = new_block(head);
      occupied_[wheel][slot / 64] |= std::uint64_t{1} << (slot % 64);
    }
    return *head;
  }

  // Empties the slot and visits its blocks. Visiting may add to other slots.
  template <class Visit>
  void drain(std::size_t wheel, std::size_t slot, Visit visit) {
    Block* block = std::exchange(heads_[wheel * kSlots + slot], nullptr);
    occupied_[wheel][slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
    block = reversed(block);  // the block filled last is the first of its chain
    while (block != nullptr) {
      visit(std::as_const(*block));
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
