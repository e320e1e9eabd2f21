/**
 * The table of faults, from the classes and ways themselves; that each cell holds is what test/guard-faults.test.ts tests.
 */
import { ways } from './guard-clients.ts'
import { type Class, classes, type Way } from './guard-matrix.ts'

export function page(): string {
  const names = [...new Set(ways.map(({ provider }) => provider))]
  const rows = classes.map(
    (one) => `| ${one.name} | ${one.says} | ${names.map((name) => cell(one, name)).join(' | ')} |`,
  )
  return `# Faults, and what the caller sees

Every class of fault at every provider the contract stands in for, through \`guard()\`, with the official client of each wire shape, streaming or not.
**a** the whole answer · **e** an error of the client: with an error status the provider's own body, byte for byte; for a stream that breaks off a lost connection, which clients and agents retry; an error event of the provider's own as it came ·
**s** half an answer that its client takes for whole, as without the guard; the event \`incomplete\` tells it · – does not happen there. Two letters: not streaming / streaming. Each cell is a test; this page is made by \`npm run docs\`.

| fault | | ${names.join(' | ')} |
|---|---|${names.map(() => '---').join('|')}|
${rows.join('\n')}

After the first output nothing is sent again by the guard: the caller's stream breaks off as the provider's did. Before it, and in an answer that is not streamed, the guard sends the request again;
when that does not help, the request fails as one that lost its connection, so that the client's own retries still work.
Cerebras refuses what is too long with an empty 400; \`recovery: { window }\` tells the guard what it does not.
`
}

function cell(one: Class, provider: string): string {
  const meant = ways.filter((way) => way.provider === provider && (one.only?.(way) ?? true))
  const [whole, streamed] = [false, true].map((stream) =>
    letter(
      one,
      meant.find((way) => way.stream === stream),
    ),
  )
  return whole === streamed ? whole! : `${whole}/${streamed}`
}

function letter(one: Class, way: Way | undefined): string {
  return way ? one.expects(way).slice(0, 1) : '–'
}
