#!/usr/bin/env bash
# The language server with a real client, Neovim without a screen: neovim_test.sh HCLVM HCLVM_LUA NEOVIM_TEST_LUA.
set -euo pipefail

if ! command -v nvim >/dev/null; then
  echo "SKIPPED: nvim is not installed (Debian: neovim), so that the language server was tried with no editor"
  exit 0
fi
hclvm=$(readlink -f "$1")
plugin=$(readlink -f "$2")
script=$(readlink -f "$3")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

mkdir -p "$dir/work/.git" "$dir/home"
cat >"$dir/work/variables.hcl" <<'HCL'
variable "user" {
  type = object({ name = string, roles = list(string) })
}
HCL
cat >"$dir/work/policy.hcl" <<'HCL'
allow   = user.nme == "ann"
who = user.name
HCL
cat >"$dir/work/policy.test.hcl" <<'HCL'
test "ann" {
  with   = { user = { name = "ann", roles = [] } }
  expect = { allow = true }
}
HCL
plugin_folder=$(dirname "$(dirname "$plugin")")
export HOME=$dir/home XDG_STATE_HOME=$dir/home XDG_DATA_HOME=$dir/home XDG_CONFIG_HOME=$dir/home
export HCLVM=$hclvm FOLDER=$dir/work
timeout 120 nvim --headless -u NONE -i NONE -n --cmd "set runtimepath^=$plugin_folder" -c "luafile $script" ||
  { echo "nvim has failed with status $?"; cat "$dir"/home/nvim/lsp.log 2>/dev/null; exit 1; }
echo "the language server is as it should be with $(nvim --version | head -n 1)"
