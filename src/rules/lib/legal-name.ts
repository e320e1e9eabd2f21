/** A legal name made from one that is not: the same one every time, as close to the old one as can be. */
import { hash } from '../../core/index.ts'

export interface NameParams {
  /** What a name must match, whole. Default: letters, digits, `_`, `-`. */
  readonly pattern?: RegExp
  /** How many characters a name may have. */
  readonly max?: number
}

export const NAME = /^[a-zA-Z0-9_-]+$/

export function isLegalName(
  name: string | undefined,
  { pattern = NAME, max = Number.POSITIVE_INFINITY }: NameParams,
): name is string {
  return name !== undefined && name !== '' && name.length <= max && pattern.test(name)
}

/** Undefined if nothing of the old name is left. */
export function legalName(name: string, params: NameParams): string | undefined {
  const { max = Number.POSITIVE_INFINITY } = params
  let legal = ''
  for (const letter of name) legal += isLegalName(letter, params) ? letter : '_'
  if (/^_*$/.test(legal)) return undefined
  // Names that differ only at their end must not become one.
  if (legal.length > max) legal = legal.slice(0, Math.max(0, max - 10)) + '_' + hash(name)
  return isLegalName(legal, params) ? legal : `_${legal}`.slice(0, max)
}
