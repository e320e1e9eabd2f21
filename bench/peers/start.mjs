// Installs the peers at the versions of the lock file, if they are not there, and starts the comparison on the Node that they ask for.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))
const node = fileURLToPath(new URL('node_modules/node/bin/node', import.meta.url))
const [major] = process.versions.node.split('.').map(Number)

function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', ...options })
  if (error) console.error(`${command} did not start: ${error.message}`)
  if (status !== 0) process.exit(status ?? 1)
}

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
if (!existsSync(`${folder}node_modules/deepagents`)) {
  console.log('Installing the peers: about 1 GB, once. This takes one to five minutes.')
  run(npm, ['ci', '--ignore-scripts', '--loglevel=error'], { cwd: folder })
}
if (major < 24 && !existsSync(node)) {
  console.log('Installing Node 24 for the peers; the project itself runs on Node 20.')
  run(npm, ['rebuild', 'node', '--loglevel=error'], { cwd: folder })
}
const flags = ['--disable-warning=ExperimentalWarning', `${folder}main.ts`, ...process.argv.slice(2)]
run(major >= 24 ? process.execPath : node, flags)
