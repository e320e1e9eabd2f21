/** Builds the page: static files for the servers, or with `SUTURE_SINGLE=1` one HTML file that works from disk. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
import { viteSingleFile } from 'vite-plugin-singlefile'
import solid from 'vite-plugin-solid'
import { thirdPartyNotices } from './third-party.ts'
import type { ProviderWords } from './worker/protocol.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
/** Number of providers whose words are kept for each rule. */
const LONGEST_WORDS = 180
/** The code that every conversation needs, as one chunk: many small chunks compress less. */
const ENGINE = {
  name: 'engine',
  test: /\/src\/(core|rules|dialects|providers)\/|\/src\/viewer\/worker\/(cells|preview)\.ts/,
}
const isSingle = process.env['SUTURE_SINGLE'] === '1'

interface Section {
  readonly id: string
  readonly title: string
  readonly rows: readonly { readonly rule: string; readonly texts: readonly string[] }[]
}

/** How providers word the rejections of each rule, from docs/data/rejections.json: one text of each provider. */
function ruleWords(): Plugin {
  return {
    name: 'suture-rule-words',
    load(id) {
      if (!id.endsWith('/viewer/worker/rule-words.ts')) return undefined
      const { sections } = JSON.parse(readFileSync(here('../../docs/data/rejections.json'), 'utf8'))
      return `export const ruleWords = ${JSON.stringify(wordsByRule(sections))}`
    },
  }
}

function wordsByRule(sections: readonly Section[]): Readonly<Record<string, readonly ProviderWords[]>> {
  const all = sections.flatMap(({ id: of, title: by, rows }) =>
    rows.flatMap(({ rule, texts }) => texts.map((text) => ({ rule, of, by, text: shortened(text) }))),
  )
  const words: Record<string, ProviderWords[]> = {}
  for (const { rule, ...one } of firstOfEach(all, ({ rule, of }) => `${rule} ${of}`))
    words[rule] = [...(words[rule] ?? []), one]
  return words
}

function firstOfEach<T>(list: readonly T[], keyOf: (one: T) => string): readonly T[] {
  const seen = new Set<string>()
  return list.filter((one) => !seen.has(keyOf(one)) && seen.add(keyOf(one)))
}

function shortened(text: string): string {
  return text.length > LONGEST_WORDS ? `${text.slice(0, LONGEST_WORDS)}…` : text
}

/** The worker loads formats of session files on demand: only its loader imports the list of all formats. */
function formatsOnDemand(): Plugin {
  return {
    name: 'suture-formats-on-demand',
    enforce: 'pre',
    resolveId: (source, importer) =>
      source === './formats.ts' && importer?.includes('/session-files/')
        ? here('./worker/loaded-formats.ts')
        : undefined,
  }
}

/** Texts beside the page: the licenses of what is bundled, and the pages of the rules for the links of findings. */
function texts(): Plugin {
  return {
    name: 'suture-texts',
    generateBundle() {
      const emit = (fileName: string, source: string) => this.emitFile({ type: 'asset', fileName, source })
      emit('third-party-notices.txt', thirdPartyNotices(here('../../node_modules')))
      if (isSingle) return
      const folder = here('../../docs/rules/')
      for (const file of readdirSync(folder).filter((name) => name.endsWith('.md')))
        emit(`rules/${file.replace('.md', '.txt')}`, readFileSync(folder + file, 'utf8'))
    },
  }
}

/**
 * The single file has no server to send a policy: it contains its own, with the hash of its one script. It is added
 * when the file is written, since the script is inlined last.
 */
function ownPolicy(): Plugin {
  return {
    name: 'suture-own-policy',
    writeBundle({ dir = '' }) {
      const path = join(dir, 'index.html')
      const html = readFileSync(path, 'utf8')
      const opened = html.indexOf('>', html.indexOf('<script')) + 1
      const script = html.slice(opened, html.indexOf('</script>', opened))
      if (script.length === 0) throw new Error('The single file has no script inside. Was it inlined?')
      const hash = createHash('sha256').update(script).digest('base64')
      const policy = `default-src 'none'; script-src 'sha256-${hash}'; worker-src blob:; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'`
      const meta = `<meta charset="utf-8" />\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`
      writeFileSync(
        path,
        html.replace('<meta charset="utf-8" />', () => meta),
      )
    },
  }
}

export default defineConfig({
  root: here('.'),
  base: './',
  logLevel: 'warn',
  resolve: isSingle
    ? { alias: [{ find: './start-worker.ts', replacement: here('./page/start-worker-inline.ts') }] }
    : {},
  plugins: [
    solid(),
    ruleWords(),
    texts(),
    ...(isSingle ? [viteSingleFile({ removeViteModuleLoader: true }), ownPolicy()] : []),
  ],
  define: { HAS_RULE_PAGES: String(!isSingle) },
  worker: {
    // A page from disk may not start a worker that is a module.
    format: isSingle ? 'iife' : 'es',
    plugins: () => [ruleWords(), formatsOnDemand()],
    // One HTML file has no other files to load parts from.
    rolldownOptions: { output: { codeSplitting: isSingle ? false : { groups: [ENGINE] } } },
  },
  build: {
    outDir: here(isSingle ? '../../dist/viewer-single' : '../../dist/viewer'),
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
})
