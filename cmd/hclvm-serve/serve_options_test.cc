// Options and files of options.

#include "hclvm/cmd/hclvm-serve/serve_options.h"

#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/cmd/hclvm-serve/listener_options.h"
#include "hclvm/cmd/hclvm-serve/server.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/command_table.h"
#include "hclvm/serve/service.h"

namespace hcl::serve {
namespace {

TEST(ServeOptionsTest, ReadsListeners) {
  const auto text = [](const std::string& given) {
    ListenerOptions listener;
    const std::string fault = ParseListener(given, &listener);
    if (!fault.empty()) return std::string("wrong");
    return listener.host + "|" + std::to_string(listener.port) + "|" + listener.unix_path + "|" +
           std::to_string(static_cast<int>(listener.info.dialect));
  };
  EXPECT_EQ(text("127.0.0.1:80"), "127.0.0.1|80||0");
  EXPECT_EQ(text("nginx@[::1]:0"), "::1|0||1");
  EXPECT_EQ(text("forwarded@unix:/run/a:b.sock"), "|0|/run/a:b.sock|2");
  EXPECT_EQ(text("localhost:1"), "127.0.0.1|1||0");
  for (const char* wrong : {"", ":80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "a.example:80",
                            "apache@127.0.0.1:80", "unix:", "[::1:80"}) {
    EXPECT_EQ(text(wrong), "wrong") << wrong;
  }
}

TEST(ServeOptionsTest, ReadsWhoMayConnectToASocket) {
  const auto text = [](const std::string& given) {
    ListenerOptions listener;
    const std::string fault = ParseListener(given, &listener);
    if (!fault.empty()) return std::string("wrong");
    const std::string mode = listener.mode ? std::to_string(*listener.mode) : "-";
    return listener.unix_path + "|" + mode + "|" + listener.group + "|" + listener.inherited;
  };
  EXPECT_EQ(text("unix:/run/a.sock,mode=0660,group=www-data"), "/run/a.sock|432|www-data|");
  EXPECT_EQ(text("nginx@unix:/run/a.sock,group=33"), "/run/a.sock|-|33|");
  EXPECT_EQ(text("unix:/run/a,b.sock"), "/run/a,b.sock|-||");
  EXPECT_EQ(text("nginx@systemd:auth"), "|-||auth");
  for (const char* wrong : {"unix:/a,mode=", "unix:/a,mode=0888", "unix:/a,mode=1777",
                            "unix:/a,group=", "unix:/a,owner=x", "unix:,mode=0660", "systemd:"}) {
    EXPECT_EQ(text(wrong), "wrong") << wrong;
  }
}

TEST(ServeOptionsTest, ReadsConfigs) {
  ServeOptions options;
  const cmd::CommandSyntax syntax{&cmd::FindCommand("hclvm-serve", ""), ServeSetters(&options)};
  EXPECT_EQ(ReadConfigText(
                "serve.hcl",
                "bundle = \"/b\"\nlisten = [\"127.0.0.1:1\", \"nginx@127.0.0.1:2\"]\nlimit = \"max_fuel=${5 * 10}\"\n"
                "log_sample = 0.5\nallow_older = true\nfail_mode = \"allow\"\nidle_timeout = 5\n",
                syntax),
            "");
  EXPECT_EQ(options.loader.bundle, "/b");
  EXPECT_EQ(options.listen, (std::vector<std::string>{"127.0.0.1:1", "nginx@127.0.0.1:2"}));
  EXPECT_EQ(options.service.limits.max_fuel, 50u);
  EXPECT_EQ(options.service.log_sample, 0.5);
  EXPECT_TRUE(options.service.allow_older);
  EXPECT_EQ(options.service.fail_mode, FailMode::kAllow);
  EXPECT_EQ(options.server.limits.idle_timeout.count(), 5);
  EXPECT_EQ(FinishOptions(&options), "");
  ASSERT_EQ(options.server.listeners.size(), 2u);
}

TEST(ServeOptionsTest, ExplainsConfigs) {
  ServeOptions options;
  const cmd::CommandSyntax syntax{&cmd::FindCommand("hclvm-serve", ""), ServeSetters(&options)};
  EXPECT_EQ(ReadConfigText("c", "\nbundel = 1\n", syntax), "c line 2: there is no option bundel; did you mean bundle?");
  EXPECT_EQ(ReadConfigText("c", "decisions_log = 1\n", syntax),
            "c line 1: there is no option decisions_log; did you mean decision_log?");
  EXPECT_EQ(ReadConfigText("c", "x = 1\n", syntax), "c line 1: there is no option x");
  EXPECT_EQ(ReadConfigText("c", "limit = [\"max_fuel=-1\"]\n", syntax), "c line 1: limit: expected NAME=NUMBER");
  EXPECT_EQ(ReadConfigText("c", "limit = \"max_source_bytes=1\"\n", syntax),
            "c line 1: limit: no such limit; there are max_nesting_depth, max_diagnostics, max_fuel, max_output_bytes, "
            "max_result_bytes, max_number_digits");
  EXPECT_EQ(ReadConfigText("c", "limit = {}\n", syntax),
            "c line 1: limit: expected a text, a number, a bool, or a list of these");
  EXPECT_EQ(ReadConfigText("c", "allow_older = 1\n", syntax), "c line 1: allow_older: expected true or false");
  EXPECT_NE(ReadConfigText("c", "bundle = nothing\n", syntax), "");
  EXPECT_NE(ReadConfigText("c", "bundle = \n", syntax), "");
}

// Names that options had before stay in files.
TEST(ServeOptionsTest, TakesOldNames) {
  ServeOptions options;
  const cmd::CommandSyntax syntax{&cmd::FindCommand("hclvm-serve", ""), ServeSetters(&options)};
  EXPECT_EQ(ReadConfigText("c", "max_fuel = 5 * 10\nmax_memory = \"70\"\n", syntax), "");
  EXPECT_EQ(options.service.limits.max_fuel, 50u);
  EXPECT_EQ(options.service.limits.max_result_bytes, 70u);
  EXPECT_EQ(ReadConfigText("c", "max_fuel = -1\n", syntax), "c line 1: max_fuel: expected NAME=NUMBER");
}

// Each option of the command line can stand in a file.
TEST(ServeOptionsTest, KnowsAllOptions) {
  ServeOptions options;
  const cmd::CommandSyntax syntax{&cmd::FindCommand("hclvm-serve", ""), ServeSetters(&options)};
  for (const cmd::OptionSetter& setter : syntax.setters) {
    std::string name(setter.option.substr(2));
    for (char& c : name) c = c == '-' ? '_' : c;
    const std::string fault = ReadConfigText("c", name + " = \"no such value\"\n", syntax);
    EXPECT_EQ(fault.find("there is no option"), std::string::npos) << name;
  }
}

TEST(ServeOptionsTest, FinishesOptions) {
  const auto fault = [](const std::vector<std::string_view>& arguments) {
    ServeOptions options;
    std::vector<std::string_view> positional;
    std::string message;
    cmd::CommandSyntax syntax;
    syntax.command = &cmd::FindCommand("hclvm-serve", "");
    syntax.setters = ServeSetters(&options);
    for (const char* other : {"--config", "--version"}) syntax.setters.push_back({other, nullptr});
    const auto outcome = cmd::ParseCommandLine(syntax, arguments, &positional, &message);
    return outcome == cmd::ParseOutcome::kOk ? FinishOptions(&options) : message;
  };
  EXPECT_EQ(fault({"--bundle", "b"}), "");
  EXPECT_EQ(fault({}), "give --bundle PATH");
  EXPECT_EQ(fault({"--bundle=b", "--admin-listen=127.0.0.1:1"}), "--admin-listen needs --admin-token-file");
  EXPECT_EQ(fault({"--bundle=b", "--tls-key=k"}), "--tls-certificate and --tls-key belong together");
  EXPECT_EQ(fault({"--bundle=b", "--admin-token-file=credential:x"}),
            "credential:x: the service has no credentials (LoadCredential= in its unit)");
  EXPECT_EQ(fault({"--bundle=b", "--tls-client-ca=k"}), "--tls-client-ca needs --tls-certificate");
  EXPECT_EQ(fault({"--bundle=b", "--limit=max_fuel=7", "--max-fuel=8", "--max-memory", "9"}), "");
  EXPECT_EQ(fault({"--bundle=b", "--max-memory=x"}), "--max-memory: expected NAME=NUMBER");
  EXPECT_EQ(fault({"--bundle=b", "--label=x"}), "--label: expected NAME=VALUE");
  EXPECT_EQ(fault({"--bundle=b", "--log-erase=a..b"}), "--log-erase a..b: a name in it is empty");
  for (const char* url : {"https://pdp.example.com", "http://[::1]:81/a/b/"}) {
    EXPECT_EQ(fault({"--bundle=b", "--public-url", url}), "") << url;
  }
  for (const char* url : {"", "pdp.example.com", "https://", "https:///", "ftp://a", "https://a/?x", "https://a#b",
                          "https://a b", "https://a\"b"}) {
    EXPECT_EQ(fault({"--bundle=b", "--public-url", url}),
              "--public-url: expected https://HOST[:PORT][/PATH], without a query and a fragment")
        << url;
  }
  EXPECT_EQ(fault({"--bundle=b", "--log-sample=2"}), "--log-sample: expected a number from 0 to 1");
  EXPECT_EQ(fault({"--bundle=b", "--listen=x"}),
            "--listen x: expected [DIALECT@]HOST:PORT, [DIALECT@]unix:PATH or [DIALECT@]systemd:NAME");
  EXPECT_NE(fault({"--bundle=b", "--require-signature=/none"}), "");
}

}  // namespace
}  // namespace hcl::serve
