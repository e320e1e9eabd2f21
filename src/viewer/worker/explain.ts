/**
 * An error text explained, with the rows of the open conversation that it is about. Loaded when the first text is
 * pasted.
 */
import { explain } from '../../guard/rejections/explain.ts'
import { explained } from './findings.ts'
import type { ExplainView } from './protocol.ts'
import type { Rows } from './rows.ts'

export function explainView(text: string, rows: Rows | undefined): ExplainView {
  const found = explain(text)
  const named = rows && found.message !== undefined ? [rows.view.rowOfOriginal[found.message] ?? -1] : []
  const places = rows?.findings.filter(({ rule }) => rule === found.rule).map(({ row }) => row) ?? []
  return {
    ...found,
    rows: [...new Set([...named, ...places])].filter((row) => row >= 0),
    words: found.rule === undefined ? [] : explained(found.rule).words,
  }
}
