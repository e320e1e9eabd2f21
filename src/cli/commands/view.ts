/**
 * `suture view`: opens the viewer for a session file. The viewer is a part of its own and is loaded only here.
 */
import { type Command, CommandError, EXIT } from '../command.ts'
import { filesOf } from '../inputs.ts'

interface Viewer {
  serveViewer(
    files: readonly string[],
    options: {
      readonly port?: number
      readonly open: boolean
      out(text: string): void
      untilStopped(): Promise<string>
    },
  ): Promise<number>
}

export const view: Command = {
  spec: {
    name: 'view',
    summary: 'shows sessions in the browser, from a local address.',
    usage: ['suture view [FILE|ID…] [--port N]'],
    examples: [
      ['suture view session.jsonl', 'one session'],
      ['suture view', 'all sessions on this machine'],
    ],
    options: {
      port: { type: 'number', value: 'N', help: 'the port on 127.0.0.1 (default: any free one)' },
      open: { type: 'boolean', help: 'open the browser' },
      help: { type: 'boolean', short: 'h', help: 'this text' },
    },
  },
  async run(args, context) {
    const files = await filesOf(args.files, context)
    const viewer = await load()
    const port = args.number('port')
    return viewer.serveViewer(files, {
      ...(port === undefined ? {} : { port }),
      open: args.flag('open'),
      out: context.out,
      untilStopped: context.untilStopped,
    })
  },
}

async function load(): Promise<Viewer> {
  const path = ['..', '..', 'viewer', `command${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`].join('/')
  try {
    return (await import(path)) as Viewer
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new CommandError(
      EXIT.usage,
      'This installation has no viewer. `suture show FILE` prints the session as a tree.',
    )
  }
}
