/**
 * Reads figures from the output of the benches, each with its bar, if it has one.
 */

export interface Figure {
  readonly group: string
  /** With `column`: the row of a table that has several figures in a row. */
  readonly name: string
  readonly column?: string
  readonly value: number
  readonly unit?: string
  readonly bar?: number
  /** Default: `lower`. */
  readonly better?: 'lower' | 'higher'
  readonly note?: string
}

/** How much of its bar a figure takes: over 1 it is missed. 0 without a bar. */
export function shareOfBar({ value, bar, better = 'lower' }: Figure): number {
  if (bar === undefined) return 0
  return better === 'higher' ? bar / value : value / bar
}

export function isMet({ value, bar, better = 'lower' }: Figure): boolean | undefined {
  if (bar === undefined) return undefined
  return better === 'lower' ? value <= bar : value >= bar
}

type Read = (output: string) => Figure[]

function lines(output: string, pattern: RegExp, to: (match: RegExpMatchArray, section: string) => Figure): Figure[] {
  const found: Figure[] = []
  let section = ''
  for (const line of output.split('\n')) {
    const match = line.match(pattern)
    if (match) found.push(to(match, section))
    else if (/^\S/.test(line)) section = line.trim()
  }
  return found
}

/** `  1000 kB ASCII: best 1.31, median 1.34 (bar 1.3: met)`, below the title of its section. */
export const guardFigures: Read = (output) => [...guardRatios(output), ...guardTimes(output)]

const guardRatios: Read = (output) =>
  lines(
    output,
    /^ {2}(.+): best ([\d.]+).*?, median ([\d.]+)(.*?) \(bar ([\d.]+)/,
    ([, name, , median, unit, bar], section) => ({
      group: 'guard',
      name: `${section}: ${name}`,
      value: Number(median),
      ...(unit?.trim() ? { unit: unit.trim() } : {}),
      bar: Number(bar),
    }),
  )

/** The line below a ratio: `    made of: …; µs: parse 429.1, and lint 300.0, bare 12.0, guarded 620.3`. */
function guardTimes(output: string): Figure[] {
  const found = output.matchAll(/^ {2}(\S.*): best .*\n.*µs: .*bare ([\d.]+), guarded ([\d.]+)$/gm)
  return [...found].map(([, name, bare, guarded]) => ({
    group: 'guard',
    name: `added to a request: ${name}`,
    value: Math.round(Number(guarded) - Number(bare)) / 1000,
    unit: 'ms',
  }))
}

/** `  0.85  met  gpt-5 2 kB, 32 connections`; and Portkey's line of a block. */
export const gatewayFigures: Read = (output) => [
  ...lines(output, /^ {2}([\d.]+) {2}(?:missed|met|stretch) +(\S.*)$/, ([, ratio, name]) => ({
    group: 'gateway',
    name: `valid, × a proxy that parses: ${name}`,
    value: Number(ratio),
    bar: 0.8,
    better: 'higher',
  })),
  ...lines(output, /^ {2}gateway .*× portkey: +([\d.]+) by rate/, ([, ratio], section) => ({
    group: 'gateway',
    name: `× Portkey by rate: ${section}`,
    value: Number(ratio),
    better: 'higher',
  })),
  ...repairedRequests(output),
]

function repairedRequests(output: string): Figure[] {
  return lines(output, /^ {2}gateway .*× min-parse: +([\d.]+) by rate/, ([, ratio], section) => ({
    group: 'gateway',
    name: `repaired, × a proxy that parses: ${section}`,
    value: Number(ratio),
    better: 'higher' as const,
  })).filter(({ name }) => name.includes(', repaired'))
}

export const streamFigures: Read = (output) =>
  lines(output, /^(.+?): (?:median )?([\d.]+) (µs an event|ms).*\(bar ([\d.]+)\)/, ([, name, value, unit, bar]) => ({
    group: 'gateway',
    name: `streams: ${name}`,
    value: Number(value),
    unit: unit!,
    bar: Number(bar),
  }))

/**
 * `sqlite full: append of 2 KB at 0.70 x the bare insert (…) (bar: 0.60)`; `growth: … costs 0.98 x that … (bar: 1.30)`
 */
export const sessionFigures: Read = (output) =>
  lines(
    output,
    /^(.+?) (?:at|costs|takes) ([\d.]+) x (.+?)(?: \(\d.*?\))? \((?:bar: ([\d.]+)|no bar)\)$/,
    ([, name, ratio, than, bar]) => ({
      group: 'stores',
      name: `${name}, × ${than}`,
      value: Number(ratio),
      ...(bar ? { bar: Number(bar) } : {}),
      better: name!.startsWith('growth') ? 'lower' : 'higher',
    }),
  )

/**
 * `doctor again / first run   0.111  bar 0.05  above the bar`, and an indented line of the same form about the one
 * before it.
 */
export const cliFigures: Read = (output) => {
  let about = ''
  return lines(output, /^( *)(\S.*?) {2,}([\d.]+) +bar ([\d.]+) /, ([, indent, name, ratio, bar]) => {
    if (indent === '') about = name!
    return {
      group: 'command line',
      name: indent === '' ? name! : `${about}: ${name}`,
      value: Number(ratio),
      bar: Number(bar),
    }
  })
}

export const sizeFigures: Read = (output) =>
  lines(
    output,
    /^ +([\d.]+) kB +(?:\w+ \(bar ([\d.]+)[^)]*\))? +((?:import .*? from "|)suture.*?) \(/,
    ([, kilobytes, bar, name]) => ({
      group: 'bundle',
      name: `${name}, minified and gzipped`,
      value: Number(kilobytes),
      unit: 'kB',
      ...(bar ? { bar: Number(bar) } : {}),
    }),
  )

export const viewerFigures: Read = (output) => [
  ...lines(output, /^(\S.*?) +scripts gzipped: page [\d.]+ kB, with the worker ([\d.]+) kB/, ([, name, kilobytes]) => ({
    group: 'viewer',
    name: `${name}: scripts to load, gzipped`,
    value: Number(kilobytes),
    unit: 'kB',
  })),
  ...lines(output, /^(\S.*?) +first rows \d+ ms, work per frame p50 [\d.]+ p95 ([\d.]+) ms/, ([, name, work]) => ({
    group: 'viewer',
    name: `${name}: work per frame, p95`,
    value: Number(work),
    unit: 'ms',
    bar: 16,
  })),
]

export const compactFigures: Read = (output) =>
  lines(output, /^(\S+) +[\d.]+ +[\d.]+ +([\d.]+)\D+([\d.]+)/, ([, name, , median]) => ({
    group: 'compaction',
    name: `${name}: planning from cold, × JSON.parse`,
    value: Number(median),
    bar: 1,
  }))
