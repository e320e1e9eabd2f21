/**
 * Files and names as hostile input: control characters, links out of the folder, one line of 100 MB, deep nesting,
 * `__proto__`.
 */

import { once } from 'node:events'
import { createWriteStream, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { skippable } from '../skip-reasons.ts'
import { age, type Cli, cli, ended, fine, hasProc, openCall, untilReading, validSession } from './harness.ts'

let suture: Cli

beforeAll(async () => {
  suture = await cli()
})
afterAll(() => suture.close())

it('control characters in names and content never reach the terminal', async () => {
  const name = `evil\u001b[31m\u0007\u202e.json`
  const body = structuredClone(openCall)
  body.messages[1] = {
    role: 'assistant',
    content: [{ type: 'tool_use', id: 'toolu_\u001b[2Jx', name: 'we\u0007ather', input: { city: '' } }],
  }
  suture.put(`evil/${name}`, JSON.stringify(body))
  for (const args of [
    ['lint', 'evil'],
    ['repair', 'evil'],
    ['show', `evil/${name}`],
    ['doctor', `evil/${name}`],
    ['lint', `evil/${name}\u001b[0m`],
  ]) {
    for (const format of args[0] === 'lint'
      ? ['readable', 'json', 'sarif', 'github', 'gitlab', 'junit', 'jsonl']
      : [undefined]) {
      const { out, err } = await suture.run(format ? [...args, '--format', format] : args)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may be there
      expect(out + err).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/)
    }
  }
})

it('a symbolic link that leads out of the folder is not followed', async () => {
  suture.put('outside/secret.json', JSON.stringify(openCall))
  suture.put('inside/a.json', JSON.stringify(fine))
  symlinkSync(join(suture.home, 'outside'), join(suture.home, 'inside', 'link'))
  symlinkSync(join(suture.home, 'outside/secret.json'), join(suture.home, 'inside', 'b.json'))
  symlinkSync(join(suture.home, 'inside'), join(suture.home, 'inside', 'loop'))
  expect((await suture.run(['lint', 'inside'])).out).toBe('1 file: 1 valid.\n')
})

it('one line of 100 MB in a session', async () => {
  const id = 'd0000000-2222-4333-8444-555555555555'
  mkdirSync(join(suture.home, 'big'), { recursive: true })
  const path = join(suture.home, 'big', `${id}.jsonl`)
  const out = createWriteStream(path)
  out.write(validSession(id))
  out.write('{"type":"summary","leafUuid":"x","summary":"')
  for (let i = 0; i < 100; i++) if (!out.write('s'.repeat(1024 * 1024))) await once(out, 'drain')
  out.end('"}\n')
  await once(out, 'close')
  age(path)
  const { code, out: text } = await suture.run(['lint', path])
  expect({ code, text }).toMatchObject({ code: 0, text: '1 file: 1 valid.\n' })
})

it('deep nesting, __proto__, empty files, binary files: a report, never a stack', async () => {
  suture.put('odd/deep.json', `${'['.repeat(200_000)}${']'.repeat(200_000)}`)
  suture.put('odd/deep.jsonl', `${JSON.stringify(fine)}\n{"messages":${'['.repeat(100_000)}\n`)
  suture.put(
    'odd/proto.json',
    `{"__proto__":{"x":1},"messages":[{"role":"user","content":"a","__proto__":{"role":"x"}}]}`,
  )
  suture.put('odd/empty.jsonl', '')
  suture.put('odd/binary.json', Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256)))
  for (const name of ['deep.json', 'deep.jsonl', 'proto.json', 'empty.jsonl', 'binary.json']) {
    const { code, out, err } = await suture.run(['lint', `odd/${name}`])
    expect([0, 1, 4]).toContain(code)
    expect(out + err).not.toMatch(/^ +at /m)
  }
  expect((await suture.run(['lint', 'odd/empty.jsonl'])).out).toContain('The file is empty.')
})

it.skipIf(!hasProc)(skippable('Ctrl-C ends a long run with 130', !hasProc && 'no /proc'), async () => {
  for (let i = 0; i < 300; i++)
    suture.put(
      `long/${i}.json`,
      JSON.stringify({ ...fine, messages: Array.from({ length: 3000 }, () => fine.messages).flat() }),
    )
  const child = suture.start(['lint', 'long', '--concurrency', '1'])
  const done = ended(child)
  await untilReading(child, 20e6)
  child.kill('SIGINT')
  expect((await done).code).toBe(130)
})

it('several threads give the report of one', async () => {
  const lines = Array.from({ length: 400 }, (_, i) =>
    JSON.stringify(
      i % 70 === 3
        ? openCall
        : {
            ...fine,
            messages: [
              ...fine.messages,
              { role: 'assistant', content: 'x'.repeat(100_000) },
              { role: 'user', content: 'go on' },
            ],
          },
    ),
  )
  suture.put('threads.jsonl', `${lines.join('\n')}\n`)
  const one = await suture.run(['lint', 'threads.jsonl', '--concurrency', '1', '--format', 'json'])
  const three = await suture.run(['lint', 'threads.jsonl', '--concurrency', '3', '--format', 'json'])
  expect(JSON.parse(three.out)).toEqual(JSON.parse(one.out))
  expect(JSON.parse(one.out).files[0].findings.map((found: { line: number }) => found.line)).toEqual([
    4, 74, 144, 214, 284, 354,
  ])
})
