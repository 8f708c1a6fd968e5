// The table of commands: those of hclvm and hcldec, and what can be asked of all. Tested by
// cmd/hclvm/command_table_test.cc.

#include "hclvm/cmd/hclvm/command_table.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/cmd/hclvm/service_table.h"

namespace hcl::cmd {

using internal::ToAbsl;
namespace {

constexpr std::string_view kExitStatus =
    "0: success. 1: the input is wrong, which diagnostics on standard error explain, or the output cannot be written. "
    "2: wrong usage. 3: a limit was reached.";

// Options that several commands have.
constexpr Option kVersion[] = {{"--version", "-v", "", "print the version", ""}};
constexpr Option kCheckAll[] = {
    {"--check-all", "", "", "look at all variables of a module, not only at those it needs", ""}};
constexpr Option kShowSensitive[] = {
    {"--show-sensitive", "", "", "print sensitive values, and not that they are hidden", ""}};
constexpr Option kUnknownInput[] = {
    {"--unknown-input", "", "error|near|ignore",
     "names that a module does not declare; near: a warning, where they are nearly one that is missing", "near"}};
constexpr Option kModule[] = {{"--module", "-m", "FILE", "a CONFIG that is a module; a directory always is one", ""}};
constexpr Option kModuleOf[] = {
    {"--module", "-m", "FILE|NAME",
     "a CONFIG that is a module; or, beside a CONFIG that is a bundle, the name of one of its modules", ""}};
constexpr Option kModuleOfBundles[] = {
    {"--module", "-m", "NAME", "the module, where OLD and NEW are bundles of several", ""}};
constexpr Option kSpecDialect[] = {
    {"--dialect", "", "spec|hashicorp", "whose text decides where the specification and the reference differ", "spec"}};
constexpr Option kReferenceDialect[] = {{"--dialect", "", "spec|hashicorp",
                                         "whose text decides where the specification and the reference differ",
                                         "hashicorp"}};
constexpr Option kDiagnostics[] = {
    {"--diagnostics", "", "text|json", "how errors are written to standard error", "text"}};
constexpr Option kLimit[] = {{"--limit", "", "NAME=NUMBER", "change a limit, such as max_fuel", "", true}};

constexpr Option kData[] = {
    {"--data", "-d", "FILE.json|DIR", "variables for all lines: an object in FILE.json, or each NAME.json in DIR", "",
     true},
    {"--data-default", "", "NAME", "a variable of --data that a line may replace", "", true},
};
constexpr Option kRun[] = {
    {"--scopes", "-s", "FILE.ndjson", "the variables: one JSON object a line; also gzip; required", ""},
    {"--entry", "-e", "PATH", "evaluate only this attribute, such as policy.admin.allow; several: {\"values\": {...}}",
     "", true},
    {"--threads", "-j", "N", "worker threads; 0: as many as there are cores", "1"},
    {"--timeout", "", "MS", "milliseconds that each line may take", ""},
    {"--output", "-o", "ndjson|json|text", "ndjson: a line for each; json: an array of them; text: the values alone",
     "ndjson"},
    {"--typed", "", "", "print {\"type\": T, \"value\": V} for {\"value\": ...}", ""},
    {"--quiet", "-q", "", "no summary", ""},
};
constexpr Option kEval[] = {
    {"--expression", "-e", "EXPR", "the expression to evaluate", ""},
    {"--vars", "", "FILE.json", "variables: a JSON object, name to value", ""},
    {"--var", "", "NAME=EXPR", "one variable; its expression sees those given before it", "", true},
    {"--entry", "", "PATH", "evaluate only this attribute of the config, such as policy.admin.allow", ""},
    {"--typed", "", "", "print {\"type\": T, \"value\": V}", ""},
};
constexpr Option kCheck[] = {
    {"--syntax", "", "", "look at the syntax alone", ""},
    {"--strict", "", "", "warnings are errors", ""},
    {"--variables", "", "FILE.hcl", "variable blocks for plain configs, whose names are looked at then", ""},
    {"--functions", "", "FILE.json", "functions of the host, as hclvm functions --output json describes them", ""},
    {"--spec", "", "FILE.hcldec", "look at configs by a spec file, as hclvm decode does; a DIR is one config", ""},
    {"--show-types", "", "", "print what is known of the types of variables, locals, functions and attributes", ""},
    {"--infer-from", "", "FILE.ndjson", "print variable blocks that fit all lines of scopes, and check nothing", ""},
    {"--diagnostics", "", "text|json|sarif", "how findings are written", "text"},
};
constexpr Option kExplain[] = {
    {"--scopes", "-s", "FILE.ndjson", "recorded requests: one JSON object of variables a line; also gzip", ""},
    {"--line", "", "N", "the request in that line", "1"},
    {"--log", "", "FILE", "in place of --scopes: a decision log of hclvm-serve; also gzip", ""},
    {"--id", "", "ID", "the decision of the log", ""},
    {"--entry", "-e", "PATH", "explain only this attribute, such as policy.admin.allow", "", true},
    {"--full", "", "", "print each sub-expression with its values as well", ""},
    {"--format", "", "text|json|html", "how explanations are written; json: a line for each attribute", "text"},
    {"--functions", "", "FILE.json", "functions of the host, as hclvm functions --output json describes them", ""},
};
constexpr Option kCoverage[] = {
    {"--scopes", "-s", "FILE", "recorded requests, or a decision log of hclvm-serve; also gzip; required", "", true},
    {"--entry", "-e", "PATH", "evaluate only this attribute for each request; a decision names its own", "", true},
    {"--threads", "-j", "N", "worker threads; 0: as many as there are cores", "1"},
    {"--format", "", "text|json|lcov|cobertura|html", "how the coverage is written", "text"},
    {"--output", "-o", "FILE", "write the coverage there instead of to standard output", ""},
    {"--fail-under", "", "PERCENT", "exit with 1 where coverage is less", ""},
    {"--functions", "", "FILE.json", "functions of the host, as hclvm functions --output json describes them", ""},
};
constexpr Option kTest[] = {
    {"--run", "", "REGEX", "only cases whose names, such as roles/owner, hold a match", ""},
    {"--list", "", "", "print the names of the cases, and run none", ""},
    {"--fail-fast", "", "", "skip the rest once a case has failed", ""},
    {"--threads", "-j", "N", "worker threads; 0: as many as there are cores", "1"},
    {"--update", "", "", "write recorded answers that differ anew, and show what has changed", ""},
    {"--watch", "", "", "run again whenever a file has changed, until it is stopped", ""},
    {"--format", "", "text|json|junit|tap", "how results are written; json: a line for each case", "text"},
    {"--junit", "", "FILE", "write JUnit's XML there as well", ""},
    {"--coverage", "", "", "print which outcomes the decisions of the modules have had", ""},
    {"--coverage-format", "", "text|json|lcov|cobertura|html", "how coverage is written", "text"},
    {"--coverage-output", "", "FILE", "write coverage there instead of to standard output", ""},
    {"--fail-under", "", "PERCENT", "exit with 1 where coverage is less", ""},
    {"--shard", "", "NUMBER/COUNT", "run one of COUNT parts of the cases; numbers begin with 0", ""},
    {"--functions", "", "FILE.json", "functions of the host, as hclvm functions --output json describes them", ""},
    {"--unknown-input", "", "error|near|ignore", "names in requests that a module does not declare", "error"},
};
constexpr Option kRequests[] = {
    {"--scopes", "-s", "FILE.ndjson", "the requests: a JSON object of variables a line; or compressed by gzip", ""},
    {"--log", "", "FILE", "the requests of a decision log of hclvm-serve; or compressed by gzip", ""},
    {"--log-module", "", "NAME", "only decisions of this module of the log, such as billing", ""},
    {"--partial", "", "", "also decisions whose variables the log has in part", ""},
};
constexpr Option kDiff[] = {
    {"--entry", "-e", "PATH", "compare only this attribute", "", true},
    {"--threads", "-j", "N", "worker threads; 0: as many as there are cores", "1"},
    {"--format", "", "text|markdown|json", "how the report is written; markdown: for a merge request", "text"},
};
constexpr Option kBench[] = {
    {"--entry", "-e", "PATH", "measure only this attribute", "", true},
    {"--time", "", "MS", "milliseconds for each entry", "500"},
    {"--against", "", "FILE.json", "compare with another run, which --format json has written", ""},
    {"--format", "", "text|json", "how the report is written", "text"},
};
constexpr Option kProfile[] = {
    {"--entry", "-e", "PATH", "evaluate only this attribute", "", true},
    {"--time", "", "MS", "milliseconds of sampling where the time goes", "1000"},
    {"--lines", "", "N", "lines of source that the text shows", "30"},
    {"--format", "", "text|json|html", "how the report is written; html: with a flame graph", "text"},
};
constexpr Option kBundleBuild[] = {
    {"--output", "-o", "FILE", "the archive to write, such as bundle.tar.gz; -: standard output; required", ""},
    {"--revision", "", "TEXT", "the revision, in place of that in the manifest of the directory", ""},
    {"--test", "", "", "run the tests of all modules, and write nothing where one fails", ""},
    {"--strict", "", "", "warnings are errors", ""},
};
constexpr Option kBundleSign[] = {
    {"--key", "-k", "FILE", "the ed25519 private key, in PEM; required", ""},
    {"--output", "-o", "FILE", "write the signed archive there, and leave the bundle as it is", ""},
};
constexpr Option kBundleVerify[] = {
    {"--key", "-k", "FILE", "ed25519 public keys in PEM, of which one has to have signed; required", "", true},
};
constexpr Option kBundleReport[] = {
    {"--format", "", "text|json", "how the report is written", "text"},
};
constexpr Option kConvert[] = {
    {"--to", "", "json|native", "the syntax to write; a FILE that ends in .json becomes native by itself, others JSON",
     ""},
    {"--spec", "", "FILE.hcldec", "a spec file, which says what is a block in JSON", ""},
};
constexpr Option kRepl[] = {
    {"--scopes", "-s", "FILE.ndjson", "requests, one JSON object a line; the first one is taken", ""},
    {"--expression", "-e", "EXPR", "answer this input, and end", "", true},
    {"--timeout", "", "MS", "milliseconds that each input may take", ""},
};
constexpr Option kFmt[] = {
    {"--write", "-w", "", "write files that are laid out otherwise anew, and print their names", ""},
    {"--check", "", "", "print the names of files that are laid out otherwise, which gives exit status 1", ""},
    {"--diff", "-d", "", "print what would change", ""},
};
constexpr Option kDecode[] = {
    {"--spec", "-s", "FILE.hcldec", "the spec file (required)", ""},
    {"--vars", "-V", "JSON|FILE|NAME=EXPR", "variables: a JSON object, a file of arguments, or one of them", "", true},
    {"--out", "-o", "FILE", "write there instead of to standard output", ""},
    {"--var-refs", "", "", "do not decode, but list the references to variables", ""},
    {"--keep-nulls", "", "", "keep properties that are null", ""},
};
// The names of the reference's program.
constexpr Option kDecodeAsReference[] = {
    {"--diags", "", "json", "write diagnostics as JSON", ""},
    {"--with-type", "", "", "print {\"type\": T, \"value\": V}", ""},
};
constexpr Option kDecodeMore[] = {
    {"--typed", "", "", "print {\"type\": T, \"value\": V}", ""},
    {"--scopes", "", "FILE.ndjson", "variables: one JSON object a line; they hide those of --vars", ""},
    {"--dynamic", "", "", "expand dynamic blocks", ""},
    {"--threads", "-j", "N", "worker threads for scopes; 0: as many as there are cores", "1"},
    {"--quiet", "-q", "", "no summary of scopes", ""},
};
constexpr Option kDisasm[] = {
    {"--expression", "-e", "EXPR", "compile this expression", ""},
    {"--no-optimize", "", "", "compile without folding and skipping", ""},
};
constexpr Option kFunctions[] = {
    {"--output", "-o", "text|markdown|json",
     "markdown: all of them as docs/functions.md has them; json: all of them as hclvm check --functions reads them",
     "text"},
};
constexpr Option kManual[] = {
    {"--into", "", "DIR", "write all pages there, as man1/hclvm.1 and so on", ""},
};

constexpr OldOption kOldOptions[] = {
    {"hclvm", "check", "--format", "--diagnostics", ""},
    {"hclvm", "decode", "--diags", "--diagnostics", ""},
    {"hclvm", "decode", "--with-type", "--typed", "", true},
    {"hclvm", "functions", "--json", "--output", "json", true},
    {"hclvm", "functions", "--markdown", "--output", "markdown", true},
    {"hclvm-serve", "", "--max-fuel", "--limit", "max_fuel="},
    {"hclvm-serve", "", "--max-memory", "--limit", "max_result_bytes="},
    {"hclvm-envoy", "", "--max-fuel", "--limit", "max_fuel="},
    {"hclvm-envoy", "", "--max-memory", "--limit", "max_result_bytes="},
};

std::vector<Command> MakeCommands() {
  std::vector<Command> commands = {
      {"hclvm",
       "",
       "COMMAND [arguments]",
       "",
       "compile HCL once and evaluate it many times",
       "HCL (HashiCorp configuration language), compiled once and evaluated many times.",
       {kVersion},
       kExitStatus,
       ""},
      {"hclvm",
       "run",
       "CONFIG --scopes FILE.ndjson [options]",
       "FILE|DIR",
       "compile a config and evaluate it for every line of a file of scopes",
       "Compiles CONFIG once and evaluates it for every line of FILE, a JSON object of variables. Prints one line of "
       "JSON for each, in order: {\"value\": ...} or {\"diagnostics\": [...]}; a bad line does not stop the others. A "
       "summary goes to standard error, and on a terminal the progress before it. \"-\" is standard input.",
       {kRun, kData, kShowSensitive, kCheckAll, kUnknownInput, kModule, kSpecDialect, kDiagnostics, kLimit},
       kExitStatus,
       "hclvm run examples/access --scopes examples/access/requests.ndjson --entry policy.access.decision\n"
       "echo '{\"user\": {\"name\": \"ann\"}}' | hclvm run policy.hcl --scopes - --output text\n"},
      {"hclvm",
       "eval",
       "[-e EXPR | FILE] [options]",
       "FILE|DIR",
       "evaluate one expression or config",
       "Evaluates an expression, or the config in FILE (\"-\" is standard input), and prints its value as JSON.",
       {kEval, kShowSensitive, kCheckAll, kUnknownInput, kModule, kSpecDialect, kDiagnostics, kLimit},
       kExitStatus,
       "hclvm eval -e '[for n in range(5) : n * n]'\n"
       "hclvm eval -e 'upper(name)' --var 'name=\"ann\"'\n"},
      {"hclvm",
       "check",
       "DIR|FILE... [options]",
       "FILE|DIR",
       "say what is wrong with modules and configs before they run",
       "Says what is wrong with modules and configs before they run: syntax, functions, numbers of arguments, and for "
       "modules names, types and nulls. A DIR is a module, or a directory of modules; a FILE is a plain config.",
       {kCheck, kModule, kSpecDialect, kLimit},
       "0: no errors. 1: errors. 2: wrong usage. 3: a limit was reached.",
       "hclvm check policies\n"
       "hclvm check --infer-from requests.ndjson >variables.hcl\n"},
      {"hclvm",
       "test",
       "[DIR|FILE.test.hcl]... [options]",
       "FILE|DIR",
       "run the tests of modules",
       "Runs the tests in the files *.test.hcl of modules, which docs/testing.md describes. A DIR is a module, or a "
       "directory of modules; without one, it is the working directory. Prints each case that fails, and a line that "
       "counts all.",
       {kTest, kShowSensitive, kCheckAll, kSpecDialect, kDiagnostics, kLimit},
       "0: all cases have passed. 1: a case has failed, or a file is wrong. 2: wrong usage. 3: a limit was reached.",
       "hclvm test examples/testing\n"
       "hclvm test policies --run 'locked' --format junit >results.xml\n"},
      {"hclvm",
       "diff",
       "OLD NEW --scopes FILE|--log FILE [options]",
       "FILE|DIR",
       "compare the answers of two versions to recorded requests",
       "Evaluates two versions of a config over the same requests, and says which answers differ: how many of each "
       "entry, "
       "grouped by what was answered before and after, with an example, and which fail now. docs/diff.md describes it.",
       {kRequests, kData, kDiff, kShowSensitive, kModuleOfBundles, kSpecDialect, kDiagnostics, kLimit},
       "0: nothing differs. 1: an answer differs, an entry is gone or new, or an input is wrong. 2: wrong usage. 3: a "
       "limit was reached.",
       "hclvm diff old/policy new/policy --scopes requests.ndjson\n"
       "hclvm diff old/policy new/policy --log decisions.log.gz --format markdown\n"},
      {"hclvm",
       "bench",
       "CONFIG --scopes FILE|--log FILE [options]",
       "FILE|DIR",
       "measure what an evaluation of each entry costs",
       "Evaluates each entry of CONFIG over recorded requests, again and again in one thread, and prints nanoseconds, "
       "allocations and fuel of one evaluation. Of the requests, the first 10,000 are taken.",
       {kRequests, kData, kBench, kModuleOf, kSpecDialect, kDiagnostics, kLimit},
       "0: success. 1: with --against, an entry is slower; or an input is wrong. 2: wrong usage. 3: a limit was "
       "reached.",
       "hclvm bench policies --scopes requests.ndjson --format json >before.json\n"
       "hclvm bench policies --scopes requests.ndjson --against before.json\n"},
      {"hclvm",
       "profile",
       "CONFIG --scopes FILE|--log FILE [options]",
       "FILE|DIR",
       "say where the fuel and the time of evaluations go",
       "Evaluates CONFIG over recorded requests, and says of each line of source how often it runs, its fuel and its "
       "share of the time; where fast code is left, and because of what value; which locals no request reads; and "
       "which "
       "requests take the most fuel. Of the requests, the first 10,000 are taken.",
       {kRequests, kData, kProfile, kModuleOf, kSpecDialect, kDiagnostics, kLimit},
       kExitStatus,
       "hclvm profile policies --scopes requests.ndjson\n"
       "hclvm profile policies --log decisions.log.gz --format html >profile.html\n"},
      {"hclvm",
       "fmt",
       "[FILE|DIR|-]... [options]",
       "FILE|DIR",
       "lay configs out in the canonical way",
       "Lays configs of the native syntax out in the canonical way, which docs/formatting.md describes: only blanks "
       "change, and what does not parse stays as it is. A DIR stands for the files *.hcl in it and in its folders, "
       "without hidden ones. Without a FILE, or for \"-\", it reads standard input. Prints the result, unless an "
       "option says what else to do.",
       {kFmt, kDiagnostics, kLimit},
       "0: success. 1: a file is wrong, or --check has found one that is laid out otherwise. 2: wrong usage. 3: a "
       "limit was reached.",
       "hclvm fmt -w policies\n"
       "hclvm fmt --check --diff policies\n"},
      {"hclvm",
       "repl",
       "[DIR | --module FILE] [options]",
       "DIR",
       "answer expressions one after the other",
       "Reads expressions, and prints the value of each as JSON. With a DIR they read what the module's own read: its "
       "variables, locals and functions; the name of an entry gives its value. Inputs that begin with a colon are "
       "commands, which :help lists. On a terminal, lines can be edited and completed, and Ctrl-C interrupts an "
       "evaluation; from a pipe, each line is an input, unless a bracket is open. docs/repl.md describes it.",
       {kRepl, kShowSensitive, kModule, kSpecDialect, kLimit},
       "0: each input has a value, or it was a terminal. 1: an input is wrong. 2: wrong usage. 3: a limit was reached.",
       "hclvm repl policies --scopes requests.ndjson\n"
       "echo 'upper(\"a\")' | hclvm repl\n"},
      {"hclvm",
       "bundle",
       "build|keygen|sign|verify|inspect|diff ...",
       "",
       "make, sign and look at bundles of the service",
       "Makes the archives that hclvm-serve loads, signs and verifies them, says what is in one, and what another one "
       "changes. docs/service.md describes bundles.",
       {},
       kExitStatus,
       "hclvm bundle build policies --revision 7 --test --output bundle.tar.gz\n"
       "hclvm bundle sign bundle.tar.gz --key private.pem\n"},
      {"hclvm",
       "bundle build",
       "DIR --output FILE [options]",
       "DIR",
       "make an archive of a directory",
       "Writes the files in DIR as a tar.gz, with a manifest that has the revision and the checksums of all of them. "
       "The same files make the same bytes. Where the service would refuse the bundle, or hclvm check finds an error "
       "in a module, nothing is written. A manifest.json in DIR gives revision, roots and metadata; its checksums are "
       "made anew, and a signature is left out.",
       {kBundleBuild, kDiagnostics},
       "0: the archive is written. 1: something is wrong with the bundle, or a test fails. 2: wrong usage. 3: a limit "
       "was reached.",
       "hclvm bundle build policies --revision 7 --test --output bundle.tar.gz\n"},
      {"hclvm",
       "bundle keygen",
       "PRIVATE.pem PUBLIC.pem",
       "FILE",
       "make a pair of keys",
       "Makes a pair of ed25519 keys, in PEM: one to sign with, which only its user can read, and one for "
       "hclvm-serve --require-signature. Prints the name of the key. Both files must be new.",
       {},
       kExitStatus,
       "hclvm bundle keygen private.pem public.pem\n"},
      {"hclvm",
       "bundle sign",
       "DIR|FILE --key FILE [options]",
       "FILE|DIR",
       "sign a bundle",
       "Signs the manifest of a bundle, which has the checksums of everything else: manifest.json.sig is written into "
       "the archive, or into the directory. A signature that is there is replaced.",
       {kBundleSign},
       kExitStatus,
       "hclvm bundle sign bundle.tar.gz --key private.pem\n"},
      {"hclvm",
       "bundle verify",
       "DIR|FILE --key FILE [options]",
       "FILE|DIR",
       "say whether a bundle is whole and signed by a key",
       "Looks at the archive, the checksums and the signature of a bundle, as hclvm-serve --require-signature does, "
       "and "
       "prints the revision and the name of the key that has signed. A file can have several keys.",
       {kBundleVerify},
       "0: one of the keys has signed all of it. 1: the bundle is damaged, not signed, or not by these keys. 2: wrong "
       "usage. 3: a limit was reached.",
       "hclvm bundle verify bundle.tar.gz --key public.pem\n"
       "hclvm bundle verify bundle.tar.gz --key old.pem --key new.pem\n"},
      {"hclvm",
       "bundle inspect",
       "DIR|FILE [options]",
       "FILE|DIR",
       "say what is in a bundle",
       "Prints the revision of a bundle, its modules with the types of their variables and entries, and its files with "
       "sizes and digests.",
       {kBundleReport, kDiagnostics},
       kExitStatus,
       "hclvm bundle inspect bundle.tar.gz\n"
       "hclvm bundle inspect bundle.tar.gz --format json\n"},
      {"hclvm",
       "bundle diff",
       "OLD NEW [options]",
       "FILE|DIR",
       "say what another bundle changes",
       "Compares two bundles, and prints what has changed: of the manifest, modules, entries and variables with their "
       "types, and files. What becomes of answers is what hclvm diff says.",
       {kBundleReport, kDiagnostics},
       "0: the same. 1: something differs, or the input is wrong. 2: wrong usage. 3: a limit was reached.",
       "hclvm bundle diff old.tar.gz bundle.tar.gz\n"},
      {"hclvm",
       "convert",
       "[FILE|-] [options]",
       "FILE",
       "write a config of the native syntax in JSON, or the other way",
       "Writes a config in the other of HCL's two syntaxes, with the same meaning, to standard output. Says what has "
       "no "
       "counterpart there. JSON does not tell blocks from attributes: a spec file (--spec) or the declarations of a "
       "module (--module FILE) say what is a block, and without them each property is an attribute. "
       "docs/converting.md describes it.",
       {kConvert, kModule, kSpecDialect, kDiagnostics, kLimit},
       kExitStatus,
       "hclvm convert policy.hcl >policy.hcl.json\n"
       "hclvm convert --module variables.hcl.json\n"
       "hclvm convert --spec service.hcldec service.json\n"},
      {"hclvm",
       "lsp",
       "[--help]",
       "",
       "serve an editor as a language server",
       "Speaks the Language Server Protocol 3.17 over standard input and output, for editors that start it: "
       "diagnostics, completion, hover, definitions, renaming, formatting and more. docs/editors.md says how editors "
       "are set up.",
       {},
       "0: the editor has ended the session. 1: the session has broken off. 2: wrong usage.",
       ""},
      {"hclvm",
       "decode",
       "--spec FILE [options] [FILE ...]",
       "FILE",
       "decode configs by a spec file, as hcldec does",
       "Decodes configs by a spec file, and prints JSON, as the program hcldec does: exit status 2 stands for "
       "diagnostics. With --scopes, compiles them once and prints a line of JSON for each line of scopes, as hclvm run "
       "does. Without a FILE, or for \"-\", it reads standard input.",
       {kDecode, kVersion, kReferenceDialect, kDiagnostics, kDecodeMore},
       "0: success. 1: a file cannot be written, or the value has no form in JSON. 2: diagnostics, or wrong usage. "
       "With "
       "--scopes, that of hclvm run.",
       "hclvm decode --spec service.hcldec service.hcl\n"},
      {"hclvm",
       "disasm",
       "[-e EXPR | CONFIG] [options]",
       "FILE|DIR",
       "show the bytecode of a config or expression",
       "Prints the program that an expression or a config (\"-\" is standard input) compiles to: its variables and, "
       "for each chunk, its instructions. docs/bytecode.md explains them.",
       {kDisasm, kModule, kSpecDialect, kDiagnostics, kLimit},
       kExitStatus,
       "hclvm disasm -e 'user.age >= 18'\n"},
      {"hclvm",
       "doc",
       "DIR | --module FILE [options]",
       "FILE|DIR",
       "describe what a module declares, as Markdown",
       "Prints what a module declares as Markdown: its variables with types, defaults and validations, its locals and "
       "functions, and its entries with the variables that each needs. Of a plain config, the names of variables and "
       "entries.",
       {kModule, kSpecDialect, kDiagnostics, kLimit},
       kExitStatus,
       "hclvm doc policies >policies/README.md\n"},
      {"hclvm",
       "explain",
       "CODE... | CONFIG --scopes FILE [options]",
       "FILE|DIR",
       "say what a diagnostic means, or why values are what they are",
       "Prints what docs/diagnostics.md says of a code, such as HCL3201: a mistake that gives it, and what to do. With "
       "a CONFIG, prints why its attributes have the values that they have for a recorded request: which rule, operand "
       "or branch has decided (docs/explain.md).",
       {kExplain, kData, kShowSensitive, kCheckAll, kUnknownInput, kModuleOf, kSpecDialect, kDiagnostics, kLimit},
       kExitStatus,
       "hclvm explain HCL3201\n"
       "hclvm explain policies --scopes requests.ndjson --line 7 --entry allow\n"
       "hclvm explain policies --log decisions.log --id 0f650fc3-473e-4d3e-8f99-db60863d5bea\n"},
      {"hclvm",
       "coverage",
       "CONFIG --scopes FILE [options]",
       "FILE|DIR",
       "say which outcomes decisions have had in recorded requests",
       "Evaluates CONFIG for recorded requests or decisions, and prints which outcomes its decisions have had: "
       "conditions, operands of && and ||, filters, attempts of try, and rules of tables (docs/testing.md).",
       {kCoverage, kData, kCheckAll, kUnknownInput, kModuleOf, kSpecDialect, kDiagnostics, kLimit},
       "0: success. 1: the input is wrong, or coverage is less than --fail-under. 2: wrong usage. 3: a limit was "
       "reached.",
       "hclvm coverage policies --scopes requests.ndjson\n"
       "hclvm coverage policies --scopes decisions.log.gz --threads 0 --format html --output coverage.html\n"},
      {"hclvm",
       "functions",
       "[NAME]... [options]",
       "NAME",
       "list and describe the functions that expressions can call",
       "Lists the functions that expressions can call, or describes some of them.",
       {kFunctions},
       kExitStatus,
       "hclvm functions\n"
       "hclvm functions cidrsubnet\n"},
      {"hclvm",
       "completion",
       "SHELL [PROGRAM]",
       "bash|zsh|fish",
       "print the completions of a shell",
       "Prints a script by which bash, zsh or fish completes commands, options and their values: of PROGRAM, or of all "
       "programs. An installed hclvm has them in place already.",
       {},
       kExitStatus,
       "source <(hclvm completion bash)\n"
       "hclvm completion zsh >~/.zfunc/_hclvm\n"
       "hclvm completion fish hclvm >~/.config/fish/completions/hclvm.fish\n"},
      {"hclvm",
       "manual",
       "[PAGE] [--into DIR]",
       "NAME",
       "print a manual page, or write all of them",
       "Prints the manual page PAGE, such as hclvm-run, in the form that man reads; hclvm without one. An installed "
       "hclvm has them in place already.",
       {kManual},
       kExitStatus,
       "hclvm manual hclvm-run | man -l -\n"},
      {"hcldec",
       "",
       "--spec=FILE [options] [FILE ...]",
       "FILE",
       "decode HCL configs by a spec file",
       "Decodes configs by a spec file, and prints JSON. Without a FILE, or for \"-\", it reads standard input.",
       {kDecode, kDecodeAsReference, kVersion},
       "0: success. 1: a file cannot be written, or the value has no form in JSON. 2: diagnostics, or wrong usage.",
       "hcldec --spec=service.hcldec service.hcl\n"},
  };
  AddServiceCommands(&commands);
  return commands;
}

bool IsWord(std::string_view alternative) {
  return !alternative.empty() &&
         std::all_of(alternative.begin(), alternative.end(), [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; });
}

}  // namespace

const std::vector<Command>& Commands() {
  static const std::vector<Command>& commands = *new std::vector<Command>(MakeCommands());
  return commands;
}

const Command& FindCommand(std::string_view program, std::string_view name) {
  const std::vector<Command>& all = Commands();
  return *std::find_if(all.begin(), all.end(),
                       [&](const Command& command) { return command.program == program && command.name == name; });
}

absl::Span<const OldOption> OldOptions() { return kOldOptions; }

const OldOption* FindOldOption(const Command& command, std::string_view name) {
  const auto* const found = std::find_if(std::begin(kOldOptions), std::end(kOldOptions), [&](const OldOption& old) {
    return old.program == command.program && old.command == command.name && old.old_name == name;
  });
  return found == std::end(kOldOptions) ? nullptr : found;
}

std::vector<const Command*> CommandsOf(std::string_view program) {
  std::vector<const Command*> found;
  for (const Command& command : Commands()) {
    const bool is_command = !command.name.empty() && command.name.find(' ') == std::string_view::npos;
    if (command.program == program && is_command) found.push_back(&command);
  }
  return found;
}

std::vector<const Command*> CommandsOf(const Command& command) {
  if (command.name.empty()) return CommandsOf(command.program);
  std::vector<const Command*> found;
  for (const Command& one : Commands()) {
    const bool is_below = one.name.size() > command.name.size() && one.name[command.name.size()] == ' ' &&
                          one.name.substr(0, command.name.size()) == command.name;
    if (one.program == command.program && is_below) found.push_back(&one);
  }
  return found;
}

std::string_view LastName(const Command& command) { return command.name.substr(command.name.rfind(' ') + 1); }

std::string FullName(const Command& command) {
  return absl::StrCat(ToAbsl(command.program), command.name.empty() ? "" : " ", ToAbsl(command.name));
}

std::vector<const Option*> OptionsOf(const Command& command) {
  std::vector<const Option*> options;
  for (const absl::Span<const Option> group : command.options) {
    for (const Option& option : group) options.push_back(&option);
  }
  return options;
}

std::string FullHelp(const Option& option) {
  std::string help(option.help);
  if (option.repeats) absl::StrAppend(&help, "; can be repeated");
  if (!option.default_value.empty()) absl::StrAppend(&help, " (", ToAbsl(option.default_value), ")");
  return help;
}

std::vector<std::string_view> Alternatives(std::string_view placeholder) {
  std::vector<std::string_view> found;
  while (!placeholder.empty()) {
    const size_t end = std::min(placeholder.find('|'), placeholder.size());
    found.push_back(placeholder.substr(0, end));
    placeholder.remove_prefix(std::min(end + 1, placeholder.size()));
  }
  return found;
}

Offer OfferFor(std::string_view placeholder) {
  Offer offer;
  for (const std::string_view alternative : Alternatives(placeholder)) {
    if (IsWord(alternative)) offer.words.push_back(alternative);
    if (alternative == "DIR") offer.directories = true;
    if (alternative.substr(0, 4) == "FILE") offer.files = true;
  }
  return offer;
}

}  // namespace hcl::cmd
