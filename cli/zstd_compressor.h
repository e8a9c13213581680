// ZstdCompressor: what is written comes out compressed, as one Zstandard frame (RFC 8878).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

struct ZSTD_CCtx_s;

namespace retrygarden::cli {

class ZstdCompressor {
 public:
  // Gives what is compressed to the sink, piece by piece. Throws std::bad_alloc.
  explicit ZstdCompressor(std::function<void(std::string_view)> sink);

  void write(std::string_view text);

  // Ends the frame. Nothing may be written after that.
  void finish();

 private:
  struct Free {
    void operator()(ZSTD_CCtx_s* context) const;
  };

  void compress(std::string_view text, bool is_last);

  std::function<void(std::string_view)> sink_;
  std::unique_ptr<ZSTD_CCtx_s, Free> context_;
  std::string piece_;
};

}  // namespace retrygarden::cli
