// Manifest: what a bundle says of itself, in the file manifest.json at its top (docs/service.md, "The manifest").
//
//   {"revision": "2024-06-01.2", "files": {"billing/rules.hcl": "SHA-256 in hex"}, "roots": ["billing"], "metadata":
//   {}}
//
// Tested by serve/manifest_test.cc.

#ifndef HCLVM_SERVE_MANIFEST_H_
#define HCLVM_SERVE_MANIFEST_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hclvm/serve/bundle_files.h"

namespace hcl::serve {

inline constexpr char kManifestName[] = "manifest.json";
// The signature of that file's bytes: ed25519, in base64.
inline constexpr char kSignatureName[] = "manifest.json.sig";

struct Manifest {
  // Printable ASCII without blanks, at most 128 characters. Made of the contents ("content:" and a digest) where there
  // is no manifest.
  std::string revision;
  // Path -> SHA-256 in hex, of all files but the manifest and its signature.
  std::optional<std::map<std::string, std::string>> files;
  // The folders that modules are in or below; empty: all.
  std::vector<std::string> roots;

  // The properties of `metadata`, as JSON; empty: none.
  std::string metadata;
  // The name of the key that has signed (PublicKeyNames()), where one has to.
  std::string signer;
  // False where the revision was made of the contents: it comes before and after no other.
  bool is_ordered = true;
};

struct ManifestOptions {
  // The PEM texts of the keys of which one has to have signed, one after the other; empty: none has to.
  std::string required_keys;
  // Refuse a bundle without a manifest, as archives without one are.
  bool required = false;
};

// Reads the manifest of `files`, and checks the checksums and the signature by it. kInvalidArgument says what is wrong;
// kPermissionDenied for a missing or wrong signature. Pure.
absl::StatusOr<Manifest> ReadManifest(const BundleFiles& files, const ManifestOptions& options);

// What a manifest says, whatever there is beside it. kInvalidArgument says what is wrong. Pure.
absl::StatusOr<Manifest> ParseManifest(std::string_view text);

// The text of a manifest, with the checksums of all `files` but its own. The same for the same contents. Pure.
std::string ManifestText(const Manifest& manifest, const BundleFiles& files);

// Whether this is the path of the manifest or its signature.
bool IsOwnFile(std::string_view path);

// Whether manifests can have such a revision.
bool IsRevision(std::string_view text);

// Less than 0, 0 or more: `a` is older, equal or newer. Runs of digits count as numbers: "v9" is older than "v10".
int CompareRevisions(std::string_view a, std::string_view b);

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_MANIFEST_H_
