// Session: a server that reads from one file descriptor and writes to another.
//
// One thread reads, so that a client can cancel work and change documents while another thread works. Tested by
// lsp/session_test.cc.

#ifndef HCLVM_LSP_SESSION_H_
#define HCLVM_LSP_SESSION_H_

#include <string>

namespace hcl::lsp {

// Serves until `exit` comes, the input ends, or the output cannot be written. Returns the exit status of the process: 0
// after `shutdown` and `exit`, and 1 otherwise; then *error says why, if there is more to say. The descriptors stay
// open.
int RunSession(int input, int output, std::string* error);

}  // namespace hcl::lsp

#endif  // HCLVM_LSP_SESSION_H_
