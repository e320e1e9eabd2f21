/** Builds the package and prints a line per step, so that a first start is not silent. Plain JavaScript: it runs before anything is compiled. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const bin = (name) => join('node_modules', '.bin', name)
const steps = [
  ['Compiling the sources', bin('tsc'), ['-p', 'tsconfig.build.json', '--noCheck']],
  ['Bundling the command line', 'node', ['dist/scripts/bundle-cli.js']],
  ['Building the viewer', bin('vite'), ['build', '-c', 'src/viewer/vite.config.ts', '--logLevel', 'error']],
]

for (const [i, [title, command, args]] of steps.entries()) {
  const began = Date.now()
  process.stdout.write(`[${i + 1}/${steps.length}] ${title} … `)
  const { status, error } = spawnSync(command, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (error || status !== 0) {
    console.error(`failed${error ? `: ${error.message}. Run \`npm install\` first.` : '.'}`)
    process.exit(status || 1)
  }
  console.log(`${((Date.now() - began) / 1000).toFixed(0)} s`)
}
