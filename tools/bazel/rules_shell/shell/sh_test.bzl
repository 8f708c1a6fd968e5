"""The built-in sh_test at the path that rules_shell gives it."""

sh_test = native.sh_test
