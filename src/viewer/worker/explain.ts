/**
 * An error text explained, with the rows of the open conversation that it is about. Loaded when the first text is pasted.
 */
import { explain } from '../../guard/rejections/explain.ts'
import { defined } from './cells.ts'
import { explained } from './findings.ts'
import type { ExplainView } from './protocol.ts'
import type { Rows } from './rows.ts'

export function explainView(text: string, rows: Rows | undefined): ExplainView {
  const found = explain(text)
  const { kind, rule, summary, why, fix, link, ids } = found
  const places = rows?.findings.filter((one) => one.rule === rule).map(({ row }) => row) ?? []
  const named = rows && found.message !== undefined ? [rows.view.rowOfAsked[found.message] ?? -1] : []
  const at = [...new Set([...named, ...places])].filter((row) => row >= 0)
  return {
    kind,
    ...defined('rule', rule),
    says: summary,
    why,
    repair: fix,
    page: link,
    ids,
    rows: at,
    words: rule === undefined ? [] : explained(rule).words,
  }
}
