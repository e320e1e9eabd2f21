/**
 * The damage experiment as a table: for each format and kind of damage, how many of the records that were not touched
 * came out byte for byte, and whether any promise was broken. Prints Markdown for docs/session-files.md. `node
 * session-file-damage.js [mutants a cell] [seed]`
 */
import { openSessionFile, recordBytes } from '../src/session-files/index.ts'
import { bytesOf, textOf } from '../src/session-files/salvage/bytes.ts'
import { DAMAGE, type DamageKind, damage, type Mutant } from '../test/session-files/damage.ts'
import { brokenPromises } from '../test/session-files/damage-promises.ts'
import { DAMAGE_SAMPLES, type DamageSample } from '../test/session-files/samples.ts'

const runs = Number(process.argv[2] ?? 100)
const first = Number(process.argv[3] ?? 1)

interface Cell {
  readonly untouched: number
  readonly recovered: number
  readonly broken: number
}

function cellOf({ format, container, records }: DamageSample, kind: DamageKind): Cell {
  const lines = records().map((line) => bytesOf(JSON.stringify(line)))
  let untouched = 0
  let recovered = 0
  let broken = 0
  for (let seed = first; seed < first + runs; seed++) {
    const mutant = damage(lines, kind, seed, container)
    untouched += mutant.untouched.length
    recovered += recoveredIn(format, mutant)
    broken += brokenPromises(format, mutant).length
  }
  return { untouched, recovered, broken }
}

function recoveredIn(format: string, { bytes, untouched }: Mutant): number {
  const file = openSessionFile({ bytes }, { format })
  const found = new Map<string, number>()
  for (const record of file.records) {
    const text = textOf(recordBytes(file, record))
    found.set(text, (found.get(text) ?? 0) + 1)
  }
  return untouched.filter((line) => {
    const left = found.get(textOf(line)) ?? 0
    found.set(textOf(line), left - 1)
    return left > 0
  }).length
}

const total = DAMAGE.length * DAMAGE_SAMPLES.length * runs
let problems = 0
console.log(`| format | ${DAMAGE.join(' | ')} |\n| --- |${' --: |'.repeat(DAMAGE.length)}`)
for (const one of DAMAGE_SAMPLES) {
  const shown = DAMAGE.map((kind) => {
    const { untouched, recovered, broken } = cellOf(one, kind)
    problems += broken
    const count = recovered.toLocaleString('en')
    return recovered === untouched ? count : `${count} of ${untouched.toLocaleString('en')}`
  })
  console.log(`| ${one.name} | ${shown.join(' | ')} |`)
}
console.log(`\n${total.toLocaleString('en')} mutants, ${problems} broken promises.`)
process.exitCode = problems > 0 ? 1 : 0
