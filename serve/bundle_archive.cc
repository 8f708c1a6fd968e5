// Archives, by libarchive. Tested by serve/bundle_archive_test.cc.
//
// Nothing is written to a disk: what an archive could do there it cannot do here. The library is told of one format and
// no filter, since each that it knows is code that reads hostile input.

#include "hclvm/serve/bundle_archive.h"

#include <locale.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "archive.h"
#include "archive_entry.h"
#include "hclvm/base/absl_string.h"
#include "zlib.h"

namespace hcl::serve {

using internal::ToAbsl;
namespace {

using Reader = std::unique_ptr<struct archive, int (*)(struct archive*)>;

absl::Status Broken(struct archive* reader) {
  const char* const reason = archive_error_string(reader);
  return absl::InvalidArgumentError(absl::StrCat("not a sound tar.gz: ", reason == nullptr ? "unknown" : reason));
}

// Names in newer headers are UTF-8, which the library makes bytes by the locale of the thread: in that of most
// services, it refuses all but ASCII.
class Utf8Locale {
 public:
  Utf8Locale() : made_(newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {
    if (made_ != nullptr) before_ = uselocale(made_);
  }
  Utf8Locale(const Utf8Locale&) = delete;
  Utf8Locale& operator=(const Utf8Locale&) = delete;
  ~Utf8Locale() {
    if (made_ == nullptr) return;
    uselocale(before_);
    freelocale(made_);
  }

 private:
  locale_t made_;  // null: the system has none
  locale_t before_ = nullptr;
};

constexpr size_t kShownName = 256;
std::string_view Shown(std::string_view name) { return name.substr(0, kShownName); }

// What an archive has beside texts: heads of an entry, and blocks at its end.
constexpr uint64_t kBytesBesideText = 8 << 10;
constexpr uint64_t kBytesAtEnd = 64 << 10;

// What is in the archive's gzip, piece by piece, or in the archive itself where it has none. It is unpacked here and
// not by libarchive, which passes by the checksums and what is behind the end, so that a bit that was lost on the way
// would make other policies; which unpacks what is packed twice, whose inner checksums nobody would look at; and which
// reads gigabytes of headers that become nothing.
class Unpacked {
 public:
  Unpacked(std::string_view archive, const BundleLimits& limits)
      : packed_(archive),
        is_gzip_(archive.substr(0, 2) == "\x1f\x8b"),
        // Half of the entries and of the bytes are what is left out of the bundle.
        most_(2 * (limits.max_bytes + limits.max_files * kBytesBesideText) + kBytesAtEnd),
        limits_(limits) {}
  Unpacked(const Unpacked&) = delete;
  Unpacked& operator=(const Unpacked&) = delete;
  ~Unpacked() {
    if (is_begun_) inflateEnd(&stream_);
  }

  // The next piece, which is valid until the next call; empty at the end, and where status() is not ok.
  std::string_view Next() {
    if (!status_.ok()) return {};
    const size_t size = is_gzip_ ? Inflate() : Copy();
    if (!status_.ok()) return {};
    for (size_t n = size; n > 0; --n) {
      if (piece_[n - 1] == 0) continue;
      used_ = total_ + n;
      break;
    }
    total_ += size;
    if (total_ > most_) status_ = BundleCollector(limits_).TooLarge();
    return status_.ok() ? std::string_view(reinterpret_cast<const char*>(piece_), size) : std::string_view();
  }

  const absl::Status& status() const { return status_; }
  // Bytes up to the last one that is not zero, of all pieces; and those after it.
  uint64_t used() const { return used_; }
  uint64_t zeros_at_end() const { return total_ - used_; }

 private:
  size_t Copy() {
    const size_t size = std::min(packed_.size(), sizeof(piece_));
    std::copy_n(packed_.data(), size, piece_);
    packed_.remove_prefix(size);
    return size;
  }

  // A gzip can have several parts, each with its checksum.
  size_t Inflate() {
    constexpr int kOnlyGzip = 15 + 16;
    if (!is_begun_ && inflateInit2(&stream_, kOnlyGzip) != Z_OK) {
      status_ = absl::ResourceExhaustedError("no memory for the archive");
      return 0;
    }
    is_begun_ = true;
    stream_.next_out = piece_;
    stream_.avail_out = sizeof(piece_);
    while (stream_.avail_out == sizeof(piece_)) {
      if (stream_.avail_in == 0) Feed();
      if (is_at_end_ && stream_.avail_in == 0) return 0;
      if (is_at_end_ && inflateReset(&stream_) != Z_OK) return Damaged();
      const int result = inflate(&stream_, Z_NO_FLUSH);
      is_at_end_ = result == Z_STREAM_END;
      if (!is_at_end_ && result != Z_OK) return Damaged();
    }
    return sizeof(piece_) - stream_.avail_out;
  }

  // zlib counts in 32 bits.
  void Feed() {
    const size_t size = std::min<size_t>(packed_.size(), 1 << 30);
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed_.data()));
    stream_.avail_in = static_cast<uInt>(size);
    packed_.remove_prefix(size);
  }

  size_t Damaged() {
    status_ = absl::InvalidArgumentError("not a sound tar.gz: damaged, or something is behind its end");
    return 0;
  }

  std::string_view packed_;  // what is not yet taken of it
  const bool is_gzip_;
  const uint64_t most_;
  const BundleLimits limits_;
  z_stream stream_ = {};
  bool is_begun_ = false;
  bool is_at_end_ = false;  // of a part
  uint64_t total_ = 0;
  uint64_t used_ = 0;
  absl::Status status_;
  Bytef piece_[1 << 16];
};

// For libarchive.
la_ssize_t NextPiece(struct archive* reader, void* unpacked, const void** piece) {
  auto* const from = static_cast<Unpacked*>(unpacked);
  const std::string_view next = from->Next();
  *piece = next.data();
  if (from->status().ok()) return static_cast<la_ssize_t>(next.size());
  archive_set_error(reader, EINVAL, "%s", "it cannot be unpacked");
  return -1;
}

// "./a/b" and "a/b/" are "a/b"; "./" is the top.
std::string_view FastPath(std::string_view path) {
  while (path.substr(0, 2) == "./") path.remove_prefix(2);
  while (!path.empty() && path.back() == '/') path.remove_suffix(1);
  return path == "." ? std::string_view() : path;
}

absl::Status ReadText(struct archive* reader, const BundleCollector& collector, std::string* text) {
  char buffer[1 << 16];
  for (;;) {
    const la_ssize_t got = archive_read_data(reader, buffer, sizeof(buffer));
    if (got == 0) return absl::OkStatus();
    if (got < 0) return Broken(reader);
    text->append(buffer, static_cast<size_t>(got));
    if (text->size() > collector.bytes_left()) return collector.TooLarge();
  }
}

// What is left out is checked as well: an archive with a bad name in it is not one to trust.
absl::Status TakeEntry(struct archive* reader, struct archive_entry* entry, uint64_t* skipped,
                       BundleCollector* collector) {
  const char* const name = archive_entry_pathname(entry);
  if (name == nullptr) return absl::InvalidArgumentError("a name that cannot be read");
  const auto type = archive_entry_filetype(entry);
  const bool is_link = archive_entry_hardlink(entry) != nullptr || archive_entry_symlink(entry) != nullptr;
  if (is_link || (type != AE_IFREG && type != AE_IFDIR)) {
    return absl::InvalidArgumentError(absl::StrCat("not a regular file or a folder: ", ToAbsl(Shown(name))));
  }
  const std::string_view path = FastPath(name);
  if (path.empty() && type == AE_IFDIR) return absl::OkStatus();
  const std::string fault = FaultOfPath(path);
  if (!fault.empty()) return absl::InvalidArgumentError(absl::StrCat(fault, ": ", ToAbsl(Shown(name))));
  if (type == AE_IFDIR) return absl::OkStatus();
  std::string text;
  absl::Status status = ReadText(reader, *collector, &text);
  if (!status.ok()) return status;
  // One of which only parts are there, between holes, is shorter here.
  if (archive_entry_size(entry) != static_cast<la_int64_t>(text.size())) {
    return absl::InvalidArgumentError(absl::StrCat("not all of the file is there: ", ToAbsl(Shown(name))));
  }
  if (!IsHiddenPath(path)) return collector->Add(path, std::move(text));
  *skipped += text.size();
  return *skipped > collector->bytes_left() ? collector->TooLarge() : absl::OkStatus();
}

// For libarchive.
la_ssize_t TakePiece(struct archive*, void* out, const void* piece, size_t size) {
  static_cast<std::string*>(out)->append(static_cast<const char*>(piece), size);
  return static_cast<la_ssize_t>(size);
}

absl::Status CannotWrite(struct archive* writer) {
  const char* const reason = archive_error_string(writer);
  return absl::UnavailableError(absl::StrCat("cannot make the archive: ", reason == nullptr ? "no memory" : reason));
}

// Nothing that the library would take from the system or the clock is left to it.
absl::Status WriteTar(const BundleFiles& files, std::string* tar) {
  const std::unique_ptr<struct archive, int (*)(struct archive*)> writer(archive_write_new(), archive_write_free);
  const std::unique_ptr<struct archive_entry, void (*)(struct archive_entry*)> entry(archive_entry_new(),
                                                                                     archive_entry_free);
  if (writer == nullptr || entry == nullptr) return absl::UnavailableError("no memory for the archive");
  // A plain header where the name fits into one, and one of POSIX's extended headers before it otherwise.
  if (archive_write_set_format_pax_restricted(writer.get()) != ARCHIVE_OK ||
      archive_write_set_bytes_per_block(writer.get(), 0) != ARCHIVE_OK ||
      archive_write_open(writer.get(), tar, nullptr, TakePiece, nullptr) != ARCHIVE_OK) {
    return CannotWrite(writer.get());
  }
  constexpr unsigned kMode = 0644;
  for (const auto& [path, text] : files) {
    archive_entry_clear(entry.get());
    archive_entry_set_pathname(entry.get(), path.c_str());
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), kMode);
    archive_entry_set_mtime(entry.get(), 0, 0);
    archive_entry_set_size(entry.get(), static_cast<la_int64_t>(text.size()));
    if (archive_write_header(writer.get(), entry.get()) != ARCHIVE_OK ||
        archive_write_data(writer.get(), text.data(), text.size()) != static_cast<la_ssize_t>(text.size())) {
      return CannotWrite(writer.get());
    }
  }
  return archive_write_close(writer.get()) == ARCHIVE_OK ? absl::OkStatus() : CannotWrite(writer.get());
}

// As gzip, whose header has neither a name nor a time.
absl::StatusOr<std::string> Compressed(std::string_view text) {
  constexpr int kOnlyGzip = 15 + 16;
  constexpr int kMemory = 8;
  z_stream stream = {};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kOnlyGzip, kMemory, Z_DEFAULT_STRATEGY) != Z_OK) {
    return absl::UnavailableError("no memory for the archive");
  }
  // Texts are far below what zlib counts: kept bundles have at most 64 MB.
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const bool is_done = text.size() <= UINT32_MAX && deflate(&stream, Z_FINISH) == Z_STREAM_END;
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (!is_done) return absl::ResourceExhaustedError("the bundle is too large for an archive");
  return out;
}

}  // namespace

absl::StatusOr<BundleFiles> ReadBundleArchive(std::string_view archive, const BundleLimits& limits) {
  const Utf8Locale locale;
  Unpacked unpacked(archive, limits);
  const Reader reader(archive_read_new(), archive_read_free);
  if (reader == nullptr || archive_read_support_format_tar(reader.get()) != ARCHIVE_OK) {
    return absl::UnavailableError("libarchive cannot read tar");
  }
  const auto broken = [&] { return unpacked.status().ok() ? Broken(reader.get()) : unpacked.status(); };
  if (archive_read_open(reader.get(), &unpacked, nullptr, NextPiece, nullptr) != ARCHIVE_OK) return broken();
  BundleCollector collector(limits);
  uint64_t skipped = 0;
  // Folders and what is skipped are entries too.
  for (size_t entries = 0;; ++entries) {
    struct archive_entry* entry = nullptr;
    const int result = archive_read_next_header(reader.get(), &entry);
    if (result == ARCHIVE_EOF) break;
    if (result != ARCHIVE_OK) return broken();
    if (entries > 2 * limits.max_files) return collector.TooLarge();
    absl::Status status = TakeEntry(reader.get(), entry, &skipped, &collector);
    if (!unpacked.status().ok()) return unpacked.status();
    if (!status.ok()) return status;
  }
  while (!unpacked.Next().empty()) {
  }
  if (!unpacked.status().ok()) return unpacked.status();
  if (unpacked.used() > static_cast<uint64_t>(archive_filter_bytes(reader.get(), 0))) {
    return absl::InvalidArgumentError("not a sound tar.gz: something is behind its end");
  }
  BundleFiles files = std::move(collector).Take();
  if (files.empty()) return absl::InvalidArgumentError("the archive has no files in it");
  // libarchive takes an archive that was cut between two entries: blocks of zeros are missing at its end.
  constexpr uint64_t kBlock = 512;
  if (unpacked.zeros_at_end() < kBlock) return absl::InvalidArgumentError("not a sound tar.gz: it ends early");
  return files;
}

absl::StatusOr<std::string> WriteBundleArchive(const BundleFiles& files) {
  const Utf8Locale locale;
  std::string tar;
  const absl::Status status = WriteTar(files, &tar);
  if (!status.ok()) return status;
  return Compressed(tar);
}

absl::StatusOr<BundleFiles> ReadBundle(const std::string& path, const BundleLimits& limits) {
  struct stat status = {};
  if (stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) return ReadBundleDirectory(path, limits);
  const auto archive = ReadWholeFile(path, limits.max_bytes);
  if (!archive.ok()) return archive.status();
  return ReadBundleArchive(*archive, limits);
}

}  // namespace hcl::serve
