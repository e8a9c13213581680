#include "zstd_compressor.h"

#include <fmt/format.h>
#include <zstd.h>

#include <new>

#include "failure.h"

namespace retrygarden::cli {

ZstdCompressor::ZstdCompressor(std::function<void(std::string_view)> sink)
    : sink_(std::move(sink)), context_(ZSTD_createCCtx()), piece_(ZSTD_CStreamOutSize(), '\0') {
  if (context_ == nullptr) {
    throw std::bad_alloc();
  }
}

void ZstdCompressor::Free::operator()(ZSTD_CCtx_s* context) const {
  ZSTD_freeCCtx(context);
}

void ZstdCompressor::write(std::string_view text) {
  compress(text, false);
}

void ZstdCompressor::finish() {
  compress({}, true);
}

void ZstdCompressor::compress(std::string_view text, bool is_last) {
  ZSTD_inBuffer in{text.data(), text.size(), 0};
  std::size_t left = 0;
  do {
    ZSTD_outBuffer out{piece_.data(), piece_.size(), 0};
    left = ZSTD_compressStream2(context_.get(), &out, &in, is_last ? ZSTD_e_end : ZSTD_e_continue);
    if (ZSTD_isError(left) != 0) {
      throw Failure(ExitCode::kInputOutputFailed,
                    fmt::format("cannot compress the output: {}", ZSTD_getErrorName(left)));
    }
    sink_(std::string_view(piece_).substr(0, out.pos));
  } while (is_last ? left > 0 : in.pos < in.size);
}

}  // namespace retrygarden::cli
