/**
 * The report of the agent runs: which run counts as worse, what the bars count.
 */
import { describe, expect, it } from 'vitest'
import { isWorse, outcomeOf, report } from '../../scripts/agents/report.ts'
import type { Agent, Fact, Outcome, RunResult, Way } from '../../scripts/agents/types.ts'

const agent: Agent = {
  id: 'scripted',
  title: 'Scripted',
  packages: ['scripted'],
  wire: 'chat',
  run: () => ({ args: [] }),
  shell: (command) => ({ name: 'shell', arguments: { command } }),
  ownBugs: { 'own-bug': 'example/example#1' },
}

function run(way: Way, outcome: Outcome, more: Partial<RunResult> = {}): RunResult {
  const rest = { exit: '0', seconds: 1, requests: 4, unchanged: 4, struck: true, facts: [] }
  return { agent: 'scripted', version: '1.2.3', fault: 'cut-text', way, outcome, ...rest, ...more }
}

describe('a run is worse', () => {
  it.each([
    ['retried', 'failed', true],
    ['failed', 'silent', true],
    ['silent', 'hung', true],
    ['answered', 'retried', false],
    ['failed', 'answered', false],
  ] as const)('directly %s, through the gateway %s: %s', (direct, through, worse) => {
    expect(isWorse(run('direct', direct), run('gateway', through))).toBe(worse)
  })

  it('not without a direct run to compare with', () => {
    expect(isWorse(undefined, run('gateway', 'failed'))).toBe(false)
  })
})

it('an agent that sent more requests than in its plain run has retried', () => {
  const plain = run('direct', 'answered', { fault: 'plain' })
  expect(outcomeOf(run('direct', 'answered', { requests: 5 }), plain)).toBe('retried')
  expect(outcomeOf(run('direct', 'answered'), plain)).toBe('answered')
})

it('the page has the table, marks regressions, and counts the cases of each bar', () => {
  const facts: Fact[] = [
    { kind: 'false-error', path: '/v1/chat/completions', detail: 'unknown-field' },
    { kind: 'rejected', path: '/v1/chat/completions', detail: 'own-bug: words' },
    { kind: 'rejected', path: '/v1/chat/completions', detail: "other: Unknown parameter: 'input[3].x'" },
  ]
  const page = report([agent], [run('direct', 'retried'), run('gateway', 'failed', { unchanged: 3, facts })], {})
  expect(page).toContain('| Scripted 1.2.3 | chat | 8 | 3 of 4 | 1 | 0 | 0 / 1 (1) | 0 | – |')
  expect(page).toContain('retried / **failed**')
  expect(page).toContain('| false errors | 0 | 1 | **not held** |')
  expect(page).toContain('| contract rejections (without known bugs of the agents) | 0 | 1 | **not held** |')
  expect(page).toContain('| runs worse through the gateway than directly | 0 | 1 | **not held** |')
  expect(page).toContain("rejected: other: Unknown parameter: 'input[N].x'; 1 × in cut-text gateway")
  expect(page).toContain('known bug: example/example#1')
})

it('an agent that could not be installed is listed with the reason', () => {
  expect(report([agent], [], { scripted: 'npm cannot install it' })).toContain(
    '- Scripted (chat): npm cannot install it',
  )
})
