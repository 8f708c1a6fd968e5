// Tested by cmd/hclvm-serve/service_manager_test.cc.

#include "hclvm/cmd/hclvm-serve/service_manager.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"

namespace hcl::serve {

ServiceManager ServiceManager::OfProcess() {
  const char* const socket = std::getenv("NOTIFY_SOCKET");
  return ServiceManager(socket == nullptr ? "" : socket);
}

// The time tells systemd which reload the next Ready() ends (Type=notify-reload).
void ServiceManager::Reloading() const {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  Send(
      absl::StrCat("RELOADING=1\nMONOTONIC_USEC=", std::chrono::duration_cast<std::chrono::microseconds>(now).count()));
}

void ServiceManager::Tell(std::string_view status) const {
  std::string line(status);
  std::replace(line.begin(), line.end(), '\n', ' ');
  Send(absl::StrCat("STATUS=", line));
}

// A socket for each message: there are few of them. A service manager that does not read must not hold the service up.
void ServiceManager::Send(std::string_view message) const {
  sockaddr_un address = {};
  if (socket_.empty() || socket_.size() >= sizeof(address.sun_path)) return;
  if (socket_[0] != '/' && socket_[0] != '@') return;
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, socket_.data(), socket_.size());
  if (address.sun_path[0] == '@') address.sun_path[0] = '\0';
  const int file = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (file < 0) return;
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());
  static_cast<void>(
      sendto(file, message.data(), message.size(), MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&address), size));
  close(file);
}

// systemd allows no more in a credential's name than a file's name can have.
std::string ResolveCredential(std::string_view credentials, std::string* path) {
  constexpr std::string_view kPrefix = "credential:";
  if (path->compare(0, kPrefix.size(), kPrefix) != 0) return "";
  const std::string name = path->substr(kPrefix.size());
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos) {
    return absl::StrCat(*path, ": a credential has a name without \"/\"");
  }
  if (credentials.empty()) {
    return absl::StrCat(*path, ": the service has no credentials (LoadCredential= in its unit)");
  }
  *path = absl::StrCat(internal::ToAbsl(credentials), "/", name);
  return "";
}

}  // namespace hcl::serve
