// Reading a test file: its form, and what is compiled of it. Tested by workbench/test_suite_test.cc.

#include "hclvm/workbench/test_suite_reader.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/hcl/body_content.h"
#include "hclvm/hcl/native_body.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/hcl/schema.h"
#include "hclvm/hcl/variable_walk.h"
#include "hclvm/module/findings.h"
#include "hclvm/module/module.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/workbench/file_function.h"

namespace hcl::internal {
namespace {

constexpr std::string_view kVariables = "variables";

BodySchema FileSchema(bool variables_is_attribute) {
  BodySchema schema;
  (variables_is_attribute ? schema.AddAttribute(std::string(kVariables)) : schema.AddBlock(std::string(kVariables)))
      .IgnoreError();
  schema.AddBlock("test", {"name"}).IgnoreError();
  schema.AddBlock("function", {"name"}).IgnoreError();
  schema.AddBlock("locals").IgnoreError();
  return schema;
}

const BodySchema& TestSchema() {
  static const BodySchema* const schema = [] {
    auto* made = new BodySchema();
    for (const char* const name :
         {"with", "without", "expect", "expect_part", "fails", "cases", "requests", "answers", "entries"}) {
      made->AddAttribute(name).IgnoreError();
    }
    made->AddBlock("assert").IgnoreError();
    return made;
  }();
  return *schema;
}

const BodySchema& AssertSchema() {
  static const BodySchema* const schema = [] {
    auto* made = new BodySchema();
    made->AddAttribute("condition", /*required=*/true).IgnoreError();
    made->AddAttribute("error_message").IgnoreError();
    return made;
  }();
  return *schema;
}

const Attribute* FindAttribute(const Body& body, std::string_view name) {
  const auto* const found = std::find_if(body.attributes.begin(), body.attributes.end(),
                                         [&](const Attribute& attribute) { return attribute.name == name; });
  return found == body.attributes.end() ? nullptr : found;
}

// The steps that a path of an entry and a traversal have in common are all of the shorter one.
bool MayRead(const StaticTraversal& read, const std::vector<std::string_view>& entry) {
  for (size_t n = 1; n < entry.size() && n <= read.steps.size(); ++n) {
    if (read.steps[n - 1].text != entry[n]) return false;
  }
  return read.root == entry[0];
}

}  // namespace

std::shared_ptr<const TestSuite> ReadTestSuite(std::shared_ptr<const Source> source, TestedModule* module,
                                               const TestSuiteOptions& options, Diagnostics* diagnostics) {
  return TestSuiteReader(std::move(source), module, options, diagnostics).Read();
}

std::shared_ptr<const TestSuite> TestSuiteReader::Read() {
  Diagnostics found(options_.compile.limits.max_diagnostics);
  parsed_ = ParseConfig(*source_, ParseOptionsFor(options_.compile), &found);
  AddAll(found, source_.get(), &diagnostics_);
  if (found.has_errors()) return nullptr;
  suite_ = std::make_shared<TestSuite>();
  suite_->source_ = source_;
  suite_->options_ = options_;
  suite_->module_files_ = module_.files;
  parts_ = PartsOf(source_->text(), *parsed_->body);
  const bool goes_on = CheckForm() && CompileValues() && CompileModule() && CompileAssertions();
  if (!goes_on) return nullptr;
  const size_t before = diagnostics_.error_count();
  ReadUsual();
  for (const Block& block : parsed_->body->blocks) {
    if (block.type == "test") ReadTest(block);
  }
  if (diagnostics_.error_count() > before) return nullptr;
  return suite_;
}

bool TestSuiteReader::CheckForm() {
  const Body& body = *parsed_->body;
  Diagnostics found(options_.compile.limits.max_diagnostics);
  const BodySchema file = FileSchema(FindAttribute(body, kVariables) != nullptr);
  ViewOf(body, *source_)->Content(file, &found);
  size_t usual = 0;
  for (const Block& block : body.blocks) {
    if (block.type == kVariables && ++usual == 2) {
      Report(block.header(), DiagnosticCode::kInvalidTest, "A test file has one usual request: write one block.");
    }
    if (block.type != "test" || block.labels.size() != 1) continue;
    ViewOf(*block.body, *source_)->Content(TestSchema(), &found);
    for (const Block& inner : block.body->blocks) {
      if (inner.type == "assert") ViewOf(*inner.body, *source_)->Content(AssertSchema(), &found);
    }
    const auto [known, is_new] = test_names_.try_emplace(block.labels[0].text, block.labels[0].range);
    if (is_new) continue;
    Report(
        block.labels[0].range, DiagnosticCode::kDuplicateTest,
        absl::StrCat("The test \"", ToAbsl(block.labels[0].text), "\" is at line ",
                     source_->LineAt(known->second.begin), " already. Reports and --run name tests by these names."));
  }
  Take(found);
  return !diagnostics_.has_errors();
}

bool TestSuiteReader::CompileValues() {
  CompileOptions compile = options_.compile;
  compile.functions = WithFileFunction(options_.compile.functions.get(), options_.read_file);
  masked_.push_back(std::make_shared<const Source>(source_->name(), parts_.values));
  Diagnostics found(compile.limits.max_diagnostics);
  const ModuleFile file = {masked_.back(), /*is_json=*/false};
  values_ = hcl::CompileModule({file}, compile, &found);
  Diagnostics explained(compile.limits.max_diagnostics);
  for (Diagnostic diagnostic : found.kept()) {
    if (diagnostic.code == DiagnosticCode::kUndeclaredVariable) {
      diagnostic.detail =
          "Only assertions read variables, locals and entries of the module. What a test gives and expects is made of "
          "functions and of the locals of the test file.";
    }
    explained.Add(std::move(diagnostic));
  }
  Take(explained);
  if (values_ == nullptr) return false;
  evaluator_ = std::make_unique<Evaluator>(values_, compile.limits);
  for (const Entry& entry : values_->entries()) entry_of_value_[entry.range.begin] = &entry;
  return true;
}

std::shared_ptr<const FunctionRegistry> TestSuiteReader::HostFunctions() const {
  const std::shared_ptr<const FunctionRegistry>& all = options_.compile.functions;
  if (!parts_.has_functions || all == nullptr) return all;
  std::set<std::string_view> replaced;
  for (const Block& block : parsed_->body->blocks) {
    if (block.type == "function") replaced.insert(block.labels[0].text);
  }
  FunctionRegistryBuilder builder;
  for (const std::string_view name : all->Names()) {
    const Function* const function = all->Find(name);
    if (function->is_library || replaced.count(name) == 0) builder.Add(*function);
  }
  return std::move(builder).Build();
}

std::shared_ptr<const Program> TestSuiteReader::Compile(absl::Span<const ModuleFile> more, bool has_functions) {
  std::vector<ModuleFile> files = module_.files;
  files.insert(files.end(), more.begin(), more.end());
  CompileOptions compile = options_.compile;
  if (has_functions) compile.functions = HostFunctions();
  Diagnostics found(compile.limits.max_diagnostics);
  std::shared_ptr<const Program> program = hcl::CompileModule(files, compile, &found);
  Take(found);
  return program;
}

bool TestSuiteReader::CompileModule() {
  if (parts_.has_functions) {
    masked_.push_back(std::make_shared<const Source>(source_->name(), parts_.functions));
    const ModuleFile file = {masked_.back(), /*is_json=*/false};
    base_ = Compile({file}, /*has_functions=*/true);
  } else {
    if (module_.program == nullptr) module_.program = Compile({}, /*has_functions=*/false);
    base_ = module_.program;
  }
  if (base_ == nullptr) return false;
  suite_->program_ = base_;
  suite_->variables_.assign(base_->variables().begin(), base_->variables().end());
  return true;
}

std::string TestSuiteReader::DeclaredEntries(const std::vector<StaticTraversal>& reads) const {
  std::set<std::string_view> roots;
  for (const Entry& entry : base_->entries()) roots.insert(entry.path.substr(0, entry.path.find('.')));
  std::set<std::string_view> declared;
  for (const StaticTraversal& read : reads) {
    const bool is_prefix = read.root == "var" || read.root == "local";
    if (roots.count(read.root) != 0 && !is_prefix && !base_->FindSlot(read.root)) declared.insert(read.root);
  }
  std::string text;
  for (const std::string_view name : declared) {
    absl::StrAppend(&text, "variable \"", ToAbsl(name), "\" {\n  type     = any\n  nullable = true\n}\n");
  }
  return text;
}

// Blocks of the module may be called as those of the test file are, and be numbered together with these. So the latter
// get a name of the same size that no block of the module has. False, and an error, where each is taken.
bool TestSuiteReader::RenameTests(std::string* assertions) {
  constexpr std::string_view kType = "test";
  constexpr uint32_t kNames = 26 * 26 * 26 * 26;
  std::set<std::string_view> roots;
  for (const Entry& entry : base_->entries()) roots.insert(entry.path.substr(0, entry.path.find('.')));
  std::string name(kType);
  for (uint32_t number = 0; roots.count(name) != 0; ++number) {
    if (number == kNames) {
      Report(parsed_->body->range, DiagnosticCode::kInvalidTest, "The module has blocks of all names of four letters.");
      return false;
    }
    for (uint32_t n = 0, rest = number; n < name.size(); ++n, rest /= 26) name[n] = static_cast<char>('a' + rest % 26);
  }
  for (const Block& block : parsed_->body->blocks) {
    const bool is_there = std::string_view(*assertions).substr(block.range.begin, kType.size()) == kType;
    if (block.type == kType && is_there) assertions->replace(block.range.begin, name.size(), name);
  }
  return true;
}

// The module is compiled once more, with an entry for each condition and each message.
bool TestSuiteReader::CompileAssertions() {
  std::set<std::string_view> of_module;
  for (const Entry& entry : base_->entries()) of_module.insert(entry.path);
  if (parts_.has_assertions) {
    std::vector<StaticTraversal> reads;
    for (const Block& block : parsed_->body->blocks) {
      for (const Block& inner : block.body->blocks) {
        for (const Attribute& attribute : inner.body->attributes) {
          AppendVariables(*attribute.expr, source_.get(), &reads);
        }
      }
    }
    std::string text = parts_.assertions;
    if (!RenameTests(&text)) return false;
    suite_->masked_ = std::make_shared<const Source>(source_->name(), std::move(text));
    masked_.push_back(suite_->masked_);
    const ModuleFile assertions = {suite_->masked_, /*is_json=*/false};
    const ModuleFile names = {std::make_shared<const Source>("<entries>", DeclaredEntries(reads)), /*is_json=*/false};
    suite_->program_ = Compile({assertions, names}, parts_.has_functions);
    if (suite_->program_ == nullptr) return false;
  }
  for (const Entry& entry : suite_->program_->entries()) {
    if (of_module.count(entry.path) == 0) {
      entry_of_assertion_[entry.range.begin] = &entry;
    } else {
      suite_->entries_.push_back(&entry);
      entries_.emplace(entry.path, &entry);
    }
  }
  return true;
}

void TestSuiteReader::ReadAssertion(const Block& block, SuiteTest* test) {
  Assertion assertion;
  for (const Attribute& attribute : block.body->attributes) {
    const Entry* const entry = entry_of_assertion_[attribute.name_range.begin];
    if (attribute.name == "condition") {
      assertion.condition = entry;
      assertion.range = attribute.expr->range;
    } else {
      assertion.message = entry;
    }
    NoteReads(*attribute.expr, &assertion);
  }
  test->assertions.push_back(std::move(assertion));
}

void TestSuiteReader::NoteReads(const Expr& expr, Assertion* assertion) const {
  std::vector<StaticTraversal> reads;
  AppendVariables(expr, source_.get(), &reads);
  for (const StaticTraversal& read : reads) {
    // Whatever the program does not have a variable for, beside the module's own, is no entry here.
    if (base_->FindSlot(read.root) || !suite_->program_->FindSlot(read.root)) continue;
    for (const Entry* const entry : suite_->entries()) {
      const std::vector<std::string_view> steps = [&] {
        std::vector<std::string_view> made;
        for (const absl::string_view step : absl::StrSplit(ToAbsl(entry->path), '.')) {
          made.push_back({step.data(), step.size()});
        }
        return made;
      }();
      const bool is_known = std::any_of(assertion->reads.begin(), assertion->reads.end(),
                                        [&](const EntryRead& known) { return known.entry == entry; });
      if (is_known || !MayRead(read, steps)) continue;
      assertion->reads.push_back({entry, *suite_->program_->FindSlot(steps[0]), {steps.begin() + 1, steps.end()}});
    }
  }
}

void TestSuiteReader::Report(SourceRange range, DiagnosticCode code, std::string detail) {
  Diagnostic diagnostic(code);
  diagnostic.detail = std::move(detail);
  diagnostic.subject = range;
  diagnostic.source = source_.get();
  diagnostics_.Add(std::move(diagnostic));
}

void TestSuiteReader::Take(const Diagnostics& found) {
  for (Diagnostic diagnostic : found.kept()) {
    const bool is_masked = std::any_of(masked_.begin(), masked_.end(), [&](const std::shared_ptr<const Source>& text) {
      return text.get() == diagnostic.source;
    });
    if (is_masked || diagnostic.source == nullptr) diagnostic.source = source_.get();
    diagnostics_.Add(std::move(diagnostic));
  }
  diagnostics_.AddUnkept(found.unkept_errors(), found.unkept_warnings());
}

}  // namespace hcl::internal
