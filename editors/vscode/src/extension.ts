// Starts `hclvm lsp` for HCL files, and shows what tests say.
import * as vscode from 'vscode';
import { ExecuteCommandRequest, LanguageClient } from 'vscode-languageclient/node';

let client: LanguageClient | undefined;

interface TestResult {
  passed: boolean;
  text: string;
}

// The commands of code lenses: the server runs the test, and its text is shown.
async function runOnServer(command: string, output: vscode.OutputChannel, args: unknown[]): Promise<void> {
  const result = (await client?.sendRequest(ExecuteCommandRequest.type, { command, arguments: args })) as TestResult | null;
  if (!result) return;
  output.clear();
  output.append(result.text);
  output.show(true);
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const command = vscode.workspace.getConfiguration('hclvm').get<string>('command', 'hclvm');
  const output = vscode.window.createOutputChannel('hclvm tests');
  client = new LanguageClient(
    'hclvm',
    'hclvm',
    { command, args: ['lsp'] },
    {
      documentSelector: [{ language: 'hcl' }],
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher('**/*.{hcl,hcldec,json}') },
      middleware: {
        workspace: {
          // The program's own setting is none of the server's, and an empty text stands for none.
          configuration: async (params, token, next) => {
            const sections = await next(params, token);
            if (!Array.isArray(sections)) return sections;
            return sections.map((section) => {
              const { command: _, ...settings } = { ...section } as Record<string, unknown>;
              return settings;
            });
          },
        },
        // The client would register the server's commands itself, without showing what they give.
        executeCommand: async (name, args) => runOnServer(name, output, args),
      },
    },
  );
  context.subscriptions.push(output);
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (!event.affectsConfiguration('hclvm')) return;
      const { command: _, ...settings } = { ...vscode.workspace.getConfiguration('hclvm') } as Record<string, unknown>;
      const own = Object.fromEntries(Object.entries(settings).filter(([, value]) => typeof value !== 'function'));
      await client?.sendNotification('workspace/didChangeConfiguration', { settings: { hclvm: own } });
    }),
  );
  await client.start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
