// Types and typed values, as text and as JSON.

#include <memory>
#include <string>
#include <string_view>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/decode/type_expression.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/expr_view.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/tests/fuzz/oracle.h"
#include "hclvm/tests/fuzz/targets.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/type_syntax.h"
#include "hclvm/vm/value/value.h"

namespace hcl::fuzz {
namespace {

// A type, written in both ways and read again.
void RoundTrip(hcl::Type type, Heap* heap) {
  const std::string text = ToTypeSyntax(type);
  hcl::Type again;
  TypeSyntaxError error;
  Require(ParseTypeSyntax(text, heap, &again, &error), "a type that was written can be read", error.message + text);
  Require(again == type, "a type reads as it was written", text);
  std::string json;
  AppendTypeJson(type, &json);
  JsonError json_error;
  Require(ParseTypeJson(json, heap, &again, &json_error), "a type in JSON can be read", json_error.detail + json);
  Require(again == type, "a type in JSON reads as it was written", json);
  FriendlyName(type);
}

void ReadSyntax(std::string_view input) {
  const Watch watch("reading a type", input.size());
  Heap heap;
  hcl::Type type;
  TypeSyntaxError error;
  if (ParseTypeSyntax(input, &heap, &type, &error)) return RoundTrip(type, &heap);
  Require(!error.message.empty() && error.offset <= input.size(), "an error has a message and a place in the text",
          error.message);
}

void ReadJson(std::string_view input) {
  const Watch watch("reading a type in JSON", input.size());
  Heap heap;
  hcl::Type type;
  JsonError error;
  if (ParseTypeJson(input, &heap, &type, &error)) return RoundTrip(type, &heap);
  Require(!error.summary.empty() && error.offset <= input.size(), "an error has a summary and a place in the text",
          error.detail);
}

void ReadValue(std::string_view input) {
  const Watch watch("reading a typed value", input.size());
  Heap heap;
  Value value;
  JsonError error;
  if (!JsonReader().ReadTyped(input, &heap, &value, &error)) {
    Require(!error.summary.empty() && error.offset <= input.size(), "an error has a summary and a place in the text",
            error.detail);
    return;
  }
  RoundTrip(TypeOf(value, heap.types()), &heap);
  std::string typed;
  Limits limits;
  limits.max_output_bytes = 16 << 20;
  if (!AppendTypedJson(value, limits, heap.types(), &typed, &error)) {
    Require(error.is_limit, "a typed value can be written", error.detail);
    return;
  }
  Value again;
  const bool read = JsonReader().ReadTyped(typed, &heap, &again, &error);
  Require(read, "a typed value that was written can be read", error.detail + "\n" + typed);
  std::string second;
  AppendTypedJson(again, heap.types(), &second);
  Require(Identical(value, again) && typed == second, "a typed value reads as it was written", typed + "\n" + second);
}

// Types in expressions of a config, whose reader is another one.
void ReadExpression(std::string_view input) {
  const Watch watch("reading a type expression", input.size());
  const Source source("input", std::string(input));
  Diagnostics diagnostics;
  const std::unique_ptr<ParsedFile> file = ParseExpression(source, {}, &diagnostics);
  if (!diagnostics.empty()) return;
  const auto heap = std::make_shared<Heap>();
  TypeConstraint constraint;
  const bool read = ReadTypeExpression(ViewOf(*file->expr, source), heap, &constraint, &diagnostics);
  CheckMessages(diagnostics, source);
  Require(read != diagnostics.has_errors(), "a type or errors, never both or none", input);
  if (!read) return;
  RoundTrip(constraint.type, heap.get());
  hcl::Type type;
  TypeSyntaxError error;
  if (!ParseTypeSyntax(input, heap.get(), &type, &error)) return;
  Require(type == constraint.type, "both readers of types read the same", input);
}

}  // namespace

void FuzzType(std::string_view input) {
  ReadSyntax(input);
  ReadJson(input);
  ReadValue(input);
  ReadExpression(input);
}

}  // namespace hcl::fuzz
