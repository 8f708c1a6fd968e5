// Functions and values of a host: docs/embedding.md.

#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hclvm/hclvm.h"
#include "hclvm/vm/functions/function_family.h"
#include "hclvm/vm/value/capsule.h"

struct Address {
  uint32_t host;
  uint16_t port;
};
// One object, alive until the process ends.
const hcl::CapsuleType kAddressType{"address"};
template <>
struct hcl::CapsuleTraits<Address> {
  static const hcl::CapsuleType& type() { return kAddressType; }
};

std::shared_ptr<const hcl::FunctionRegistry> Functions() {
  hcl::FunctionRegistryBuilder builder;
  for (const hcl::FunctionFamily family : hcl::kFunctionFamilies) hcl::RegisterFamily(family, &builder);
  builder.Register("twice", [](int64_t n) { return 2 * n; });

  builder.Register("add", [](int64_t a, int64_t b) { return a + b; })
      .Register("text::join",
                [](std::string_view separator, hcl::Variadic<std::string_view> parts) {
                  std::string joined;
                  for (std::string_view part : parts) {
                    joined.append(joined.empty() ? "" : separator).append(part);
                  }
                  return joined;
                })
      .Register("ratio", [](double a, double b) -> absl::StatusOr<double> {
        if (b == 0) return absl::InvalidArgumentError("nothing can be divided by zero");
        return a / b;
      });

  hcl::Function first;
  first.name = "first";
  first.parameters = {{"list", hcl::Type::Dynamic()}};
  first.result_type_rule = [](hcl::FunctionCall* call, absl::Span<const hcl::Value> arguments) {
    return arguments[0].is_sequence() && arguments[0].size() > 0
               ? TypeOf(arguments[0].elements()[0], call->types())
               : call->ArgumentTypeError(0, "must be a sequence with elements");
  };
  first.body = [](hcl::FunctionCall*, absl::Span<const hcl::Value> arguments) { return arguments[0].elements()[0]; };
  builder.Add(first);

  builder
      .Register("address",
                [](hcl::FunctionCall* call, uint32_t host, uint16_t port) -> const Address* {
                  return call->arena()->New<Address>(Address{host, port});
                })
      .Register("port", [](const Address* address) { return address->port; });
  return std::move(builder).Build();
}

int main() {
  hcl::CompileOptions options;
  options.functions = Functions();
  auto source = std::make_shared<const hcl::Source>("functions.hcl", R"(
    sum   = add(1, "2")
    text  = text::join("-", "a", upper("b"), "c")
    first = first([[1, 2], 3])
    port  = port(address(2130706433, 8080))
    ratio = ratio(1, zero)
  )");
  hcl::Diagnostics diagnostics;
  std::shared_ptr<const hcl::Program> program = hcl::CompileConfig(source, options, &diagnostics);
  if (program == nullptr) return std::cerr << hcl::ToText(diagnostics, source.get()), 1;
  hcl::Evaluator evaluator(program);
  evaluator.Bind("zero", hcl::Value::Int(0));
  for (const hcl::Entry& entry : program->entries()) {
    const hcl::Evaluation& evaluation = evaluator.Run(entry);
    std::string text, reason;
    if (evaluation.ok()) {
      hcl::AppendJson(evaluation.value(), &text, &reason);
    } else {
      text = evaluation.diagnostics().kept()[0].detail;
    }
    std::cout << entry.path << ": " << text << "\n";
  }
  return 0;
}

// Prints:
//   sum: 3
//   text: "a-B-c"
//   first: [1,2]
//   port: 8080
//   ratio: Call to function "ratio" failed: nothing can be divided by zero.
