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
