/**
 * Bundles the hook of the Claude Code plugin into one file: Claude Code installs no dependencies of a plugin.
 * `npm run build` and `npm run emit` write it; it is packed, but it is not in the repository.
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL(import.meta.url.includes('/dist/') ? '../../' : '../', import.meta.url))
export const HOOK = `${root}plugins/claude-code/hooks/check-session.mjs`

export async function bundleHook(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [`${root}plugins/claude-code/check-session.ts`],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    banner: { js: '// Bundled from plugins/claude-code/check-session.ts by scripts/build-plugin.ts.' },
  })
  return outputFiles[0]!.text
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(HOOK, await bundleHook())
