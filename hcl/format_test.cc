#include "hclvm/hcl/format.h"

#include <string>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"

namespace hcl {
namespace {

std::string Format(const std::string& text, Diagnostics* diagnostics) {
  const Source source("test", text);
  return FormatConfig(source, Limits(), diagnostics);
}

struct Row {
  const char* text;
  const char* formatted;
};

void ExpectRows(const Row* begin, const Row* end, bool has_errors) {
  for (const Row* row = begin; row != end; ++row) {
    Diagnostics diagnostics;
    EXPECT_EQ(Format(row->text, &diagnostics), row->formatted) << row->text;
    EXPECT_EQ(diagnostics.has_errors(), has_errors) << row->text;
    Diagnostics unused;
    EXPECT_EQ(Format(row->formatted, &unused), row->formatted) << row->text;
  }
}

TEST(FormatTest, Layout) {
  const Row rows[] = {
      {"", ""},
      {"  \n\t\n", "\n\n"},
      {"a=1", "a = 1"},
      {"  a\t=  1  \n", "a = 1\n"},
      {"a=1\r\nlong=2\r\n", "a    = 1\r\nlong = 2\r\n"},
      {"\xEF\xBB\xBF  a=1\n", "a = 1\n"},
      // Columns.
      {"a=1\nlong=2\n\nb=3\n", "a    = 1\nlong = 2\n\nb = 3\n"},
      {"a=1 # x\nlong=2 // y\n# z\nb=3\n", "a    = 1 # x\nlong = 2 // y\n# z\nb = 3\n"},
      {"a=1 # x\nb=200 # y\n", "a = 1   # x\nb = 200 # y\n"},
      {"a=[\n1]\nlong=2\n", "a = [\n1]\nlong = 2\n"},
      {"\xC3\xA9=1\nab=2\n", "\xC3\xA9  = 1\nab = 2\n"},
      {"e\xCC\x81=1\nab=2\n", "e\xCC\x81  = 1\nab = 2\n"},
      {"a=1 /* x */\nlong=2 /* y */\n", "a    = 1 /* x */\nlong = 2 /* y */\n"},
      // Blocks and collections.
      {"b{}\nb   \"l\"  m{ }\n", "b {}\nb \"l\" m {}\n"},
      {"b {a=1}\n", "b { a = 1 }\n"},
      {"b {\na=1\n   c {\n  d=2\n}\n}\n", "b {\n  a = 1\n  c {\n    d = 2\n  }\n}\n"},
      {"b {\n# x\n   // y\n}\n# z", "b {\n  # x\n  // y\n}\n# z"},
      {"a={\nb=1\nlong:2,\n}\n", "a = {\n  b = 1\n  long : 2,\n}\n"},
      {"a={b=1,c:2}\n", "a = { b = 1, c : 2 }\n"},
      {"a=[ 1,2 , 3 ]\nb=[]\nc=[ ]\n", "a = [1, 2, 3]\nb = []\nc = []\n"},
      {"a = f([{\nb=1\n}])\nc=2\n", "a = f([{\n  b = 1\n}])\nc = 2\n"},
      // Expressions.
      {"a=b+c*d==e&&!f||g<-h\n", "a = b + c * d == e && !f || g < -h\n"},
      {"a=- b\nc=d - -e\nf=g -h\n", "a = -b\nc = d - -e\nf = g - h\n"},
      {"a=b?c:d\n", "a = b ? c : d\n"},
      {"a=f ( b,c ... )\n", "a = f(b, c...)\n"},
      {"a=n :: f(b)\n", "a = n::f(b)\n"},
      {"a=b . c [0] . d[*].e.*.f\n", "a = b.c[0].d[*].e.*.f\n"},
      {"a=[for k,v in[1]:v if v>1]\n", "a = [for k, v in [1] : v if v > 1]\n"},
      {"a={for k in b:k=>k...}\n", "a = { for k in b : k => k... }\n"},
      {"a=b.0. 1\n", "a = b.0. 1\n"},  // `b.0.1` has other tokens
      {"a=b.0 .1\n", "a = b.0 .1\n"},
      {"a=b . 0 . d\n", "a = b.0.d\n"},
      {"a=b.0 .*\n", "a = b.0.*\n"},
      {"a=b.0 .e5\n", "a = b.0 .e5\n"},
      // Templates.
      {"a=\"  ${ b }${ c  }  %{ if d }x%{ endif ~}\"\n", "a = \"  ${b}${c}  %{if d}x%{endif~}\"\n"},
      {"a=\"${{}}${ {b=1} }\"\n", "a = \"${ {} }${ { b = 1 } }\"\n"},
      {"a=<<E\n  b  ${ c+1 }\n  E\nlong=1\n", "a    = <<E\n  b  ${c + 1}\n  E\nlong = 1\n"},
      {"b {\na=<<-E\n{ x\n  E\n}\n", "b {\n  a = <<-E\n{ x\n  E\n}\n"},
  };
  ExpectRows(std::begin(rows), std::end(rows), false);
}

TEST(FormatTest, WhatDoesNotParseStays) {
  const Row rows[] = {
      {"a=1\nb=)  (\nc=2\n", "a = 1\nb=)  (\nc = 2\n"},
      {"a=  1\n  b=[1\nc=  2\n", "a = 1\n  b=[1\nc = 2\n"},
      {"b  {\na=1\n   c=2  3\nlong=4\n}\n", "b {\n  a = 1\n   c=2  3\n  long = 4\n}\n"},
      {"a=1\nb {\nc=2\n", "a = 1\nb {\nc=2\n"},
      {"a=1\n  nonsense  here\nb=2\n", "a = 1\n  nonsense  here\nb = 2\n"},
      {"a=1\nb=\"x\nc=2\n", "a = 1\nb=\"x\nc = 2\n"},
      {"a=1 # x\nb=  # y\nlong=3 # z\n", "a = 1 # x\nb=  # y\nlong = 3 # z\n"},
      {"a=1\n }\nb=2\n", "a = 1\n }\nb = 2\n"},
      {"a=1\nlong=2\na=3\n", "a    = 1\nlong = 2\na    = 3\n"},
  };
  ExpectRows(std::begin(rows), std::end(rows), true);
}

TEST(FormatTest, Limits) {
  Diagnostics encoding;
  EXPECT_EQ(Format("a=\"\xFF\"\n", &encoding), "a=\"\xFF\"\n");
  EXPECT_TRUE(encoding.has_errors());
  const Source source("test", "a=((1))\n");
  Limits limits;
  limits.max_nesting_depth = 1;
  Diagnostics depth;
  EXPECT_EQ(FormatConfig(source, limits, &depth), "a=((1))\n");
  EXPECT_TRUE(depth.has_limit());
  limits = Limits();
  limits.max_output_bytes = 8;
  Diagnostics output;
  EXPECT_EQ(FormatConfig(source, limits, &output), "a=((1))\n");
  EXPECT_TRUE(output.has_limit());
  limits = Limits();
  limits.max_source_bytes = 3;
  Diagnostics size;
  EXPECT_EQ(FormatConfig(source, limits, &size), "a=((1))\n");
  EXPECT_TRUE(size.has_limit());
}

// Each line is as wide as the widest one, and as deep as the brackets before it.
TEST(FormatTest, TextsThatTheLayoutMultiplies) {
  std::string comments = "a=\"" + std::string(10'000, 'x') + "\" #\n";
  for (int n = 0; n < 2'000; ++n) comments += "b" + std::to_string(n) + "=1 #\n";
  std::string brackets = "a=";
  for (int n = 0; n < 200; ++n) brackets += "[\n";
  for (int n = 0; n < 50'000; ++n) brackets += "1,\n";
  for (int n = 0; n < 200; ++n) brackets += "]\n";
  for (std::string* const text : {&comments, &brackets}) {
    for (const char* const end : {"", "c=)  (\n"}) {
      *text += end;
      const Source source("test", *text);
      Limits limits;
      limits.max_output_bytes = 1 << 20;
      Diagnostics diagnostics;
      EXPECT_EQ(FormatConfig(source, limits, &diagnostics), *text);
      EXPECT_TRUE(diagnostics.has_limit());
    }
  }
}

}  // namespace
}  // namespace hcl
