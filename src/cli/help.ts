/**
 * What the command line says of itself.
 */
import { settings } from './settings.ts'

export const HELP = `suture: conversation histories that no provider refuses.

  suture serve            a gateway: point the base URL of any client at it
  suture key NAME         makes a key of the gateway, and the hash that configures it
  suture serve --help     all that it can be told
  suture demo             an agent to which everything happens: aborts, cuts, an overflow, a kill
  suture --version

The first minute, offline, with a strict stand-in for the providers behind it:

  suture serve --demo
`

export function serveHelp(): string {
  const rows = Object.entries(settings).map(([name, setting]) => {
    const short = 'short' in setting ? `-${setting.short}, ` : '    '
    const means = 'means' in setting ? ` ${setting.means}` : 'one' in setting ? ` ${setting.one.join('|')}` : ''
    return [`${short}--${name}${means}`, setting.help] as [string, string]
  })
  rows.push(['-c, --config FILE', 'the same settings as JSON, in camelCase: {"port": 8787, "upstream": ["local=…"]}'])
  rows.push(['    --demo', 'makes some requests to itself and prints them, then runs the demonstration of the agent'])
  rows.push(['    --once', 'ends after that'])
  const width = Math.max(...rows.map(([left]) => left.length)) + 2
  return `suture serve: mends what clients send to LLM providers, keeps conversations, and says what it did.

${rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`).join('\n')}

Each is also SUTURE_… in the environment: SUTURE_PORT, SUTURE_BODY_LIMIT; lists are parted by spaces. Flags win over the
environment, that over the file. Keys of providers are read from where their own clients look (OPENAI_API_KEY,
ANTHROPIC_API_KEY, …) or from SUTURE_KEY_NAME, and are used for callers who bring none. Only the upstreams that are named
can be reached; without any, the providers whose key is set. Without a key, too, a built-in strict provider answers, offline.

One request:  suture: off | lint | repair | recover     how far the guard goes
              suture-session: my-chat                   the conversation is recorded under this id
              suture-mode: append                       only what is new is sent; the gateway holds the rest
`
}
