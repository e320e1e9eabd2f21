/**
 * Outside rules and providers the id of a rule is never a bare string: its declaration names `RuleId` or `Constraints`,
 * so that renaming a rule does not compile until every place has the new name.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { rules } from '../src/rules/index.ts'

const src = join(import.meta.dirname, '../src')
const ids: ReadonlySet<string> = new Set(rules.map(({ id }) => id))

function bareIds(file: string, text: string): readonly string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node, statement: ts.Node): void => {
    if (ts.isStringLiteralLike(node) && ids.has(node.text) && !/\b(RuleId|Constraints)\b/.test(statement.getText()))
      found.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${node.text}`)
    ts.forEachChild(node, (child) => visit(child, statement))
  }
  for (const statement of source.statements) visit(statement, statement)
  return found
}

it('a bare id is found, in any position', () => {
  const text =
    "const A: RuleId = 'text-blank'\nconst B = 'text-blank'\nif (rule === 'role-order') f({ 'text-blank': 1 })"
  expect(bareIds('x.ts', text)).toEqual(['x.ts:2 text-blank', 'x.ts:3 role-order', 'x.ts:3 text-blank'])
})

it('no id of a rule is a bare string', () => {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts') && !/^(rules|providers|testing)\//.test(file),
  )
  expect(files.flatMap((file) => bareIds(file, readFileSync(join(src, file), 'utf8')))).toEqual([])
})
