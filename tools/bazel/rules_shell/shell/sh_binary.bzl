"""The built-in sh_binary at the path that rules_shell gives it."""

sh_binary = native.sh_binary
