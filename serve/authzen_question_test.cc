// Questions of AuthZEN.

#include "hclvm/serve/authzen_question.h"

#include <string>

#include "gtest/gtest.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::serve {
namespace {

// The scopes of a request's questions, or what is wrong, a line each.
std::string Questions(const std::string& text, bool may_be_batch = true) {
  Heap heap;
  JsonReader reader;
  Value body;
  JsonError error;
  EXPECT_TRUE(reader.Read(text, &heap, &body, &error)) << error.detail;
  AuthzenRequest request(body, heap.arena());
  const std::string fault = may_be_batch ? request.ReadBatch() : "";
  if (!fault.empty()) return "all: " + fault;
  std::string lines;
  const auto add = [&](const Value* evaluation) {
    AuthzenParts parts;
    std::string line = request.Question(evaluation, &parts);
    std::string reason;
    if (line.empty()) {
      EXPECT_TRUE(AppendJson(AuthzenScope(parts, heap.arena()), &line, &reason)) << reason;
    }
    lines += line + "\n";
  };
  for (const Value& evaluation : request.evaluations()) add(&evaluation);
  if (request.evaluations().empty()) add(nullptr);
  return lines;
}

constexpr char kSubject[] = R"("subject": {"type": "user", "id": "ann"})";
constexpr char kAction[] = R"("action": {"name": "read"})";
constexpr char kResource[] = R"("resource": {"type": "file", "id": "1"})";

std::string Body(const std::string& subject, const std::string& action, const std::string& resource,
                 const std::string& more = "") {
  std::string text = "{";
  for (const std::string& part : {subject, action, resource, more}) {
    if (!part.empty()) text += (text.size() > 1 ? ", " : "") + part;
  }
  return text + "}";
}

constexpr char kWhole[] =
    R"({"action":{"name":"read","properties":{}},"context":{},"resource":{"id":"1","properties":{},"type":"file"},)"
    R"("subject":{"id":"ann","properties":{},"type":"user"}})";

TEST(AuthzenQuestionTest, AddsDefaults) {
  EXPECT_EQ(Questions(Body(kSubject, kAction, kResource)), std::string(kWhole) + "\n");
  EXPECT_EQ(Questions(Body(kSubject, kAction, kResource, R"("context": null, "evaluations": null, "options": null)")),
            std::string(kWhole) + "\n");
  EXPECT_EQ(Questions(Body(kSubject, kAction, kResource, R"("evaluations": [], "more": 1)")),
            std::string(kWhole) + "\n");
  EXPECT_EQ(Questions(Body(R"("subject": {"type": "user", "id": "", "more": 1, "properties": {"a": 1}})",
                           R"("action": {"name": "read", "properties": null})", kResource, R"("context": {"t": 1})")),
            R"({"action":{"name":"read","properties":{}},"context":{"t":1},)"
            R"("resource":{"id":"1","properties":{},"type":"file"},)"
            R"("subject":{"id":"","more":1,"properties":{"a":1},"type":"user"}})"
            "\n");
}

TEST(AuthzenQuestionTest, SaysWhatIsWrong) {
  const struct {
    std::string body;
    const char* want;
  } kCases[] = {
      {Body("", kAction, kResource), "subject is missing"},
      {Body(kSubject, "", kResource), "action is missing"},
      {Body(kSubject, kAction, ""), "resource is missing"},
      {Body(R"("subject": null)", kAction, kResource), "subject is missing"},
      {Body(R"("subject": "ann")", kAction, kResource), "subject: expected object, found string"},
      {Body(R"("subject": {"id": "ann"})", kAction, kResource), "subject.type is missing"},
      {Body(R"("subject": {"type": "user"})", kAction, kResource), "subject.id is missing"},
      {Body(R"("subject": {"type": "user", "id": 1})", kAction, kResource),
       "subject.id: expected string, found number"},
      {Body(kSubject, R"("action": {})", kResource), "action.name is missing"},
      {Body(kSubject, R"("action": {"name": 123})", kResource), "action.name: expected string, found number"},
      {Body(kSubject, R"("action": {"name": "a", "properties": 1})", kResource),
       "action.properties: expected object, found number"},
      {Body(kSubject, kAction, R"("resource": {"id": "1"})"), "resource.type is missing"},
      {Body(kSubject, kAction, R"("resource": {"type": "file"})"), "resource.id is missing"},
      {Body(kSubject, kAction, R"("resource": [])"), "resource: expected object, found array"},
      {Body(kSubject, kAction, kResource, R"("context": "now")"), "context: expected object, found string"},
  };
  for (const auto& test : kCases) EXPECT_EQ(Questions(test.body, false), std::string(test.want) + "\n") << test.body;
}

TEST(AuthzenQuestionTest, EvaluationsReplaceDefaults) {
  const std::string other = R"({"action":{"name":"write","properties":{}},"context":{"a":1},)"
                            R"("resource":{"id":"2","properties":{"o":1},"type":"file"},)"
                            R"("subject":{"id":"ann","properties":{},"type":"user"}})";
  // Properties and contexts are replaced as a whole, and only required members fall back to the default's.
  EXPECT_EQ(Questions(Body(kSubject, kAction, R"("resource": {"type": "file", "properties": {"p": 1}})",
                           R"("context": {"c": 1}, "evaluations": [)"
                           R"({"action": {"name": "write"}, "context": {"a": 1},)"
                           R"("resource": {"id": "2", "properties": {"o": 1}}},)"
                           R"({"context": {}, "resource": {"type": "file", "id": "1"}}])")),
            other + "\n" + kWhole + "\n");
}

TEST(AuthzenQuestionTest, FaultsOfEvaluationsAreTheirOwn) {
  const std::string body =
      Body(kSubject, kAction, R"("resource": {})",
           R"("evaluations": [{}, 1, null, {"resource": {"type": "file", "id": "1"}}, {"subject": []}])");
  EXPECT_EQ(Questions(body), "resource.id is missing\nexpected object, found number\nexpected object, found null\n" +
                                 std::string(kWhole) + "\nresource.id is missing\n");
}

TEST(AuthzenQuestionTest, FaultsOfBatches) {
  const auto of = [](const std::string& more) { return Questions(Body(kSubject, kAction, kResource, more)); };
  EXPECT_EQ(of(R"("evaluations": {})"), "all: evaluations: expected array, found object");
  EXPECT_EQ(of(R"("options": [])"), "all: options: expected object, found array");
  EXPECT_EQ(of(R"("options": {"evaluations_semantic": 1})"),
            "all: options.evaluations_semantic: expected string, found number");
  EXPECT_EQ(of(R"("options": {"evaluations_semantic": "first"})"),
            "all: options.evaluations_semantic: expected execute_all, deny_on_first_deny or permit_on_first_permit, "
            "found \"first\"");
  EXPECT_EQ(Questions(R"({"subject": "ann", "evaluations": [{}]})"), "all: subject: expected object, found string");
  EXPECT_EQ(of(R"("options": {"evaluations_semantic": "execute_all", "more": 1})"), std::string(kWhole) + "\n");
}

}  // namespace
}  // namespace hcl::serve
