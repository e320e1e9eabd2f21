/**
 * The TypeScript examples of the docs compile, strictly, against the sources. An example
 * declares every name that it uses.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { sourceOf } from './entry-points.ts'

const ROOT = join(import.meta.dirname, '..')

/** Each example as a file in the root of the repository, so that packages resolve. */
const examples = new Map(pages().flatMap((page) => blocksOf(page)))

function pages(): readonly string[] {
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  return [
    'README.md',
    ...docs.filter((name) => name.endsWith('.md') && !name.startsWith('site')).map((name) => `docs/${name}`),
  ]
}

function blocksOf(page: string): readonly (readonly [file: string, code: string])[] {
  const blocks = [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)]
  return blocks.map(([, code = ''], i) => [
    join(ROOT, `${page.replaceAll('/', '__')}-${i + 1}.ts`),
    `${code}\nexport {}`,
  ])
}

function errors(): readonly string[] {
  const paths = Object.fromEntries(
    Object.keys(packageJson.exports)
      .filter((name) => !name.endsWith('.json'))
      .map((name) => name.replace('.', 'suture'))
      .map((name) => [name, [sourceOf(name)]]),
  )
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.es2023.d.ts', 'lib.esnext.string.d.ts', 'lib.dom.d.ts', 'lib.dom.asynciterable.d.ts'],
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    moduleDetection: ts.ModuleDetectionKind.Force,
    skipLibCheck: true,
    noEmit: true,
    paths,
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists, readFile } = host
  host.fileExists = (file) => examples.has(file) || fileExists(file)
  host.readFile = (file) => examples.get(file) ?? readFile(file)
  host.getSourceFile = (file, version, ...more) => {
    const code = examples.get(file)
    return code === undefined ? getSourceFile(file, version, ...more) : ts.createSourceFile(file, code, version, true)
  }
  const program = ts.createProgram([...examples.keys()], options, host)
  return [...examples.keys()].flatMap((file) =>
    program.getSemanticDiagnostics(program.getSourceFile(file)).flatMap((found) => textOf(file, found)),
  )
}

function textOf(file: string, { messageText, file: source, start }: ts.Diagnostic): readonly string[] {
  const name = file.slice(ROOT.length + 1).replaceAll('__', '/')
  const line = source && start !== undefined ? source.getLineAndCharacterOfPosition(start).line + 1 : 0
  return [`${name}:${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`]
}

it('every example of the docs compiles', () => {
  expect(examples.size).toBeGreaterThan(30)
  expect(errors()).toEqual([])
})
