// Who the certificate of a client names.
//
// Tested by tests/serve/loopback_test.py.

#ifndef HCLVM_CMD_HCLVM_SERVE_PEER_PRINCIPAL_H_
#define HCLVM_CMD_HCLVM_SERVE_PEER_PRINCIPAL_H_

#include <string>

#include "openssl/ssl.h"

namespace hcl::serve {

// Of the certificate that the client of `connection` has given and that was verified: the first URI among its
// alternative names, without one the first DNS name, without that the subject as RFC 2253 writes it. This is what Envoy
// calls a principal. Empty: there is no certificate. Names with a NUL or other control characters are none.
std::string PeerPrincipal(const SSL* connection);

}  // namespace hcl::serve

#endif  // HCLVM_CMD_HCLVM_SERVE_PEER_PRINCIPAL_H_
