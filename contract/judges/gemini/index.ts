/**
 * Gemini generateContent (contracts.md, D), the Gemini API and Vertex: all checks in order.
 */

import { type Check, inOrder } from '../refusal.ts'
import { contentEmpty, contentsEmpty, declaredTools, responseNames, roleUnknown, schema } from './shape.ts'
import { thoughtSignatures } from './signatures.ts'
import { lastModel, turnOrder } from './turns.ts'

function checks(vertex: boolean): Check {
  return inOrder(
    (asked) => contentsEmpty(asked, vertex),
    schema,
    roleUnknown,
    declaredTools,
    (asked) => contentEmpty(asked, vertex),
    responseNames,
    (asked) => turnOrder(asked, vertex),
    lastModel,
    (asked) => thoughtSignatures(asked, vertex),
  )
}

export const geminiCheck = checks(false)
export const vertexGeminiCheck = checks(true)
