/** `suture view`: opens the viewer for a session file. The viewer is loaded only here. */

import type { Command } from '../command.ts'
import { flag, numberFlag } from '../command.ts'
import { filesOf } from '../inputs.ts'

export const view: Command = {
  spec: {
    name: 'view',
    summary: 'shows a session in the browser, from a local address.',
    usage: ['suture view FILE|ID [--port N]'],
    examples: [
      ['suture view session.jsonl', 'one session'],
      ['suture view 7cba --open', 'the session whose id begins with 7cba, in the browser'],
    ],
    options: {
      port: numberFlag('N', 'the port on 127.0.0.1 (default: any free one)', { max: 65_535 }),
      open: flag('open the browser'),
    },
  },
  async run(args, context) {
    const files = await filesOf(args.files, context)
    const { serveViewer } = await import('../../viewer/command.ts')
    const port = args.number('port')
    return serveViewer(files, {
      ...(port === undefined ? {} : { port }),
      open: args.flag('open'),
      out: context.out,
      untilStopped: context.untilStopped,
    })
  },
}
