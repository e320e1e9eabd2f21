/**
 * Functions of the sources with more than 40 lines. Each has its reason here; a new one is shortened, or gets a reason.
 * A reason that is no longer needed fails, too. A component of the viewer (`.tsx`) may have 60: most of its lines are
 * markup.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const MAX = 40
const MAX_TSX = 60

const reasons: Readonly<Record<string, string>> = {
  'src/session-files/salvage/json-scan.ts scanObject': 'a state machine: its branches share seven variables',
}

function longFunctions(file: string): readonly string[] {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const lineOf = (at: number) => source.getLineAndCharacterOfPosition(at).line
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body && ts.isBlock(node.body as ts.Node)) {
      const lines = lineOf(node.end) - lineOf(node.getStart()) + 1
      if (lines > (file.endsWith('.tsx') ? MAX_TSX : MAX)) found.push(`${file} ${nameOf(node)}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function nameOf(node: ts.Node): string {
  const named = node as { readonly name?: ts.Node }
  const parent = node.parent as { readonly name?: ts.Node }
  return (named.name ?? parent.name)?.getText() ?? '(anonymous)'
}

it('no function of src and contract is longer than 40 lines, and no component than 60, without a reason', () => {
  const files = ['src', 'contract'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.test.ts'))
      .map((name) => `${folder}/${name}`),
  )
  expect(files.flatMap(longFunctions).sort()).toEqual(Object.keys(reasons).sort())
})
