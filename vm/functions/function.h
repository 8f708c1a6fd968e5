// Functions: what a host offers to expressions, and the protocol by which they are called.
//
// Specification: information-model.md, "Functions and Function Calls". Tested by vm/function_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_FUNCTION_H_
#define HCLVM_VM_FUNCTIONS_FUNCTION_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/fuel.h"
#include "hclvm/base/silence.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

namespace internal {
class Interpreter;
}  // namespace internal

// A parameter. Arguments are converted to `type` (dynamic: taken as they are) before anything else is checked.
struct Parameter {
  std::string name;  // for messages and documentation
  Type type;
  bool allow_null = false;     // otherwise a null argument is an error
  bool allow_unknown = false;  // otherwise an unknown argument makes the result unknown; what is unknown inside an
                               // argument always reaches the function
  bool allow_dynamic = false;  // otherwise the dynamic value makes the result the dynamic value
  bool allow_marked = false;   // otherwise the argument comes without marks, and the result gets all of them
};

class FunctionCall;
struct CallableOptions;

// A function's result for arguments that passed the checks; call->ArgumentError(...) or call->Error(...) on failure.
using FunctionBody = Value (*)(FunctionCall* call, absl::Span<const Value> arguments);

// A shorter way for some arguments, which may be of any types, marked, unknown and null among them: puts what the body
// would give for them in place of the first one, in constant time, without memory or fuel beyond that of any call.
// False, and nothing changed, for all others, which go to the body by the usual checks. The result is a known scalar,
// or null.
using QuickBody = bool (*)(Value* arguments, const Heap& heap);

// Whether the body gives a value for such arguments, for calls of which nobody asks for more: `can(regex(pattern,
// text))`. It is paid for and fails as the body; what it returns counts unless the call has failed.
using SuccessTest = bool (*)(FunctionCall* call, absl::Span<const Value> arguments);

// The result type for such arguments, unknown ones included; the same for failure (the result is then ignored).
using ResultTypeRule = Type (*)(FunctionCall* call, absl::Span<const Value> arguments);

// What Function::prepare made. Null: nothing.
struct Prepared {
  std::shared_ptr<const void> state;  // safe to use from many threads
  size_t bytes = 0;  // that `state` holds or will come to hold, at most: for Limits::max_prepared_bytes
  size_t held = 0;   // that it holds before it is used, for Program::MemoryBytes(); 0: `bytes`
};

// What a body can use again and again of those arguments that are constant (a compiled regular expression), made once
// for each call in a program; it reaches the body by call->prepared(). `constants[i]` is argument number i, converted,
// known and not null, or a null pointer where the argument is not constant. `call` is there for taking fuel, from
// Limits::max_compile_fuel, and for limits. Nothing is made when there is nothing to prepare, when the arguments are
// wrong, which the body will report, or when fuel runs out. The body must do without, too: what does not fit
// Limits::max_prepared_bytes is not kept. The result keeps nothing of what `constants` point to.
using PrepareArguments = Prepared (*)(FunctionCall* call, absl::Span<const Value* const> constants);

// For checks before a run: fails the call, as the body would, where the body fails for all values that the unknown ones
// among the arguments may become. The arguments are converted and have passed the rule; constants of the text are
// known, and others are unknown values of the types that they will have. It makes nothing, and takes fuel as the body
// does.
using ArgumentCheck = void (*)(FunctionCall* call, absl::Span<const Value> arguments);

// Immutable once registered.
struct Function {
  std::string name;
  std::vector<Parameter> parameters;
  std::optional<Parameter> variadic;
  uint32_t max_variadic = UINT32_MAX;  // arguments that `variadic` takes at most; 1: it is one that may be left out
  Type result_type;                    // beside a rule: what the rule yields where it yields a type, or dynamic
  ResultTypeRule result_type_rule = nullptr;
  FunctionBody body = nullptr;
  // Null: none. It serves calls that give each parameter one argument; where there is a variadic parameter, calls of
  // two arguments. It gives nothing that the rule has something against.
  QuickBody quick = nullptr;
  SuccessTest succeeds = nullptr;  // null: the body tells
  PrepareArguments prepare = nullptr;
  ArgumentCheck check = nullptr;  // null: the rule finds all that types and single constants tell
  // For the body alone, which reaches it by call->function(): immutable, or safe to use from many threads at once.
  // Copies of the function share it.
  std::shared_ptr<const void> state;
  bool result_may_be_null = false;  // although result_type is primitive and no argument is null
  bool nulls_give_values = false;   // the result is never null although a parameter takes nulls
  bool in_core = true;              // it may also be called as core::NAME, as functions that a module defines may not
  bool pure = true;                 // the same arguments give the same result: may be called at compile time
  // It has a known result, not null, except beyond limits, for all arguments that are known and not null, elements
  // included, and of the parameters' types, which are primitive or lists of strings. A variadic parameter gets at least
  // one argument. The function is pure. A call whose result nobody asks for need not run.
  bool total = false;
  // What fails, fails for the types of the arguments or for nulls in them, and never for other values, limits apart.
  bool fails_by_type = false;
  // The rule and the body take fuel (FunctionCall::Charge) for all that they look at. Otherwise a call pays for the
  // weight of all its arguments and of its result, a unit for each 64 bytes or 4 elements, and only work beyond that is
  // for the body to charge. Arguments that are converted or unmarked are paid for in any case.
  bool charges = false;
  // Of parameters that are lists of bools, numbers or strings, rule and body read the elements and their number only.
  // They get lists and tuples of such elements as they are then, if all are known and not null; alltrue and anytrue, to
  // which null is an element like others, get tuples with untyped nulls as well.
  bool takes_tuples = false;
  // What the compiler knows of it: the arguments of try and can are evaluated one by one and may fail (their body
  // serves `f(list...)` only); contains, length, startswith, endswith, strcontains and lookup become one instruction;
  // the second argument of convert is a type, which it gets as text; length, contains, alltrue, anytrue, sum, min and
  // max of what a loop yields are loops that make no list; coalesce is a choice; element, concat, flatten, slice, one
  // and values of literals and loops are seen through; toset, range, regex and regexall are where only an answer is
  // asked of what they make; the compiler makes templatestring what it is, as its declaration has a body that only
  // fails.
  enum class Special : uint8_t {
    kNone,
    kTry,
    kCan,
    kContains,
    kStartsWith,
    kEndsWith,
    kLength,
    kConvert,
    kAllTrue,
    kAnyTrue,
    kSum,
    kMin,
    kMax,
    kCoalesce,
    kElement,
    kConcat,
    kFlatten,
    kSlice,
    kOne,
    kValues,
    kTemplateString,
    kStrContains,
    kLookup,
    kCeil,
    kFloor,
    kSplit,
    kSetIntersection,
    kSetSubtract,
    kKeys,
    kMerge,
    kReverse,
    kJoin,
    kFormat,
    kRange,
    kRegex,
    kRegexAll,
    kToSet,
  } special = Special::kNone;
  // Internal: the library declares it. Only then does its name say what it does: a host may use the same name.
  bool is_library = false;
  // Internal: the body evaluates a program, and `state` is an internal::ProgramFunction (vm/program_run.h).
  bool is_program = false;

  // The result is never null: of a primitive type that depends on nothing, from arguments that are not null, and not
  // declared as possibly null.
  bool never_null() const;

  // Internal: whether it is the library's function of that name.
  bool is_library_function(std::string_view wanted) const { return is_library && name == wanted; }

  // How many arguments it takes at most.
  size_t max_arguments() const { return parameters.size() + (variadic ? max_variadic : 0); }

  const Parameter& parameter(size_t i) const { return i < parameters.size() ? parameters[i] : *variadic; }
};

// What a function's body sees of the call it serves. Lives for one call.
class FunctionCall {
 public:
  // Text that is made only where it will be read.
  using MakeText = absl::FunctionRef<std::string()>;

  // `fuel`, `prepared` and `silence` must outlive the call. Without fuel, work is not bounded.
  FunctionCall(const Function& function, Heap* heap, Fuel* fuel = nullptr, const void* prepared = nullptr,
               const internal::Silence* silence = nullptr)
      : function_(&function), heap_(heap), fuel_(fuel), prepared_(prepared), silence_(silence) {}
  ~FunctionCall() {
    if (has_message_) message_.~basic_string();
  }
  FunctionCall(const FunctionCall&) = delete;
  FunctionCall& operator=(const FunctionCall&) = delete;

  // Where results are made.
  Heap* heap() const { return heap_; }
  Arena* arena() const { return heap_->arena(); }
  TypeTable* types() const { return heap_->types(); }
  const Function& function() const { return *function_; }
  // What Function::prepare made for this call, or null.
  const void* prepared() const { return prepared_; }

  // Takes fuel for work that is not proportional to the size of the arguments and the result, which are paid for
  // anyway unless Function::charges: a unit for each 64 bytes or 4 elements. Long work is charged for as it goes, since
  // a host's wish to stop is noticed here. False when there is not enough; the call has failed then.
  bool Charge(uint64_t units) { return fuel_ == nullptr || fuel_->Charge(units) || OutOfFuel(); }
  // Looks whether the host wants the work to stop, in the midst of work that is paid for: about once in 64 KiB or in
  // what a millisecond does. False when it does; the call has failed then.
  bool Look();
  // What is left; without fuel, what an evaluation with the heap's limits may use.
  uint64_t fuel_left() const { return fuel_ != nullptr ? fuel_->left() : heap_->limits().max_fuel; }

  // The result type: of the rule, or static. Dynamic until the rule has run.
  Type result_type() const { return result_type_; }
  void set_result_type(Type type) { result_type_ = type; }

  // Reports a failure; the caller returns the result at once. Messages are phrases that continue a sentence: "must be a
  // whole number". Only the first report counts. One whose text takes work to put together is given as a function,
  // which is called only where the text will be read: not within try() and can(), for instance.
  Value Error(std::string_view message);
  Value Error(MakeText message);
  Value ArgumentError(size_t argument, std::string_view message);
  Value ArgumentError(size_t argument, MakeText message);
  Type TypeError(std::string_view message) { return Error(message), Type(); }
  Type TypeError(MakeText message) { return Error(message), Type(); }
  Type ArgumentTypeError(size_t argument, std::string_view message) { return ArgumentError(argument, message), Type(); }
  Type ArgumentTypeError(size_t argument, MakeText message) { return ArgumentError(argument, message), Type(); }
  // As Error, for a limit that the call would cross.
  Value LimitError(std::string_view message);
  // Internal: for conversions within the call.
  const internal::Silence* silence() const { return silence_; }
  Fuel* fuel() const { return fuel_; }

  bool failed() const { return failed_; }
  bool is_limit() const { return is_limit_; }
  bool out_of_fuel() const { return out_of_fuel_; }
  // Index of the argument at fault, or -1 for the call as a whole.
  int argument() const { return argument_; }
  // Empty where the call has not failed, and where nobody will read it.
  const std::string& message() const { return has_message_ ? message_ : NoMessage(); }

 private:
  friend class internal::Interpreter;

  // To be restarted.
  FunctionCall(Heap* heap, Fuel* fuel, const internal::Silence* silence)
      : function_(nullptr), heap_(heap), fuel_(fuel), prepared_(nullptr), silence_(silence) {}
  // Makes this the call of another function that has no rule, with the heap, the fuel and the silence of before. The
  // call must not have failed.
  void Restart(const Function& function, const void* prepared) {
    function_ = &function;
    prepared_ = prepared;
    result_type_ = function.result_type;
  }
  // Forgets a failure; and one that is no limit, and that nobody reads.
  void Forget();
  void ForgetUnread() {
    failed_ = false;
    argument_ = -1;
  }
  // Only the first report counts, so that a body may go on cleaning up after one and need not ask whether it has
  // reported. Whether this is the first one, and somebody will read its text.
  bool Fails() {
    if (failed_) return false;
    failed_ = true;
    return silence_ != &internal::kNeverRead && !internal::IsSilent(silence_);
  }
  void Say(std::string message);
  // A charge has failed: all fuel is gone then, so that the evaluation ends and cannot go on with cheaper work.
  bool OutOfFuel();
  static const std::string& NoMessage();

  const Function* function_;
  Heap* heap_;
  Fuel* fuel_;
  const void* prepared_;
  const internal::Silence* silence_;
  Type result_type_;
  bool failed_ = false;
  bool has_message_ = false;
  bool out_of_fuel_ = false;
  bool is_limit_ = false;
  int argument_ = -1;
  union {
    std::string message_;  // where the call has failed: most do not, and pay nothing for it
  };
};

// Applies the protocol to arguments that are already converted: nulls, dynamic, result type, unknowns, body. The
// result is meaningless when call->failed().
Value InvokeFunction(FunctionCall* call, absl::Span<const Value> arguments);

namespace internal {

// The name without "core::" before it, by which Terraform and OpenTofu call functions of their own as well.
std::string_view WithoutCore(std::string_view name);

}  // namespace internal

// What a callable takes as its last parameter when it takes any number of further arguments: a span of them.
template <typename T>
struct Variadic : absl::Span<const T> {
  Variadic() = default;
  explicit Variadic(absl::Span<const T> arguments) : absl::Span<const T>(arguments) {}
};

// An immutable set of functions by name ("upper", "ns::name"). Thread-safe; programs share it and keep it alive.
class FunctionRegistry {
 public:
  ~FunctionRegistry();
  FunctionRegistry(FunctionRegistry&& other) noexcept;
  FunctionRegistry& operator=(FunctionRegistry&& other) noexcept;

  // The function of that name, or null; core::NAME is NAME, unless there is one of the longer name. The pointer lives
  // as long as the registry.
  const Function* Find(std::string_view name) const;
  // All names, sorted.
  std::vector<std::string_view> Names() const;
  // All of its functions are pure.
  bool is_pure() const { return is_pure_; }

 private:
  friend class FunctionRegistryBuilder;
  struct Functions;
  FunctionRegistry();

  std::unique_ptr<Functions> functions_;  // never null
  bool is_pure_ = true;
};

// Collects functions. Not thread-safe.
class FunctionRegistryBuilder {
 public:
  // Adds a function; a later one replaces an earlier one of the same name.
  FunctionRegistryBuilder& Add(Function function);
  // Adds MakeFunction(name, callable): parameters and result type come from the callable's signature. Defined in
  // vm/functions/callable.h, which says what a callable may take and return.
  template <typename Callable>
  FunctionRegistryBuilder& Register(std::string name, Callable callable);
  template <typename Callable>
  FunctionRegistryBuilder& Register(std::string name, Callable callable, const CallableOptions& options);
  std::shared_ptr<const FunctionRegistry> Build() &&;

 private:
  FunctionRegistry registry_;
};

}  // namespace hcl

#endif  // HCLVM_VM_FUNCTIONS_FUNCTION_H_
