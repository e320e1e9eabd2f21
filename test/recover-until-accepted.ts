/**
 * A provider's emulator and the way from its rejection back to an accepted request, for tests.
 */
import { type Endpoint, type JudgeRequest, judge } from '../contract/index.ts'
import { type Finding, lint, type Service } from '../src/core/index.ts'
import {
  type Attempt,
  fingerprint,
  type Recovered,
  type RecoveryOptions,
  recover,
} from '../src/guard/recoveries/index.ts'
import { classify, type Rejection } from '../src/guard/rejections/index.ts'
import { providers } from '../src/providers/index.ts'
import { rules } from '../src/rules/index.ts'
import { type Memory, shrinkMemory } from '../src/strategies/shrink.ts'

const DIALECTS: Readonly<Record<Endpoint, string>> = {
  messages: 'anthropic-messages',
  chat: 'openai-chat',
  responses: 'openai-responses',
  gemini: 'gemini',
  converse: 'bedrock-converse',
}

export function serviceOf(provider: string, endpoint: Endpoint | undefined): Service {
  const found = providers.find(({ id }) => id === provider) ?? providers.find(({ id }) => id === 'openai')!
  return found.serves.find(({ dialect }) => dialect.id === DIALECTS[endpoint!]) ?? found.serves[0]!
}

/** The provider's answer: a rejection as on the wire, or undefined. */
export type Provider = (
  request: JudgeRequest,
) => { status: number; body: string; headers?: Record<string, string> } | undefined

export const judged: Provider = (request) => {
  const verdict = judge(request)
  return verdict.accepted ? undefined : { status: verdict.status, body: JSON.stringify(verdict.body) }
}

export interface Saved {
  readonly accepted: boolean
  readonly rejections: readonly Rejection[]
  readonly done: readonly Recovered[]
  readonly body: Attempt['body']
  readonly headers: Attempt['headers']
}

/** The guard's loop without the guard: send, classify, recover, send again. */
export async function save(
  request: Omit<JudgeRequest, 'body'> & { readonly body: Attempt['body'] },
  {
    provider = judged,
    options = {},
    memory = shrinkMemory(),
  }: { provider?: Provider; options?: RecoveryOptions; memory?: Memory } = {},
): Promise<Saved> {
  const service = serviceOf(request.provider, request.endpoint)
  const model = request.model ?? (typeof request.body['model'] === 'string' ? request.body['model'] : undefined)
  let body = request.body
  let headers: Attempt['headers'] = request.headers ?? {}
  const rejections: Rejection[] = []
  const done: Recovered[] = []
  const sent: string[] = []
  for (;;) {
    sent.push(fingerprint(body, headers))
    const rejected = provider({ ...request, headers, body })
    if (!rejected) return { accepted: true, rejections, done, body, headers }
    const lintIt = (): readonly Finding[] => lint(body, { service, rules, model })
    const rejection = classify({ ...rejected, headers: new Headers(rejected.headers) }, lintIt, () => 0)
    rejections.push(rejection)
    const tried = done.map(({ id }) => id)
    const attempt = {
      body,
      headers,
      service,
      provider: request.provider,
      model,
      rejection,
      tried,
      sent,
      memory,
      options,
    }
    const recovered = await recover({ ...attempt, options: { random: () => 0.5, ...options } })
    if (!recovered) return { accepted: false, rejections, done, body, headers }
    done.push(recovered)
    body = recovered.body
    headers = recovered.headers ?? headers
  }
}
