/**
 * What bench/results/cost.json has: figures by part, and under which conditions each part was measured. A report of
 * some parts keeps the others.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import type { Figure } from './figures.ts'

export interface Conditions {
  readonly machine: string
  readonly system: string
  readonly node: string
  /** Of Suture. */
  readonly commit: string
  /** Processes that were running or waiting when the part began: other work makes every figure worse. */
  readonly load: number
  readonly versions: readonly string[]
}

export interface Part extends Conditions {
  readonly name: string
  readonly figures: readonly Figure[]
}

export interface CostResults {
  readonly parts: readonly Part[]
  /** Parts that were tried and not measured, and why. */
  readonly missing: readonly string[]
}

export function figuresOf({ parts }: CostResults): readonly Figure[] {
  return parts.flatMap(({ figures }) => figures)
}

/** New parts in place of the old ones of the same name, in the order of the names. */
export function merged(before: CostResults, now: CostResults, names: readonly string[]): CostResults {
  const parts = names.flatMap((name) => {
    const own = now.parts.find((part) => part.name === name) ?? before.parts.find((part) => part.name === name)
    return own ? [own] : []
  })
  return { parts, missing: now.missing }
}

export function conditions(packages: readonly string[], others: readonly string[] = []): Conditions {
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  return {
    machine: `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, ${gigabytes} GB`,
    system: `${process.platform} ${process.arch}`,
    node: process.version,
    commit: commit(),
    load: Math.round(loadavg()[0]! * 10) / 10,
    versions: [...packages.map((name) => `${name} ${versionOf(`node_modules/${name}`)}`), ...others],
  }
}

export function versionOf(folder: string): string {
  return (JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as { version: string }).version
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  } catch {
    return 'unknown'
  }
}
