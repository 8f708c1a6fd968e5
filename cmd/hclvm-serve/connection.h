// Connections: what happens on one socket, from its first byte to its last.
//
// Tested by tests/serve/*_test.py.

#ifndef HCLVM_CMD_HCLVM_SERVE_CONNECTION_H_
#define HCLVM_CMD_HCLVM_SERVE_CONNECTION_H_

#include <memory>

#include "boost/asio/generic/stream_protocol.hpp"
#include "boost/asio/ssl/context.hpp"
#include "hclvm/cmd/hclvm-serve/io_thread.h"
#include "hclvm/serve/http_message.h"

namespace hcl::serve {

using Socket = boost::asio::generic::stream_protocol::socket;

// A connection on the socket, which is of the thread's context: TCP or Unix. With TLS where `tls` is not null. Counts
// in the server's state from now on. Start() has to be called in the thread.
std::shared_ptr<IoConnection> MakeConnection(IoThread* thread, Socket socket, const ListenerInfo& listener,
                                             std::shared_ptr<boost::asio::ssl::context> tls);

}  // namespace hcl::serve

#endif  // HCLVM_CMD_HCLVM_SERVE_CONNECTION_H_
