/** Every export of every entry point has a comment: the API reference is made from them. */
import { join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { sourceOf } from './entry-points.ts'

const root = join(import.meta.dirname, '..')
const names = Object.keys(packageJson.exports).filter((name) => !name.endsWith('.json'))

it('every export of every entry point has a comment that says what it does', () => {
  const files = names.map((name) => sourceOf(name.replace('.', 'suture')))
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const program = ts.createProgram(files, ts.parseJsonConfigFileContent(config, ts.sys, root).options)
  const checker = program.getTypeChecker()
  const exported = files.flatMap((file) => {
    const entryPoint = checker.getSymbolAtLocation(program.getSourceFile(file)!)!
    return checker.getExportsOfModule(entryPoint).map((symbol) => ({ file, symbol }))
  })
  expect(exported.length).toBeGreaterThan(400)
  const without = exported.filter(({ symbol }) => commentOf(checker, symbol) === '')
  expect(without.map(({ file, symbol }) => `${file.slice(root.length + 1)}: ${symbol.name}`)).toEqual([])
})

/** The comment of the declaration, also where an entry point exports it under another name. */
function commentOf(checker: ts.TypeChecker, symbol: ts.Symbol): string {
  const declared = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  return ts.displayPartsToString(declared.getDocumentationComment(checker)).trim()
}
