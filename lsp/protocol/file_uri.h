// URIs of files, as editors name documents. Pure and thread-safe. Tested by lsp/protocol/file_uri_test.cc.

#ifndef HCLVM_LSP_PROTOCOL_FILE_URI_H_
#define HCLVM_LSP_PROTOCOL_FILE_URI_H_

#include <string>
#include <string_view>

namespace hcl::lsp {

// "/a/b c.hcl" for "file:///a/b%20c.hcl". A URI of another scheme, such as that of a buffer without a file, is its own
// path.
std::string PathOf(std::string_view uri);
// The URI of a path. A path that is a URI is itself.
std::string UriOf(std::string_view path);

}  // namespace hcl::lsp

#endif  // HCLVM_LSP_PROTOCOL_FILE_URI_H_
