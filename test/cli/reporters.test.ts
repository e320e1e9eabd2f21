/**
 * Reports for machines: their formats, and that none of them carries content of a conversation unless it was asked for.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cli, cli, fine, openCall } from './harness.ts'

let suture: Cli

beforeAll(async () => {
  suture = await cli()
  suture.put('a.json', JSON.stringify(openCall))
  suture.put('b.json', JSON.stringify(fine))
  suture.put('c.json', 'no history')
})
afterAll(() => suture.close())

const names = ['json', 'jsonl', 'sarif', 'github', 'gitlab', 'junit', 'summary']

it.each(names)('%s has no content by default', async (name) => {
  const { out } = await suture.run(['lint', 'a.json', '--format', name])
  expect(out).toContain('tool-result-missing')
  for (const word of ['xyzzy', 'Oslo', 'Are you still there']) expect(out).not.toContain(word)
})

it('--with-text includes it', async () => {
  expect((await suture.run(['lint', 'a.json', '--format', 'json', '--with-text'])).out).toContain('Oslo')
})

it('several at once, to files', async () => {
  const args = [
    'lint',
    'a.json',
    'b.json',
    ...names.flatMap((name) => ['--format', `${name}=out.${name}`]),
    '--format',
    'readable',
  ]
  const { out, code } = await suture.run(args)
  expect(code).toBe(1)
  expect(out).toContain('2 files: 1 valid, 1 with errors')
  const read = (name: string) => readFileSync(join(suture.home, `out.${name}`), 'utf8')
  expect(JSON.parse(read('json'))).toMatchObject({ totals: { files: 2, valid: 1, errors: 1 } })
  expect(
    read('jsonl')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).path),
  ).toEqual(['a.json', 'b.json'])
  expect(JSON.parse(read('gitlab'))[0]).toMatchObject({
    check_name: 'tool-result-missing',
    severity: 'major',
    location: { path: 'a.json', lines: { begin: expect.any(Number) } },
  })
  expect(read('junit')).toMatch(/<testsuite name="suture" tests="2" failures="1" errors="0">/)
  expect(read('github')).toMatch(/^::error file=a\.json,line=\d+,title=tool-result-missing::/)
})

describe('SARIF', () => {
  it('has what code scanning needs', async () => {
    const { out } = await suture.run(['lint', 'a.json', '--format', 'sarif'])
    const { version, runs } = JSON.parse(out)
    expect(version).toBe('2.1.0')
    const [{ tool, results, invocations }] = runs
    expect(tool.driver.rules[results[0].ruleIndex]).toEqual({
      id: results[0].ruleId,
      name: results[0].ruleId,
      shortDescription: { text: expect.stringMatching(/result/) },
      help: { text: expect.stringMatching(/node_modules\/suture\/docs\/rules\/tool-result-missing\.md$/) },
    })
    expect(results[0]).toMatchObject({
      ruleId: 'tool-result-missing',
      level: 'error',
      locations: [
        { physicalLocation: { artifactLocation: { uri: 'a.json' }, region: { startLine: expect.any(Number) } } },
      ],
      partialFingerprints: { 'suture/v1': expect.any(String) },
    })
    expect(invocations[0].executionSuccessful).toBe(true)
  })

  it('reports that a file could not be read', async () => {
    const { out, code } = await suture.run(['lint', 'c.json', '--format', 'sarif'])
    const [run] = JSON.parse(out).runs
    expect(code).toBe(4)
    expect(run.invocations[0].executionSuccessful).toBe(false)
    expect(run.results).toMatchObject([{ ruleId: 'not-understood', kind: 'open', level: 'none' }])
  })
})

it('the JSON of a repair has the diff without content, and with it when asked for', async () => {
  const { out } = await suture.run(['repair', 'a.json', '--format', 'json'])
  const [file] = JSON.parse(out).files
  expect(file).toMatchObject({ changed: true, written: false, plan: expect.stringMatching(/^[0-9a-f]{12,}/) })
  expect(file.changes.length).toBeGreaterThan(0)
  expect(out).not.toContain('xyzzy')
  expect(out).not.toContain('still there')
})

it('colors only when forced or on a terminal, and NO_COLOR wins', async () => {
  const colored = '\u001b['
  expect((await suture.run(['lint', 'a.json'], { env: { NO_COLOR: '' } })).out).not.toContain(colored)
  expect((await suture.run(['lint', 'a.json'], { env: { NO_COLOR: '', FORCE_COLOR: '1' } })).out).toContain(colored)
  expect((await suture.run(['lint', 'a.json'], { env: { NO_COLOR: '1', FORCE_COLOR: '1' } })).out).not.toContain(
    colored,
  )
})
