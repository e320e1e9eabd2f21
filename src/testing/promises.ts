import {
  apply,
  equal,
  invert,
  lint,
  type Patch,
  pointer,
  type Repaired,
  repair,
  type Target,
  valueAt,
} from '../core/index.ts'

/**
 * What every repair promises, checked after each case of a rule. Throws a plain error that names the broken promise.
 */
export function checkPromises(input: unknown, target: Target, repaired: Repaired<unknown>): void {
  const { value, patch, findings } = repaired
  const loose = lint(value, target).filter(
    (finding) => finding.fix !== undefined && (finding.severity === 'error' || target.strict === true),
  )
  promise(loose.length === 0, `nothing is left to repair, but ${loose.map((finding) => finding.message).join(' ')}`)
  promise(equal(apply(value, invert(patch)), input), 'undo gives the input back')
  const stored = JSON.parse(JSON.stringify(patch))
  promise(equal(apply(input, stored), value), 'the patch survives JSON')
  const again = repair(value, target)
  promise(again.value === value && again.patch.length === 0, 'a second repair changes nothing')
  promise(patch.length > 0 || value === input, 'an empty patch gives the same value back')
  checkUntouched(input, value, patch, target.service.dialect.key)
  for (const finding of findings) {
    if (finding.fix === undefined) continue
    promise(finding.fix.length > 0, `the fix of "${finding.message}" does something`)
    const alone = apply(input, finding.fix)
    promise(equal(apply(alone, invert(finding.fix)), input), `the fix of "${finding.message}" can be undone`)
  }
}

/** Messages that no edit names, and that are not moved, come back as the same objects. */
function checkUntouched(input: unknown, value: unknown, patch: Patch, key: string): void {
  const depth = Array.isArray(input) ? 0 : 1
  const first = Math.min(...patch.map((edit) => placeOf(edit, depth)))
  const after = listIn(value, key)
  listIn(input, key).forEach((message, index) => {
    if (index < first)
      promise(after[index] === message, `${pointer([index])} was not edited and comes back as the same object`)
  })
}

/** The first message that an edit changes. */
function placeOf(edit: Patch[number], depth: number): number {
  const step = edit.path[depth]
  if (typeof step === 'number') return step
  return edit.op === 'splice' && edit.path.length === depth ? edit.index : Number.POSITIVE_INFINITY
}

function listIn(input: unknown, key: string): readonly unknown[] {
  const list = Array.isArray(input) ? input : valueAt(input, [key])
  return Array.isArray(list) ? list : []
}

function promise(holds: boolean, what: string): void {
  if (!holds) throw new Error(`Broken promise: ${what}.`)
}
