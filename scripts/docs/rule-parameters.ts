/** The parameters of a rule's constraint, read from the interface in the rule's file. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

export interface Parameter {
  readonly name: string
  readonly type: string
  readonly about: string
}

/** The interface is named after the rule: `tool-result-missing` has `ToolResultMissing`. */
export function ruleParameters(id: string, root: string): readonly Parameter[] {
  const path = ['src/rules', 'src/rules/after-rejection']
    .map((folder) => join(root, folder, `${id}.ts`))
    .find(existsSync)!
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const found = source.statements.find(
    (one): one is ts.InterfaceDeclaration => ts.isInterfaceDeclaration(one) && isNamedAfter(one.name.text, id),
  )
  return found ? found.members.filter(ts.isPropertySignature).map((member) => parameterOf(member, source)) : []
}

function isNamedAfter(name: string, id: string): boolean {
  return name.toLowerCase() === id.replaceAll('-', '')
}

function parameterOf(member: ts.PropertySignature, source: ts.SourceFile): Parameter {
  const about = ts
    .getJSDocCommentsAndTags(member)
    .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '')
    .join(' ')
  return {
    name: `${member.name.getText(source)}${member.questionToken ? '?' : ''}`,
    type: member.type?.getText(source).replace(/\s+/g, ' ') ?? 'unknown',
    about: about.replace(/\s+/g, ' '),
  }
}
