/** `suture serve`: the gateway, with settings from flags, the environment and a file. */

import type { Command } from '../command.ts'
import { flag, textFlag } from '../command.ts'
import { serveGateway, settings, settingsOf } from '../server/index.ts'

export const serve: Command = {
  spec: {
    name: 'serve',
    summary: 'an HTTP gateway that repairs what clients send to LLM providers, and keeps conversations.',
    usage: ['suture serve [OPTIONS]', 'suture serve --demo'],
    maxFiles: 0,
    examples: [
      ['suture serve', "the providers' own addresses, with the client's own key or the one in the environment"],
      ['suture serve --offline', 'a built-in emulator of the providers answers'],
      ['suture serve -u local=http://127.0.0.1:8000,vllm', 'one upstream of your own at /local/…, and no other'],
      ['suture serve --config suture-gateway.json', 'settings from a file'],
      ['suture serve --config suture-gateway.json --check', 'whether it would start, with its store and upstreams'],
    ],
    options: {
      ...settings,
      config: textFlag('FILE', 'settings as JSON in camelCase: {"upstream": […]}', { short: 'c' }),
      demo: flag('two broken requests, their repair, and a page to watch; implies --offline'),
      check: flag('does not start: checks settings, keys, store and upstreams, and exits with 1 if one fails'),
      once: flag('with --demo: ends after it'),
    },
    notes: [
      `Each setting is also SUTURE_… in the environment: SUTURE_PORT, SUTURE_MAX_BODY_BYTES; lists are separated by spaces.
Flags win over the environment, and the environment over the file.`,
      `A caller's own credential is passed on. A caller without one gets the key of the provider from the environment: the
variable of its own clients (OPENAI_API_KEY, ANTHROPIC_API_KEY, …), or SUTURE_KEY_NAME. An empty variable is not set.`,
      `One request:  suture: off | lint | repair | recover     how far the guard goes
              suture-session: my-chat                   the conversation is recorded under this id
              suture-mode: append                       only what is new is sent; the gateway holds the rest`,
    ],
  },
  endsItself: true,
  defaults: (given, { host }) => settingsOf(given, host.env),
  run: serveGateway,
}
