// What a service manager gets, on a socket of our own.

#include "hclvm/cmd/hclvm-serve/service_manager.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "gtest/gtest.h"

namespace hcl::serve {
namespace {

// A socket at `name`, as NOTIFY_SOCKET has it.
class Listener {
 public:
  explicit Listener(const std::string& name) : file_(socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0)) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, name.data(), name.size());
    if (name[0] == '@') address.sun_path[0] = '\0';
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    EXPECT_EQ(bind(file_, reinterpret_cast<const sockaddr*>(&address), size), 0);
  }
  ~Listener() { close(file_); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  std::string Next() {
    char buffer[256];
    const ssize_t got = recv(file_, buffer, sizeof(buffer), 0);
    return got < 0 ? "nothing" : std::string(buffer, static_cast<size_t>(got));
  }

 private:
  const int file_;
};

TEST(ServiceManagerTest, TellsTheState) {
  char folder[] = "/tmp/hclvm-notify-XXXXXX";
  ASSERT_NE(mkdtemp(folder), nullptr);
  for (const std::string& name : {std::string(folder) + "/socket", "@hclvm-test-" + std::to_string(getpid())}) {
    Listener listener(name);
    const ServiceManager manager(name);
    manager.Ready();
    EXPECT_EQ(listener.Next(), "READY=1");
    manager.Reloading();
    EXPECT_EQ(listener.Next().substr(0, 27), "RELOADING=1\nMONOTONIC_USEC=");
    manager.Tell("refused:\nline 2");
    EXPECT_EQ(listener.Next(), "STATUS=refused: line 2");
    manager.Stopping();
    EXPECT_EQ(listener.Next(), "STOPPING=1");
    EXPECT_EQ(listener.Next(), "nothing");
  }
  unlink((std::string(folder) + "/socket").c_str());
  rmdir(folder);
}

TEST(ServiceManagerTest, DoesWithoutOne) {
  for (const std::string& name :
       {std::string(), std::string("relative"), std::string("/no/such/socket"), std::string(200, '/')}) {
    const ServiceManager manager(name);
    manager.Ready();
    manager.Tell("status");
  }
}

TEST(ServiceManagerTest, FindsCredentials) {
  const auto text = [](std::string path, const std::string& folder) {
    const std::string fault = ResolveCredential(folder, &path);
    return fault.empty() ? path : "wrong: " + fault;
  };
  EXPECT_EQ(text("/etc/token", "/run/c"), "/etc/token");
  EXPECT_EQ(text("", "/run/c"), "");
  EXPECT_EQ(text("credential:token", "/run/c"), "/run/c/token");
  EXPECT_EQ(text("credential:token", ""),
            "wrong: credential:token: the service has no credentials (LoadCredential= in its unit)");
  for (const char* wrong : {"credential:", "credential:..", "credential:a/b"}) {
    EXPECT_EQ(text(wrong, "/run/c"), std::string("wrong: ") + wrong + ": a credential has a name without \"/\"");
  }
}

}  // namespace
}  // namespace hcl::serve
