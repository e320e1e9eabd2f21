import { defineRule, type Explanation, type JsonObject, own, type Walk } from '../core/index.ts'
import { declarations } from './declared.ts'
import { isLegalName, legalName } from './name.ts'

export const explanation: Explanation = {
  says: 'A request whose history holds calls declares tools.',
  why: 'A request without tools (a summary, mostly) over a history with calls is refused.',
  refusals: [
    /toolConfig field must be defined when using toolUse and toolResult/i,
    /uses tools, but tools are not declared/i,
  ],
}

/**
 * Law: `declare` — the shape of a declaration: `bedrock` (key `toolConfig`), `openai`, `responses`, `anthropic` or `gemini` (key `tools`).
 * Needs the request body.
 */
export const toolsUndeclaredWithHistory = defineRule({
  id: 'tools-undeclared-with-history',
  repair: 'lossy',
  messages: {
    undeclared: 'The history calls {count} tools and the request declares none.',
    none: 'The history calls {count} tools and the list that declares them is empty.',
  },
  checks: {
    end(walk, bound) {
      const { body, pairing } = walk
      if (!body || pairing.count === 0 || declarations(body).length > 0) return
      const names = namesIn(walk)
      const shape = bound.law['declare'] as keyof typeof shapes | undefined
      const steps = shape && Object.hasOwn(shapes, shape) ? [shapes[shape](names, body)] : []
      const id = own(body, shape === 'bedrock' ? 'toolConfig' : 'tools') == null ? 'undeclared' : 'none'
      walk.report(bound, id, [], { count: names.length }, steps)
    },
  },
})

const SAYS = 'Used earlier in this conversation. Not available now.'
const OBJECT = { type: 'object', properties: {} }

const shapes = {
  bedrock: (names: readonly string[], body: JsonObject) => {
    const tools = names.map((name) => ({ toolSpec: { name, description: SAYS, inputSchema: { json: OBJECT } } }))
    return step('toolConfig', { ...(own(body, 'toolConfig') as object | undefined), tools })
  },
  openai: (names: readonly string[]) =>
    step(
      'tools',
      names.map((name) => ({ type: 'function', function: { name, description: SAYS, parameters: OBJECT } })),
    ),
  responses: (names: readonly string[]) =>
    step(
      'tools',
      names.map((name) => ({ type: 'function', name, description: SAYS, parameters: OBJECT })),
    ),
  anthropic: (names: readonly string[]) =>
    step(
      'tools',
      names.map((name) => ({ name, description: SAYS, input_schema: OBJECT })),
    ),
  gemini: (names: readonly string[]) =>
    step('tools', [{ functionDeclarations: names.map((name) => ({ name, description: SAYS })) }]),
}

function step(key: string, value: unknown) {
  return { do: 'body', key, value } as const
}

/** Each name once, in the order of first use, and as the call will be named when the mend is done. */
function namesIn(walk: Walk): readonly string[] {
  const law = walk.plan.bounds.get('tool-call-name-invalid')?.[0]?.law ?? { evidence: 'I' }
  const names = new Set<string>()
  for (let call = 0; call < walk.pairing.count; call++) {
    const { name } = walk.pairing.callAt(call)
    names.add(isLegalName(name, law) ? name : (legalName(name ?? '', law) ?? 'unknown_tool'))
  }
  return [...names]
}
