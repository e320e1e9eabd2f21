/**
 * Files compressed with zstd: read whole or with the reason why not, and rewritten as zstd or declined before anything
 * is written.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as zlib from 'node:zlib'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compressionOf, decompress } from '../../src/session-files/node/compression.ts'
import { skippable } from '../skip-reasons.ts'
import { age, type Cli, cli, ended, fine, openCall } from './harness.ts'

const hasZstd = 'zstdCompressSync' in zlib
const { zstdCompressSync } = zlib as unknown as { zstdCompressSync(bytes: Uint8Array): Buffer }

let suture: Cli
beforeAll(async () => {
  suture = await cli()
})
afterAll(() => suture.close())

/** `openCall` as `zstd -19` writes it, with a checksum. */
const COMPRESSED = Buffer.from(
  'KLUv/WQzAFUGAPJNKhlgeQP8U3JdX4t1YZO50VBpWKFmk0kUBDklYRS24bHWC3/M14u+HTKMwrB7toevqcHZOGu2Z3tGbctWlANZkoYZBClTV8v2z1K9F2sexpbiv/6pDDvwvs/rqO1yEfs2+Ue3nGjc+ky0V9zcwtS56BaOf0VMradnY+vY3qllb/65Z3u9W4PQ7PeK/nvWUhCG2W8du1jqaNayC4AAPmsXcCrTOvXs6tTNGgwLAEwEimlWRAwX07UIjBNn+oedOhbYIh4r6PnLUmYXcjUN',
  'base64',
)
const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
const BLOCK = 100_000

/** A frame of blocks that are stored as they are: valid zstd that needs no encoder. */
function frame(text: string): Buffer {
  const bytes = Buffer.from(text)
  const size = Buffer.alloc(5, 0xa0)
  size.writeUInt32LE(bytes.length, 1)
  const blocks: Buffer[] = []
  for (let at = 0; at < bytes.length || at === 0; at += BLOCK) {
    const own = bytes.subarray(at, at + BLOCK)
    const head = Buffer.alloc(3)
    head.writeUIntLE((own.length << 3) | (at + BLOCK >= bytes.length ? 1 : 0), 0, 3)
    blocks.push(head, own)
  }
  return Buffer.concat([MAGIC, size, ...blocks])
}

/** A frame that decompressors leave out. */
const SKIPPED = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4])

const line = (value: unknown) => `${JSON.stringify(value)}\n`
const LIMIT = 1024 ** 3
const textIn = async (bytes: Uint8Array, limit = LIMIT) =>
  Buffer.from(await decompress(bytes, compressionOf(bytes), limit)).toString()

describe('reading', () => {
  it('what zstd itself has written', async () => {
    expect(JSON.parse(await textIn(COMPRESSED))).toEqual(openCall)
    const path = suture.put('real.jsonl.zst', COMPRESSED)
    const { code, out } = await suture.run(['lint', path])
    expect([code, out]).toEqual([1, expect.stringContaining('tool-result-missing')])
  })

  it('several frames, one after the other, and frames that are skipped', async () => {
    const [one, two] = [line(fine), line(openCall)]
    expect(await textIn(Buffer.concat([frame(one), frame(two)]))).toBe(one + two)
    expect(await textIn(Buffer.concat([SKIPPED, frame(one), SKIPPED, frame(two)]))).toBe(one + two)
    const path = suture.put('two.jsonl.zst', Buffer.concat([SKIPPED, frame(one), frame(two)]))
    const { out } = await suture.run(['lint', path, '--format', 'json'])
    expect(JSON.parse(out).files[0]).toMatchObject({ conversations: 2, errors: 1 })
  })

  it('a frame of many blocks', async () => {
    const text = line(fine).repeat(4000)
    expect(await textIn(frame(text))).toBe(text)
  })

  it('a plain file with the name of a compressed one, as what it is', async () => {
    const path = suture.put('plain.jsonl.zst', line(openCall))
    expect((await suture.run(['lint', path])).out).toContain('tool-result-missing')
    expect((await suture.run(['repair', path, '--write'])).code).toBe(0)
    expect(JSON.stringify(JSON.parse(readFileSync(path, 'utf8')).messages)).toContain('tool_result')
  })

  it.each<[string, Buffer]>([
    ['in its head', COMPRESSED.subarray(0, 5)],
    ['in a block', COMPRESSED.subarray(0, COMPRESSED.length - 60)],
    ['in a second frame', Buffer.concat([frame(line(fine)), frame(line(fine)).subarray(0, 40)])],
    ['after its magic, with other bytes', Buffer.concat([MAGIC, Buffer.alloc(64, 0xff)])],
  ])('says so if a file is cut short or damaged: %s', async (_where, bytes) => {
    await expect(textIn(bytes)).rejects.toMatchObject({ code: 'bad-option' })
    const path = suture.put('cut.jsonl.zst', bytes)
    for (const args of [
      ['lint', path],
      ['repair', path, '--write'],
      ['show', path],
    ]) {
      const { code, out, err } = await suture.run(args)
      expect([code, out + err]).toEqual([2, expect.stringMatching(/compressed with zstd, and is cut short or damaged/)])
      expect(err).not.toMatch(/^ {4}at /m)
    }
    expect(readFileSync(path)).toEqual(bytes)
  })

  it('gzip that is cut short, in the same words', async () => {
    const path = suture.put('cut.jsonl.gz', zlib.gzipSync(line(fine)).subarray(0, 40))
    const { code, err } = await suture.run(['repair', path])
    expect([code, err]).toEqual([2, expect.stringMatching(/compressed with gzip, and is cut short or damaged/)])
  })

  it('nothing that gets larger than the limit', async () => {
    const text = 'x'.repeat(300_000)
    for (const bytes of [frame(text), zlib.gzipSync(text)]) {
      expect(await textIn(bytes, 300_000)).toBe(text)
      await expect(textIn(bytes, 299_999)).rejects.toThrow(/more than 0 MB when it is decompressed/)
    }
  })
})

describe('writing', () => {
  const name = 'a Node without zstd declines, says what to do, and writes none of the files'
  it.skipIf(hasZstd)(skippable(name, hasZstd && 'this Node has zstd'), async () => {
    const plain = suture.put('both/plain.json', JSON.stringify(openCall))
    const path = suture.put('both/real.jsonl.zst', COMPRESSED)
    const { code, err } = await suture.run(['repair', plain, path, '--write'])
    expect([code, err]).toEqual([2, expect.stringMatching(/cannot write that\. Use Node 22\.15 or later, or .* --out/)])
    expect(readFileSync(plain, 'utf8')).toBe(JSON.stringify(openCall))
    expect(readFileSync(path)).toEqual(COMPRESSED)
    expect(readdirSync(join(suture.home, 'both')).sort()).toEqual(['plain.json', 'real.jsonl.zst'])
  })

  it('--out writes a plain file, on every Node', async () => {
    const path = suture.put('out/real.jsonl.zst', COMPRESSED)
    const out = join(suture.home, 'out/new.jsonl')
    expect((await suture.run(['repair', path, '--out', out])).code).toBe(0)
    expect(readFileSync(out, 'utf8')).toContain('tool_result')
    expect((await suture.run(['lint', out])).code).toBe(0)
    expect(readFileSync(path)).toEqual(COMPRESSED)
  })

  it.skipIf(!hasZstd)(
    skippable('zstd stays zstd, and undo restores the bytes', !hasZstd && 'this Node cannot write zstd'),
    async () => {
      const stored = zstdCompressSync(Buffer.from(line(openCall)))
      const path = suture.put('again.jsonl.zst', stored)
      expect((await suture.run(['repair', path, '--write'])).code).toBe(0)
      expect(readFileSync(path).subarray(0, 4)).toEqual(MAGIC)
      expect((await suture.run(['lint', path])).code).toBe(0)
      age(path)
      expect((await suture.run(['undo', path])).code).toBe(0)
      expect(readFileSync(path)).toEqual(stored)
    },
  )
})

it.skipIf(hasZstd)(
  skippable('without zstd and without fzstd the error names both ways out', hasZstd && 'this Node has zstd'),
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'suture-no-fzstd-'))
    try {
      mkdirSync(join(folder, 'cli'))
      const outfile = join(folder, 'cli/main.mjs')
      await build({
        entryPoints: [join(import.meta.dirname, '../../src/cli/main.ts')],
        outfile,
        bundle: true,
        platform: 'node',
        format: 'esm',
        packages: 'external',
        logLevel: 'error',
      })
      expect(existsSync(join(folder, 'node_modules'))).toBe(false)
      const path = suture.put('real.jsonl.zst', COMPRESSED)
      const { spawn } = await import('node:child_process')
      const { code, err } = await ended(spawn(process.execPath, [outfile, 'repair', path], { env: { HOME: folder } }))
      expect([code, err]).toEqual([2, expect.stringMatching(/npm install fzstd.*Node 22\.15 or later/)])
      expect(err).not.toMatch(/^ {4}at /m)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
