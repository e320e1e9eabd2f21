/**
 * What SQLite's errors mean, in the words of either driver.
 */
import { SutureError } from '../core/index.ts'
import { codeOf } from './outcomes.ts'

export function busy(what: string, patience: number, cause: unknown): SutureError {
  return new SutureError(
    'store-busy',
    `sqlite could not ${what}: other processes kept the file locked for ${patience} ms. Nothing was written; try again, or let one process write.`,
    { patience },
    { cause },
  )
}

export function isBusy(error: unknown): boolean {
  return codesOf(error).some((code) => /^SQLITE_(BUSY|LOCKED)/.test(code) || code === '5' || code === '6')
}

export function isFull(error: unknown): boolean {
  return codesOf(error).some((code) => code === 'SQLITE_FULL' || code === '13')
}

/** better-sqlite3 gives names, node:sqlite numbers (the primary code is the low byte). */
function codesOf(error: unknown): string[] {
  const number = typeof error === 'object' && error !== null ? (error as { errcode?: unknown }).errcode : undefined
  return [codeOf(error) ?? '', typeof number === 'number' ? String(number & 255) : '']
}
