/**
 * Who imports whom, held by reading import lines; and the bars for size.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

/** What each folder may import beside itself; `node` and `package` stand for Node's modules and for packages. */
const may: Readonly<Record<string, readonly string[]>> = {
  'src/core': [],
  'src/dialects': ['src/core'],
  'src/rules': ['src/core'],
  'src/strategies': ['src/core'],
  'src/providers': ['src/core', 'src/dialects', 'src/rules'],
  'src/json-bytes': [],
  'src/guard': ['src/core', 'src/dialects', 'src/providers', 'src/rules', 'src/strategies', 'src/json-bytes'],
  'src/session': ['src/core', 'src/strategies'],
  'src/stores': ['src/session', 'src/core', 'node', 'package'],
  'src/tools': ['src/core'],
  'src/agent': ['src/core', 'src/session', 'src/guard', 'src/dialects', 'src/tools'],
  'src/session-files': ['src/core', 'src/dialects', 'src/providers', 'src/rules', 'src/target.ts', 'src/index.ts'],
  'src/session-files/node': ['src/core', 'src/session-files', 'node', 'package'],
  'src/integrations': [
    'src/core',
    'src/dialects',
    'src/guard',
    'src/providers',
    'src/session',
    'src/stores',
    'src/index.ts',
    'src/session.ts',
    'src/target.ts',
    'package',
  ],
  'src/gateway': ['src/core', 'src/guard', 'src/json-bytes', 'src/session', 'src/agent', 'node', 'package'],
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
    'src/compact.ts',
    'src/index.ts',
    'src/target.ts',
    'node',
    'package',
  ],
  'src/testing': ['src/core', 'src/dialects', 'src/session', 'package'],
  'src/cli': [
    'src/core',
    'src/agent',
    'src/compact.ts',
    'src/dialects',
    'src/gateway',
    'src/guard',
    'src/index.ts',
    'src/rules',
    'src/session',
    'src/session.ts',
    'src/session-files',
    'src/session-files/node',
    'src/stores',
    'src/strategies',
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

describe('who imports whom', () => {
  it.each(files.map((file) => [relative(root, file)]))('%s', (file) => {
    const home = homeOf(file)
    const allowed = may[home]
    expect(allowed, `${home} is not in the table of design: add it there and here`).toBeDefined()
    for (const target of importsOf(file)) {
      const other = target.startsWith('.')
        ? homeOf(join(dirname(file), target))
        : target.startsWith('node:')
          ? 'node'
          : 'package'
      if (other !== home) expect(allowed, `${file} imports ${target}`).toContain(other)
    }
  })
})

describe('size', () => {
  it('no source file is longer than 250 lines', () => {
    const long = files
      .filter((file) => readFileSync(file, 'utf8').split('\n').length > 251)
      .map((file) => relative(root, file))
    expect(long).toEqual([])
  })

  it('the agent loop can be read in one sitting: at most 600 lines', () => {
    const own = files.filter((file) => homeOf(relative(root, file)) === 'src/agent')
    const lines = own.map((file) => readFileSync(file, 'utf8').split('\n').length - 1)
    expect(lines.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(600)
  })
})

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => join(folder, name))
}

function homeOf(file: string): string {
  const [top, second, third] = file.split('/')
  if (second === 'session-files' && third === 'node') return 'src/session-files/node'
  return top === 'src' ? `src/${second}` : top!
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const lines = text.matchAll(/^(?:import|export)\s(?:[^'`;=()]*?\sfrom\s)?'([^']+)'/gm)
  const inline = text.matchAll(/\bimport\('([^']+)'\)/g)
  return [...lines, ...inline].map((match) => match[1]!)
}
