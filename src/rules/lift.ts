/**
 * A system message at the head of a history, put where a request keeps its instructions.
 * Only at the head: a later one that was lifted would change the beginning of every request from then on.
 */
import { type Bound, isObject, type JsonObject, type MessageView, own, type Step, type Walk } from '../core/index.ts'
import { saidElsewhere } from './elsewhere.ts'

export function lifted(view: MessageView, bound: Bound, walk: Walk): readonly Step[] | undefined {
  const shape = bound.law['lift']
  if (!walk.body || typeof shape !== 'string' || view.parts.some((part) => part.kind !== 'text')) return undefined
  const texts = walk.recall<string[]>(bound, () => [])
  const elsewhere = saidElsewhere(view, walk)
  const said = elsewhere ? [elsewhere.text] : view.parts.map((part) => String(part.body))
  texts.push(...said.filter((text) => text.trim() !== ''))
  const out: Step = { do: 'rewrite', message: view.index, with: () => undefined }
  if (texts.length === 0) return [out]
  const key = shape === 'gemini' ? 'systemInstruction' : 'system'
  return [out, { do: 'body', key, value: withTexts(shape, own(walk.body, key), texts) }]
}

function withTexts(shape: string, was: unknown, texts: readonly string[]): unknown {
  if (shape === 'gemini') return withParts(was, texts)
  if (shape === 'bedrock') return [...listOf(was), ...texts.map((text) => ({ text }))]
  if (Array.isArray(was)) return [...was, ...texts.map((text) => ({ type: 'text', text }))]
  return [...(typeof was === 'string' && was !== '' ? [was] : []), ...texts].join('\n\n')
}

function withParts(was: unknown, texts: readonly string[]): JsonObject {
  const parts = texts.map((text) => ({ text }))
  return isObject(was) ? { ...was, parts: [...listOf(own(was, 'parts')), ...parts] } : { parts }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
