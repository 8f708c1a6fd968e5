# Sourced by tools/bazel7 and tools/package behind common.sh: Debian systems in folders, made of the archive that apt uses here.
# Needs root.

# hclvm_quietly COMMAND ARGS...: prints what the command says only where it fails.
hclvm_quietly() {
  local log
  log=$(mktemp)
  if ! "$@" </dev/null >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
}

# Prints the address of Debian's archive, as apt is configured on this machine.
hclvm_mirror() {
  # The lists say which address is the archive's; a fresh container has none.
  local filter=(--format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian') found
  found=$(apt-get indextargets "${filter[@]}")
  if [[ -z $found ]]; then
    hclvm_quietly apt-get update
    found=$(apt-get indextargets "${filter[@]}")
  fi
  [[ -n $found ]] || { echo "apt knows no archive of Debian" >&2 && return 1; }
  echo "${found%%$'\n'*}"
}

# hclvm_make_debian SUITE FOLDER: makes a new system of Debian's essential packages. The folder exists only if that went well.
hclvm_make_debian() {
  local suite=$1 folder=$2 archive http_proxy='' https_proxy=''
  if ! command -v debootstrap >/dev/null; then
    hclvm_quietly apt-get -q -y install --no-install-recommends debootstrap ||
      { hclvm_quietly apt-get -q update && hclvm_quietly apt-get -q -y install --no-install-recommends debootstrap; } || return
  fi
  archive=$(hclvm_mirror) || return
  eval "$(apt-config shell http_proxy Acquire::http::Proxy https_proxy Acquire::https::Proxy)"
  [[ -z $http_proxy ]] || export http_proxy
  [[ -z $https_proxy ]] || export https_proxy
  rm -rf --one-file-system "$folder.partial"
  mkdir -p "$(dirname "$folder")"
  hclvm_quietly debootstrap --variant=minbase "$suite" "$folder.partial" "$archive" || return
  # How apt gets at the archive (through a proxy, say) holds there too.
  apt-config dump | grep -E '^Acquire::(https?|Check-[A-Za-z-]+)\b' >"$folder.partial/etc/apt/apt.conf.d/90host" || true
  cp /etc/resolv.conf "$folder.partial/etc/resolv.conf" 2>/dev/null || true
  mv "$folder.partial" "$folder"
}

# hclvm_in_debian FOLDER SCRIPT ARGS...: runs `bash -c SCRIPT bash ARGS...` in the system, with its own mounts and processes,
# which end with it.
hclvm_in_debian() {
  unshare --mount --pid --fork --kill-child bash -c '
    set -e
    system=$1 script=$2
    shift 2
    mount --make-rprivate /
    mount -t proc proc "$system/proc"
    mount --rbind /dev "$system/dev"
    exec chroot "$system" env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin bash -c "$script" bash "$@"
  ' bash "$@"
}
