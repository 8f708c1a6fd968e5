// Manifests. Tested by serve/manifest_test.cc.

#include "hclvm/serve/manifest.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/serve/digest.h"
#include "hclvm/serve/signature.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::serve {

using internal::ToAbsl;
namespace {

constexpr size_t kMaxRevisionBytes = 128;

absl::Status Wrong(std::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(kManifestName, ": ", ToAbsl(what)));
}

absl::Status ReadFiles(const Value& value, Manifest* manifest) {
  if (!value.is_object()) return Wrong("files is an object: path to SHA-256");
  manifest->files.emplace();
  for (size_t n = 0; n < value.size(); ++n) {
    const Value& digest = value.values()[n];
    if (!digest.is_string()) return Wrong("files is an object: path to SHA-256, a text");
    manifest->files->emplace(value.shape().keys[n].AsString(), digest.AsString());
  }
  return absl::OkStatus();
}

absl::Status ReadRoots(const Value& value, Manifest* manifest) {
  if (!value.is_tuple()) return Wrong("roots is a list of folders");
  for (const Value& root : value.elements()) {
    if (!root.is_string()) return Wrong("roots is a list of folders, which are texts");
    manifest->roots.emplace_back(root.AsString());
  }
  return absl::OkStatus();
}

absl::Status ReadProperty(std::string_view name, const Value& value, Manifest* manifest) {
  if (name == "revision") {
    if (!value.is_string() || !IsRevision(value.AsString())) {
      return Wrong(absl::StrCat("revision is a text of 1 to ", kMaxRevisionBytes, " visible ASCII characters"));
    }
    manifest->revision = std::string(value.AsString());
    return absl::OkStatus();
  }
  if (name == "files") return ReadFiles(value, manifest);
  if (name == "roots") return ReadRoots(value, manifest);
  if (name == "metadata") {
    std::string reason;
    return AppendJson(value, &manifest->metadata, &reason) ? absl::OkStatus() : Wrong(reason);
  }
  return Wrong(absl::StrCat("no property \"", ToAbsl(name), "\"; there are revision, files, roots and metadata"));
}

absl::Status CheckFiles(const Manifest& manifest, const BundleFiles& files) {
  for (const auto& [path, text] : files) {
    if (IsOwnFile(path)) continue;
    const auto found = manifest.files->find(path);
    if (found == manifest.files->end()) return Wrong(absl::StrCat("no checksum of ", path));
    if (found->second != Sha256Hex(text)) return Wrong(absl::StrCat("the checksum of ", path, " is another one"));
  }
  for (const auto& [path, digest] : *manifest.files) {
    if (IsOwnFile(path) || files.count(path) == 0) return Wrong(absl::StrCat("there is no file ", path));
  }
  return absl::OkStatus();
}

Manifest OfContents(const BundleFiles& files) {
  std::string all;
  for (const auto& [path, text] : files) absl::StrAppend(&all, path, "\n", Sha256Hex(text), "\n");
  Manifest manifest;
  manifest.revision = absl::StrCat("content:", Sha256Hex(all).substr(0, 16));
  manifest.is_ordered = false;
  return manifest;
}

// Pairs of text and text, one a line; all is ASCII or UTF-8 already.
std::string Pairs(const std::map<std::string, std::string>& pairs) {
  std::string out;
  for (const auto& [key, value] : pairs) {
    absl::StrAppend(&out, out.empty() ? "\n    " : ",\n    ");
    AppendJsonString(key, &out);
    absl::StrAppend(&out, ": \"", value, "\"");
  }
  return out.empty() ? "{}" : absl::StrCat("{", out, "\n  }");
}

}  // namespace

bool IsOwnFile(std::string_view path) { return path == kManifestName || path == kSignatureName; }

// It goes into headers, labels and logs as it is.
bool IsRevision(std::string_view text) {
  return !text.empty() && text.size() <= kMaxRevisionBytes &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7f && c != '"' && c != '\\'; });
}

absl::StatusOr<Manifest> ParseManifest(std::string_view text) {
  Heap heap;
  Value value;
  JsonError error;
  if (!JsonReader().Read(text, &heap, &value, &error)) {
    return Wrong(absl::StrCat(error.detail, " (byte ", error.offset, ")"));
  }
  if (!value.is_object()) return Wrong("not an object");
  Manifest manifest;
  for (size_t n = 0; n < value.size(); ++n) {
    absl::Status status = ReadProperty(value.shape().keys[n].AsString(), value.values()[n], &manifest);
    if (!status.ok()) return status;
  }
  if (manifest.revision.empty()) return Wrong("lacks the property \"revision\"");
  return manifest;
}

std::string ManifestText(const Manifest& manifest, const BundleFiles& files) {
  std::map<std::string, std::string> digests;
  for (const auto& [path, text] : files) {
    if (!IsOwnFile(path)) digests.emplace(path, Sha256Hex(text));
  }
  std::string out = "{\n  \"revision\": ";
  AppendJsonString(manifest.revision, &out);
  if (!manifest.roots.empty()) {
    out.append(",\n  \"roots\": [");
    for (const std::string& root : manifest.roots) {
      if (&root != &manifest.roots[0]) out.append(", ");
      AppendJsonString(root, &out);
    }
    out.push_back(']');
  }
  if (!manifest.metadata.empty()) absl::StrAppend(&out, ",\n  \"metadata\": ", manifest.metadata);
  return absl::StrCat(out, ",\n  \"files\": ", Pairs(digests), "\n}\n");
}

// The signature is of the manifest's bytes, which hold the checksums of everything else: so what is signed is the
// bundle, and only where it has checksums.
absl::StatusOr<Manifest> ReadManifest(const BundleFiles& files, const ManifestOptions& options) {
  const auto text = files.find(kManifestName);
  if (text == files.end()) {
    if (!options.required_keys.empty()) {
      return absl::PermissionDeniedError("a signature is required, and there is no manifest");
    }
    if (options.required) return absl::InvalidArgumentError(absl::StrCat("there is no ", kManifestName, " in it"));
    return OfContents(files);
  }
  std::string signer;
  if (!options.required_keys.empty()) {
    const auto signature = files.find(kSignatureName);
    if (signature == files.end()) {
      return absl::PermissionDeniedError(absl::StrCat("a signature is required, and there is no ", kSignatureName));
    }
    auto by = VerifySignature(options.required_keys, text->second, signature->second);
    if (!by.ok()) return by.status();
    signer = *std::move(by);
  }
  auto manifest = ParseManifest(text->second);
  if (!manifest.ok()) return manifest;
  manifest->signer = std::move(signer);
  if (manifest->files) {
    absl::Status status = CheckFiles(*manifest, files);
    if (!status.ok()) return status;
  } else if (!options.required_keys.empty()) {
    return absl::PermissionDeniedError("a signature is required, and the manifest has no checksums");
  }
  return manifest;
}

int CompareRevisions(std::string_view a, std::string_view b) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  // Takes the digits at the beginning, without zeros before them.
  const auto take = [&](std::string_view* text) {
    size_t zeros = 0;
    while (zeros < text->size() && (*text)[zeros] == '0') ++zeros;
    size_t end = zeros;
    while (end < text->size() && is_digit((*text)[end])) ++end;
    const std::string_view number = text->substr(zeros, end - zeros);
    text->remove_prefix(end);
    return number;
  };
  while (!a.empty() && !b.empty()) {
    if (is_digit(a[0]) && is_digit(b[0])) {
      const std::string_view left = take(&a);
      const std::string_view right = take(&b);
      if (left.size() != right.size()) return left.size() < right.size() ? -1 : 1;
      if (const int order = left.compare(right); order != 0) return order;
      continue;
    }
    if (a[0] != b[0]) return a[0] < b[0] ? -1 : 1;
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  return static_cast<int>(!a.empty()) - static_cast<int>(!b.empty());
}

}  // namespace hcl::serve
