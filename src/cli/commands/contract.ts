/** `suture contract`: the strict emulator of the providers on a local port, for tests of clients. */
import { type Command, EXIT } from '../command.ts'

export const contract: Command = {
  spec: {
    name: 'contract',
    summary: 'a strict emulator of the providers on 127.0.0.1: rejects what they reject, in their words.',
    usage: ['suture contract [--port N]'],
    maxFiles: 0,
    examples: [
      ['suture contract --port 9000', 'http://127.0.0.1:9000/anthropic, /openai, …'],
      ['ANTHROPIC_BASE_URL=http://127.0.0.1:9000/anthropic claude', 'a client that talks to it'],
    ],
    options: { port: { type: 'number', value: 'N', max: 65_535, help: 'the port (default: any free one)' } },
    notes: ['It listens on the loopback address only and never connects anywhere.'],
  },
  endsItself: true,
  async run(args, context) {
    const { PROVIDERS, startContract } = await import('../../../contract/index.ts')
    const port = args.number('port')
    const running = await startContract(port === undefined ? {} : { port })
    context.out(welcome(running.url, PROVIDERS))
    await context.untilStopped()
    await running.close()
    return EXIT.ok
  },
}

function welcome(url: string, providers: readonly string[]): string {
  const half = Math.ceil(providers.length / 2)
  return `contract   ${url}
try        OPENAI_BASE_URL=${url}/openai/v1   ANTHROPIC_BASE_URL=${url}/anthropic   (any API key works)
providers  the base URL of a provider is ${url}/PROVIDER, where PROVIDER is one of
           ${providers.slice(0, half).join(' ')}
           ${providers.slice(half).join(' ')}
Ctrl-C ends it.`
}
