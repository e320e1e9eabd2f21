/**
 * Reads a session file with everything that belongs to it. The bytes on disk are kept as they are: what is compressed
 * is given decompressed.
 */
import { closeSync, existsSync, fstatSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import { orUndefined, SutureError } from '../../core/index.ts'
import type { FileInput } from '../types.ts'
import { type Compression, compressionOf, decompress } from './compression.ts'
import { checkRegular, headOf } from './regular-file.ts'

/** A single session has to fit into memory, several times over. */
export const LARGEST_FILE = 1024 * 1024 * 1024

export interface FileOnDisk {
  readonly path: string
  readonly input: FileInput
  /** As stored, before decompression. */
  readonly stored: Uint8Array
  readonly compression: Compression
}

export async function readSessionFile(path: string, limit: number = LARGEST_FILE): Promise<FileOnDisk> {
  checkRegular(path)
  if (isDatabase(path)) return readDatabase(path)
  const bytes = readWhole(path, limit)
  const compression = compressionOf(bytes)
  const plain = await decompress(bytes, compression, limit)
  const name = compression === 'none' ? path : path.replace(/\.(gz|zst|zstd)$/i, '')
  return { path, input: { bytes: plain, path: name, ...siblingsOf(path) }, stored: bytes, compression }
}

async function readDatabase(path: string): Promise<FileOnDisk> {
  const { readTables } = await import('./sqlite.ts')
  const bytes = new Uint8Array()
  return { path, input: { bytes, path, ...(await readTables(path)) }, stored: bytes, compression: 'none' }
}

function isDatabase(path: string): boolean {
  return /\.(db|sqlite3?|vscdb)$/i.test(path) && headOf(path, 16).toString('latin1').startsWith('SQLite format 3')
}

function readWhole(path: string, limit: number): Uint8Array {
  const file = openSync(path, 'r')
  try {
    checkSize(path, fstatSync(file).size, limit)
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

/** What a session takes in memory, by the size of its file. Measured: 1.5 to 2.5. */
const HEAP_PER_BYTE = 3

/** A session is read whole. An error before it is read is better than the end of the process while it is. */
function checkSize(path: string, size: number, limit: number): void {
  const heap = getHeapStatistics().heap_size_limit
  const needed = size * HEAP_PER_BYTE
  if (size > limit)
    throw tooLarge(
      `${path} has ${megabytes(size)}; a session of more than ${megabytes(limit)} is not read. \`suture lint\` checks a data set of any size, if it has one conversation on each line.`,
      size,
    )
  if (needed > heap)
    throw tooLarge(
      `${path} has ${megabytes(size)} and may need ${megabytes(needed)} of memory, but Node has a limit of ${megabytes(heap)} here. Give it more: NODE_OPTIONS=--max-old-space-size=${Math.ceil(needed / 2 ** 20)}`,
      size,
    )
}

function tooLarge(text: string, size: number): SutureError {
  return new SutureError('bad-option', text, { size })
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`
}

const SIDECARS = 200
const SIDECAR_BYTES = 64 * 1024 * 1024

/** Sub-agents of a Claude Code session are in a folder of its name; Cline and others keep a JSON file beside it. */
function siblingsOf(path: string): { siblings?: ReadonlyMap<string, Uint8Array> } {
  const stem = basename(path).replace(/(\.messages)?\.jsonl?(\.(gz|zst))?$/i, '')
  const found = new Map<string, Uint8Array>()
  const folder = join(dirname(path), stem, 'subagents')
  if (existsSync(folder)) {
    for (const name of readdirSync(folder).slice(0, SIDECARS))
      take(found, join(folder, name), `${stem}/subagents/${name}`)
  }
  for (const name of [`${stem}.json`, `${stem}.meta.json`, 'state.json', 'workspace.yaml']) {
    const beside = join(dirname(path), name)
    if (beside !== path && existsSync(beside)) take(found, beside, name)
  }
  return found.size === 0 ? {} : { siblings: found }
}

function take(found: Map<string, Uint8Array>, path: string, name: string): void {
  // Undefined: gone meanwhile.
  const file = orUndefined(() => statSync(path))
  const bytes = file?.isFile() && file.size <= SIDECAR_BYTES ? orUndefined(() => readFileSync(path)) : undefined
  if (bytes) found.set(name, bytes)
}
