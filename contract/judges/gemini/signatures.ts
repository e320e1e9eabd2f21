/**
 * Gemini (docs/rejections.md#gemini): thought signatures.
 */

import { isAbsent, type Json, textAt } from '../json.ts'
import { isGemini3 } from '../models.ts'
import type { JudgedRequest, Rejection } from '../rejection.ts'
import { camelOrSnake, contentsOf, partsOf } from './contents.ts'
import { LEARN } from './shape.ts'

/**
 * thought-signature-missing, -position, -invalid (docs/rejections.md#gemini-thought-signature-missing and the rows near
 * it): Gemini 3 and later. The first call of each step carries a signature, on itself or on a part before it. The docs
 * name the active loop, reports show older turns failing (docs/rejections.md#disputed-signature-scope): judged on every
 * call.
 */
export function thoughtSignatures({ body, model }: JudgedRequest, vertex: boolean): Rejection | undefined {
  if (!isGemini3(model)) return undefined
  const contents = contentsOf(body)
  for (const [i, content] of contents.entries()) {
    if (content.role !== 'model') continue
    if (partsOf(content).some(isBroken)) return brokenSignature(model, vertex)
    if (contents[i - 1]?.role === 'model') continue
    const rejection = unsigned(partsOf(content), i)
    if (rejection) return rejection
  }
  return undefined
}

function unsigned(parts: readonly Json[], i: number): Rejection | undefined {
  const first = parts.findIndex((part) => !isAbsent(camelOrSnake(part, 'functionCall')))
  const signed = parts.slice(0, first + 1).some((part) => !!camelOrSnake(part, 'thoughtSignature'))
  if (first < 0 || signed) return undefined
  const name = textAt(camelOrSnake(parts[first], 'functionCall'), 'name')
  return {
    rule: 'thought-signature-missing',
    message: `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${name}\` , position ${i + 1}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.`,
  }
}

/** Base64, as the sentinels are, too. Only the provider knows whether a signature is genuine. */
function isBroken(part: Json): boolean {
  const signature = camelOrSnake(part, 'thoughtSignature')
  return !isAbsent(signature) && !(typeof signature === 'string' && /^[A-Za-z0-9+/_=-]*$/.test(signature))
}

function brokenSignature(model: string | undefined, vertex: boolean): Rejection {
  const rule = 'thought-signature-invalid'
  if (vertex) return { rule, message: `Unable to submit request because Thought signature is not valid..${LEARN}` }
  const newer = /gemini-3\.([7-9]|\d\d)|gemini-[4-9]/.test(model ?? '')
  return { rule, message: newer ? 'Invalid thought signature.' : 'Corrupted thought signature.' }
}
