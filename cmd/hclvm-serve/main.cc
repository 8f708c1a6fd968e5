// hclvm-serve: a policy decision service.

#include <string_view>
#include <vector>

#include "hclvm/cmd/hclvm-serve/health_command.h"
#include "hclvm/cmd/hclvm-serve/replay_command.h"
#include "hclvm/cmd/hclvm-serve/serve_program.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/standard_streams.h"

namespace hcl::serve {
namespace {

constexpr char kCommand[] = "hclvm-serve";

int Main(const std::vector<std::string_view>& arguments) {
  if (!arguments.empty() && arguments[0] == "replay") return ReplayCommand({arguments.begin() + 1, arguments.end()});
  if (!arguments.empty() && arguments[0] == "health") return HealthCommand({arguments.begin() + 1, arguments.end()});
  return RunServeProgram(kCommand, arguments, nullptr);
}

}  // namespace
}  // namespace hcl::serve

int main(int argc, char** argv) {
  hcl::cmd::OccupyClosedStreams();
  return hcl::cmd::FinishOutput(hcl::serve::kCommand, hcl::cmd::GuardMemory(hcl::serve::kCommand, [&] {
                                  return hcl::serve::Main({argv + 1, argv + argc});
                                }));
}
