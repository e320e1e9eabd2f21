/**
 * What every repair promises, checked behind each case of a rule. Throws a plain error that names the broken promise.
 */
import {
  apply,
  equal,
  invert,
  isObject,
  lint,
  pointer,
  type Repaired,
  repair,
  type Target,
  valueAt,
} from '../core/index.ts'

export function checkPromises(input: unknown, target: Target, repaired: Repaired<unknown>): void {
  const { history, patch, findings } = repaired
  const loose = lint(history, target).filter(
    (finding) => finding.fix !== undefined && (finding.severity === 'error' || target.strict === true),
  )
  promise(loose.length === 0, `nothing is left to mend, but ${loose.map((finding) => finding.message).join(' ')}`)
  promise(equal(apply(history, invert(patch)), input), 'undo gives the input back')
  const stored = JSON.parse(JSON.stringify(patch))
  promise(equal(apply(input, stored), history), 'the patch survives JSON')
  const again = repair(history, target)
  promise(again.history === history && again.patch.length === 0, 'a second repair changes nothing')
  promise(patch.length > 0 || history === input, 'an empty patch gives the same value back')
  checkUntouched(input, history, patch, target.service.dialect.key)
  for (const finding of findings) {
    if (finding.fix === undefined) continue
    promise(finding.fix.length > 0, `the fix of "${finding.message}" does something`)
    const alone = apply(input, finding.fix)
    promise(equal(apply(alone, invert(finding.fix)), input), `the fix of "${finding.message}" can be undone`)
  }
}

/** Messages that no edit names come back as the same objects, in the same order. */
function checkUntouched(
  input: unknown,
  history: unknown,
  patch: readonly { path: readonly unknown[] }[],
  key: string,
): void {
  const before = listIn(input, key)
  const after = new Set(listIn(history, key))
  const depth = Array.isArray(input) ? 0 : 1
  const touched = new Set(patch.map(({ path }) => path[depth]).filter((step) => typeof step === 'number'))
  const spliced = new Set(
    patch.flatMap((edit) => ('remove' in edit && edit.path.length === depth ? (edit.remove as unknown[]) : [])),
  )
  // Edits come last place first, so a message edit names the place it had in the input.
  before.forEach((message, index) => {
    if (!isObject(message) || touched.has(index) || spliced.has(message)) return
    promise(after.has(message), `${pointer([index])} was not edited and comes back as the same object`)
  })
}

function listIn(input: unknown, key: string): readonly unknown[] {
  const list = Array.isArray(input) ? input : valueAt(input, [key])
  return Array.isArray(list) ? list : []
}

function promise(holds: boolean, what: string): void {
  if (!holds) throw new Error(`Broken promise: ${what}.`)
}
