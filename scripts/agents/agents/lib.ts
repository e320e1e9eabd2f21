import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Place } from '../types.ts'

/** A program that npm installed for this agent. */
export function bin({ installed }: Place, name: string): string {
  return join(installed, 'node_modules', '.bin', name)
}

/** Writes a configuration file, with the folders above it. */
export function write(file: string, content: string | object): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : `${JSON.stringify(content, undefined, 2)}\n`)
}
