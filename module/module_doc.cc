// What a module declares, as Markdown. Tested by module/module_doc_test.cc.

#include "hclvm/module/module_doc.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/types/span.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/base/printable.h"
#include "hclvm/base/source.h"
#include "hclvm/vm/module_tables.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/type_text.h"

namespace hcl::internal {
namespace {

constexpr size_t kMaxTypeLine = 80;  // a longer type stands in a block of its own

// In one line, whatever line ends the text has.
std::string OneLine(std::string_view text) {
  std::string line(text);
  absl::RemoveExtraAsciiWhitespace(&line);
  return line;
}

// Code within a line, whatever a label or a key holds. The fence is longer than any row of backticks in it, as Markdown
// wants it.
std::string Code(std::string_view code) {
  const std::string text = Printable(code);
  size_t longest = 0;
  size_t row = 0;
  for (const char c : text) longest = std::max(longest, row = c == '`' ? row + 1 : 0);
  const std::string fence(longest + 1, '`');
  const char* const blank = longest > 0 || text.empty() ? " " : "";
  return absl::StrCat(fence, blank, text, blank, fence);
}

// What the source has there, as code in a line.
std::string SourceCode(const Source& source, SourceRange range) {
  const std::string_view text = source.text().substr(range.begin, range.end - range.begin);
  return Code(Excerpt(OneLine(text)));
}

// In a table, a bar would end the cell.
std::string Cell(const std::string& text) { return absl::StrReplaceAll(text, {{"|", "\\|"}}); }

// The heading of a section.
void BeginSection(const char* title, std::string* out) { absl::StrAppend(out, "\n## ", title, "\n"); }

// What can be left out is not there: a reader sees what is special about a variable.
void AppendVariable(const ModuleVariable& variable, std::string* out) {
  absl::StrAppend(out, "\n### ", Code(variable.name), "\n\n");
  if (!variable.description.empty()) {
    absl::StrAppend(out, PrintableLines(std::string(absl::StripAsciiWhitespace(variable.description))), "\n\n");
  }
  TypeTextOptions options;
  options.width = kMaxTypeLine;
  options.hides_values = variable.sensitive;
  const std::string type = TypeText(variable.type, variable.defaults.get(), options);
  if (type.find('\n') == std::string::npos) {
    absl::StrAppend(out, "- type: ", Code(type), "\n");
  } else {
    absl::StrAppend(out, "```hcl\n", type, "\n```\n\n");
  }
  if (!variable.default_value) {
    absl::StrAppend(out, "- must be given\n");
  } else if (variable.sensitive) {
    absl::StrAppend(out, "- has a default, which is not shown\n");
  } else {
    absl::StrAppend(out, "- default: ", Code(Excerpt(ValueText(*variable.default_value))), "\n");
  }
  if (variable.nullable) absl::StrAppend(out, "- may be null\n");
  if (variable.sensitive) {
    absl::StrAppend(out, variable.ephemeral ? "- ephemeral" : "- sensitive", ": messages do not show it\n");
  }
  if (!variable.deprecated.empty()) absl::StrAppend(out, "- deprecated: ", OneLine(variable.deprecated), "\n");
  for (const ModuleValidation& validation : variable.validations) {
    absl::StrAppend(out, "- must meet ", SourceCode(*variable.source, validation.range),
                    ", otherwise: ", SourceCode(*variable.source, validation.message_range), "\n");
  }
}

void AppendVariables(const ModuleTables& module, std::string* out) {
  if (module.variables.empty()) return;
  BeginSection("Variables", out);
  for (const ModuleVariable& variable : module.variables) AppendVariable(variable, out);
}

void AppendLocals(const ModuleTables& module, std::string* out) {
  if (module.local_texts.empty()) return;
  BeginSection("Locals", out);
  absl::StrAppend(out, "\n| local | value |\n|---|---|\n");
  for (const ModuleLocalText& local : module.local_texts) {
    absl::StrAppend(out, "| ", Code(absl::StrCat("local.", local.name)), " | ",
                    Cell(SourceCode(*local.source, local.range)), " |\n");
  }
}

void AppendFunctions(const ModuleTables& module, std::string* out) {
  if (module.functions.empty()) return;
  BeginSection("Functions", out);
  absl::StrAppend(out, "\n");
  for (const ModuleFunction& function : module.functions) {
    std::string call = absl::StrCat(function.name, "(");
    for (const std::string& parameter : function.parameters) {
      absl::StrAppend(&call, call.back() == '(' ? "" : ", ", parameter);
    }
    if (!function.variadic.empty()) {
      absl::StrAppend(&call, call.back() == '(' ? "" : ", ", function.variadic, "...");
    }
    absl::StrAppend(out, "- ", Code(call + ")"), "\n");
  }
}

// What an entry needs is what a host has to give before it asks for it.
void AppendEntries(const ProgramTables& program, std::string* out) {
  if (program.entries().empty()) return;
  BeginSection("Entries", out);
  const ModuleTables* const module = program.module();
  absl::StrAppend(out, module == nullptr ? "\n| entry |\n|---|\n" : "\n| entry | needs |\n|---|---|\n");
  for (const Entry& entry : program.entries()) {
    absl::StrAppend(out, "| ", Cell(Code(entry.path)), " |");
    if (module != nullptr) {
      std::string needs;
      for (const ModuleNeed& need : module->needs[entry.chunk]) {
        absl::StrAppend(&needs, needs.empty() ? " " : ", ", Code(module->variables[need.slot].name));
      }
      absl::StrAppend(out, needs, " |");
    }
    absl::StrAppend(out, "\n");
  }
}

}  // namespace

std::string ModuleDoc(const Program& program, std::string_view title) {
  // Every program is one of these (vm/program_tables.h).
  const auto& tables = static_cast<const ProgramTables&>(program);
  std::string out = absl::StrCat("# ", Printable(title), "\n");
  if (const ModuleTables* module = tables.module()) {
    AppendVariables(*module, &out);
    AppendLocals(*module, &out);
    AppendFunctions(*module, &out);
  } else if (!program.variables().empty()) {
    BeginSection("Variables", &out);
    absl::StrAppend(&out, "\n");
    for (const std::string_view name : program.variables()) absl::StrAppend(&out, "- ", Code(name), "\n");
  }
  AppendEntries(tables, &out);
  return out;
}

}  // namespace hcl::internal
