// C++ structs as variables, results as C++ structs, and marks: docs/embedding.md.

#include <cstdint>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "hclvm/hclvm.h"
#include "hclvm/vm/value/fields.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/sensitive.h"

struct User {
  std::string name;
  bool admin = false;
  std::vector<std::string> roles;
};

struct Request {
  User user;
  std::string path;
  std::map<std::string, std::string> headers;
};

template <>
struct hcl::FieldsOf<User> {
  static constexpr auto list = hcl::FieldList(hcl::Field("name", &User::name), hcl::Field("admin", &User::admin),
                                              hcl::Field("roles", &User::roles));
};
template <>
struct hcl::FieldsOf<Request> {
  static constexpr auto list = hcl::FieldList(hcl::Field("user", &Request::user), hcl::Field("path", &Request::path),
                                              hcl::Field("headers", &Request::headers));
};

struct Decision {
  bool allow = false;
  std::optional<std::string> reason;  // null, or no such attribute: no value
  uint32_t priority = 10;             // no such attribute: 10
  std::vector<std::string> tags;
};
template <>
struct hcl::FieldsOf<Decision> {
  static constexpr auto list =
      hcl::FieldList(hcl::Field("allow", &Decision::allow), hcl::Field("reason", &Decision::reason),
                     hcl::OptionalField("priority", &Decision::priority), hcl::OptionalField("tags", &Decision::tags));
};

std::shared_ptr<const hcl::Program> Compile(const std::string& text) {
  hcl::CompileOptions options;
  options.functions = hcl::StandardFunctions();
  hcl::Diagnostics diagnostics;
  return hcl::CompileConfig(std::make_shared<const hcl::Source>("policy.hcl", text), options, &diagnostics);
}

int Structs() {
  std::shared_ptr<const hcl::Program> program = Compile(R"(
    allow  = contains(user.roles, "writer") && startswith(path, "/files/")
    reason = "${user.name} writes with ${lookup(headers, "agent", "no agent")}"
    tags   = [for role in user.roles : upper(role)]
  )");

  Request request{{"ann", false, {"writer", "auditor"}}, "/files/a", {{"agent", "curl"}}};
  hcl::Heap heap;
  absl::StatusOr<hcl::Value> scope = hcl::MakeValue(request, &heap);
  if (!scope.ok()) return std::cerr << scope.status() << "\n", 1;  // a text that is not UTF-8, say

  hcl::Evaluator evaluator(program);
  evaluator.BindAll(*scope);  // the fields of the request are the variables
  const hcl::Evaluation& evaluation = evaluator.Run();
  if (!evaluation.ok()) return 1;
  absl::StatusOr<Decision> decision = hcl::Decode<Decision>(evaluation.value());
  if (!decision.ok()) return std::cerr << decision.status() << "\n", 1;
  std::cout << decision->allow << ", " << *decision->reason << ", " << decision->tags[1] << ", " << decision->priority
            << "\n";

  // What does not fit says where.
  hcl::Evaluator wrong(Compile("allow = true\ntags = [\"a\", [\"b\"]]"));
  std::cout << hcl::Decode<Decision>(wrong.Run().value()).status().message() << "\n";
  return 0;
}

int Marks() {
  // What is made of a marked value is marked as well, and Decode() refuses it unless it is told to drop marks.
  std::shared_ptr<const hcl::Program> program = Compile("allow = token == \"s3cret\"\ntags = [\"for ${token}\"]");
  hcl::Heap heap;
  hcl::Evaluator evaluator(program);
  evaluator.Bind("token", hcl::Mark(hcl::Value::StringView("s3cret"), hcl::kSensitiveMark, heap.arena()));
  const hcl::Evaluation& evaluation = evaluator.Run();
  std::cout << hcl::Decode<Decision>(evaluation.value()).status().message() << "\n";
  hcl::DecodeOptions options;
  options.drop_marks = true;
  std::cout << hcl::Decode<Decision>(evaluation.value(), options)->allow << "\n";

  // For a log, without what is sensitive.
  std::vector<std::string> erased;  // the places, as JSON pointers
  hcl::Value shown = hcl::HideSensitive(evaluation.marked_value(), hcl::SensitiveForm::kNull, &heap, &erased);
  std::string json, reason;
  if (hcl::AppendJson(shown, &json, &reason))
    std::cout << json << " without " << erased[0] << ", " << erased[1] << "\n";
  return 0;
}

int main() {
  const int status = Structs();
  return status != 0 ? status : Marks();
}

// Prints:
//   1, ann writes with curl, AUDITOR, 10
//   .tags[1]: a string is required, not a tuple
//   .allow: is marked, and the marks would be lost
//   1
//   {"allow":null,"tags":[null]} without /allow, /tags/0
