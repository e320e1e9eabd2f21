/** The licenses of the packages that the build puts into the page, read from the packages themselves. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const BUNDLED = ['solid-js', 'virtua', 'diff'] as const

export function thirdPartyNotices(modules: string): string {
  const parts = BUNDLED.map((name) => {
    const folder = join(modules, name)
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      version: string
      license: string
    }
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one))
    const text = file === undefined ? `License: ${license}` : readFileSync(join(folder, file), 'utf8').trim()
    return `${name} ${version} (${license})\n\n${text}`
  })
  return `The viewer contains these packages.\n\n${parts.join(`\n\n${'-'.repeat(72)}\n\n`)}\n`
}
