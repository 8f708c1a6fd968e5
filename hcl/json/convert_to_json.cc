// From the native syntax to JSON. Recursion follows the nesting of the text, which its parser has bounded.
//
// Blocks of one type and equal labels are written as an array of bodies, also where there is one, unless their type is
// known. So the text has the value of the native one where no schema says what is a block, as for `hclvm eval`.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/base/unicode.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/json/convert.h"
#include "hclvm/hcl/json/convert_support.h"
#include "hclvm/hcl/json/json_expr.h"
#include "hclvm/hcl/json/json_file.h"
#include "hclvm/hcl/json/json_parser.h"
#include "hclvm/hcl/json/json_string.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/hcl/print.h"
#include "hclvm/hcl/source_tree.h"

namespace hcl {

using internal::ToAbsl;
using internal::ToNfc;
namespace {

// An array of scalars takes one line up to this length.
constexpr size_t kMaxLine = 80;

// Columns of indentation. Without a bound, a text in many brackets would become hundreds of times as long.
constexpr size_t kMaxIndent = 32;

// A text that the scanner skips at the start of a template.
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Native numbers may begin with zeros.
std::string_view WithoutZeros(std::string_view spelling) {
  while (spelling.size() > 1 && spelling[0] == '0' && spelling[1] >= '0' && spelling[1] <= '9')
    spelling.remove_prefix(1);
  return spelling;
}

// The expression that `expr` is another spelling of: without parentheses, and without a template around it that is one
// interpolation.
const Expr& Unwrapped(const Expr& expr) {
  const Expr* inner = &expr;
  while (true) {
    if (inner->kind == ExprKind::kParen) {
      inner = As<ParenExpr>(*inner).inner;
    } else if (inner->kind == ExprKind::kTemplateWrap) {
      inner = As<TemplateWrapExpr>(*inner).inner;
    } else {
      return *inner;
    }
  }
}

// The name that an item has as a property. The reference reads names as templates, so one with a sequence has none.
std::optional<std::string> PropertyName(const ObjectItem& item) {
  std::optional<std::string_view> name = item.key_name;
  if (item.key_name.empty()) name = internal::LiteralText(Unwrapped(*item.key));
  if (!name || name->find("${") != std::string_view::npos || name->find("%{") != std::string_view::npos ||
      name->substr(0, kByteOrderMark.size()) == kByteOrderMark) {
    return std::nullopt;
  }
  return ToNfc(*name);
}

// True for an object that is one in JSON: its keys are texts, and no two are equal.
bool IsJsonObject(const ObjectExpr& object) {
  internal::HashSet<std::string> names;
  for (const ObjectItem& item : object.items) {
    std::optional<std::string> name = PropertyName(item);
    if (!name || !names.insert(*std::move(name)).second) return false;
  }
  return true;
}

class JsonText {
 public:
  JsonText(const Source& source, Diagnostics* diagnostics) : source_(source), diagnostics_(diagnostics) {}

  std::string Write(const Body& body, const BodyShape& shape, const std::vector<std::string>& comments) {
    WriteBody(body, shape, comments);
    out_ += '\n';
    return std::move(out_);
  }

 private:
  // Blocks that share a type, or a type and labels, in the order of the text.
  struct Group {
    std::string name;
    std::vector<const Block*> blocks;
  };

  // Objects and arrays over several lines. Each item begins with Item().
  void Open(char bracket) {
    out_ += bracket;
    indent_ += 2;
    is_first_ = true;
  }
  void Item() {
    out_ += is_first_ ? "\n" : ",\n";
    Indent();
    is_first_ = false;
  }
  void Name(std::string_view name) {
    Item();
    AppendJsonString(name, &out_);
    out_ += ": ";
  }
  void Close(char bracket) {
    indent_ -= 2;
    if (!is_first_) {
      out_ += '\n';
      Indent();
    }
    out_ += bracket;
    is_first_ = false;
  }
  void Indent() { out_.append(std::min(indent_, kMaxIndent), ' '); }

  // Items come in the order of the text, and all blocks of a type where the first one stands.
  void WriteBody(const Body& body, const BodyShape& shape, const std::vector<std::string>& comments) {
    const std::vector<Group> types = TypesOf(body);
    Open('{');
    if (!comments.empty()) WriteComments(comments);
    size_t type = 0;
    const auto write_types_before = [&](uint32_t offset) {
      for (; type < types.size() && types[type].blocks[0]->range.begin < offset; ++type) {
        Name(types[type].name);
        const bool is_known = shape.schema.FindBlock(types[type].name) != nullptr;
        WriteBlocks(types[type].blocks, 0, internal::ShapeOfBlocks(shape, types[type].name), is_known);
      }
    };
    for (const Attribute& attribute : body.attributes) {
      write_types_before(attribute.range.begin);
      Name(attribute.name);
      if (internal::IsStatic(shape, attribute.name)) {
        WriteStatic(*attribute.expr);
      } else {
        WriteValue(*attribute.expr);
      }
    }
    write_types_before(UINT32_MAX);
    Close('}');
  }

  void WriteComments(const std::vector<std::string>& comments) {
    Name(kJsonComment);
    if (comments.size() == 1) return AppendJsonString(comments[0], &out_);
    Open('[');
    for (const std::string& comment : comments) {
      Item();
      AppendJsonString(comment, &out_);
    }
    Close(']');
  }

  // Groups the blocks by type. JSON keeps neither a name for both an attribute and blocks, nor blocks of one type with
  // different numbers of labels: no schema takes these.
  std::vector<Group> TypesOf(const Body& body) {
    std::vector<Group> types;
    internal::HashMap<std::string, size_t> index;
    internal::HashSet<std::string> attributes;
    if (!body.blocks.empty()) {
      for (const Attribute& attribute : body.attributes) attributes.insert(ToNfc(attribute.name));
    }
    for (const Block& block : body.blocks) {
      const auto [place, is_new] = index.try_emplace(ToNfc(block.type), types.size());
      if (is_new) types.push_back({place->first, {}});
      if (is_new && attributes.contains(place->first)) {
        internal::AddNoCounterpart(block.type_range,
                                   absl::StrCat("This body has an attribute named \"", ToAbsl(block.type),
                                                "\" too. In JSON both would be one property, and no schema has both."),
                                   diagnostics_);
      }
      std::vector<const Block*>& blocks = types[place->second].blocks;
      if (!blocks.empty() && blocks[0]->labels.size() != block.labels.size()) {
        internal::AddNoCounterpart(
            block.header(),
            absl::StrCat("The \"", ToAbsl(block.type), "\" block on line ", source_.LineAt(blocks[0]->type_range.begin),
                         " has ", blocks[0]->labels.size(), " labels, and this one has ", block.labels.size(),
                         ". In JSON, labels could not be told from attributes then."),
            diagnostics_);
        continue;
      }
      blocks.push_back(&block);
    }
    return types;
  }

  // An object for each label, and then an array of bodies (json-syntax.md, "Blocks"). `is_known`: readers know by a
  // schema that these are blocks, so that one body needs no array.
  void WriteBlocks(const std::vector<const Block*>& blocks, size_t level, const BodyShape& shape, bool is_known) {
    if (level < blocks[0]->labels.size()) {
      Open('{');
      for (const Group& group : LabelsOf(blocks, level)) {
        Name(group.name);
        WriteBlocks(group.blocks, level + 1, shape, is_known);
      }
      return Close('}');
    }
    if (is_known && blocks.size() == 1) return WriteBody(*blocks[0]->body, shape, {});
    Open('[');
    for (const Block* block : blocks) {
      Item();
      WriteBody(*block->body, shape, {});
    }
    Close(']');
  }

  // A block joins an earlier one with its label. One warning for each type: the first block that changes its place.
  std::vector<Group> LabelsOf(const std::vector<const Block*>& blocks, size_t level) {
    std::vector<Group> groups;
    internal::HashMap<std::string, size_t> index;
    bool is_told = false;
    for (const Block* block : blocks) {
      const auto [place, is_new] = index.try_emplace(ToNfc(block->labels[level].text), groups.size());
      if (is_new) groups.push_back({place->first, {}});
      if (!is_new && place->second + 1 < groups.size() && !std::exchange(is_told, true)) {
        internal::AddNotKept(block->header(),
                             "In JSON, blocks with the same label are together, so that this one comes before blocks "
                             "that it stands behind here. The order counts where a schema makes a list of the blocks.",
                             diagnostics_);
      }
      groups[place->second].blocks.push_back(block);
    }
    return groups;
  }

  // What is no literal, and no collection that JSON has, becomes a template that is one interpolation.
  void WriteValue(const Expr& given) {
    const Expr& expr = Unwrapped(given);
    switch (expr.kind) {
      case ExprKind::kLiteral:
        return WriteLiteral(As<LiteralExpr>(expr), "");
      case ExprKind::kUnary: {
        const auto& unary = As<UnaryExpr>(expr);
        if (unary.op != UnaryOp::kNegate || unary.operand->kind != ExprKind::kLiteral) break;
        const auto& literal = As<LiteralExpr>(*unary.operand);
        if (literal.literal != LiteralKind::kNumber) break;
        return WriteLiteral(literal, "-");
      }
      case ExprKind::kTuple:
        return WriteTuple(As<TupleExpr>(expr));
      case ExprKind::kObject:
        if (!IsJsonObject(As<ObjectExpr>(expr))) break;
        return WriteObject(As<ObjectExpr>(expr));
      case ExprKind::kTemplate: {
        const std::string text = PrintTemplate(expr);
        if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) break;
        return AppendJsonString(text, &out_);
      }
      default:
        break;
    }
    AppendJsonString(absl::StrCat("${", PrintExpr(expr), "}"), &out_);
  }

  void WriteLiteral(const LiteralExpr& literal, std::string_view sign) {
    std::string text = absl::StrCat(ToAbsl(sign), ToAbsl(literal.spelling.view()));
    if (literal.literal == LiteralKind::kNumber) {
      text = absl::StrCat(ToAbsl(sign), ToAbsl(WithoutZeros(literal.spelling.view())));
      if (!internal::IsJsonNumber(text)) return AppendJsonString(absl::StrCat("${", text, "}"), &out_);
    }
    out_ += text;
  }

  void WriteTuple(const TupleExpr& tuple) {
    if (WriteInLine(tuple)) return;
    Open('[');
    for (const Expr* element : tuple.elements) {
      Item();
      WriteValue(*element);
    }
    Close(']');
  }

  // Writes a tuple of scalars in one line, or nothing where that is too long.
  bool WriteInLine(const TupleExpr& tuple) {
    const size_t begin = out_.size();
    out_ += '[';
    for (const Expr* element : tuple.elements) {
      const ExprKind kind = Unwrapped(*element).kind;
      const bool is_scalar = kind != ExprKind::kTuple && kind != ExprKind::kObject;
      if (out_.size() - begin > 1) out_ += ", ";
      if (is_scalar) WriteValue(*element);
      if (!is_scalar || out_.size() - begin > kMaxLine) {
        out_.resize(begin);
        return false;
      }
    }
    out_ += ']';
    return true;
  }

  void WriteObject(const ObjectExpr& object) {
    Open('{');
    for (const ObjectItem& item : object.items) {
      Name(*PropertyName(item));
      WriteValue(*item.value);
    }
    Close('}');
  }

  // As the static analysis reads it (hcl/json/json_syntax.h): lists are arrays, and the rest is an expression as text.
  void WriteStatic(const Expr& expr) {
    if (expr.kind != ExprKind::kTuple) return AppendJsonString(PrintExpr(expr), &out_);
    Open('[');
    for (const Expr* element : As<TupleExpr>(expr).elements) {
      Item();
      WriteStatic(*element);
    }
    Close(']');
  }

  const Source& source_;
  Diagnostics* diagnostics_;
  std::string out_;
  size_t indent_ = 0;
  bool is_first_ = true;
};

// The lines of a comment, without its marks and the space behind them.
void AppendCommentLines(std::string_view comment, std::vector<std::string>* lines) {
  if (comment.substr(0, 2) == "/*") {
    comment = comment.substr(2, comment.size() - 4);
  } else {
    comment.remove_prefix(comment[0] == '#' ? 1 : 2);
  }
  while (true) {
    const size_t end = comment.find('\n');
    std::string_view line = comment.substr(0, end);
    if (!line.empty() && line[0] == ' ') line.remove_prefix(1);
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
    const bool is_last = end == std::string_view::npos || end + 1 == comment.size();
    if (!line.empty() || !is_last || lines->empty()) lines->emplace_back(line);
    if (is_last) return;
    comment.remove_prefix(end + 1);
  }
}

std::vector<std::string> CommentsOf(const Source& source, Diagnostics* diagnostics) {
  std::vector<std::string> lines;
  if (source.text().find_first_of("#/") == std::string_view::npos) return lines;
  const absl::StatusOr<SourceTree> tree = SourceTree::Read(std::string(source.text()));
  if (!tree.ok()) return lines;
  std::optional<SourceRange> first;
  for (const SourceToken& token : tree->tokens()) {
    if (token.kind != SourceTokenKind::kComment) continue;
    if (!first) first = token.range;
    AppendCommentLines(source.Slice(token.range), &lines);
  }
  if (first) {
    internal::AddNotKept(*first,
                         "JSON has no comments. All comments of the file, in their order, are the property \"//\" at "
                         "its start; their places are not kept.",
                         diagnostics);
  }
  return lines;
}

// Reads the result as its readers will: a bound, such as that of the nesting, may hold for it and not for the source.
bool CanBeRead(const std::string& text, const ConvertOptions& options, Diagnostics* diagnostics) {
  const Source source("converted", text);
  Diagnostics found(1);
  JsonOptions json;
  json.limits = options.limits;
  json.rules = options.rules;
  const auto file = ParseJson(source, json, &found);
  Arena arena;
  if (!found.has_errors()) JsonAttributes(*file, EvaluationMode::kFull, &arena, &found);
  return internal::HasNoErrors(found, diagnostics);
}

}  // namespace

std::optional<std::string> ConvertToJson(const Source& source, const ConvertOptions& options,
                                         Diagnostics* diagnostics) {
  ParseOptions native;
  native.limits = options.limits;
  native.allow_byte_order_mark = options.rules == JsonRules::kReference;
  native.strip_one_line = options.rules == JsonRules::kReference;
  const size_t errors = diagnostics->error_count();
  const auto file = ParseConfig(source, native, diagnostics);
  if (diagnostics->error_count() > errors) return std::nullopt;
  const std::vector<std::string> comments = CommentsOf(source, diagnostics);
  std::string text = JsonText(source, diagnostics).Write(*file->body, options.shape, comments);
  if (diagnostics->error_count() > errors || !CanBeRead(text, options, diagnostics)) return std::nullopt;
  return text;
}

}  // namespace hcl
