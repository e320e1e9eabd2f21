/**
 * Every regular expression of `src`: literals are read from the syntax trees, those built with `new RegExp` are
 * recorded while the modules are imported.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

export interface Found {
  readonly where: string
  readonly pattern: RegExp
}

export interface Source {
  readonly literals: readonly Found[]
  /** Places that call the constructor. */
  readonly built: readonly string[]
}

const root = fileURLToPath(new URL('../../', import.meta.url))

export function sourceFiles(): string[] {
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => join('src', file))
    .sort()
}

export function patternsIn(file: string): Source {
  const text = readFileSync(join(root, file), 'utf8')
  if (!/RegExp|\//.test(text)) return { literals: [], built: [] }
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const literals: Found[] = []
  const built: string[] = []
  const visit = (node: ts.Node): void => {
    const where = (): string => `${file}:${tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1}`
    if (ts.isRegularExpressionLiteral(node)) literals.push({ where: where(), pattern: literal(node.text) })
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText(tree) === 'RegExp')
      built.push(where())
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return { literals, built }
}

function literal(text: string): RegExp {
  const end = text.lastIndexOf('/')
  return new RegExp(text.slice(1, end), text.slice(end + 1))
}

/** What modules of `src` called the constructor with while `work` ran. */
export async function recorded(work: () => Promise<unknown>): Promise<readonly Found[]> {
  const found = new Map<string, Found>()
  const original = globalThis.RegExp
  globalThis.RegExp = new Proxy(original, {
    construct(target, [source, flags]) {
      const pattern = new target(source, flags)
      const caller = new Error().stack?.split('\n')[2] ?? ''
      const where = sourceFiles().find((file) => caller.includes(`/${file}:`))
      if (where !== undefined) found.set(`${where} ${pattern}`, { where, pattern })
      return pattern
    },
  })
  try {
    await work()
  } finally {
    globalThis.RegExp = original
  }
  return [...found.values()]
}
