/**
 * Gemini generateContent (docs/rejections.md#gemini), the Gemini API and Vertex: all checks in order.
 */

import { type Check, inOrder } from '../rejection.ts'
import { callNames, contentEmpty, contentsEmpty, declaredTools, responseNames, roleUnknown, schema } from './shape.ts'
import { thoughtSignatures } from './signatures.ts'
import { lastModel, turnOrder } from './turns.ts'

function checks(vertex: boolean): Check {
  return inOrder(
    (request) => contentsEmpty(request, vertex),
    schema,
    roleUnknown,
    declaredTools,
    (request) => contentEmpty(request, vertex),
    callNames,
    responseNames,
    (request) => turnOrder(request, vertex),
    lastModel,
    (request) => thoughtSignatures(request, vertex),
  )
}

export const geminiCheck = checks(false)
export const vertexGeminiCheck = checks(true)
