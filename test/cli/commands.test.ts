/**
 * The command line as a new user meets it: every command in a process of its own, exit codes, wrong use, and no
 * network.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROVIDERS } from '../../contract/index.ts'
import { commandNames } from '../../src/cli/commands.ts'
import { type Cli, cli, ended, fine, openCall, tornSession, validSession } from './harness.ts'

let suture: Cli
const ids = { valid: '7cba1111-2222-4333-8444-555555555555', torn: '9dab1111-2222-4333-8444-555555555555' }
let paths: { valid: string; torn: string; open: string; fine: string }

beforeAll(async () => {
  suture = await cli()
  paths = {
    valid: suture.put(`.claude/projects/-home-user-project/${ids.valid}.jsonl`, validSession(ids.valid)),
    torn: suture.put(`.claude/projects/-home-user-project/${ids.torn}.jsonl`, tornSession(ids.torn)),
    open: suture.put('work/open.json', JSON.stringify(openCall)),
    fine: suture.put('work/fine.json', JSON.stringify(fine)),
  }
})
afterAll(() => suture.close())

describe('exit codes', () => {
  const table: [string, string[], number][] = [
    ['version', ['--version'], 0],
    ['help', ['--help'], 0],
    ['valid file', ['lint', 'work/fine.json'], 0],
    ['findings', ['lint', 'work/open.json'], 1],
    ['findings, --exit-zero', ['lint', 'work/open.json', '--exit-zero'], 0],
    ['dry run with a repair', ['repair', 'work/open.json'], 1],
    ['no such file', ['lint', 'work/none.json'], 2],
    ['no such command', ['lnit'], 2],
    ['no such flag', ['lint', 'work/fine.json', '--quite'], 2],
    ['no file named', ['lint'], 2],
    ['a wrong number', ['lint', 'work/fine.json', '--max-warnings', 'many'], 2],
    ['plan that does not fit', ['repair', 'work/open.json', '--write', '--plan', 'ffffffffffff'], 3],
    ['nothing to undo', ['undo', 'work/fine.json'], 2],
    ['undo list', ['undo', '--list'], 0],
    ['unknown rule', ['explain', 'tool-result-mising'], 2],
    ['unknown rule of --only', ['lint', 'work/open.json', '--only', 'no-such-rule'], 2],
    ['unknown agent', ['doctor', '--agent', 'no-such-agent'], 2],
    ['a rule about files', ['explain', 'dangling-parent'], 0],
    ['unknown shell', ['completion', 'tcsh'], 2],
    ['two shells', ['completion', 'bash', 'zsh'], 2],
    ['a wrong port', ['contract', '--port', '99999'], 2],
    ['a wrong port of the viewer', ['view', 'work/fine.json', '--port', '70000'], 2],
    ['a file for the contract', ['contract', 'work/fine.json'], 2],
    ['a wrong setting of the gateway', ['serve', '--guard-level', 'most'], 2],
    ['key', ['key', 'alice'], 0],
    ['a wrong name of a key', ['key', 'a b'], 2],
    ['unknown dialect', ['export', 'work/fine.json', '--to', 'openai-chta'], 2],
    ['no store', ['sessions', 'list'], 2],
  ]
  it.each(table)('%s', async (_name, args, code) => {
    const ran = await suture.run(args)
    expect({ ...ran, out: '', err: ran.code === code ? '' : ran.err }).toEqual({ code, out: '', err: '' })
  })
})

describe('wrong use suggests what was probably meant', () => {
  it.each([
    [['lnit'], 'Did you mean "suture lint"?'],
    [['lint', 'work/fine.json', '--quite'], 'Did you mean "--quiet"?'],
    [['lint', 'work/fine.json', '--format', 'sariff'], 'Did you mean "sarif"?'],
    [['explain', 'tool-result-mising'], 'Did you mean "tool-result-missing"?'],
    [['export', 'work/fine.json', '--to', 'openai-chta'], 'Did you mean "openai-chat"?'],
    [['sessions', 'verfy'], 'Did you mean "verify"?'],
    [['lint', 'work/open.json', '--only', 'tool-result-mising'], 'Did you mean "tool-result-missing"?'],
    [['repair', 'work/open.json', '--only', 'dangling-parrent'], 'Did you mean "dangling-parent"?'],
    [['doctor', '--agent', 'claude-cod'], 'Did you mean "claude-code"?'],
    [['lint', 'work/open.json', '--format', 'json:out.json'], 'Did you mean "json=out.json"?'],
    [['lint', 'nowhere.jsonl'], 'There is no file "nowhere.jsonl".'],
  ])('%j', async (args, words) => {
    const { err } = await suture.run(args)
    expect(err).toContain(words)
    expect(err).not.toMatch(/^ +at /m)
  })
})

it('every command has help with an example and the exit codes', async () => {
  for (const name of commandNames) {
    const { out, code } = await suture.run([name, '--help'])
    expect(code).toBe(0)
    expect((await suture.run(['help', name])).out).toBe(out)
    expect(out).toMatch(new RegExp(`^suture ${name}: `))
    expect(out).toContain('Examples:')
    expect(out).toContain('130 interrupted')
  }
})

it('the guide has a row for every command', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/guide/command-line.md'), 'utf8')
  const rows = [...guide.matchAll(/^\| `suture[^|]*/gm)].join(' ')
  expect(commandNames.filter((name) => !rows.includes(`\`suture ${name}`))).toEqual([])
})

describe('doctor', () => {
  it('finds sessions, advises, and names the next command', async () => {
    const { out, code } = await suture.run([])
    expect(code).toBe(1)
    expect(out).toContain(ids.valid)
    expect(out).toMatch(/The file is damaged at line 5/)
    expect(out).toContain(`suture repair ${paths.torn.replace(suture.home, '~')}`)
    expect(out).toContain('2 sessions: 1 valid, 1 can be repaired.')
  })

  it('takes the prefix of an id, a path, and --last', async () => {
    expect((await suture.run(['doctor', '7cba'])).out).toContain('1 session: 1 valid.')
    expect((await suture.run([paths.valid])).out).toContain('1 session: 1 valid.')
    expect((await suture.run(['--last'])).out).toContain('1 session:')
    const none = await suture.run(['doctor', 'feedbeef'])
    expect(none.code).toBe(2)
    expect(none.err).toContain('No session has an id that begins with this text')
  })

  it('leads from an id in an error text to the file and the line', async () => {
    const input =
      'API Error: 400 messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_017cba110.'
    const { out, code } = await suture.run(['doctor'], { input })
    expect(code).toBe(1)
    expect(out).toContain('tool-result-missing')
    expect(out).toContain(paths.valid)
    expect(out).toContain('toolu_017cba110 is at line 2, 3.')
  })

  it('reports that there are no sessions', async () => {
    const { out, code } = await suture.run([], { env: { HOME: join(suture.home, 'empty') } })
    expect(code).toBe(0)
    expect(out).toContain('No sessions were found on this machine.')
  })

  it('gives the same report from the cache, and a new one when the file has changed', async () => {
    const first = await suture.run(['doctor'])
    expect((await suture.run(['doctor'])).out).toBe(first.out)
    expect((await suture.run(['doctor', '--no-cache'])).out).toBe(first.out)
    const extra = suture.put(
      '.claude/projects/-home-user-project/aaaa1111-2222-4333-8444-555555555555.jsonl',
      tornSession('aaaa1111-2222-4333-8444-555555555555'),
    )
    expect((await suture.run(['doctor'])).out).toContain('3 sessions')
    suture.put(extra.slice(suture.home.length + 1), validSession('aaaa1111-2222-4333-8444-555555555555'))
    expect((await suture.run(['doctor'])).out).toContain('3 sessions: 2 valid, 1 can be repaired.')
  })
})

describe('lint', () => {
  it('reads folders, globs, gzip and standard input', async () => {
    suture.put('data/a.jsonl', `${JSON.stringify(fine)}\n${JSON.stringify(openCall)}\n`)
    suture.put('data/deep/b.json', JSON.stringify(openCall))
    suture.put('data/c.jsonl.gz', gzipSync(`${JSON.stringify(openCall)}\n`))
    expect((await suture.run(['lint', 'data'])).out).toContain('3 files: 0 valid, 3 with errors')
    expect((await suture.run(['lint', 'data/**/*.json'])).out).toContain('1 file:')
    const piped = await suture.run(['lint', '-'], { input: JSON.stringify(openCall) })
    expect(piped).toMatchObject({ code: 1, out: expect.stringContaining('tool-result-missing') })
  })

  it('leaves out what .sutureignore names', async () => {
    suture.put('ignored/.sutureignore', 'drafts/\n*.tmp.json\n')
    suture.put('ignored/drafts/a.json', JSON.stringify(openCall))
    suture.put('ignored/b.tmp.json', JSON.stringify(openCall))
    suture.put('ignored/c.json', JSON.stringify(fine))
    const cwd = join(suture.home, 'ignored')
    expect((await suture.run(['lint', '.'], { cwd })).out).toBe('1 file: 1 valid.\n')
    expect((await suture.run(['lint', '.', '--no-ignore'], { cwd })).out).toContain('3 files')
  })

  it('takes defaults from suture.config.json, and flags win', async () => {
    suture.put('configured/suture.config.json', JSON.stringify({ format: 'summary', lint: { exitZero: true } }))
    suture.put('configured/a.json', JSON.stringify(openCall))
    const cwd = join(suture.home, 'configured')
    const ran = await suture.run(['lint', 'a.json'], { cwd })
    expect(ran).toMatchObject({ code: 0, out: expect.stringMatching(/^tool-result-missing +1 error/) })
    expect((await suture.run(['lint', 'a.json', '--format', 'json'], { cwd })).out).toContain(
      '"tool": "suture",\n  "schema": 1,',
    )
    suture.put('configured/suture.config.json', JSON.stringify({ fromat: 'json' }))
    expect(await suture.run(['lint', 'a.json'], { cwd })).toMatchObject({
      code: 2,
      err: expect.stringContaining('Did you mean "format"?'),
    })
  })

  it('--quiet prints nothing for valid files', async () => {
    expect(await suture.run(['lint', 'work/fine.json', '--quiet'])).toEqual({ code: 0, out: '', err: '' })
  })

  it('--watch checks again when the file changes, and Ctrl-C ends it with 130', async () => {
    const path = suture.put('watched.json', JSON.stringify(fine))
    const child = suture.start(['lint', 'watched.json', '--watch'])
    const done = ended(child)
    await until(child, /1 file: 1 valid/)
    suture.put('watched.json', `${JSON.stringify(openCall)}\n`)
    await until(child, /with errors/)
    child.kill('SIGINT')
    expect((await done).code).toBe(130)
    expect(readFileSync(path, 'utf8')).toContain('Oslo')
  })
})

describe('the other commands', () => {
  it('show', async () => {
    const { out, code } = await suture.run(['show', 'work/open.json'])
    expect(code).toBe(1)
    expect(out).toContain('Next request: 3 messages')
    expect(out).toContain('weather (no result)')
    expect(out).toContain('tool-result-missing')
    expect((await suture.run(['show', '7cba', '--no-text'])).out).not.toContain('xyzzy')
    expect((await suture.run(['show', '7cba', '--records'])).out).toContain('in  assistant')
  })

  it('explain: a rule, a text, a text from standard input', async () => {
    expect((await suture.run(['explain', 'tool-result-missing'])).out).toContain('docs/rules/tool-result-missing.md')
    const text = 'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1'
    expect((await suture.run(['explain', text])).out).toContain('tool-result-missing')
    expect((await suture.run(['explain'], { input: text })).out).toContain('tool-result-missing')
  })

  const known = 'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1'
  it.each([
    [known, ['suture doctor -', 'suture repair FILE', 'suture serve']],
    ['tool-result-missing', ['suture doctor --last', 'suture repair FILE', 'suture serve']],
    ['dangling-parent', ['suture doctor', 'suture repair FILE']],
    ['prompt is too long: 208310 tokens > 200000 maximum', ['suture compact FILE', 'suture serve']],
    ['Rate limit reached for gpt-4.1', ['suture serve']],
    ['no provider ever wrote this', ['suture lint FILE', 'suture doctor --last']],
    ['invalid x-api-key', []],
  ])('explain %j: commands that exist, pages that exist, no call of the library', async (text, commands) => {
    const { out } = await suture.run(['explain', text])
    expect([...out.matchAll(/^ {2}(?:next| {4}) {5}(suture .*?) {2}/gm)].map(([, command]) => command)).toEqual(
      commands,
    )
    const pages = [...out.matchAll(/^ {2}(?:page|texts) +(.+?\.md)/gm)].map(([, path]) => path!)
    expect(pages.length).toBeGreaterThan(0)
    expect(pages.filter((path) => !existsSync(path))).toEqual([])
    expect(out).not.toMatch(/\w\((body|history)/)
    for (const command of commands) {
      const [, name = ''] = command.split(' ')
      expect((await suture.run([name, '--help'])).code, name).toBe(0)
    }
  })

  it.each([
    [known, /^The session file or history is at fault\. .*Every tool call has a result\.$/],
    ['prompt is too long: 208310 tokens > 200000 maximum', /too large for this request; its file is not damaged\.$/],
    ['429 Too Many Requests: rate limit reached', /The session file is not at fault\.$/],
    ['invalid x-api-key', /^The key is wrong.* The session file is not at fault\.$/],
    ['no provider ever wrote this', /^Unknown error/],
  ])('explain %j: the first line says what is wrong, and whether a session file is at fault', async (text, line) => {
    const { out } = await suture.run(['explain', text])
    expect(out.split('\n')[0]).toMatch(line)
    expect(out.indexOf('  next ')).toBeLessThan(out.indexOf('  why '))
  })

  it('split, compact and export give JSON', async () => {
    const split = await suture.run(['split', paths.valid, '--min-keep', '1'])
    expect(JSON.parse(split.out)).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Thank you, go on.' }] }])
    const compact = await suture.run(['compact', paths.valid, '--limit', '100000'])
    expect(JSON.parse(compact.out)).toHaveLength(5)
    const exported = await suture.run(['export', 'work/open.json'])
    expect(exported.code).toBe(0)
    expect(JSON.stringify(JSON.parse(exported.out))).toContain('tool_result')
    expect(JSON.parse((await suture.run(['export', 'work/open.json', '--raw'])).out)).toEqual(openCall.messages)
  })

  it('completion for three shells', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { out, code } = await suture.run(['completion', shell])
      expect(code).toBe(0)
      expect(out).toContain('lost-found')
      expect(out).toContain('max-body-bytes')
    }
  })

  it('contract prints base URLs that answer, and all provider ids', async () => {
    // Without the harness: it forbids `listen`, which looks the host name up.
    const child = spawn(process.execPath, [suture.file, 'contract'])
    try {
      const out = await until(child, /Ctrl-C/)
      const [, ids] = /is one of\n([\s\S]*)\nCtrl-C/.exec(out)!
      expect(ids!.trim().split(/\s+/)).toEqual([...PROVIDERS])
      const [, url] = /OPENAI_BASE_URL=(\S+)/.exec(out)!
      const answer = await fetch(`${url}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer any' },
        body: JSON.stringify({ model: 'gpt-4.1', messages: [{ role: 'user', content: 'Hello' }] }),
      })
      expect(answer.status).toBe(200)
    } finally {
      child.kill()
    }
  })

  it('view without a file names the next step', async () => {
    const { code, err } = await suture.run(['view'])
    expect([code, err]).toEqual([2, expect.stringContaining('suture view FILE')])
  })

  it('view serves the page until it is interrupted', async () => {
    const child = spawn(process.execPath, [suture.file, 'view', paths.fine], { env: { HOME: suture.home } })
    const [line] = (
      await new Promise<string>((resolve) => child.stdout.once('data', (text) => resolve(String(text))))
    ).split('\n')
    expect((await fetch(line!)).status).toBe(200)
    child.kill('SIGINT')
    expect((await ended(child)).code).toBe(130)
  })
})

it('500 sessions: those with faults and a few others, and a count of the rest', async () => {
  const home = join(suture.home, 'many')
  for (let i = 0; i < 500; i++) {
    const id = `${i.toString(16).padStart(8, '0')}-2222-4333-8444-555555555555`
    suture.put(`many/.claude/projects/-p/${id}.jsonl`, i === 250 ? tornSession(id) : validSession(id))
  }
  const { out } = await suture.run([], { env: { HOME: home } })
  expect(out).toContain('500 sessions: 499 valid, 1 can be repaired.')
  expect(out.split('\n').length).toBeLessThan(30)
  expect((await suture.run(['--all'], { env: { HOME: home } })).out.split('\n').length).toBeGreaterThan(500)
})

/** The output up to these words. */
function until(child: ReturnType<Cli['start']>, words: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.once('close', () => reject(new Error(`It ended:\n${text}`)))
    const listen = (piece: Buffer) => {
      text += piece
      if (!words.test(text)) return
      child.stdout?.off('data', listen)
      resolve(text)
    }
    child.stdout?.on('data', listen)
  })
}
