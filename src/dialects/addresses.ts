/**
 * What is in the URL path of a request: its model, and Bedrock's `invoke`, which accepts the body of any model family.
 */
import { isObject, orUndefined } from '../core/index.ts'

const INVOKE = /\/model\/[^/]+\/invoke(-with-response-stream)?$/
const MODEL = [/\/models\/([^/:]+):\w+$/, /\/model\/([^/]+)\/(?:converse|invoke)/, /\/deployments\/([^/]+)\//]

/** Bedrock's `invoke`: the dialect depends on the body. */
export function isInvokePath(path: string): boolean {
  return INVOKE.test(path)
}

/** The id of the dialect of a body sent to `invoke`. */
export function invokedDialect(body: unknown): string | undefined {
  return isObject(body) && typeof body['anthropic_version'] === 'string' ? 'anthropic-messages' : undefined
}

/** `invoke` streams wrap the events of the model family. */
export function isWrappedStream(path: string): boolean {
  return path.endsWith('-stream')
}

/** The model that the path names. */
export function modelInPath(path: string): string | undefined {
  for (const pattern of MODEL) {
    const found = pattern.exec(path)?.[1]
    if (found !== undefined) return decoded(found)
  }
  return undefined
}

function decoded(text: string): string {
  return orUndefined(() => decodeURIComponent(text)) ?? text
}
