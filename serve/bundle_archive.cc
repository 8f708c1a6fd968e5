// Archives, by libarchive. Tested by serve/bundle_archive_test.cc.
//
// Nothing is written to a disk: what an archive could do there it cannot do here. The library is told of one format and
// one filter, since each that it knows is code that reads hostile input.

#include "hclvm/serve/bundle_archive.h"

#include <locale.h>

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

// Ends a stream of zlib.
struct Inflation {
  z_stream stream = {};
  bool is_begun = false;
  ~Inflation() {
    if (is_begun) inflateEnd(&stream);
  }
};

// libarchive passes by the checksums of gzip and what is behind the end of the archive: so a bit that was lost on the
// way would make other policies. Reads everything once more for these, without keeping it.
absl::Status CheckSums(std::string_view archive, const BundleLimits& limits) {
  Inflation inflation;
  z_stream& stream = inflation.stream;
  constexpr int kOnlyGzip = 15 + 16;
  if (inflateInit2(&stream, kOnlyGzip) != Z_OK) return absl::ResourceExhaustedError("no memory for the archive");
  inflation.is_begun = true;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(archive.data()));
  stream.avail_in = static_cast<uInt>(archive.size());
  Bytef buffer[1 << 16];
  // Half of the entries and of the bytes are what is left out of the bundle.
  const uint64_t most = 2 * (limits.max_bytes + limits.max_files * kBytesBesideText) + kBytesAtEnd;
  uint64_t total = 0;
  for (;;) {
    stream.next_out = buffer;
    stream.avail_out = sizeof(buffer);
    const int result = inflate(&stream, Z_NO_FLUSH);
    total += sizeof(buffer) - stream.avail_out;
    if (total > most) return BundleCollector(limits).TooLarge();
    if (result == Z_STREAM_END && stream.avail_in == 0) return absl::OkStatus();
    if (result == Z_STREAM_END && inflateReset(&stream) == Z_OK) continue;
    if (result != Z_OK)
      return absl::InvalidArgumentError("not a sound tar.gz: damaged, or something is behind its end");
  }
}

bool IsGzip(std::string_view archive) { return archive.substr(0, 2) == "\x1f\x8b"; }

// "./a/b" and "a/b/" are "a/b"; "./" is the top.
std::string_view PlainPath(std::string_view path) {
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
  const std::string_view path = PlainPath(name);
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

}  // namespace

absl::StatusOr<BundleFiles> ReadBundleArchive(std::string_view archive, const BundleLimits& limits) {
  const Utf8Locale locale;
  const Reader reader(archive_read_new(), archive_read_free);
  if (reader == nullptr || archive_read_support_format_tar(reader.get()) != ARCHIVE_OK ||
      archive_read_support_filter_gzip(reader.get()) != ARCHIVE_OK) {
    return absl::UnavailableError("libarchive cannot read tar.gz");
  }
  if (archive_read_open_memory(reader.get(), archive.data(), archive.size()) != ARCHIVE_OK) return Broken(reader.get());
  BundleCollector collector(limits);
  uint64_t skipped = 0;
  // Folders and what is skipped are entries too.
  for (size_t entries = 0;; ++entries) {
    struct archive_entry* entry = nullptr;
    const int result = archive_read_next_header(reader.get(), &entry);
    if (result == ARCHIVE_EOF) break;
    if (result != ARCHIVE_OK) return Broken(reader.get());
    if (entries > 2 * limits.max_files) return collector.TooLarge();
    absl::Status status = TakeEntry(reader.get(), entry, &skipped, &collector);
    if (!status.ok()) return status;
  }
  BundleFiles files = std::move(collector).Take();
  if (files.empty()) return absl::InvalidArgumentError("the archive has no files in it");
  if (IsGzip(archive)) {
    absl::Status status = CheckSums(archive, limits);
    if (!status.ok()) return status;
  }
  return files;
}

}  // namespace hcl::serve
