/**
 * Converts a history of any dialect to the shorthand: roles, calls, results, and which results are synthetic.
 */
import { causes, causeText, type Dialect, type Part } from '../src/core/index.ts'

const made = new Set(causes.map(causeText))

export function skeletonOf(history: readonly unknown[], dialect: Dialect): string {
  const tokens: string[] = []
  let batch: string[] = []
  const flush = () => {
    if (batch.length > 0) tokens.push(`A{${batch.join(',')}}`)
    batch = []
  }
  history.forEach((message, index) => {
    const parts: Part[] = []
    const role = dialect.read(message, index, parts)
    if (role !== 'assistant' || dialect.items !== true) flush()
    for (const part of parts) {
      if (part.kind === 'call') {
        batch.push(part.id ?? '')
        continue
      }
      const words = tokenOf(part, role, dialect)
      if (words.length > 0) flush()
      tokens.push(...words)
    }
    if (dialect.items !== true) flush()
  })
  flush()
  return tokens.join(' ')
}

function tokenOf(part: Part, role: string, dialect: Dialect): string[] {
  if (part.kind === 'result') {
    const { text } = dialect.content(part)
    return [made.has(text) ? `S(${part.id})` : `R(${part.id})`]
  }
  if (part.kind === 'media') return ['M']
  if (part.kind !== 'text') return []
  const text = String(part.body)
  if (role === 'assistant') return [text.startsWith('said') ? `A${text.slice(4)}` : 'A']
  if (text.startsWith('[Result') || text.startsWith('[Another result')) return ['N']
  if (text === 'Continue.' || text === '(The conversation begins here.)' || text === 'Understood.') return []
  // Two prompts that a provider wants as one turn stay two in the shorthand.
  return role === 'system' ? ['Y'] : text.split('\n\n')
}
