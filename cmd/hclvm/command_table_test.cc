// What must hold of every row of the table.

#include "hclvm/cmd/hclvm/command_table.h"

#include <set>
#include <string>
#include <string_view>

#include "gtest/gtest.h"

namespace hcl::cmd {
namespace {

TEST(CommandTableTest, NamesAreUnique) {
  std::set<std::string> names;
  for (const Command& command : Commands()) {
    EXPECT_TRUE(names.insert(FullName(command)).second) << FullName(command);
    std::set<std::string_view> options = {"--help", "-h"};
    for (const Option* option : OptionsOf(command)) {
      EXPECT_TRUE(options.insert(option->name).second) << FullName(command) << " " << option->name;
      if (!option->short_name.empty()) {
        EXPECT_TRUE(options.insert(option->short_name).second) << FullName(command) << " " << option->short_name;
      }
    }
  }
}

TEST(CommandTableTest, RowsAreWellFormed) {
  for (const Command& command : Commands()) {
    const std::string name = FullName(command);
    for (const std::string_view text : {command.summary, command.description, command.exit_status}) {
      EXPECT_FALSE(text.empty()) << name;
    }
    EXPECT_TRUE(command.summary.back() != '.' && command.description.back() == '.') << name;
    EXPECT_TRUE(command.examples.empty() || command.examples.back() == '\n') << name;
    EXPECT_EQ(&FindCommand(command.program, command.name), &command);
    for (const Option* option : OptionsOf(command)) {
      EXPECT_EQ(option->name.substr(0, 2), "--") << name;
      EXPECT_TRUE(option->short_name.empty() || (option->short_name.size() == 2 && option->short_name[0] == '-'))
          << name << " " << option->name;
      EXPECT_FALSE(option->help.empty()) << name << " " << option->name;
      EXPECT_FALSE(option->placeholder.empty() && (option->repeats || !option->default_value.empty()))
          << name << " " << option->name << ": a switch has no value";
      // A default among words is one of them.
      const Offer offer = OfferFor(option->placeholder);
      bool is_offered = offer.words.empty() || option->default_value.empty();
      for (const std::string_view word : offer.words) is_offered = is_offered || word == option->default_value;
      EXPECT_TRUE(is_offered) << name << " " << option->name;
    }
  }
}

TEST(CommandTableTest, TellsWhatToOffer) {
  const auto text = [](std::string_view placeholder) {
    const Offer offer = OfferFor(placeholder);
    std::string out;
    for (const std::string_view word : offer.words) out += std::string(word) + " ";
    return out + (offer.files ? "files " : "") + (offer.directories ? "directories" : "");
  };
  EXPECT_EQ(text(""), "");
  EXPECT_EQ(text("N"), "");
  EXPECT_EQ(text("FILE.json"), "files ");
  EXPECT_EQ(text("FILE|DIR"), "files directories");
  EXPECT_EQ(text("text|json"), "text json ");
  EXPECT_EQ(text("JSON|FILE|NAME=EXPR"), "files ");
  EXPECT_EQ(text("[DIALECT@]ADDRESS"), "");
}

TEST(CommandTableTest, HelpNamesDefaultsAndRepetition) {
  EXPECT_EQ(FullHelp({"--a", "", "N", "text", "1", true}), "text; can be repeated (1)");
  EXPECT_EQ(FullHelp({"--a", "", "N", "text", ""}), "text");
}

}  // namespace
}  // namespace hcl::cmd
