// Reading a test file: what its tests give and want. Tested by workbench/test_suite_test.cc.

#include <algorithm>
#include <array>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/base/unicode.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/workbench/test_suite_reader.h"

namespace hcl::internal {
namespace {

constexpr std::array<std::string_view, 5> kCaseProperties = {"with", "without", "expect", "expect_part", "fails"};

const Expr* WithoutParens(const Expr* expr) {
  while (expr != nullptr && expr->kind == ExprKind::kParen) expr = As<ParenExpr>(*expr).inner;
  return expr;
}

// The key as it is written; empty where an expression gives it.
std::string_view LiteralKey(const ObjectItem& item) {
  if (!item.key_name.empty()) return item.key_name;
  if (item.key->kind != ExprKind::kTemplate) return "";
  const auto& text = As<TemplateExpr>(*item.key);
  if (text.parts.size() != 1 || text.parts[0]->kind != ExprKind::kTemplateText) return "";
  return As<TemplateTextExpr>(*text.parts[0]).text;
}

// The properties of an object in their order. Of a literal, each has its item, the last one of its key.
std::vector<WrittenValue> PropertiesOf(const WrittenValue& object) {
  HashMap<std::string_view, const ObjectItem*> items;
  if (object.expr != nullptr && object.expr->kind == ExprKind::kObject) {
    for (const ObjectItem& item : As<ObjectExpr>(*object.expr).items) items[LiteralKey(item)] = &item;
  }
  const Shape& shape = object.value.shape();
  std::vector<WrittenValue> properties(shape.size);
  for (uint32_t n = 0; n < shape.size; ++n) {
    properties[n].value = object.value.values()[n];
    properties[n].range = object.range;
    const auto found = items.find(shape.keys[n].AsString());
    if (found == items.end()) continue;
    const ObjectItem& item = *found->second;
    properties[n].expr = WithoutParens(item.value);
    properties[n].range = Cover(item.key->range, item.value->range);
  }
  return properties;
}

std::string DidYouMean(std::string_view given, const std::vector<std::string_view>& names) {
  const std::string_view nearest = NearestName(given, names);
  return nearest.empty() ? "" : absl::StrCat(" Did you mean \"", ToAbsl(nearest), "\"?");
}

}  // namespace

std::optional<WrittenValue> TestSuiteReader::Evaluate(const Attribute& attribute) {
  const Entry* const entry = entry_of_value_[attribute.name_range.begin];
  const Evaluation& evaluation = evaluator_->Run(*entry);
  if (!evaluation.ok()) {
    Take(evaluation.diagnostics());
    return std::nullopt;
  }
  MarkSet ignored = 0;
  const Value plain = UnmarkDeep(evaluation.value(), &ignored, evaluator_->heap()->arena());
  WrittenValue written;
  written.value = Clone(plain, suite_->heap_.arena(), suite_->heap_.types());
  written.expr = WithoutParens(attribute.expr);
  written.range = attribute.expr->range;
  return written;
}

bool TestSuiteReader::IsObject(const WrittenValue& written, std::string_view what) {
  if (written.value.is_mapping()) {
    CheckKeys(written, what);
    return true;
  }
  Report(written.range, DiagnosticCode::kInvalidTest,
         absl::StrCat(ToAbsl(what), " is an object, and not ", FriendlyName(written.value), "."));
  return false;
}

// Of a key that a literal gives twice, the language takes the last one: a case or an expectation would be lost.
void TestSuiteReader::CheckKeys(const WrittenValue& written, std::string_view what) {
  if (written.expr == nullptr || written.expr->kind != ExprKind::kObject) return;
  HashMap<std::string_view, SourceRange> given;
  for (const ObjectItem& item : As<ObjectExpr>(*written.expr).items) {
    const std::string_view name = LiteralKey(item);
    if (name.empty() || given.try_emplace(name, item.key->range).second) continue;
    Report(item.key->range, what == "cases" ? DiagnosticCode::kDuplicateTest : DiagnosticCode::kInvalidTest,
           absl::StrCat(ToAbsl(what), " has \"", Excerpt(name), "\" already."));
  }
}

// To suggest a name takes a look at all of them, which is not done for what is not kept.
void TestSuiteReader::ReportUnknown(SourceRange range, std::string detail, std::string_view given,
                                    const std::vector<std::string_view>& names) {
  if (!diagnostics_.full()) detail += DidYouMean(given, names);
  Report(range, DiagnosticCode::kUnknownTestName, std::move(detail));
}

void TestSuiteReader::CheckVariable(std::string_view name, SourceRange range) {
  const std::vector<std::string_view>& declared = suite_->variables();
  if (!options_.refuses_unknown_variables) return;
  if (std::find(declared.begin(), declared.end(), name) != declared.end()) return;
  ReportUnknown(range, absl::StrCat("The module declares no variable \"", Excerpt(name), "\"."), name, declared);
}

const Entry* TestSuiteReader::FindEntry(std::string_view name, SourceRange range) {
  const auto found = entries_.find(name);
  if (found != entries_.end()) return found->second;
  if (paths_.empty()) {
    for (const Entry* const entry : suite_->entries()) paths_.push_back(entry->path);
  }
  ReportUnknown(range, absl::StrCat("The module has no entry \"", Excerpt(name), "\"."), name, paths_);
  return nullptr;
}

void TestSuiteReader::ReadOverlay(const WrittenValue& written, std::string_view what, Value* value) {
  if (!IsObject(written, what)) return;
  const std::vector<WrittenValue> properties = PropertiesOf(written);
  for (uint32_t n = 0; n < properties.size(); ++n) {
    CheckVariable(written.value.shape().keys[n].AsString(), properties[n].range);
  }
  *value = written.value;
}

void TestSuiteReader::ReadWithout(const WrittenValue& written, std::vector<std::string>* paths) {
  const bool is_list =
      written.value.is_sequence() && std::all_of(written.value.elements().begin(), written.value.elements().end(),
                                                 [](const Value& element) { return element.is_string(); });
  if (!is_list) {
    return Report(written.range, DiagnosticCode::kInvalidTest,
                  "without is a list of what the request lacks, such as [\"user.name\"].");
  }
  for (const Value& element : written.value.elements()) {
    const std::string path(element.AsString());
    CheckVariable(std::string_view(path).substr(0, path.find('.')), written.range);
    paths->push_back(path);
  }
}

void TestSuiteReader::Add(Expectation expectation, Said* said) {
  const bool is_known = std::any_of(said->expectations.begin(), said->expectations.end(),
                                    [&](const Expectation& known) { return known.entry == expectation.entry; });
  if (!is_known) return said->expectations.push_back(std::move(expectation));
  Report(expectation.range, DiagnosticCode::kInvalidTest,
         absl::StrCat("Only one of expect, expect_part and fails says what becomes of \"",
                      Excerpt(expectation.entry->path), "\"."));
}

void TestSuiteReader::ReadExpected(const WrittenValue& written, Expectation::Kind kind, Said* said) {
  if (!IsObject(written, kind == Expectation::Kind::kPart ? "expect_part" : "expect")) return;
  const std::vector<WrittenValue> properties = PropertiesOf(written);
  for (uint32_t n = 0; n < properties.size(); ++n) {
    const WrittenValue& wanted = properties[n];
    Expectation expectation;
    expectation.entry = FindEntry(written.value.shape().keys[n].AsString(), wanted.range);
    expectation.kind = kind;
    expectation.value = wanted.value;
    expectation.range = wanted.range;
    if (expectation.entry != nullptr) Add(std::move(expectation), said);
  }
}

// A code, or an object of a code and a message.
bool TestSuiteReader::ReadFailure(std::string_view name, const WrittenValue& written, Expectation* failure) {
  Value code = written.value;
  if (written.value.is_mapping()) {
    const Shape& shape = written.value.shape();
    const int64_t code_at = shape.Find("code");
    const int64_t message_at = shape.Find("message");
    const size_t known = (code_at >= 0 ? 1 : 0) + (message_at >= 0 ? 1 : 0);
    code = code_at >= 0 ? written.value.values()[code_at] : Value();
    const Value message = message_at >= 0 ? written.value.values()[message_at] : Value::StringView("");
    if (known != shape.size || !message.is_string()) code = Value();
    if (message.is_string()) failure->message = std::string(message.AsString());
  }
  const std::optional<DiagnosticCode> found =
      code.is_string() ? FindDiagnosticCode(code.AsString()) : std::optional<DiagnosticCode>();
  if (found) failure->code = *found;
  if (!found && code.is_string()) {
    Report(written.range, DiagnosticCode::kInvalidTest,
           absl::StrCat("There is no code \"", Excerpt(code.AsString()),
                        "\". hclvm run prints the code of the error by which \"", Excerpt(name),
                        "\" fails, such as HCL4301."));
  } else if (!found) {
    Report(written.range, DiagnosticCode::kInvalidTest,
           absl::StrCat("fails names the code of the error by which \"", Excerpt(name),
                        "\" fails, such as \"HCL4301\", or { code = \"HCL4301\", message = \"a part of its text\" }."));
  }
  return found.has_value();
}

void TestSuiteReader::ReadFails(const WrittenValue& written, Said* said) {
  if (!IsObject(written, "fails")) return;
  const Shape& shape = written.value.shape();
  const int64_t message_at = shape.Find("message");
  const bool has_message = message_at >= 0 && written.value.values()[message_at].is_string();
  const std::vector<WrittenValue> properties = PropertiesOf(written);
  for (uint32_t n = 0; n < properties.size(); ++n) {
    if (has_message && n == message_at) continue;
    const WrittenValue& wanted = properties[n];
    Expectation failure;
    failure.entry = FindEntry(shape.keys[n].AsString(), wanted.range);
    failure.kind = Expectation::Kind::kFails;
    failure.range = wanted.range;
    if (has_message) failure.message = std::string(written.value.values()[message_at].AsString());
    if (!ReadFailure(shape.keys[n].AsString(), wanted, &failure) || failure.entry == nullptr) continue;
    Add(std::move(failure), said);
  }
}

bool TestSuiteReader::ReadSaid(std::string_view name, const WrittenValue& written, Said* said) {
  if (name == "with") {
    ReadOverlay(written, name, &said->with);
  } else if (name == "without") {
    ReadWithout(written, &said->without);
  } else if (name == "expect") {
    ReadExpected(written, Expectation::Kind::kValue, said);
  } else if (name == "expect_part") {
    ReadExpected(written, Expectation::Kind::kPart, said);
  } else if (name == "fails") {
    ReadFails(written, said);
  } else {
    return false;
  }
  return true;
}

// What a case says of an entry counts in place of what its test says. Cases have the order of the text, where it is
// one.
void TestSuiteReader::ReadCases(const WrittenValue& written, const Said& of_test, SuiteTest* test) {
  if (!IsObject(written, "cases")) return;
  const std::vector<WrittenValue> cases = PropertiesOf(written);
  for (uint32_t n = 0; n < cases.size(); ++n) {
    const WrittenValue& one = cases[n];
    SuiteCase made;
    made.name = std::string(written.value.shape().keys[n].AsString());
    made.range = one.range;
    if (!IsObject(one, absl::StrCat("The case \"", Excerpt(made.name), "\""))) continue;
    Said said;
    said.with = MakeObject(absl::Span<const KeyValue>(), suite_->heap_.arena());
    const std::vector<WrittenValue> properties = PropertiesOf(one);
    for (uint32_t p = 0; p < properties.size(); ++p) {
      const std::string_view name = one.value.shape().keys[p].AsString();
      const WrittenValue& property = properties[p];
      if (ReadSaid(name, property, &said)) continue;
      Report(property.range, DiagnosticCode::kInvalidTest,
             absl::StrCat("A case has no property \"", Excerpt(name), "\".",
                          DidYouMean(name, {kCaseProperties.begin(), kCaseProperties.end()}),
                          " A case has with, without, expect, expect_part and fails."));
    }
    for (const Expectation& expectation : of_test.expectations) {
      const bool is_said = std::any_of(said.expectations.begin(), said.expectations.end(),
                                       [&](const Expectation& own) { return own.entry == expectation.entry; });
      if (!is_said) said.expectations.push_back(expectation);
    }
    made.with = said.with;
    made.without = std::move(said.without);
    made.expectations = std::move(said.expectations);
    test->cases.push_back(std::move(made));
  }
  std::stable_sort(test->cases.begin(), test->cases.end(),
                   [](const SuiteCase& a, const SuiteCase& b) { return a.range.begin < b.range.begin; });
}

std::string TestSuiteReader::ReadText(const Attribute& attribute) {
  const std::optional<WrittenValue> written = Evaluate(attribute);
  if (!written) return "";
  if (written->value.is_string() && !written->value.AsString().empty()) return std::string(written->value.AsString());
  Report(written->range, DiagnosticCode::kInvalidTest,
         absl::StrCat(ToAbsl(attribute.name), " is the path of a file, from the folder of the test file."));
  return "";
}

void TestSuiteReader::ReadRecorded(const Block& block, SuiteTest* test) {
  RecordedRequests recorded;
  for (const Attribute& attribute : block.body->attributes) {
    if (attribute.name == "requests") {
      recorded.requests = ReadText(attribute);
      recorded.requests_range = attribute.expr->range;
    } else if (attribute.name == "answers") {
      recorded.answers = ReadText(attribute);
      recorded.answers_range = attribute.expr->range;
    } else if (attribute.name == "entries") {
      ReadEntries(attribute, &recorded);
    } else {
      Report(attribute.name_range, DiagnosticCode::kInvalidTest,
             absl::StrCat("A test with recorded requests has requests, answers and entries, and no ",
                          ToAbsl(attribute.name), "."));
    }
  }
  if (!block.body->blocks.empty()) {
    Report(block.body->blocks[0].header(), DiagnosticCode::kInvalidTest,
           "A test with recorded requests has no assertions.");
  }
  if (recorded.requests_range.empty() || recorded.answers_range.empty()) {
    Report(block.header(), DiagnosticCode::kInvalidTest,
           "A test with recorded requests names two files, requests and answers.");
  }
  if (recorded.entries.empty()) recorded.entries = suite_->entries();
  test->recorded = std::move(recorded);
}

void TestSuiteReader::ReadEntries(const Attribute& attribute, RecordedRequests* recorded) {
  const std::optional<WrittenValue> written = Evaluate(attribute);
  if (!written) return;
  const Value& names = written->value;
  const bool is_list =
      names.is_sequence() && names.size() > 0 &&
      std::all_of(names.elements().begin(), names.elements().end(), [](const Value& name) { return name.is_string(); });
  if (!is_list) {
    return Report(written->range, DiagnosticCode::kInvalidTest,
                  "entries is a list of the entries to evaluate, such as [\"allow\"].");
  }
  for (const Value& name : names.elements()) {
    const Entry* const entry = FindEntry(name.AsString(), written->range);
    if (entry != nullptr) recorded->entries.push_back(entry);
  }
}

void TestSuiteReader::ReadUsual() {
  suite_->usual_ = MakeObject(absl::Span<const KeyValue>(), suite_->heap_.arena());
  for (const Attribute& attribute : parsed_->body->attributes) {
    const std::optional<WrittenValue> written = Evaluate(attribute);
    if (written) ReadOverlay(*written, attribute.name, &suite_->usual_);
  }
  std::vector<KeyValue> pairs;
  for (const Block& block : parsed_->body->blocks) {
    if (block.type != "variables") continue;
    for (const Attribute& attribute : block.body->attributes) {
      CheckVariable(attribute.name, attribute.name_range);
      const std::optional<WrittenValue> written = Evaluate(attribute);
      if (written) pairs.push_back({Value::String(ToNfc(attribute.name), suite_->heap_.arena()), written->value});
    }
    suite_->usual_ = MakeObject(pairs, suite_->heap_.arena());
  }
}

void TestSuiteReader::ReadTest(const Block& block) {
  SuiteTest test;
  test.name = std::string(block.labels[0].text);
  test.range = block.header();
  const Value nothing = MakeObject(absl::Span<const KeyValue>(), suite_->heap_.arena());
  test.with = nothing;
  const size_t before = diagnostics_.error_count();
  const auto is_recorded = [](const Attribute& attribute) {
    return attribute.name == "requests" || attribute.name == "answers" || attribute.name == "entries";
  };
  const absl::Span<const Attribute> attributes = block.body->attributes;
  if (std::any_of(attributes.begin(), attributes.end(), is_recorded)) {
    ReadRecorded(block, &test);
    suite_->tests_.push_back(std::move(test));
    return;
  }
  for (const Block& inner : block.body->blocks) ReadAssertion(inner, &test);
  Said said;
  said.with = nothing;
  const Attribute* cases = nullptr;
  for (const Attribute& attribute : attributes) {
    if (attribute.name == "cases") {
      cases = &attribute;
      continue;
    }
    const std::optional<WrittenValue> written = Evaluate(attribute);
    if (written) ReadSaid(attribute.name, *written, &said);
  }
  if (cases != nullptr) {
    const std::optional<WrittenValue> written = Evaluate(*cases);
    if (written) ReadCases(*written, said, &test);
  }
  test.with = said.with;
  test.without = std::move(said.without);
  if (cases == nullptr) test.cases.push_back({"", nothing, {}, std::move(said.expectations), block.header()});
  if (diagnostics_.error_count() == before) CheckChecks(test);
  suite_->tests_.push_back(std::move(test));
}

// A test that checks nothing passes whatever the module does.
void TestSuiteReader::CheckChecks(const SuiteTest& test) {
  if (test.cases.empty()) {
    Report(test.range, DiagnosticCode::kInvalidTest, "The test has no cases, so that it checks nothing.");
  }
  if (!test.assertions.empty()) return;
  for (const SuiteCase& one : test.cases) {
    if (!one.expectations.empty()) continue;
    Report(one.range, DiagnosticCode::kInvalidTest,
           "It checks nothing: say what is wanted by expect, expect_part, fails or an assert block.");
  }
}

}  // namespace hcl::internal
