// The grammar by the library that editors use: each word of a text, and its scope.
const test = require('node:test');
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const oniguruma = require('vscode-oniguruma');
const { INITIAL, Registry } = require('vscode-textmate');

async function loadGrammar() {
  const wasm = fs.readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm'));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  const file = path.join(__dirname, '..', 'syntaxes', 'hcl.tmLanguage.json');
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (sources) => new oniguruma.OnigScanner(sources),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => JSON.parse(fs.readFileSync(file, 'utf8')),
  });
  return registry.loadGrammar('source.hcl');
}

// The innermost scope of the first place of `word`.
function scopeOf(grammar, text, word) {
  let stack = INITIAL;
  for (const line of text.split('\n')) {
    const result = grammar.tokenizeLine(line, stack);
    const at = line.indexOf(word);
    if (at >= 0) {
      const token = result.tokens.find((one) => one.startIndex <= at && at < one.endIndex);
      return token.scopes[token.scopes.length - 1];
    }
    stack = result.ruleStack;
  }
  return 'nowhere';
}

const cases = [
  ['variable "user" {\n}', 'variable', 'entity.name.type.hcl'],
  ['variable "user" {\n}', '"user"', 'string.quoted.double.hcl'],
  ['x = local.a', 'local', 'variable.language.hcl'],
  ['x = local.a', 'x', 'variable.other.property.hcl'],
  ['x = upper("a")', 'upper', 'entity.name.function.hcl'],
  ['x = "a${user.name}b"', 'user', 'variable.other.hcl'],
  ['x = "a${user.name}b"', 'b"', 'string.quoted.double.hcl'],
  ['x = "${ {a = 1}.a }" + other', 'other', 'variable.other.hcl'],
  ['x = <<E\ntext\nE\ny = 1', 'text', 'string.unquoted.heredoc.hcl'],
  ['x = <<E\ntext\nE\ny = 1', 'y', 'variable.other.property.hcl'],
  ['/* a\n b */ x = 1', 'b', 'comment.block.hcl'],
  ['x = [for v in m : v if v > 10]', 'for', 'keyword.control.hcl'],
  ['x = a.for', 'for', 'variable.other.property.hcl'],
  ['x = true', 'true', 'constant.language.hcl'],
  ['x = 1.5e3', '1.5e3', 'constant.numeric.hcl'],
];

test('the grammar gives each word its scope', async () => {
  const grammar = await loadGrammar();
  for (const [text, word, scope] of cases) assert.equal(scopeOf(grammar, text, word), scope, `${word} in ${text}`);
});
