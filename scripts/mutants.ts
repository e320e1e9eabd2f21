/**
 * Makes small random changes of the source, runs the near tests for each, and prints changes that no test notices.
 * Works on a copy of the repository; needs `npm run emit` before. Takes 15 to 90 seconds of processor time a mutant.
 * Usage: npm run mutants -- [--count 200] [--seed 1] [--only core,rules,guard,session,stores] [--minutes 10]
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { Random } from '../src/testing/corruptions/random.ts'
import { type Mutation, mutationsOf } from './mutants/mutations.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: 'core,rules,guard,session,stores' },
    minutes: { type: 'string', default: '10' },
  },
})

/** For one mutant. Near tests that need longer without a change end the run: give more with `--minutes`. */
const MINUTES = Number(values.minutes)
const COPIED = ['src', 'contract', 'test', 'bench', 'scripts', 'examples', 'docs', 'plugins', 'dist']
const FILES = ['package.json', 'tsconfig.json', 'tsconfig.build.json', 'vitest.config.ts', 'README.md']

const root = process.cwd()
const copy = mkdtempSync(join(tmpdir(), 'suture-mutants-'))
for (const name of [...COPIED, ...FILES]) cpSync(join(root, name), join(copy, name), { recursive: true })
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))

const random = new Random(Number(values.seed))
const files = values.only.split(',').flatMap(sourcesIn)
const survivors: string[] = []
/** Near tests that pass without a change: otherwise every mutant would count as killed. */
const checked = new Set<string>()
let tried = 0
console.log(
  `${values.count} mutants of ${values.only}, seed ${values.seed}. killed: a near test failed. no end: no result after ${MINUTES} minutes.`,
)
try {
  while (tried < Number(values.count)) {
    const file = random.pick(files)
    const found = mutationsOf(readFileSync(join(copy, file), 'utf8'), file)
    if (found.length > 0) judge(file, random.pick(found))
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}
console.log(`\n${tried} mutants, ${survivors.length} survived: the tests below them pass with the change.`)
for (const line of survivors) console.log(line)
if (survivors.length > 0)
  console.log('Make the change by hand, and add a test that fails, or delete the code if nothing depends on it.')

function sourcesIn(folder: string): string[] {
  const all = readdirSync(join(root, 'src', folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )
  // Tables of words and links are not logic.
  const logic = all.filter((name) => !/\.test\.ts$|explanations\.ts$|index\.ts$|types\.ts$/.test(name))
  return logic.sort().map((name) => `src/${folder}/${name}`)
}

function judge(file: string, { line, from, to, text }: Mutation): void {
  const path = join(copy, file)
  const original = readFileSync(path, 'utf8')
  const tests = nearTests(file)
  checkUnchanged(tests)
  tried++
  writeFileSync(path, text)
  const outcome = outcomeOf(tests)
  writeFileSync(path, original)
  const what = `${file}:${line}  ${from}  →  ${to}`
  console.log(`${String(tried).padStart(4)} ${outcome.padEnd(8)} ${what}`)
  if (outcome === 'SURVIVED') survivors.push(`${what}\n       npx vitest run ${tests.join(' ')}`)
}

function checkUnchanged(tests: readonly string[]): void {
  const key = tests.join(' ')
  const outcome = checked.has(key) ? 'SURVIVED' : outcomeOf(tests)
  if (outcome !== 'SURVIVED') throw new Error(`Without a change these tests are ${outcome}: npx vitest run ${key}`)
  checked.add(key)
}

/** A mutant that never ends is ended by the time limit. */
function outcomeOf(tests: readonly string[]): 'SURVIVED' | 'killed' | 'no end' {
  const args = ['vitest', 'run', '--bail', '1', '--reporter', 'dot', ...tests]
  const env = { ...process.env, SUTURE_RUNS: '60' }
  const { status } = spawnSync('npx', args, { cwd: copy, env, stdio: 'ignore', timeout: MINUTES * 60_000 })
  return status === 0 ? 'SURVIVED' : status === null ? 'no end' : 'killed'
}

/** Tests of the file, its folder and its area. */
function nearTests(file: string): string[] {
  const area = file.split('/')[1]!
  const own = file.replace(/\.ts$/, '.test.ts')
  const isRule = area === 'rules' && basename(dirname(file)) === 'rules'
  if (isRule) return [own, 'test/agreement.test.ts', 'test/choices.test.ts']
  const beside: Readonly<Record<string, readonly string[]>> = {
    core: ['src/rules/', 'test/behaviors/', 'test/choices.test.ts'],
    rules: ['src/rules/', 'test/choices.test.ts'],
    guard: ['test/guard', 'test/choices.test.ts'],
    // With the dot: `test/session` alone would also name the tests of session files.
    session: ['test/session.', 'src/stores/stores.test.ts', 'test/choices.test.ts'],
    stores: ['test/session.'],
  }
  return [`src/${area}/`, ...(beside[area] ?? [])]
}
