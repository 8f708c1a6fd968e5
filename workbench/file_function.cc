// file(PATH). Tested by workbench/test_suite_test.cc.

#include "hclvm/workbench/file_function.h"

#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

Value ReadJsonFile(FunctionCall* call, absl::Span<const Value> arguments) {
  const auto* const read_file = static_cast<const TestFileReader*>(call->function().state.get());
  const absl::StatusOr<std::string> text = (*read_file)(std::string(arguments[0].AsString()));
  if (!text.ok()) return call->Error(std::string(text.status().message()));
  if (!call->Charge(text->size() / 64)) return Value();
  JsonReader reader;
  Value value;
  JsonError error;
  if (reader.Read(call->arena()->CopyString(*text), call->heap(), &value, &error)) return value;
  const std::string message = absl::StrCat("is no JSON, at byte ", error.offset, ": ", error.detail);
  return error.is_limit ? call->LimitError(message) : call->ArgumentError(0, message);
}

}  // namespace

std::shared_ptr<const FunctionRegistry> WithFileFunction(const FunctionRegistry* base, TestFileReader read_file) {
  FunctionRegistryBuilder builder;
  if (base != nullptr) {
    for (const std::string_view name : base->Names()) builder.Add(*base->Find(name));
  }
  Function function;
  function.name = "file";
  Parameter path;
  path.name = "path";
  path.type = Type::String();
  function.parameters.push_back(std::move(path));
  function.result_type = Type::Dynamic();
  function.body = ReadJsonFile;
  function.state = std::make_shared<const TestFileReader>(std::move(read_file));
  function.pure = false;
  builder.Add(std::move(function));
  return std::move(builder).Build();
}

}  // namespace hcl::internal
