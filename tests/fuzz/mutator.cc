// Mutations of programs.

#include "hclvm/tests/fuzz/mutator.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "hclvm/tests/slow/generator.h"

namespace hcl::fuzz {
namespace {

using testing_support::Generator;
using testing_support::GeneratorOptions;

// What is put around a program, X.
constexpr std::string_view kAround[] = {"[X]",       "{a = X}",           "(X)[*]",     "[for v in X : v]",
                                        "(X)[0]",    "yes ? X : null",    "\"-${X}-\"", "{for k, v in X : k => v}",
                                        "try(X, 1)", "no || (X)",         "(X) == (X)", "length(X)",
                                        "!(X)",      "[for v in ls : X]", "(X).a",      "(X) ? 1 : (X)"};

constexpr std::string_view kKeywords[] = {"for", "in", "if", "else", "endif", "endfor"};

bool IsWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string SmallExpression(Generator* generator, uint32_t seed) {
  GeneratorOptions options;
  options.max_depth = 1 + static_cast<int>(generator->Below(3));
  return Generator(seed, options).Next();
}

// A word in place of which another expression may well stand: from where `at` is or the next after it.
std::string ReplaceWord(std::string_view program, size_t at, const std::string& expression) {
  size_t begin = at;
  while (begin < program.size() && !IsWordByte(program[begin])) ++begin;
  while (begin > 0 && begin < program.size() && IsWordByte(program[begin - 1])) --begin;
  size_t end = begin;
  while (end < program.size() && IsWordByte(program[end])) ++end;
  const std::string_view word = program.substr(begin, end - begin);
  if (std::find(std::begin(kKeywords), std::end(kKeywords), word) != std::end(kKeywords)) return std::string(program);
  std::string result(program.substr(0, begin));
  return result.append("(").append(expression).append(")").append(program.substr(end));
}

std::string Around(std::string_view form, std::string_view program) {
  std::string result;
  for (const char c : form) {
    if (c == 'X') {
      result += program;
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace

std::string MutateProgram(std::string_view input, uint32_t seed) {
  Generator generator(seed);
  const size_t line = std::min(input.find('\n'), input.size());
  std::string scope(input.substr(0, line));
  const std::string_view program = line < input.size() ? input.substr(line + 1) : std::string_view();
  const auto somewhere = [&](size_t size) { return generator.Below(static_cast<uint32_t>(size) + 1); };
  switch (generator.Below(8)) {
    case 0:
      return scope + "\n" + generator.Next();
    case 1:
      scope.insert(somewhere(scope.size()), 1, static_cast<char>('0' + generator.Below(10)));
      return scope.append("\n").append(program);
    case 2:
      return scope + "\n" + Around(kAround[generator.Below(std::size(kAround))], program);
    default:
      return scope + "\n" + ReplaceWord(program, somewhere(program.size()), SmallExpression(&generator, seed));
  }
}

}  // namespace hcl::fuzz
