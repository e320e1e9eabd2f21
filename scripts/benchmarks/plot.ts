/** Horizontal bars as SVG that can be read in a light and a dark theme. No script, no font but the reader's. */

export interface PlotRow {
  readonly label: string
  readonly value: number
  readonly text: string
  readonly isOurs: boolean
}

const [WIDTH, LABEL, ROW, TOP] = [760, 290, 24, 40]

export function plot(title: string, rows: readonly PlotRow[], max: number): string {
  const height = TOP + rows.length * ROW + 8
  const scale = (WIDTH - LABEL - 110) / max
  const bars = rows.map(({ label, value, text, isOurs }, i) => {
    const y = TOP + i * ROW
    const width = Math.max(1, Math.min(value, max) * scale).toFixed(1)
    return [
      `<text x="${LABEL - 8}" y="${y + 15}" text-anchor="end"${isOurs ? ' font-weight="bold"' : ''}>${escaped(label)}</text>`,
      `<rect x="${LABEL}" y="${y + 3}" width="${width}" height="16" rx="2" fill="${isOurs ? '#1a7f5a' : '#8a94a6'}"/>`,
      `<text x="${(LABEL + Number(width) + 6).toFixed(1)}" y="${y + 15}">${escaped(text)}</text>`,
    ].join('')
  })
  const style =
    'text{font-family:system-ui,sans-serif;font-size:13px;fill:#57606a}@media(prefers-color-scheme:dark){text{fill:#c9d1d9}}'
  const head = `<text x="8" y="22" font-weight="bold">${escaped(title)}</text>`
  const open = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(title)}">`
  return `${open}\n<style>${style}</style>\n${[head, ...bars].join('\n')}\n</svg>\n`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
