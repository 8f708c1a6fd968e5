// Names in certificates. Tested by tests/serve/loopback_test.py.

#include "hclvm/cmd/hclvm-serve/peer_principal.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string_view>

#include "openssl/bio.h"
#include "openssl/x509.h"
#include "openssl/x509v3.h"

namespace hcl::serve {
namespace {

// Names are lists of bytes there, and one that has a NUL in it was made to be taken for another.
std::string CleanText(std::string_view text) {
  const bool is_clean =
      std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f; });
  return is_clean ? std::string(text) : std::string();
}

std::string FirstName(const GENERAL_NAMES* names, int type) {
  for (int n = 0; n < sk_GENERAL_NAME_num(names); ++n) {
    const GENERAL_NAME* const name = sk_GENERAL_NAME_value(names, n);
    if (name->type != type) continue;
    const ASN1_IA5STRING* const text = type == GEN_URI ? name->d.uniformResourceIdentifier : name->d.dNSName;
    std::string clean = CleanText(
        {reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)), static_cast<size_t>(ASN1_STRING_length(text))});
    if (!clean.empty()) return clean;
  }
  return "";
}

// RFC 2253 escapes what is no printable character.
std::string SubjectOf(const X509* certificate) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> out(BIO_new(BIO_s_mem()), BIO_free);
  if (out == nullptr) return "";
  if (X509_NAME_print_ex(out.get(), X509_get_subject_name(certificate), 0, XN_FLAG_RFC2253) < 0) return "";
  char* data = nullptr;
  const long size = BIO_get_mem_data(out.get(), &data);
  return size <= 0 ? "" : CleanText({data, static_cast<size_t>(size)});
}

}  // namespace

std::string PeerPrincipal(const SSL* connection) {
  const X509* const certificate = SSL_get0_peer_certificate(connection);
  if (certificate == nullptr) return "";
  const std::unique_ptr<GENERAL_NAMES, decltype(&GENERAL_NAMES_free)> names(
      static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)),
      GENERAL_NAMES_free);
  for (const int type : {GEN_URI, GEN_DNS}) {
    std::string name = names == nullptr ? "" : FirstName(names.get(), type);
    if (!name.empty()) return name;
  }
  return SubjectOf(certificate);
}

}  // namespace hcl::serve
