-- hclvm for Neovim 0.7 and later: starts `hclvm lsp` for HCL files. docs/editors.md says how to set it up.
local M = {}

-- One client for each folder of a workspace.
local clients = {}

-- The folder that holds `.git`, or the file's own.
local function root_of(file)
  local folder = vim.fn.fnamemodify(file, ':p:h')
  local git = vim.fn.finddir('.git', folder .. ';')
  return git == '' and folder or vim.fn.fnamemodify(git, ':p:h:h')
end

-- What a test says, in a window of its own.
local function show(result)
  if type(result) ~= 'table' or type(result.text) ~= 'string' then return end
  vim.lsp.util.open_floating_preview(vim.split(vim.trim(result.text), '\n'), 'text', { border = 'rounded' })
end

-- The commands of code lenses.
local function run_command(command, context)
  local client = vim.lsp.get_client_by_id(context.client_id)
  client.request('workspace/executeCommand', { command = command.command, arguments = command.arguments },
    function(err, result) if not err then show(result) end end, context.bufnr)
end

local function attach(buffer, options)
  local file = vim.api.nvim_buf_get_name(buffer)
  local root = root_of(file)
  local id = clients[root]
  if id == nil or vim.lsp.get_client_by_id(id) == nil then
    id = vim.lsp.start_client({
      name = 'hclvm',
      cmd = options.cmd or { 'hclvm', 'lsp' },
      root_dir = root,
      workspace_folders = { { uri = vim.uri_from_fname(root), name = root } },
      init_options = options.settings or vim.empty_dict(),
      commands = { ['hclvm.runTest'] = run_command, ['hclvm.explainTest'] = run_command },
      on_attach = options.on_attach,
      capabilities = options.capabilities,
    })
    clients[root] = id
  end
  if id ~= nil then vim.lsp.buf_attach_client(buffer, id) end
end

-- options.cmd: the command, { 'hclvm', 'lsp' } without it. options.settings: those of docs/editors.md. options.on_attach
-- and options.capabilities: as vim.lsp.start_client() has them.
function M.setup(options)
  options = options or {}
  local group = vim.api.nvim_create_augroup('hclvm', { clear = true })
  vim.api.nvim_create_autocmd({ 'BufRead', 'BufNewFile' }, {
    group = group,
    pattern = { '*.hcl', '*.hcldec' },
    callback = function(event)
      vim.bo[event.buf].filetype = 'hcl'
      vim.bo[event.buf].commentstring = '# %s'
      attach(event.buf, options)
    end,
  })
end

return M
