/** Every small change of a file: a comparison, a boundary, a condition, a number, a negation, a statement. */
import ts from 'typescript'

export interface Mutation {
  readonly line: number
  readonly from: string
  readonly to: string
  /** The whole file with the change. */
  readonly text: string
}

const OTHER: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
}

export function mutationsOf(source: string, name: string): Mutation[] {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true)
  const found: Mutation[] = []

  function add(node: ts.Node, to: string): void {
    const [start, end] = [node.getStart(file), node.getEnd()]
    const line = file.getLineAndCharacterOfPosition(start).line + 1
    const from = source.slice(start, end).replace(/\s+/g, ' ').slice(0, 80)
    found.push({ line, from, to: to.slice(0, 80), text: source.slice(0, start) + to + source.slice(end) })
  }

  function visit(node: ts.Node): void {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return
    if (ts.isBinaryExpression(node)) {
      const to = OTHER[node.operatorToken.getText(file)]
      if (to) add(node.operatorToken, to)
    }
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
      add(node, node.operand.getText(file))
    if (ts.isNumericLiteral(node)) add(node, String(Number(node.text) + 1))
    if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, 'false')
    if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, 'true')
    if (ts.isIfStatement(node)) add(node.expression, `!(${node.expression.getText(file)})`)
    if (ts.isConditionalExpression(node))
      add(node, `(${node.condition.getText(file)} ? ${node.whenFalse.getText(file)} : ${node.whenTrue.getText(file)})`)
    if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) add(node, ';')
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}
