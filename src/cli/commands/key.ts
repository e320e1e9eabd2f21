/** `suture key`: makes a key of the gateway. The key is shown once; only its hash is configured. */
import { randomBytes } from 'node:crypto'
import { hashOf } from '../../gateway/index.ts'
import { type Command, CommandError, EXIT } from '../command.ts'

export const key: Command = {
  spec: {
    name: 'key',
    summary: 'makes a key of the gateway, and the hash that configures it.',
    usage: ['suture key [NAME]'],
    maxFiles: 1,
    examples: [
      ['suture key alice', 'prints the key for the client and `--key alice=sha256:…` for `suture serve`'],
      ['suture key', 'the same with the name "client"'],
    ],
    options: {},
  },
  async run({ files: [name = 'client'] }, { out }) {
    if (!/^\w[\w.-]*$/.test(name))
      throw new CommandError(
        `"${name}" is no name of a key: use letters, digits, dots and dashes, as in \`suture key alice\`.`,
      )
    const made = `sk-suture-${randomBytes(24).toString('base64url')}`
    out(`key        ${made}\nconfigure  --key ${name}=${hashOf(made)}`)
    return EXIT.ok
  },
}
