/**
 * The comparison of two engines: silent where they agree, whatever their options are called, and exact where they do not.
 */
import { describe, expect, it } from 'vitest'
import { engineOf, type Finding, type Target } from '../bench/engine.ts'
import { Groups } from '../scripts/compare/groups.ts'
import { type Input, inputs } from '../scripts/compare/inputs.ts'
import { reportOf } from '../scripts/compare/report.ts'
import * as suture from '../src/index.ts'

type Build = Parameters<typeof engineOf>[0]

const own = engineOf(suture as unknown as Build)

/** The same engine under other names: about to be sent by default, `inProgress`, `rejectedBy`, `value` and `remaining`. */
function renamed(change: (finding: Finding) => Finding | undefined): Build {
  const optionsOf = (options: object) => {
    const { sending: _sending, rejected: _refused, ...rest } = options as Target & Record<string, unknown>
    return own.optionsFor(rest)
  }
  return {
    lint: (history, options) => own.lint(history, optionsOf(options)).flatMap((one) => change(one) ?? []),
    repair: (history, options) => ({ ...own.repaired(history, optionsOf(options)) }),
  }
}

function compared(build: Build, names: Readonly<Record<string, string>> = {}) {
  const groups = new Groups({ old: own, new: engineOf(build), renamed: names })
  for (const input of inputs({ runs: 4, seed: 7 })) if (isTried(input)) groups.add(input)
  return { groups: groups.all(50), inputs: groups.inputs }
}

const isTried = ({ source, target }: Input) =>
  source === 'random' && ['openai', 'anthropic', 'strictest'].includes(target.provider)

describe('compare engines', () => {
  it('finds no difference between an engine and itself under other names', () => {
    const { groups, inputs: count } = compared(renamed((finding) => finding))
    expect(count).toBeGreaterThan(20)
    expect(groups).toEqual([])
  })

  it('names the rule that only the old engine reports, with a smaller example', () => {
    const { groups } = compared(renamed((finding) => (finding.rule === 'tool-result-orphan' ? undefined : finding)))
    expect(groups.length).toBeGreaterThan(0)
    for (const { kind, label, example } of groups) {
      expect(kind).toBe('findings')
      expect(label).toMatch(/^-(error|warning) tool-result-orphan/)
      expect((example.input.history as unknown[]).length).toBeLessThanOrEqual(3)
    }
    expect(reportOf(groups, 1)).toContain('tool-result-orphan')
  })

  it('takes a renamed rule for the same', () => {
    const build = renamed((finding) =>
      finding.rule === 'tool-result-missing' ? { ...finding, rule: 'result-missing' } : finding,
    )
    expect(compared(build).groups.length).toBeGreaterThan(0)
    expect(compared(build, { 'tool-result-missing': 'result-missing' }).groups).toEqual([])
  })

  it('reports a changed repair and a place that moved', () => {
    const base = renamed((finding) => ({ ...finding, at: [...finding.at, 'x'] }))
    const build = {
      ...base,
      repair: (history: unknown) => ({ value: history, findings: [], remaining: [], patch: [] }),
    }
    const kinds = new Set(compared(build).groups.map(({ kind, label }) => `${kind} ${label.slice(0, 1)}`))
    expect(kinds).toContain('findings ~')
    expect([...kinds].some((kind) => kind.startsWith('bytes'))).toBe(true)
  })
})
