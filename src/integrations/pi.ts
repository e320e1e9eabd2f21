/**
 * `suture/pi`: an extension of the pi coding agent that repairs each request before it is sent. The session file stays
 * as it is. Types are structural: pi is not imported.
 */
import { isObject } from '../core/index.ts'
import { checkValue } from '../core/options.ts'
import { endpointOf } from '../guard/endpoint.ts'
import { repair } from '../index.ts'

/** What the extension needs of pi's model. */
export interface PiModel {
  readonly id: string
  readonly api: string
  readonly baseUrl?: string
}

type Handler = (event: { readonly payload: unknown }, context: { readonly model?: PiModel | undefined }) => unknown

/** What the extension needs of pi's extension API. */
export interface PiExtensionApi {
  on(event: 'before_provider_request', handler: Handler): void
}

/** Where each of pi's APIs sends its requests; an API that is not here is passed on. */
const PATHS: Readonly<Record<string, string>> = {
  'anthropic-messages': '/v1/messages',
  'openai-completions': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  'azure-openai-responses': '/v1/responses',
  'openai-codex-responses': '/v1/responses',
  'bedrock-converse-stream': '/model/any/converse',
  'google-generative-ai': '/v1beta/models/any:generateContent',
  'google-vertex': '/v1beta/models/any:generateContent',
}

/** The extension, as pi loads it. */
export default function suture(pi: PiExtensionApi): void {
  checkValue('The extension API of pi', pi, 'object', 'Let pi load this module as an extension.')
  checkValue('`on` of the extension API of pi', pi.on, 'function', 'Let pi load this module as an extension.')
  pi.on('before_provider_request', ({ payload }, { model }) => repairPayload(payload, model))
}

/** The payload as the provider accepts it; undefined if there is nothing to repair. */
export function repairPayload(payload: unknown, model: PiModel | undefined): unknown {
  const path = PATHS[model?.api ?? '']
  const endpoint = path === undefined ? undefined : endpointOf({ host: hostOf(model?.baseUrl), path })
  if (!model || !endpoint || !isObject(payload)) return undefined
  const { service, provider: id } = endpoint
  const { dialect } = service
  const history = payload[dialect.key]
  if (!Array.isArray(history)) return undefined
  const target = { provider: { id, hosts: [], serves: [service] }, dialect, model: model.id }
  // Google's payload is an argument of its SDK, not a request body: only its history has the known shape.
  if (dialect.id === 'gemini') {
    const { value, patch } = repair(history, target)
    return patch.length === 0 ? undefined : { ...payload, contents: value }
  }
  const { value, patch } = repair(payload, target)
  return patch.length === 0 ? undefined : value
}

function hostOf(url: string | undefined): string {
  return url !== undefined && URL.canParse(url) ? new URL(url).hostname : ''
}
