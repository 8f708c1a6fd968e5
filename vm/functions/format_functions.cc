// Functions that format values by a template. Tested by vm/functions/format_functions_test.cc.

#include "hclvm/vm/functions/format_functions.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/base/unicode.h"
#include "hclvm/vm/functions/format_number.h"
#include "hclvm/vm/functions/format_template.h"
#include "hclvm/vm/functions/function_support.h"
#include "hclvm/vm/functions/json_text.h"
#include "hclvm/vm/functions/text_buffer.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/digits.h"
#include "hclvm/vm/value/kind_name.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/set_order.h"
#include "hclvm/vm/value/type.h"

namespace hcl::internal {
namespace {

// Units of fuel for a piece of a format, beside what it writes.
constexpr uint64_t kCostOfVerb = 5;
// Characters that the width and the precision of a verb may ask for together.
constexpr uint64_t kMostRoom = 1'000'000;

// Formats one template. After a failure the call has failed, and the output is of no use.
class Formatter {
 public:
  // `arguments` without the format.
  Formatter(FunctionCall* call, const FormatTemplate& format, absl::Span<const Value> arguments)
      : call_(call), format_(format), arguments_(arguments) {}

  // Arguments that no verb uses are an error, as in the reference.
  bool Run() {
    for (const FormatPiece& piece : format_.pieces()) {
      piece_ = &piece;
      if (!piece.is_verb) {
        if (!call_->Charge(1)) return false;
        out_.Append(piece.text);
      } else if (!FormatVerb(piece)) {
        return false;
      }
    }
    return UsesAll();
  }

  // Finds what is wrong with the format for all values that `arguments`, of which some are unknown, may become. False
  // when the call has failed.
  bool Check() {
    for (const FormatPiece& piece : format_.pieces()) {
      piece_ = &piece;
      if (piece.is_verb && !CheckVerb(piece)) return false;
    }
    return UsesAll();
  }

  std::string_view out() const { return out_.text(); }

 private:
  std::string AtPiece(std::string_view why) const {
    return absl::StrCat("\"", internal::Excerpt(piece_->text), "\" at offset ", piece_->begin, ": ", ToAbsl(why));
  }
  bool Fail(std::string_view why) {
    call_->Error([&] { return AtPiece(why); });
    return false;
  }
  bool FailOfFormat(std::string_view why) {
    call_->ArgumentError(0, [&] { return AtPiece(why); });
    return false;
  }

  // Width and precision come from the text and may be a billion each; what they ask for is bounded before anything is
  // padded.
  bool FormatVerb(const FormatPiece& piece) {
    if (piece.fault != nullptr) return Fail(piece.fault);
    if (piece.argument >= arguments_.size()) return Fail("there is no argument for it");
    used_ = std::max(used_, piece.argument + 1);
    const uint64_t room = RoomOf(piece);
    if (room > kMostRoom) return call_->LimitError(TooMuchRoom()), false;
    return call_->Charge(kCostOfVerb + room / 8) && internal::CanMake(call_, out_.size() + room, 1) &&
           AppendArgument(piece.spec, arguments_[piece.argument]);
  }

  static uint64_t RoomOf(const FormatPiece& piece) {
    return static_cast<uint64_t>(piece.spec.width.value_or(0) + piece.spec.precision.value_or(0));
  }
  static std::string TooMuchRoom() { return absl::StrCat("a width and its precision must not be over ", kMostRoom); }

  // What no argument can mend is a fault of the format.
  bool CheckVerb(const FormatPiece& piece) {
    if (piece.fault != nullptr) return FailOfFormat(piece.fault);
    if (piece.argument >= arguments_.size()) return FailOfFormat("there is no argument for it");
    if (RoomOf(piece) > kMostRoom) return FailOfFormat(TooMuchRoom());
    used_ = std::max(used_, piece.argument + 1);
    const Value& argument = arguments_[piece.argument];
    if (piece.spec.verb == 'v' || argument.is_dynamic_value()) return true;
    if (argument.is_null()) return Fail("a null value cannot be formatted");
    const Type wanted = TypeFor(piece.spec);
    if (internal::MayConvert(call_, argument, wanted)) return true;
    return Fail(absl::StrCat(WithArticle(wanted), " is required, not ", WithArticle(argument)));
  }

  static Type TypeFor(const FormatSpec& spec) {
    if (spec.verb == 't') return Type::Bool();
    return spec.verb == 's' || spec.verb == 'q' ? Type::String() : Type::Number();
  }

  bool UsesAll() {
    if (used_ >= arguments_.size()) return true;
    call_->ArgumentError(used_ + 1, [&] {
      return absl::StrCat("the format uses only ", used_, " of ", arguments_.size(), " arguments");
    });
    return false;
  }

  // The verb decides the type to which the argument is converted, and only %v takes null, as in the reference.
  bool AppendArgument(const FormatSpec& spec, const Value& argument) {
    if (spec.verb == 'd' && argument.is_int() && !spec.precision) return AppendInt(spec, argument);
    if (spec.plain()) {
      if (spec.verb == 's' && argument.is_string()) {
        if (!call_->Charge(CostOfText(argument.AsString()))) return false;
        out_.Append(argument.AsString());
        return true;
      }
    }
    if (spec.verb == 'v') return AppendAny(spec, argument);
    if (argument.is_null()) return Fail("a null value cannot be formatted");
    switch (spec.verb) {
      case 't':
        return AppendBool(argument);
      case 's':
      case 'q':
        return AppendText(spec, argument);
      default:
        return AppendNumber(spec, argument);
    }
  }

  bool ConvertTo(const Value& value, Type type, Value* converted) {
    if (internal::KindOf(value) == type.kind() && !value.is_unknown()) {
      *converted = value;
      return true;
    }
    ConversionError error = NewError(call_);
    if (Convert(value, type, call_->heap(), converted, &error)) return true;
    if (!error.is_limit) return Fail(error.ToString());
    internal::ConversionFailed(call_, -1, error);
    return false;
  }

  // The usual number, which needs no conversion and no text in between.
  bool AppendInt(const FormatSpec& spec, const Value& argument) {
    if (!CheckDigits(argument.AsNumber())) return false;
    constexpr size_t kMostDigits = 20;
    char digits[kMostDigits];
    char* const end = digits + sizeof(digits);
    const bool negative = argument.AsInt() < 0;
    const auto value = static_cast<uint64_t>(argument.AsInt());
    const char* const begin = internal::WriteBackwards(negative ? 0 - value : value, end);
    const std::string_view sign = negative ? "-" : spec.plus ? "+" : spec.space ? " " : "";
    const int64_t used = (end - begin) + static_cast<int64_t>(sign.size());
    const auto padding = static_cast<size_t>(std::max<int64_t>(spec.width.value_or(0) - used, 0));
    if (padding > 0 && !spec.minus && !spec.zero) out_.Append(padding, ' ');
    out_.Append(sign);
    if (padding > 0 && !spec.minus && spec.zero) out_.Append(padding, '0');
    out_.Append({begin, static_cast<size_t>(end - begin)});
    if (padding > 0 && spec.minus) out_.Append(padding, ' ');
    return true;
  }

  // %v is JSON but for strings and numbers, which stand for themselves; %#v is JSON for all.
  bool AppendAny(const FormatSpec& spec, const Value& argument) {
    if (!spec.sharp && argument.is_string()) {
      AppendPadded(spec, argument.AsString());
      return true;
    }
    std::string text;
    if (!spec.sharp && argument.is_number()) {
      if (!CheckDigits(argument.AsNumber())) return false;
      internal::AppendShortest(argument.AsNumber(), &text);
    } else if (std::string reason; !internal::AppendReferenceJson(call_, argument, &text, &reason)) {
      return Fail(reason);
    }
    AppendPadded(spec, text);
    return true;
  }

  bool AppendBool(const Value& argument) {
    Value converted;
    if (!ConvertTo(argument, Type::Bool(), &converted)) return false;
    out_.Append(converted.is_true() ? "true" : "false");
    return true;
  }

  static uint64_t CostOfText(std::string_view text) { return text.size() / 16; }

  // Precision counts grapheme clusters, as the reference does, so that no character is cut in the middle.
  bool AppendText(const FormatSpec& spec, const Value& argument) {
    Value converted;
    if (!ConvertTo(argument, Type::String(), &converted)) return false;
    std::string_view text = converted.AsString();
    // A precision of zero cuts nothing, as in the reference.
    // Grapheme clusters are looked for.
    const bool counts = spec.precision.value_or(0) > 0 || spec.width;
    if (!call_->Charge(counts ? text.size() / 2 : CostOfText(text))) return false;
    if (spec.precision.value_or(0) > 0) {
      size_t end = 0;
      for (int64_t i = 0; i < *spec.precision && end < text.size(); ++i) end += GraphemeBytes(text, end);
      text = text.substr(0, end);
    }
    if (spec.verb == 's') {
      AppendPadded(spec, text);
      return true;
    }
    std::string quoted;
    std::string reason;
    internal::AppendReferenceJson(call_, Value::StringView(text), &quoted, &reason);
    AppendPadded(spec, quoted);
    return true;
  }

  // Digits in other bases are made by repeated division, which is exact for numbers of at most kBigDigits digits only.
  bool AppendNumber(const FormatSpec& spec, const Value& argument) {
    Value converted;
    if (!ConvertTo(argument, Type::Number(), &converted)) return false;
    const Number number = converted.AsNumber();
    if (!CheckDigits(number)) return false;
    std::string text;
    if (std::string_view("bdoxX").find(spec.verb) == std::string_view::npos) {
      internal::AppendDecimal(number, spec, &text);
      out_.Append(text);
      return true;
    }
    if (!number.IsInteger()) return Fail("a whole number is required");
    const bool exact = spec.verb == 'd' || number.DigitCount() <= static_cast<uint64_t>(kBigDigits);
    if (!exact) return Fail("the number has too many digits for this base");
    internal::AppendInteger(number, spec, call_->arena(), &text);
    out_.Append(text);
    return true;
  }

  // Whether a number's digits can be written out.
  bool CheckDigits(const Number& number) {
    const uint64_t digits = number.IsInfinite() ? 0 : number.DigitCount();
    // A number of few bytes may have very many digits, whether they are shown or not.
    if (!call_->Charge(digits / 8)) return false;
    if (digits <= call_->heap()->limits().max_number_digits) return true;
    call_->LimitError(absl::StrCat("a number needs more than the allowed ", call_->heap()->limits().max_number_digits,
                                   " digits (limit max_number_digits)"));
    return false;
  }

  // Widths count grapheme clusters.
  void AppendPadded(const FormatSpec& spec, std::string_view text) {
    int64_t padding = 0;
    if (spec.width) padding = *spec.width - static_cast<int64_t>(CountGraphemes(text));
    if (padding <= 0) {
      out_.Append(text);
      return;
    }
    if (spec.minus) out_.Append(text);
    out_.Append(static_cast<size_t>(padding), spec.zero ? '0' : ' ');
    if (!spec.minus) out_.Append(text);
  }

  FunctionCall* call_;
  const FormatTemplate& format_;
  absl::Span<const Value> arguments_;
  GrowingText out_;
  const FormatPiece* piece_ = nullptr;  // that is being formatted
  size_t used_ = 0;                     // arguments, counted to the last one
};

// Every two bytes of a format may be a piece. False when the call has failed.
bool ChargeForReading(FunctionCall* call, std::string_view format) {
  const auto percents = static_cast<uint64_t>(std::count(format.begin(), format.end(), '%'));
  return call->Charge(5 + format.size() / 16 + 6 * percents) &&
         internal::CanMake(call, 2 * percents, sizeof(FormatPiece));
}

// A constant format, with its text.
struct PreparedFormat {
  explicit PreparedFormat(std::string_view format) : text(format), parsed(text) {}
  const std::string text;
  const FormatTemplate parsed;
};

// Function::prepare: the format, argument number 0. A format with a mistake is prepared as well: the fault is in its
// pieces, and is reported when the call runs.
Prepared PrepareFormat(FunctionCall* call, absl::Span<const Value* const> constants) {
  if (constants[0] == nullptr || !ChargeForReading(call, constants[0]->AsString())) return {};
  auto format = std::make_shared<const PreparedFormat>(constants[0]->AsString());
  const size_t bytes = sizeof(*format) + format->text.size() + format->parsed.pieces().size() * sizeof(FormatPiece);
  return {std::move(format), bytes};
}

// The format of a call: the prepared one, or one that is read for it.
class CallFormat {
 public:
  CallFormat(FunctionCall* call, const Value& format) {
    const auto* prepared = static_cast<const PreparedFormat*>(call->prepared());
    if (prepared != nullptr) {
      format_ = &prepared->parsed;
    } else if (ChargeForReading(call, format.AsString())) {
      format_ = &own_.emplace(format.AsString());
    }
  }
  // Null when the format is too long; the call has failed then.
  const FormatTemplate* get() const { return format_; }

 private:
  std::optional<FormatTemplate> own_;
  const FormatTemplate* format_ = nullptr;
};

// Whether an argument of formatlist gives one of its elements to each result, rather than the same value to all.
bool IsSpread(const Value& argument) {
  const TypeKind kind = internal::KindOf(argument);
  return !argument.is_null() && (kind == TypeKind::kList || kind == TypeKind::kSet || kind == TypeKind::kTuple);
}

// How many results there are.
struct ListLength {
  bool known = true;      // no argument is a sequence of unknown length, or nothing is known of it
  bool iterates = false;  // an argument is a sequence of known length
  size_t length = 1;
};

// False when the call has failed. All sequences must have one length, and the first one of known length chooses it;
// what is unknown beside it cannot change that length, only make the result unknown.
bool MeasureArguments(FunctionCall* call, absl::Span<const Value> arguments, ListLength* result) {
  size_t chooser = 0;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Value& argument = arguments[i];
    if (!IsSpread(argument)) {
      result->known &= !argument.is_dynamic_value();
      continue;
    }
    result->known &= !argument.is_unknown();
    const bool is_tuple = internal::KindOf(argument) == TypeKind::kTuple;
    // Unknown elements of a set may turn out to be the same as others.
    if (internal::HasOpenLength(argument)) result->known = false;
    if (!is_tuple && (argument.is_unknown() || (argument.is_set() && !argument.is_wholly_known()))) continue;
    const size_t length = argument.is_unknown() ? argument.null_or_unknown_type().size() : argument.size();
    if (!result->iterates) {
      *result = {result->known, true, length};
      chooser = i;
    } else if (length != result->length) {
      call->ArgumentError(i + 1, [&] {
        return absl::StrCat("the argument has ", length, " elements, but argument ", chooser + 1, " of the format has ",
                            result->length);
      });
      return false;
    }
  }
  return true;
}

// One result of formatlist. Nothing of an unknown argument can be written, not even its length.
Value FormatOne(FunctionCall* call, const FormatTemplate& format, absl::Span<const Value> arguments) {
  for (const Value& argument : arguments) {
    if (!argument.is_wholly_known()) return Value::Unknown(Type::String());
  }
  Formatter formatter(call, format, arguments);
  return formatter.Run() && internal::CanMake(call, formatter.out().size(), 1)
             ? internal::NormalizedCopy(formatter.out(), call)
             : Value();
}

Value Format(FunctionCall* call, absl::Span<const Value> arguments) {
  const CallFormat format(call, arguments[0]);
  if (format.get() == nullptr) return Value();
  return FormatOne(call, *format.get(), arguments.subspan(1));
}

void CheckFormat(FunctionCall* call, absl::Span<const Value> arguments) {
  if (arguments[0].is_unknown()) return;
  const CallFormat format(call, arguments[0]);
  if (format.get() != nullptr) Formatter(call, *format.get(), arguments.subspan(1)).Check();
}

// A sequence that is known to be empty gives no result, and no mistake is found. Of the elements of others, nothing
// counts as known: what is wrong is then wrong with the format, or with how many arguments there are.
void CheckFormatList(FunctionCall* call, absl::Span<const Value> arguments) {
  if (arguments[0].is_unknown()) return;
  const CallFormat format(call, arguments[0]);
  if (format.get() == nullptr) return;
  absl::InlinedVector<Value, 8> row(arguments.begin() + 1, arguments.end());
  for (Value& argument : row) {
    if (!IsSpread(argument)) continue;
    if (!argument.is_unknown() && argument.size() == 0) return;
    argument = Value::Unknown(Type::Dynamic());
  }
  Formatter(call, *format.get(), row).Check();
}

// Sequences advance together, and all other arguments are the same in each result. The protocol has charged for the
// format once, hence the charge in each round.
Value FormatList(FunctionCall* call, absl::Span<const Value> arguments) {
  const absl::Span<const Value> parts = arguments.subspan(1);
  ListLength shape;
  if (!MeasureArguments(call, parts, &shape)) return Value();
  if (!shape.known) return Value::Unknown(call->result_type());
  if (!internal::CanMake(call, shape.length, 2 * sizeof(Value))) return Value();
  internal::Sequence* list = internal::NewList(call, shape.length, Type::String());
  const CallFormat format(call, arguments[0]);
  if (format.get() == nullptr) return Value();
  absl::InlinedVector<Value, 8> row(parts.begin(), parts.end());
  for (size_t n = 0; n < shape.length; ++n) {
    // The whole format is gone through each time.
    if (!call->Charge(1 + arguments[0].weight() / 4 + parts.size() / 4)) return Value();
    for (size_t i = 0; i < parts.size(); ++i) {
      if (IsSpread(parts[i])) row[i] = parts[i].elements()[n];
    }
    list->mutable_items()[n] = FormatOne(call, *format.get(), row);
    if (call->failed()) return Value();
  }
  return internal::FinishList(list);
}

}  // namespace

void RegisterFormatFunctions(FunctionRegistryBuilder* builder) {
  using internal::DefineVariadic;
  using internal::Param;
  const Parameter format = Param("format", Type::String());
  const Type any = Type::Dynamic();
  Function one = DefineVariadic("format", {format}, Param("args", any, internal::kAllowNull | internal::kAllowDynamic),
                                Type::String(), Format);
  one.prepare = PrepareFormat;
  one.check = CheckFormat;
  builder->Add(KnownAs(Function::Special::kFormat, std::move(one)));
  Function list = DefineVariadic("formatlist", {format}, Param("args", any, internal::kAllowAll),
                                 internal::Common().list_of_string, FormatList);
  list.prepare = PrepareFormat;
  list.check = CheckFormatList;
  builder->Add(std::move(list));
}

}  // namespace hcl::internal
