/**
 * The examples of docs/recipes run, offline against the contract; each page names examples that exist.
 */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, vi } from 'vitest'
import { startContract } from '../contract/index.ts'
import { gateway } from '../src/gateway/index.ts'

const root = join(import.meta.dirname, '..')

const SAYS = {
  'recipe-ai-sdk': /^Yes, from the stored chat\.\ntrue\nAI_MissingToolResultsError\nYes, from the loop\.$/,
  'recipe-claude-code': /^without the gateway: 400\nwith it: 200 tool-result-missing Yes, I am\.$/,
  'recipe-codex': /^without the gateway: 400\nwith it: 200 tool-result-missing Yes, I am\.$/,
}

async function says(name: string, expected: RegExp): Promise<void> {
  const lines: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((...words) => void lines.push(words.join(' ')))
  await import(`../examples/${name}.ts`).finally(() => log.mockRestore())
  expect(lines.join('\n')).toMatch(expected)
}

it.each(Object.entries(SAYS))('%s', says, 60_000)

it('recipe-python', async () => {
  const contract = await startContract({ script: [{ text: 'Yes, I am.' }, { text: 'And I am, too.' }] })
  const upstreams = {
    openai: { url: `${contract.url}/openai`, provider: 'openai' as const },
    anthropic: { url: `${contract.url}/anthropic`, provider: 'anthropic' as const },
  }
  const server = gateway({ upstreams })
  const listening = await server.listen({ port: 0 })
  const script = join(root, 'examples/recipe-python.py')
  const { stdout } = await promisify(execFile)('python3', [script, listening.url])
  expect(stdout).toBe('200 tool-result-missing\nYes, I am.\n200 tool-result-missing\nAnd I am, too.\n')
  await listening.close()
  await contract.close()
}, 60_000)

const pages = readdirSync(join(root, 'docs/recipes'))
it.each(pages)('%s names examples that exist', (page) => {
  const text = readFileSync(join(root, 'docs/recipes', page), 'utf8')
  for (const [, file] of text.matchAll(/\]\(\.\.\/\.\.\/(examples\/[\w.-]+)\)/g))
    expect(existsSync(join(root, file!)), file).toBe(true)
  expect(text).toMatch(/^# /)
})
