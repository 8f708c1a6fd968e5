#include "hclvm/hcl/scanner.h"

#include <string>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/token.h"

namespace hcl {
namespace internal {
namespace {

const char* Name(TokenKind kind) {
  switch (kind) {
    case TokenKind::kEnd:
      return "end";
    case TokenKind::kNewline:
      return "newline";
    case TokenKind::kIdentifier:
      return "id";
    case TokenKind::kNumber:
      return "num";
    case TokenKind::kOpenQuote:
      return "quote";
    case TokenKind::kCloseQuote:
      return "unquote";
    case TokenKind::kOpenHeredoc:
      return "heredoc";
    case TokenKind::kCloseHeredoc:
      return "endheredoc";
    case TokenKind::kText:
      return "text";
    case TokenKind::kInterpolation:
      return "interp";
    case TokenKind::kDirective:
      return "directive";
    case TokenKind::kSequenceEnd:
      return "endseq";
    case TokenKind::kInvalid:
      return "invalid";
    case TokenKind::kBrokenNewline:
      return "broken";
    case TokenKind::kBrokenSequence:
      return "brokenseq";
    default:
      return "";
  }
}

// Each token as name[begin-end]; punctuation by its text. A backslash: the token has escapes, or is a number of more
// than digits.
std::string Scan(const std::string& text, Scanner::Start start, Diagnostics* diagnostics) {
  Scanner scanner(text, start, diagnostics);
  std::string out;
  for (Token token = scanner.Next(); token.kind != TokenKind::kEnd; token = scanner.Next()) {
    if (!out.empty()) out += " ";
    const std::string name = Name(token.kind);
    out += name.empty() ? text.substr(token.range.begin, token.range.end - token.range.begin) : name;
    out += "[" + std::to_string(token.range.begin) + "-" + std::to_string(token.range.end) + "]";
    if (token.has_escapes) out += "\\";
    if (token.strip) out += "~";
    if (token.flush) out += "-";
  }
  EXPECT_EQ(scanner.Next().range.end, text.size()) << text;
  return out;
}

// A string that is text and no more is taken as a whole, and what is behind it comes next; of others nothing is taken.
TEST(ScannerTest, TakesPlainText) {
  const std::string long_text(100, 'a');
  for (const std::string& text : {std::string("b"), std::string("b c"), std::string("\xC3\xA4 #"), long_text}) {
    Diagnostics diagnostics;
    const std::string source = '"' + text + "\" x";
    Scanner scanner(source, Scanner::Start::kExpression, &diagnostics);
    ASSERT_EQ(scanner.Next().kind, TokenKind::kOpenQuote);
    SourceRange range;
    ASSERT_TRUE(scanner.TakePlainText(&range)) << text;
    EXPECT_EQ(source.substr(range.begin, range.end - range.begin), text);
    EXPECT_EQ(scanner.Next().kind, TokenKind::kIdentifier) << text;
    EXPECT_EQ(scanner.Next().kind, TokenKind::kEnd) << text;
    EXPECT_TRUE(diagnostics.empty());
  }
  for (const char* const text : {"\"\"", "\"b", "\"b\n\"", "\"b\\n\"", "\"b$\"", "\"b${c}\"", "\"%{if b}\"", "\""}) {
    Diagnostics diagnostics;
    Scanner scanner(text, Scanner::Start::kExpression, &diagnostics);
    ASSERT_EQ(scanner.Next().kind, TokenKind::kOpenQuote);
    SourceRange range;
    EXPECT_FALSE(scanner.TakePlainText(&range)) << text;
    EXPECT_EQ(scanner.Next().range.begin, 1u) << text;
  }
}

// What comes next, past newlines and comments: its kind, and where the first newline before it stands.
TEST(ScannerTest, LooksPastNewlines) {
  const struct {
    const char* text;
    const char* want;
  } kCases[] = {
      {"", "end"},
      {"a b", "id id end"},
      {"a\n", "id 1-2:end"},
      {"\n\na\n \n\tb", "0-1:id 3-4:id end"},
      {"a # b\nc", "id 2-6:id end"},
      {"a /* b\n */ c // d", "id id end"},
      {"\"${a\n\nb}\"", "quote interp id 4-5:id endseq unquote end"},
      {"\r\n/**/#\na", "0-2:id end"},
  };
  for (const auto& [text, want] : kCases) {
    Diagnostics diagnostics;
    Scanner scanner(text, Scanner::Start::kExpression, &diagnostics);
    std::string out;
    Scanner::Lookahead ahead;
    do {
      scanner.Next(&ahead);
      if (!out.empty()) out += " ";
      const SourceRange newline = ahead.newline.range;
      if (ahead.has_newline) out += std::to_string(newline.begin) + "-" + std::to_string(newline.end) + ":";
      out += Name(ahead.next.kind);
    } while (ahead.next.kind != TokenKind::kEnd);
    EXPECT_EQ(out, want) << text;
  }
}

struct Case {
  const char* text;
  const char* tokens;
};

TEST(ScannerTest, Expressions) {
  const Case cases[] = {
      {"", ""},
      {"a", "id[0-1]"},
      {"  a\t", "id[2-3]"},
      {"a-b_c9", "id[0-6]"},
      {"abcdefghijklmnopqrstuvwxyz-0123456789_A+", "id[0-39] +[39-40]"},
      {"\u00e9t\u00e9 a\u0301-", "id[0-5]\\ id[6-10]\\"},
      {"1\u00e9", "num[0-1] id[1-3]\\"},
      {"1 2.5 1e5 1E+5 1.5e-3", "num[0-1] num[2-5]\\ num[6-9]\\ num[10-14]\\ num[15-21]\\"},
      {"1. 1.. 1..2 1...", "num[0-1] .[1-2] num[3-4] .[4-5] .[5-6] num[7-11]\\ num[12-13] ...[13-16]"},
      {"9 1", "num[0-1] num[2-3]"},
      {"a&&b||c", "id[0-1] &&[1-3] id[3-4] ||[4-6] id[6-7]"},
      {"a==b!=-c", "id[0-1] ==[1-3] id[3-4] !=[4-6] -[6-7] id[7-8]"},
      {"=", "=[0-1]"},
      {"1e 1e+ 1.e5 0x1", "num[0-1] id[1-2] num[3-4] id[4-5] +[5-6] num[7-11]\\ num[12-13] id[13-15]"},
      {"+ - * / % = == ! != < <= > >= && || ? : :: => . , ...",
       "+[0-1] -[2-3] *[4-5] /[6-7] %[8-9] =[10-11] ==[12-14] ![15-16] !=[17-19] <[20-21] <=[22-24] >[25-26] >=[27-29] "
       "&&[30-32] ||[33-35] ?[36-37] :[38-39] ::[40-42] =>[43-45] .[46-47] ,[48-49] ...[50-53]"},
      {"([{}])", "([0-1] [[1-2] {[2-3] }[3-4] ][4-5] )[5-6]"},
      {"a\nb\r\nc", "id[0-1] newline[1-2] id[2-3] newline[3-5] id[5-6]"},
      {"a # b\nc // d\r\n", "id[0-1] newline[2-6] id[6-7] newline[8-14]"},
      {"a # b", "id[0-1]"},
      {"a /* b\n */ c", "id[0-1] id[11-12]"},
      {"/**/ /*/ */x", "id[11-12]"},
      {"~}", "endseq[0-2]~"},
      {"<<EOT\na\nEOT\n", "heredoc[0-6] text[6-8] endheredoc[8-11] newline[11-12]"},
      {"<<-EOT\r\n  a\r\n  EOT \r\n", "heredoc[0-8]- text[8-13] endheredoc[13-19] newline[19-21]"},
      {"<<EOT\na\nEOT", "heredoc[0-6] text[6-8] text[8-11]"},
      {"<<EOT\nEOTX\n\u00a0EOT\n", "heredoc[0-6] text[6-11] endheredoc[11-16] newline[16-17]"},
      {"<<EOT\na${b}EOT\nEOT\n",
       "heredoc[0-6] text[6-7] interp[7-9] id[9-10] endseq[10-11] text[11-15] endheredoc[15-18] newline[18-19]"},
      {"<<EOT \n", "<[0-1] <[1-2] id[2-5] newline[6-7]"},
      {"<<-\n<<1\n", "<[0-1] <[1-2] -[2-3] newline[3-4] <[4-5] <[5-6] num[6-7] newline[7-8]"},
      {"<<EOT\n$${a}%%{b}$\\n\r\n\rEOT\n", "heredoc[0-6] text[6-21]\\ endheredoc[21-25] newline[25-26]"},
  };
  for (const Case& test : cases) {
    Diagnostics diagnostics;
    EXPECT_EQ(Scan(test.text, Scanner::Start::kExpression, &diagnostics), test.tokens) << test.text;
    EXPECT_TRUE(diagnostics.empty()) << test.text;
  }
}

// Bytes that are no text stand for no part of an operator.
TEST(ScannerTest, OperatorsBesideControlCharacters) {
  for (const char* text : {".", "=", "<", "!"}) {
    Diagnostics diagnostics;
    const std::string source = std::string(text) + '\0' + '\0';
    EXPECT_EQ(Scan(source, Scanner::Start::kExpression, &diagnostics),
              std::string(text) + "[0-1] invalid[1-2] invalid[2-3]");
    EXPECT_EQ(diagnostics.count(), 2u);
  }
}

TEST(ScannerTest, QuotedTemplates) {
  const Case cases[] = {
      {"\"\"", "quote[0-1] unquote[1-2]"},
      {"\"a b\"", "quote[0-1] text[1-4] unquote[4-5]"},
      {"\"\\\"\\\\\"", "quote[0-1] text[1-5]\\ unquote[5-6]"},
      {"\"a\u00e9\\\u00e9\"", "quote[0-1] text[1-7]\\ unquote[7-8]"},
      {"\"$ % $a %%\"", "quote[0-1] text[1-10] unquote[10-11]"},
      {"\"$${a}%%{b}\"", "quote[0-1] text[1-11]\\ unquote[11-12]"},
      {"\"$$${a}\"", "quote[0-1] text[1-7]\\ unquote[7-8]"},
      {"\"$%{a}\"", "quote[0-1] text[1-2] directive[2-4] id[4-5] endseq[5-6] unquote[6-7]"},
      {"\"\\${a}\"", "quote[0-1] text[1-6]\\ unquote[6-7]"},
      {"\"${a}b${~ c ~}\"",
       "quote[0-1] interp[1-3] id[3-4] endseq[4-5] text[5-6] interp[6-9]~ id[10-11] endseq[12-14]~ unquote[14-15]"},
      {"\"${{}}\"", "quote[0-1] interp[1-3] {[3-4] }[4-5] endseq[5-6] unquote[6-7]"},
      {"\"${{a ~}}\"", "quote[0-1] interp[1-3] {[3-4] id[4-5] endseq[6-8]~ endseq[8-9] unquote[9-10]"},
      {"\"${\"${a}\"}\"",
       "quote[0-1] interp[1-3] quote[3-4] interp[4-6] id[6-7] endseq[7-8] unquote[8-9] endseq[9-10] unquote[10-11]"},
      {"\"a", "quote[0-1] text[1-2]"},
      {"\"0123456789012345678901234567890123456789\"", "quote[0-1] text[1-41] unquote[41-42]"},
  };
  for (const Case& test : cases) {
    Diagnostics diagnostics;
    EXPECT_EQ(Scan(test.text, Scanner::Start::kExpression, &diagnostics), test.tokens) << test.text;
    EXPECT_TRUE(diagnostics.empty()) << test.text;
  }
}

TEST(ScannerTest, StandaloneTemplates) {
  const Case cases[] = {
      {"", ""},
      {"a\nb", "text[0-2] text[2-3]"},
      {"\"\\n} ~}", "text[0-7]"},
      {"a${b}\n$", "text[0-1] interp[1-3] id[3-4] endseq[4-5] text[5-6] text[6-7]"},
      {"$${a}\r\n%%", "text[0-7]\\ text[7-9]"},
      {"a\rb", "text[0-3]"},
  };
  for (const Case& test : cases) {
    Diagnostics diagnostics;
    EXPECT_EQ(Scan(test.text, Scanner::Start::kTemplate, &diagnostics), test.tokens) << test.text;
    EXPECT_TRUE(diagnostics.empty()) << test.text;
  }
}

TEST(ScannerTest, Errors) {
  const struct {
    const char* text;
    const char* tokens;
    size_t errors;
  } cases[] = {
      {"&", "invalid[0-1]", 1},
      {"&&&", "&&[0-2] invalid[2-3]", 1},
      {"| ~ ^ ;", "invalid[0-1] invalid[2-3] invalid[4-5] invalid[6-7]", 4},
      {"'a' 'b'", "invalid[0-1] id[1-2] invalid[2-3] invalid[4-5] id[5-6] invalid[6-7]", 2},
      {"`a`", "invalid[0-1] id[1-2] invalid[2-3]", 1},
      {"$ @ \u201cx", "invalid[0-1] invalid[2-3] invalid[4-7] id[7-8]", 3},
      {"\ufeffa \ufeff", "id[3-4] invalid[5-8]", 1},
      {"a\rb", "id[0-1] invalid[1-2] id[2-3]", 1},
      {"a /* b", "id[0-1] invalid[2-6]", 1},
      {"/*/", "invalid[0-3]", 1},
      {"a \\\"b\\\" c", "id[0-1] invalid[2-4] id[4-5] invalid[5-7] id[8-9]", 1},
      {"\"${ \\\"b\\\" }\"", "quote[0-1] interp[1-3] invalid[4-6] id[6-7] invalid[7-9] endseq[10-11] unquote[11-12]",
       1},
      {"1\u200b", "num[0-1] invalid[1-4]", 1},
      {"\"a\nb", "quote[0-1] text[1-2] broken[2-3] id[3-4]", 1},
      {"\"a\r\n\nb", "quote[0-1] text[1-2] broken[2-5] id[5-6]", 1},
      // The string goes on below, unless an item starts there or the quotes do not match.
      {"\"a\nb\"", "quote[0-1] text[1-2] invalid[2-4] unquote[4-5]", 1},
      {"\"a\nb c\nd\"", "quote[0-1] text[1-2] invalid[2-8] unquote[8-9]", 1},
      {"\"a\nb \"c\"", "quote[0-1] text[1-2] broken[2-3] id[3-4] quote[5-6] text[6-7] unquote[7-8]", 1},
      {"\"a\nb = \"", "quote[0-1] text[1-2] broken[2-3] id[3-4] =[5-6] quote[7-8]", 1},
      {"\"a\n}\"", "quote[0-1] text[1-2] broken[2-3] }[3-4] quote[4-5]", 1},
      // In a sequence of another string: that one was to be ended.
      {"{ \"${a\n }", "{[0-1] quote[2-3] interp[3-5] id[5-6] newline[6-7] brokenseq[8-8] }[8-9]", 0},
      {"{ \"${a\n }\"", "{[0-1] quote[2-3] interp[3-5] id[5-6] newline[6-7] endseq[8-9] unquote[9-10]", 0},
      {"\"${\"a\nb", "quote[0-1] interp[1-3] quote[3-4] text[4-5] brokenseq[5-6] id[6-7]", 0},
      {"\"a\\\nb", "quote[0-1] text[1-2] invalid[2-3] broken[3-4] id[4-5]", 2},
      {"\"a\\", "quote[0-1] text[1-2] invalid[2-3]", 1},
  };
  for (const auto& test : cases) {
    Diagnostics diagnostics;
    EXPECT_EQ(Scan(test.text, Scanner::Start::kExpression, &diagnostics), test.tokens) << test.text;
    EXPECT_EQ(diagnostics.count(), test.errors) << test.text;
  }
}

TEST(ScannerTest, AnUnclosedCommentTakesTheRest) {
  std::string text;
  for (int i = 0; i < 1'000'000; ++i) text += "/* ";
  Diagnostics diagnostics;
  Scanner scanner(text, Scanner::Start::kExpression, &diagnostics);
  size_t count = 0;
  while (scanner.Next().kind != TokenKind::kEnd) ++count;
  EXPECT_EQ(count, 1u);
}

}  // namespace
}  // namespace internal
}  // namespace hcl
