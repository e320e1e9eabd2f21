/**
 * Writes docs/images/demo.svg: the first screen of `suture serve --demo` as a picture of a terminal, colors included.
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEFAULT_PORT } from '../src/gateway/index.ts'

const COLORS: Readonly<Record<string, string>> = { 31: '#ff7b72', 32: '#7ee787', 33: '#e3b341', 36: '#79c0ff' }
/** Escape sequences of colors; a pattern with the escape character itself is not allowed here. */
const STYLE = new RegExp(`${String.fromCharCode(27)}\\[(\\d+)m`, 'g')
const [WIDTH, LINE, TOP] = [8.43, 19, 34]

const root = process.cwd()
const flags = ['serve', '--demo', '--once', '--port', String(DEFAULT_PORT), '--store', 'memory:']
const screen = execFileSync(process.execPath, [join(root, 'dist/cli/main.js'), ...flags], {
  encoding: 'utf8',
  env: { ...process.env, FORCE_COLOR: '1' },
})
// The name of the session has the time in it: the picture would differ with every run.
const lines = screen
  .replace(/demo-\d+/, 'demo')
  .trimEnd()
  .split('\n')
  .slice(1)
writeFileSync(join(root, 'docs/images/demo.svg'), svg(lines))

function svg(rows: readonly string[]): string {
  const longest = Math.max(...rows.map((row) => row.replaceAll(STYLE, '').length))
  const [width, height] = [Math.ceil(longest * WIDTH) + 24, rows.length * LINE + TOP + 16]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14">`,
    `<title>suture serve --demo: the provider's 400, the 200 through Suture, and what the repair changed</title>`,
    `<rect width="100%" height="100%" rx="8" fill="#0d1117"/>`,
    ...['#ff5f57', '#febc2e', '#28c840'].map(
      (color, i) => `<circle cx="${18 + 20 * i}" cy="16" r="6" fill="${color}"/>`,
    ),
    ...rows.map(
      (row, i) => `<text x="12" y="${TOP + 14 + i * LINE}" fill="#e6edf3" xml:space="preserve">${spans(row)}</text>`,
    ),
    '</svg>\n',
  ].join('\n')
}

function spans(row: string): string {
  let style = ''
  return row
    .split(STYLE)
    .map((piece, i) => {
      if (i % 2 === 1) {
        style = styleOf(piece)
        return ''
      }
      return piece === '' ? '' : `<tspan${style}>${escaped(piece)}</tspan>`
    })
    .join('')
}

function styleOf(code: string): string {
  if (code === '1') return ' font-weight="bold"'
  if (code === '2') return ' fill="#8b949e"'
  return COLORS[code] ? ` fill="${COLORS[code]}"` : ''
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
