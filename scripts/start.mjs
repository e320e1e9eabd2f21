/**
 * `npm run serve` on a fresh clone: installs what the build needs, builds, and starts the server. A second start does
 * neither. It prints a line at least every few seconds. Plain JavaScript: it runs before anything is installed.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const LINE_EVERY_MS = 4_000
const STAMP = 'dist/built-from'
process.chdir(fileURLToPath(new URL('..', import.meta.url)))

if (!isInstalled()) await install()
const sources = hashOfSources()
if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== sources) await build()
process.argv = [process.argv[0], 'dist/cli/main.js', 'serve', ...process.argv.slice(2)]
await import(pathToFileURL('dist/cli/main.js').href)

/** Every package of package.json is there in the version of the lock file. */
function isInstalled() {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const { dependencies, devDependencies, optionalDependencies } = packages['']
  return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }).every((name) => {
    const manifest = `node_modules/${name}/package.json`
    const { version } = packages[`node_modules/${name}`]
    return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version
  })
}

/**
 * The packages of the tests stay out (`--workspaces=false`; `--legacy-peer-deps` leaves out optional peers), and no
 * package compiles anything (`--ignore-scripts`). Where the tests are installed, everything is brought up to date.
 */
async function install() {
  const forTests = existsSync('node_modules/vitest')
  const only = forTests ? [] : ['--workspaces=false', '--legacy-peer-deps', '--ignore-scripts']
  const title = forTests ? 'all packages, which have changed' : 'the packages that the build needs, about 200'
  const args = ['ci', ...only, '--no-audit', '--no-fund', '--loglevel=error']
  const npm = process.env.npm_execpath
  await step(`Installing ${title}`, npm ? process.execPath : 'npm', npm ? [npm, ...args] : args, installedFolders)
}

/** npm makes all folders first, and then fills them. */
function installedFolders() {
  const names = existsSync('node_modules') ? readdirSync('node_modules') : []
  const inScope = (name) => readdirSync(join('node_modules', name)).map((inner) => join(name, inner))
  const all = names.flatMap((name) => (name.startsWith('@') ? inScope(name) : [name]))
  const whole = all.filter((name) => existsSync(join('node_modules', name, 'package.json')))
  return `${whole.length} of about ${all.length} packages`
}

async function build() {
  await step('Bundling the command line', process.execPath, ['scripts/run.mjs', 'scripts/bundle-cli.ts'])
  const vite = ['node_modules/vite/bin/vite.js', 'build', '-c', 'src/viewer/vite.config.ts', '--logLevel', 'error']
  await step('Building the viewer', process.execPath, vite)
  writeFileSync(STAMP, sources)
}

/** Sizes and times of everything that is built. */
function hashOfSources() {
  const hash = createHash('sha256')
  const folders = ['src', 'contract', 'docs/rules', 'docs/data']
  const files = folders.flatMap((folder) => readdirSync(folder, { recursive: true }).map((file) => join(folder, file)))
  for (const file of [...files, 'package.json', 'package-lock.json', 'scripts/bundle-cli.ts'].sort()) {
    const { size, mtimeMs } = statSync(file)
    hash.update(`${file} ${size} ${mtimeMs}\n`)
  }
  return hash.digest('hex')
}

/** Runs one program, and prints what it has done so far while it runs. Ends this process if the program fails. */
async function step(title, command, args, progress = () => 'still at it') {
  const began = Date.now()
  const seconds = () => Math.round((Date.now() - began) / 1000)
  console.log(`${title} …`)
  const ticking = setInterval(() => console.log(`  ${seconds()} s, ${progress()}`), LINE_EVERY_MS)
  const code = await new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], shell: command === 'npm' })
    child.on('error', reject)
    child.on('close', (status) => resolve(status ?? 1))
  }).finally(() => clearInterval(ticking))
  if (code === 0) return console.log(`  done, ${seconds()} s`)
  console.error(`${title} failed. The lines above say why.`)
  process.exit(code)
}
