// Fifo: a ring that grows. What grew once allocates nothing more.
#pragma once

#include <algorithm>
#include <boost/circular_buffer.hpp>
#include <cstddef>

namespace retrygarden {

template <class T>
class Fifo {
 public:
  bool empty() const { return ring_.empty(); }
  std::size_t size() const { return ring_.size(); }
  const T& front() const { return ring_.front(); }
  T& front() { return ring_.front(); }
  T& back() { return ring_.back(); }
  T& operator[](std::size_t index) { return ring_[index]; }

  void push_back(const T& value) {
    if (ring_.full()) {
      ring_.set_capacity(std::max<std::size_t>(kSmallest, 2 * ring_.capacity()));
    }
    ring_.push_back(value);
  }
  T take_front() {
    const T value = ring_.front();
    ring_.pop_front();
    return value;
  }
  T take_back() {
    const T value = ring_.back();
    ring_.pop_back();
    return value;
  }

 private:
  static constexpr std::size_t kSmallest = 16;

  boost::circular_buffer<T> ring_;
};

}  // namespace retrygarden
