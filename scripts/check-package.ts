/**
 * The package as users get it: packed, installed into an empty folder, every entry point imported, types checked,
 * bundled for browsers, optional packages left out, the command line started.
 * Usage: npm run check:package -- [--runtimes]. `--runtimes` also installs Node 22, Node 24, Bun and Deno from npm and
 * imports there.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { build } from 'esbuild'
import { publint } from 'publint'
import { MISSING } from './package/missing-packages.ts'
import { contentProblems, singleViewerProblems } from './package/tarball.ts'

const { values } = parseArgs({ options: { runtimes: { type: 'boolean', default: false } } })
const root = process.cwd()
const folder = mkdtempSync(join(tmpdir(), 'suture-package-'))
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly version: string
  readonly exports: Readonly<Record<string, unknown>>
  readonly peerDependencies: Readonly<Record<string, string>>
}
const entries = Object.keys(manifest.exports)
  .filter((name) => name !== './package.json')
  .map((name) => `suture${name.slice(1)}`)
/** For browsers and workers: no Node API. */
const BROWSER = [
  'suture',
  'suture/core',
  'suture/compact',
  'suture/dialects',
  'suture/rules',
  'suture/providers',
  'suture/session-files',
]
/** Attw's names for what a package without CommonJS cannot have. */
const ESM_ONLY = new Set(['CJSResolvesToESM'])
const problems: string[] = []

try {
  const { tarball, files } = packed()
  await step(`tarball of ${files.length} files`, async () => contentProblems(files))
  await step('publint', async () => {
    const { messages } = await publint({ pkgDir: root, level: 'warning', strict: true })
    return messages.map(({ code, path }) => `${code} at ${path.join('.')}`)
  })
  await step('are the types wrong', () => typesWrong(tarball))
  install(tarball)
  await step('viewer in one file', async () => singleViewerProblems(join(folder, 'node_modules/suture')))
  await step('command line', async () => commandLine())
  await step('optional packages that are missing are named', async () => MISSING.flatMap(unnamed))
  await step('imports without optional dependencies', async () =>
    entries.flatMap((entry) => imported(process.execPath, entry, false)),
  )
  linkPeers()
  await step('imports with them', async () => entries.flatMap((entry) => imported(process.execPath, entry, true)))
  await step('types', async () => typed())
  await step('browser bundle', bundled)
  await step('require', async () => required())
  if (values.runtimes) await runtimes()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
for (const problem of problems) console.log(`  ${problem}`)
console.log(problems.length === 0 ? 'The package is fine.' : `${problems.length} problems.`)
process.exitCode = problems.length === 0 ? 0 : 1

async function step(name: string, check: () => Promise<readonly string[]>): Promise<void> {
  const found = await check()
  console.log(`${found.length === 0 ? 'ok ' : 'BAD'} ${name}`)
  problems.push(...found.map((one) => `${name}: ${one}`))
}

function packed(): { readonly tarball: string; readonly files: readonly string[] } {
  const out = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    encoding: 'utf8',
  })
  const [{ filename, files }] = JSON.parse(out) as [
    { readonly filename: string; readonly files: readonly { readonly path: string }[] },
  ]
  return { tarball: join(folder, filename), files: files.map(({ path }) => path) }
}

function commandLine(): string[] {
  const { status, stdout } = spawnSync(join(folder, 'node_modules/.bin/suture'), ['--version'], {
    cwd: folder,
    encoding: 'utf8',
  })
  return status === 0 && stdout.trim() === manifest.version ? [] : [`suture --version ended with ${status}: ${stdout}`]
}

function unnamed({ name, script, expected }: (typeof MISSING)[number]): string[] {
  const file = join(folder, 'missing.mjs')
  writeFileSync(file, script)
  const { stderr } = spawnSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' })
  return stderr.split('\n').some((line) => expected.test(line)) ? [] : [`${name}: ${stderr.slice(0, 300)}`]
}

async function typesWrong(tarball: string): Promise<string[]> {
  const result = await checkPackage(createPackageFromTarballData(readFileSync(tarball)))
  if (!result.types) return ['no types']
  return (
    result.problems
      .filter((problem) => !ESM_ONLY.has(problem.kind))
      // Subpaths are in `exports`, which the old resolution of TypeScript 4 does not read.
      .filter((problem) => !('resolutionKind' in problem) || problem.resolutionKind !== 'node10')
      .map((problem) => JSON.stringify(problem).slice(0, 200))
  )
}

function install(tarball: string): void {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'user', private: true, type: 'module' }))
  const flags = ['--omit=optional', '--omit=peer', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['install', ...flags, tarball], { cwd: folder, stdio: 'inherit' })
}

/** Without its framework an integration may fail, but has to name the package to install. */
function imported(runtime: string, entry: string, hasPeers: boolean, args: readonly string[] = []): string[] {
  const file = join(folder, 'import.mjs')
  writeFileSync(
    file,
    `const all = await import('${entry}'); if (Object.keys(all).length === 0) throw new Error('nothing exported')`,
  )
  const { status, stderr, error } = spawnSync(runtime, [...args, file], { cwd: folder, encoding: 'utf8' })
  if (status === 0) return []
  const reason = `${stderr ?? ''}${error?.message ?? ''}`
  const isNamed = Object.keys(manifest.peerDependencies).some((name) => reason.includes(`'${name}`))
  return !hasPeers && isNamed
    ? []
    : [
        `${entry}: ${
          reason
            .trim()
            .split('\n')
            .find((line) => /error/i.test(line)) ?? reason.slice(0, 200)
        }`,
      ]
}

/**
 * Frameworks, from the project itself: one link for each package, never for the folder of a scope. No npm command may
 * run in this folder afterwards, since npm removes what it did not install.
 */
function linkPeers(): void {
  for (const name of Object.keys(manifest.peerDependencies)) {
    const [target, link] = [join(root, 'node_modules', name), join(folder, 'node_modules', name)]
    if (!existsSync(target) || existsSync(link)) continue
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(target, link)
  }
}

function typed(): string[] {
  const lines = entries.map((entry, i) => `import * as e${i} from '${entry}'\nexport const n${i} = Object.keys(e${i})`)
  writeFileSync(join(folder, 'user.ts'), `${lines.join('\n')}\n`)
  const options = {
    module: 'NodeNext',
    target: 'ES2023',
    lib: ['ES2023', 'DOM'],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['user.ts'] }))
  const tsc = resolve(root, 'node_modules/typescript/bin/tsc')
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { cwd: folder, encoding: 'utf8' })
  return status === 0 ? [] : stdout.trim().split('\n').slice(0, 5)
}

async function bundled(): Promise<string[]> {
  const found: string[] = []
  for (const entry of BROWSER) {
    const stdin = { contents: `export * from '${entry}'`, resolveDir: folder }
    await build({ stdin, bundle: true, write: false, platform: 'browser', format: 'esm', logLevel: 'silent' }).catch(
      (error: Error) => found.push(`${entry}: ${error.message.split('\n')[1] ?? error.message}`),
    )
  }
  return found
}

/** Node 20.19 and later can require a module; an older one throws. */
function required(): string[] {
  const { status, stderr } = spawnSync(process.execPath, ['-e', `require('suture').repair`], {
    cwd: folder,
    encoding: 'utf8',
  })
  return status === 0 || /ERR_REQUIRE_ESM|ERR_PACKAGE_PATH_NOT_EXPORTED/.test(stderr) ? [] : [stderr.slice(0, 200)]
}

async function runtimes(): Promise<void> {
  const names = ['node22@npm:node@22', 'node24@npm:node@24', 'bun@1', 'deno@2']
  const place = join(folder, 'runtimes')
  mkdirSync(place)
  writeFileSync(join(place, 'package.json'), JSON.stringify({ name: 'runtimes', private: true }))
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...names], {
    cwd: place,
    stdio: 'inherit',
  })
  const own = (path: string) => join(place, 'node_modules', path)
  for (const [name, runtime, args] of [
    ['Node 22', own('node22/bin/node'), []],
    ['Node 24', own('node24/bin/node'), []],
    ['Bun', own('.bin/bun'), []],
    ['Deno', own('.bin/deno'), ['run', '--allow-all', '--node-modules-dir=manual']],
  ] as const) {
    if (!existsSync(runtime)) console.log(`--  ${name}: not to be had here`)
    else await step(name, async () => entries.flatMap((entry) => imported(runtime, entry, false, args)))
  }
}
