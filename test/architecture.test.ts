/**
 * Who imports whom, held by reading import lines; and the bars for size.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

/** What each folder may import in addition to itself; `node` means Node's modules, `package` means packages. */
const may: Readonly<Record<string, readonly string[]>> = {
  'src/core': [],
  'src/dialects': ['src/core'],
  'src/rules': ['src/core'],
  'src/strategies': ['src/core', 'src/rules'],
  'src/providers': ['src/core', 'src/dialects', 'src/rules'],
  'src/json-bytes': [],
  'src/guard': ['src/core', 'src/dialects', 'src/providers', 'src/rules', 'src/strategies', 'src/json-bytes'],
  'src/session': ['src/core', 'src/strategies'],
  'src/stores': ['src/session', 'src/core', 'node'],
  'src/tools': ['src/core'],
  'src/agent': ['src/core', 'src/session', 'src/guard', 'src/dialects', 'src/tools'],
  'src/session-files': ['src/core', 'src/dialects', 'src/providers', 'src/rules', 'src/strategies', 'src/target.ts'],
  'src/session-files/node': ['src/core', 'src/session-files', 'node', 'package'],
  'src/integrations': [
    'src/core',
    'src/dialects',
    'src/guard',
    'src/providers',
    'src/rules',
    'src/index.ts',
    'src/session.ts',
    'package',
  ],
  'src/gateway': ['src/core', 'src/guard', 'src/json-bytes', 'src/session', 'node', 'package'],
  'src/viewer': [
    'src/core',
    'src/dialects',
    'src/providers',
    'src/rules',
    'src/session-files',
    'src/session-files/node',
    'src/strategies',
    'src/guard',
    'src/gateway',
    'src/index.ts',
    'src/target.ts',
    'node',
    'package',
  ],
  'src/testing': ['src/core', 'src/dialects', 'src/session', 'package'],
  'src/cli': [
    'src/core',
    'src/compact.ts',
    'src/dialects',
    'src/gateway',
    'src/guard',
    'src/index.ts',
    'src/rules',
    'src/session.ts',
    'src/session-files',
    'src/session-files/node',
    'src/stores',
    'src/target.ts',
    'src/viewer',
    'contract',
    'node',
    'package',
  ],
  'src/agent.ts': ['src/core', 'src/session', 'src/guard', 'src/agent', 'src/tools'],
  'src/session.ts': ['src/core', 'src/providers', 'src/rules', 'src/session', 'src/stores', 'src/target.ts'],
  'src/target.ts': ['src/core', 'src/dialects', 'src/providers', 'src/rules'],
  'src/index.ts': ['src/core', 'src/dialects', 'src/providers', 'src/rules', 'src/strategies', 'src/target.ts'],
  'src/compact.ts': ['src/core', 'src/session', 'src/strategies', 'src/target.ts'],
  contract: ['node'],
}

const files = ['src', 'contract'].flatMap((folder) => sources(join(root, folder)))

describe('imports between folders', () => {
  it.each(files.map((file) => [relative(root, file)]))('%s', (file) => {
    const home = homeOf(file)
    const allowed = may[home]
    expect(allowed, `${home} is not in the table of design: add it there and here`).toBeDefined()
    for (const other of foldersOf(join(root, file))) expect(allowed, `${file} imports ${other}`).toContain(other)
  })
})

it('every import that the table allows is made', () => {
  const made = new Set(
    files.flatMap((file) => foldersOf(file).map((other) => `${homeOf(relative(root, file))} ${other}`)),
  )
  const unused = Object.entries(may).flatMap(([home, list]) => list.map((other) => `${home} ${other}`))
  expect(unused.filter((pair) => !made.has(pair))).toEqual([])
})

describe('folders with one index', () => {
  const folders = [
    ...['http', 'recording', 'protection', 'observation'].map((name) => `src/gateway/${name}`),
    ...['doctor', 'histories', 'server', 'terminal'].map((name) => `src/cli/${name}`),
    'src/guard/streams',
  ]

  /** Dynamic imports may go past the index: what a command does not need is not loaded. */
  it.each(folders)('%s is imported through its index', (folder) => {
    const past = files
      .map((file) => relative(root, file))
      .filter((file) => dirname(file) !== folder)
      .filter((file) =>
        staticImportsOf(file).some((target) => {
          const imported = join(dirname(file), target)
          return dirname(imported) === folder && !imported.endsWith('/index.ts')
        }),
      )
    expect(past).toEqual([])
  })
})

describe('a history is read in one place', () => {
  /** These wrap the `read` of a dialect into one of their own. */
  const wrappers = ['src/integrations/langchain.ts', 'src/integrations/openai-agents-items.ts']

  it('only dialects and the transcript call `read` of a dialect', () => {
    const readers = files
      .map((file) => relative(root, file))
      .filter((file) => !file.startsWith('src/dialects/') && file !== 'src/core/transcript.ts')
      .filter((file) => /\b(?:[dD]ialect|openai\w+)\.read\(/.test(codeOf(file)))
    expect(readers.filter((file) => !wrappers.includes(file))).toEqual([])
  })

  it('only the core pairs calls with results', () => {
    const pairing = files.filter((file) => /new Pairing\(|class \w*Pairing\b/.test(readFileSync(file, 'utf8')))
    expect(pairing.map((file) => relative(root, file))).toEqual(['src/core/pairing.ts', 'src/core/transcript.ts'])
  })
})

describe('a rule can be understood alone', () => {
  const tables = ['constraints.ts', 'explanations.ts', 'index.ts']
  const rules = ['src/rules', 'src/rules/after-rejection'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.ts') && !name.includes('.test.') && !tables.includes(name))
      .map((name) => `${folder}/${name}`),
  )
  const ids = rules.map((file) => basename(file, '.ts'))

  it.each(rules)('%s imports only the core and rules/lib', (file) => {
    for (const target of importsOf(file))
      expect(target).toMatch(/^(?:(?:\.\.\/){1,2}core\/index\.ts|\.\.?\/lib\/[a-z0-9-]+\.ts)$/)
  })

  it.each(rules)('%s has at most 300 lines with all that it imports from rules/lib', (file) => {
    const lines = [...withLibrary(file)].map((one) => readFileSync(join(root, one), 'utf8').split('\n').length - 1)
    expect(lines.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(300)
  })

  it.each(rules)('%s and its helpers name no other rule and no wire key', (file) => {
    const own = basename(file, '.ts')
    for (const one of withLibrary(file)) {
      const code = codeOf(one)
      const named = ids.filter((id) => id !== own && id.includes('-') && new RegExp(`['"]${id}['"]`).test(code))
      expect(named, `${one} names other rules`).toEqual([])
      expect(
        wireKeys.filter((key) => ofNoDialect.get(one) !== key && new RegExp(`['"]${key}['"]`).test(code)),
        `${one} names wire keys`,
      ).toEqual([])
    }
  })

  /** Blocks as tool servers write them belong to no dialect. */
  const ofNoDialect = new Map([['src/rules/lib/result-blocks.ts', 'mimeType']])

  /**
   * Keys and types that belong to one wire format. `role`, `content`, `type`, `id`, `name` and `text` are common to
   * nearly all.
   */
  const wireKeys = [
    ...['tool_call_id', 'toolCallId', 'callId', 'call_id', 'tool_use_id', 'toolUseId', 'toolName', 'tool_calls'],
    ...['toolCalls', 'function_call', 'functionCall', 'function_response', 'functionResponse', 'tool_use', 'toolUse'],
    ...['tool_result', 'toolResult', 'function_call_output', 'item_reference', 'previous_response_id', 'is_error'],
    ...['inlineData', 'inline_data', 'fileData', 'file_data', 'image_url', 'media_type', 'mimeType', 'input_image'],
    ...['cache_control', 'cachePoint', 'reasoning_content', 'reasoning_details', 'redacted_thinking', 'isError'],
    ...['thoughtSignature', 'thought_signature', 'encrypted_content', 'functionDeclarations', 'systemInstruction'],
    ...['input_text', 'output_text', 'reasoningContent', 'signature_delta', 'toolCall', 'tool_call', 'parts'],
  ]
})

describe('size', () => {
  /** Lines without tests: what is added is paid for by what goes (docs/decisions/0029). Nothing is said about a single file. */
  const budgets: readonly (readonly [name: string, folders: readonly string[], lines: number])[] = [
    ['src', ['src'], 70_100],
    ['core, rules, dialects and providers', ['src/core', 'src/rules', 'src/dialects', 'src/providers'], 18_800],
  ]

  it.each(budgets)('%s is within its budget', (_name, folders, budget) => {
    const sizes = folders
      .flatMap((folder) => sources(join(root, folder)))
      .map((file) => [relative(root, file), readFileSync(file, 'utf8').split('\n').length - 1] as const)
      .sort(([, one], [, other]) => other - one)
    const total = sizes.reduce((sum, [, lines]) => sum + lines, 0)
    const largest = sizes.slice(0, 20).map(([file, lines]) => `${lines} ${file}`)
    expect(total, `${total} lines, ${budget} allowed. The largest files:\n${largest.join('\n')}`).toBeLessThanOrEqual(
      budget,
    )
  })
})

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => join(folder, name))
}

function homeOf(file: string): string {
  const [top, second, third] = file.split('/')
  if (second === 'session-files' && third === 'node') return 'src/session-files/node'
  return top === 'src' ? `src/${second}` : top!
}

/** The other folders that a file imports from; `node` and `package` as in the table. */
function foldersOf(path: string): string[] {
  const file = relative(root, path)
  const others = importsOf(file).map((target) => {
    if (target.startsWith('.')) return homeOf(join(dirname(file), target))
    return target.startsWith('node:') ? 'node' : 'package'
  })
  return others.filter((other) => other !== homeOf(file))
}

function importsOf(file: string): string[] {
  const inline = readFileSync(join(root, file), 'utf8').matchAll(/\bimport\('([^']+)'\)/g)
  return [...staticImportsOf(file), ...[...inline].map((match) => match[1]!)]
}

function staticImportsOf(file: string): string[] {
  const lines = readFileSync(join(root, file), 'utf8').matchAll(
    /^(?:import|export)\s(?:[^'`;=()]*?\sfrom\s)?'([^']+)'/gm,
  )
  return [...lines].map((match) => match[1]!)
}

/** A rule file and every file of rules/lib that it imports, directly or not. */
function withLibrary(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const target of importsOf(file)) {
    const path = join(dirname(file), target)
    if (path.startsWith('src/rules/lib/')) withLibrary(path, seen)
  }
  return seen
}

/** Without comments, and without the texts of rejections, which quote the provider. */
function codeOf(file: string): string {
  return readFileSync(join(root, file), 'utf8')
    .replace(/export const explanation: Explanation = \{[\s\S]*?\n\}\n/, '')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
}
