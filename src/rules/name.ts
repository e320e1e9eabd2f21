/**
 * A legal name made from one that is not: the same one every time, as like the old one as can be.
 */
import type { Law } from '../core/index.ts'
import { hash } from './hash.ts'

export const NAME = /^[a-zA-Z0-9_-]+$/

export function isLegalName(name: string | undefined, law: Law): name is string {
  if (name === undefined || name === '') return false
  return ((law['pattern'] as RegExp | undefined) ?? NAME).test(name) && name.length <= maxOf(law)
}

/** The same, for very many names of which most come again and again: the last few are remembered. */
export function legalNames(law: Law): (name: string) => boolean {
  const known: string[] = new Array(16).fill('')
  return (name) => {
    const at = (name.length + name.charCodeAt(name.length - 1)) & 15
    if (known[at] === name) return true
    if (!isLegalName(name, law)) return false
    known[at] = name
    return true
  }
}

/** Undefined where nothing of the old name is left. */
export function legalName(name: string, law: Law): string | undefined {
  const max = maxOf(law)
  let legal = ''
  for (const letter of name) legal += isLegalName(letter, law) ? letter : '_'
  if (/^_*$/.test(legal)) return undefined
  // Names that differ only at their end must not become one.
  if (legal.length > max) legal = legal.slice(0, Math.max(0, max - 10)) + '_' + hash(name)
  return isLegalName(legal, law) ? legal : `_${legal}`.slice(0, max)
}

function maxOf(law: Law): number {
  return (law['max'] as number | undefined) ?? Number.POSITIVE_INFINITY
}
