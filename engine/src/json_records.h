// Writing records as JSON, one on a line, in large pieces.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "record_members.h"
#include "retrygarden/export.h"

namespace retrygarden {

// Gathers text and hands it to the sink in large pieces. Call flush() at the end.
class Writer {
 public:
  explicit Writer(const Sink& sink) : sink_(sink) {}

  Writer& operator<<(std::string_view text) {
    buffer_.append(text);
    if (buffer_.size() >= kFlushBytes) {
      flush();
    }
    return *this;
  }

  Writer& operator<<(std::unsigned_integral auto number) {
    const fmt::format_int digits(number);
    return *this << std::string_view(digits.data(), digits.size());
  }

  void flush() {
    sink_({buffer_.data(), buffer_.size()});
    buffer_.clear();
  }

 private:
  static constexpr std::size_t kFlushBytes = std::size_t{1} << 16;

  const Sink& sink_;
  fmt::memory_buffer buffer_;
};

inline void write_json_number(Writer& out, const std::optional<std::uint32_t>& number) {
  if (number) {
    out << *number;
  } else {
    out << "null";
  }
}

template <class Record>
void write_json_record(Writer& out, const Record& record);

// The members of a record as JSON, on one line and without the braces.
class JsonMembers {
 public:
  explicit JsonMembers(Writer& out) : out_(out) {}

  template <class Value>
  void operator()(std::string_view name, const Value& value) {
    out_ << (is_first_ ? "\"" : ", \"") << name << "\": ";
    is_first_ = false;
    write(value);
  }

 private:
  void write(std::unsigned_integral auto number) { out_ << number; }
  void write(std::string_view text) { out_ << "\"" << text << "\""; }
  void write(const std::optional<std::uint32_t>& number) { write_json_number(out_, number); }
  void write(const HasMembers auto& record) { write_json_record(out_, record); }

  Writer& out_;
  bool is_first_ = true;
};

template <class Record>
void write_json_record(Writer& out, const Record& record) {
  out << "{";
  visit_members(record, JsonMembers(out));
  out << "}";
}

// Records as a list, without line breaks.
template <class Records>
void write_json_list(Writer& out, const Records& records) {
  out << "[";
  std::string_view separator;
  for (const auto& record : records) {
    out << std::exchange(separator, ", ");
    write_json_record(out, record);
  }
  out << "]";
}

}  // namespace retrygarden
