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

namespace hcl::serve {
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
    return absl::InvalidArgumentError(absl::StrCat("not a regular file or a folder: ", name));
  }
  const std::string_view path = PlainPath(name);
  if (path.empty() && type == AE_IFDIR) return absl::OkStatus();
  const std::string fault = FaultOfPath(path);
  if (!fault.empty()) return absl::InvalidArgumentError(absl::StrCat(fault, ": ", name));
  if (type == AE_IFDIR) return absl::OkStatus();
  std::string text;
  absl::Status status = ReadText(reader, *collector, &text);
  if (!status.ok()) return status;
  // One of which only parts are there, between holes, is shorter here.
  if (archive_entry_size(entry) != static_cast<la_int64_t>(text.size())) {
    return absl::InvalidArgumentError(absl::StrCat("not all of the file is there: ", name));
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
  return files;
}

}  // namespace hcl::serve
