// Declarations. Tested by module/module_test.cc.
//
// Both syntaxes are read through their views, so that a declaration is one thing to the rest. What is an expression of
// the module becomes a native tree.

#include "hclvm/module/declarations.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/base/unicode.h"
#include "hclvm/compiler/json_compiler.h"
#include "hclvm/hcl/expr_view.h"
#include "hclvm/hcl/json/json_body.h"
#include "hclvm/hcl/json/json_expr.h"
#include "hclvm/hcl/json/json_parser.h"
#include "hclvm/hcl/native_body.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/hcl/schema.h"
#include "hclvm/hcl/static_analysis.h"
#include "hclvm/module/findings.h"
#include "hclvm/module/module_functions.h"
#include "hclvm/module/variable_reader.h"

namespace hcl::internal {
namespace {

constexpr char kVariable[] = "variable";
constexpr char kLocals[] = "locals";
constexpr char kFunction[] = "function";

bool IsDeclaration(std::string_view type) { return type == kVariable || type == kLocals || type == kFunction; }

const BodySchema& DeclarationSchema() {
  static const BodySchema* const schema = [] {
    auto* made = new BodySchema();
    made->AddBlock(kVariable, {"name"}).IgnoreError();
    made->AddBlock(kLocals).IgnoreError();
    made->AddBlock(kFunction, {"name"}).IgnoreError();
    return made;
  }();
  return *schema;
}

}  // namespace

std::string TextOf(const Place& place) {
  return absl::StrCat(place.source->name(), " line ", place.source->PositionAt(place.range.begin).line);
}

void AddModuleError(const Place& place, DiagnosticCode code, std::string detail, Diagnostics* diagnostics) {
  Diagnostic diagnostic(code);
  diagnostic.detail = std::move(detail);
  diagnostic.subject = place.range;
  diagnostic.source = place.source;
  diagnostics->Add(std::move(diagnostic));
}

// All files are read, so that mistakes of several are reported together.
bool Declarations::Read(absl::Span<const ModuleFile> files, const CompileOptions& options, Diagnostics* diagnostics) {
  if (!files.empty()) heap_ = std::make_shared<Heap>(nullptr, options.dialect, options.limits);
  files_.reserve(files.size());
  bool parsed = true;
  for (const ModuleFile& file : files) parsed = ReadFile(file, options, /*is_plain=*/false, diagnostics) && parsed;
  if (!parsed) return false;
  ReadFunctions(options, diagnostics);
  for (const ModuleSource& file : files_) {
    ReadBlocks(file, options, diagnostics);
    TakeRest(file, /*is_plain=*/false, diagnostics);
  }
  FinishRest();
  return true;
}

bool Declarations::ReadPlain(absl::Span<const ModuleFile> files, const CompileOptions& options,
                             Diagnostics* diagnostics) {
  const size_t first = files_.size();
  bool parsed = true;
  for (const ModuleFile& file : files) parsed = ReadFile(file, options, /*is_plain=*/true, diagnostics) && parsed;
  if (!parsed) return false;
  if (files_.size() == 1) {
    only_source_ = files_[0].source.get();
    if (TakeWhole(files_[0])) return true;
  }
  for (size_t n = first; n < files_.size(); ++n) TakeRest(files_[n], /*is_plain=*/true, diagnostics);
  FinishRest();
  return true;
}

void Declarations::FinishRest() {
  rest_.attributes = attributes_;
  rest_.blocks = blocks_;
  rest_.range.end = 0;
  for (const ModuleSource& file : files_) rest_.range.end += static_cast<uint32_t>(file.source->text().size());
}

// A single plain config is the rest as it is, unless two spellings of a name could be one.
bool Declarations::TakeWhole(const ModuleSource& file) {
  for (const Attribute& attribute : file.body->attributes) {
    if (file.json != nullptr || !IsAscii(attribute.name)) return false;
  }
  rest_.attributes = file.body->attributes;
  rest_.blocks = file.body->blocks;
  rest_.range.end = static_cast<uint32_t>(file.source->text().size());
  return true;
}

// Declarations are read by way of a view, which plain configs need none of.
bool Declarations::ReadFile(const ModuleFile& file, const CompileOptions& options, bool is_plain,
                            Diagnostics* diagnostics) {
  Diagnostics found(options.limits.max_diagnostics);
  ModuleSource& read = files_.emplace_back();
  read.source = file.source;
  if (file.is_json) {
    read.json = ParseJson(*file.source, JsonOptionsFor(options), &found);
    if (!found.has_errors()) {
      if (!is_plain) read.view = ViewOf(*read.json);
      read.body = JsonAttributes(*read.json, EvaluationMode::kFull, &arena_, &found);
    }
  } else {
    read.native = ParseConfig(*file.source, ParseOptionsFor(options), &found);
    if (!found.has_errors()) {
      if (!is_plain) read.view = ViewOf(*read.native->body, *file.source);
      read.body = read.native->body;
    }
  }
  AddAll(found, file.source.get(), diagnostics);
  return !found.has_errors();
}

void Declarations::ReadFunctions(const CompileOptions& options, Diagnostics* diagnostics) {
  functions_ = options.functions;
  if (files_.empty()) return;
  BodySchema schema;
  schema.AddBlock(kFunction, {"name"}).IgnoreError();
  std::vector<BodyContent> contents;
  std::vector<FunctionBlock> defined;
  for (const ModuleSource& file : files_) {
    Diagnostics ignored(0);  // ReadBlocks() meets the same
    contents.push_back(file.view->PartialContent(schema, &ignored).content);
    for (const BlockView& block : contents.back().blocks) {
      const Place place = {block.labels[0].range, file.source.get()};
      const std::string name(block.labels[0].text);
      const auto [known, is_new] = declared_.try_emplace(absl::StrCat("function.", name), place);
      if (!is_new) {
        AddModuleError(place, DiagnosticCode::kDuplicateDeclaration,
                       absl::StrCat("The function \"", name, "\" is defined at ", TextOf(known->second), " already."),
                       diagnostics);
        continue;
      }
      if (options.functions != nullptr && options.functions->Find(name) != nullptr) {
        AddModuleError(place, DiagnosticCode::kDuplicateDeclaration,
                       absl::StrCat("\"", name, "\" is the name of a function that is there already."), diagnostics);
      }
      defined.push_back({name, place, &block, file.source});
      defined_functions_.emplace_back(name, place);
    }
  }
  ModuleFunctions made = MakeFunctions(defined, options, &arena_, diagnostics);
  functions_ = std::move(made.registry);
  function_results_ = std::move(made.results);
  function_order_ = std::move(made.order);
}

void Declarations::ReadBlocks(const ModuleSource& file, const CompileOptions& options, Diagnostics* diagnostics) {
  const BodyContent content = file.view->PartialContent(DeclarationSchema(), diagnostics).content;
  for (const BlockView& block : content.blocks) {
    if (block.type == kLocals) {
      ReadLocals(block, diagnostics);
      continue;
    }
    if (block.type != kVariable) continue;
    const Place place = {block.labels[0].range, file.source.get()};
    DeclaredVariable variable;
    variable.name = ToNfc(block.labels[0].text);
    variable.place = place;
    if (!IsIdentifier(variable.name) || variable.name == "var" || variable.name == "local") {
      AddModuleError(place, DiagnosticCode::kInvalidDeclaration,
                     "The name of a variable is an identifier, and neither var nor local.", diagnostics);
      continue;
    }
    const auto [known, is_new] = declared_.try_emplace(absl::StrCat("var.", variable.name), place);
    if (!is_new) {
      AddModuleError(
          place, DiagnosticCode::kDuplicateDeclaration,
          absl::StrCat("The variable \"", variable.name, "\" is declared at ", TextOf(known->second), " already."),
          diagnostics);
      continue;
    }
    ReadVariable(block, file.source, options, heap_, &arena_, &variable, diagnostics);
    variables_.push_back(std::move(variable));
  }
}

void Declarations::ReadLocals(const BlockView& block, Diagnostics* diagnostics) {
  for (const AttributeView& attribute : block.body->JustAttributes(diagnostics)) {
    const Place place = {attribute.name_range, attribute.expr.source()};
    DeclaredLocal local;
    local.name = ToNfc(attribute.name);
    local.place = place;
    const auto [known, is_new] = declared_.try_emplace(absl::StrCat("local.", local.name), place);
    if (!is_new) {
      AddModuleError(place, DiagnosticCode::kDuplicateDeclaration,
                     absl::StrCat("The local \"", local.name, "\" is given at ", TextOf(known->second), " already."),
                     diagnostics);
      continue;
    }
    local.value = {ToNativeExpr(attribute.expr, EvaluationMode::kFull, &arena_, diagnostics), attribute.expr.source()};
    locals_.push_back(std::move(local));
  }
}

// Attributes of all files are one body's, as if the files stood one behind the other.
void Declarations::TakeRest(const ModuleSource& file, bool is_plain, Diagnostics* diagnostics) {
  const Source* const source = file.source.get();
  for (const Attribute& attribute : file.body->attributes) {
    if (!is_plain && file.json != nullptr && IsDeclaration(attribute.name)) continue;
    const Place place = {attribute.name_range, source};
    const auto [known, is_new] = given_.try_emplace(ToNfc(attribute.name), place);
    if (!is_new) {
      AddModuleError(place, DiagnosticCode::kAttributeGivenTwice,
                     absl::StrCat("The attribute \"", ToAbsl(attribute.name), "\" is given at ", TextOf(known->second),
                                  " already. The attributes of all files are those of one body."),
                     diagnostics);
      continue;
    }
    if (only_source_ == nullptr) sources_.emplace(attribute.expr, source);
    attributes_.push_back(attribute);
  }
  for (const Block& block : file.body->blocks) {
    if (!is_plain && IsDeclaration(block.type)) continue;
    if (only_source_ == nullptr) {
      sources_.emplace(block.body, source);
      NoteSources(*block.body, source);
    }
    blocks_.push_back(block);
  }
}

void Declarations::NoteSources(const Body& body, const Source* source) {
  for (const Attribute& attribute : body.attributes) sources_.emplace(attribute.expr, source);
  for (const Block& block : body.blocks) {
    sources_.emplace(block.body, source);
    NoteSources(*block.body, source);
  }
}

}  // namespace hcl::internal
