check {}

check "deep" {}
