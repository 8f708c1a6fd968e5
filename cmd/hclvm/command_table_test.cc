// What must hold of every row of the table.

#include "hclvm/cmd/hclvm/command_table.h"

#include <map>
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

// An old name stands for an option of today, and is none.
TEST(CommandTableTest, OldNamesStandForOptions) {
  for (const OldOption& old : OldOptions()) {
    const Command& command = FindCommand(old.program, old.command);
    EXPECT_EQ(FindOldOption(command, old.old_name), &old);
    int names = 0;
    for (const Option* option : OptionsOf(command)) {
      names += option->name == old.name ? 1 : 0;
      EXPECT_NE(option->name, old.old_name) << FullName(command);
    }
    EXPECT_EQ(names, 1) << FullName(command) << " " << old.old_name;
  }
  EXPECT_EQ(FindOldOption(FindCommand("hclvm", "run"), "--format"), nullptr);
}

// One meaning has one name: what programs call alike, they describe by values of the same form. Only hcldec has the
// names of the reference's program.
TEST(CommandTableTest, NamesMeanTheSameEverywhere) {
  std::map<std::string_view, std::string_view> helps;  // of what takes the same values
  for (const Command& command : Commands()) {
    if (command.program == "hcldec") continue;
    for (const Option* option : OptionsOf(command)) {
      // The same words say the same thing.
      const auto [at, is_new] = helps.emplace(option->help, option->name);
      EXPECT_TRUE(is_new || at->second == option->name)
          << FullName(command) << ": " << option->name << ", " << at->second;
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
