// What systemd is told of the service, and what it has given to it: sd_notify(3), and credentials, systemd.exec(5).
//
// Tested by cmd/hclvm-serve/service_manager_test.cc.

#ifndef HCLVM_CMD_HCLVM_SERVE_SERVICE_MANAGER_H_
#define HCLVM_CMD_HCLVM_SERVE_SERVICE_MANAGER_H_

#include <string>
#include <string_view>
#include <utility>

namespace hcl::serve {

// The state of a unit with Type=notify. Thread-safe. Without a service manager nothing happens, and what cannot be sent
// is lost: the service serves all the same.
class ServiceManager {
 public:
  // The socket that NOTIFY_SOCKET names: a path, or "@" and an abstract name. Empty: there is no service manager.
  explicit ServiceManager(std::string socket) : socket_(std::move(socket)) {}
  // That of this process.
  static ServiceManager OfProcess();

  // The start, or a reload, is complete.
  void Ready() const { Send("READY=1"); }
  // A reload begins; Ready() ends it.
  void Reloading() const;
  void Stopping() const { Send("STOPPING=1"); }
  // One line for people, in "systemctl status"; line ends in it become blanks.
  void Tell(std::string_view status) const;

 private:
  void Send(std::string_view message) const;

  std::string socket_;
};

// The path of a file that an option names: "credential:NAME" is the unit's credential of that name, which is in the
// folder `credentials` (CREDENTIALS_DIRECTORY). What is wrong, or nothing.
std::string ResolveCredential(std::string_view credentials, std::string* path);

}  // namespace hcl::serve

#endif  // HCLVM_CMD_HCLVM_SERVE_SERVICE_MANAGER_H_
