/** docs/reference/session-folders.md: where the session files of each agent are, from the table that finds them. */
import { type Locate, places } from '../../src/session-files/places.ts'
import type { HostEnvironment } from '../../src/session-files/types.ts'

const PLATFORMS = [
  { title: 'Linux', platform: 'linux', home: '~' },
  { title: 'macOS', platform: 'darwin', home: '~' },
  { title: 'Windows', platform: 'win32', home: '%USERPROFILE%' },
] as const
/** Editors that are made from VS Code have the same folders below their own name. */
const OTHER_EDITORS = /Code - Insiders|VSCodium|Cursor|Windsurf|-server/

export function sessionFolders(): string {
  const sections = Object.entries<Locate>(places).map(([id, locate]) => section(id, locate))
  return `# Session folders

Where \`suture doctor\` looks for the session files of each agent. In WSL it searches the folders of Linux, and those of Windows below \`/mnt/c/Users/*\`. Extensions of VS Code are also searched in Code - Insiders, VSCodium, Cursor and Windsurf, and on Linux in their servers (\`~/.vscode-server/data/User\`). What is read and written of each format: [session-file formats](../session-files-formats.md).

This page is written by \`npm run docs\` from \`src/session-files/places.ts\`.

${sections.join('\n\n')}
`
}

function section(id: string, locate: Locate): string {
  const variables = new Set<string>()
  const rows = PLATFORMS.map(({ title, platform, home }) => {
    const found = locate({ platform, home, cwd: '<project>', env: environment(home, variables) })
    const places = found
      .map(({ root, pattern }) => `${root}/${pattern}`.replaceAll('/', platform === 'win32' ? '\\' : '/'))
      .filter((place) => !OTHER_EDITORS.test(place))
    return `| ${title} | ${places.map((place) => `\`${place.replaceAll('|', '\\|')}\``).join('<br>')} |`
  })
  const own = [...variables].filter((name) => !['APPDATA', 'XDG_CONFIG_HOME'].includes(name)).sort()
  const moved = own.length > 0 ? `\n\nMoved by: ${own.map((name) => `\`${name}\``).join(', ')}.` : ''
  return `## ${id}\n\n| platform | files |\n| --- | --- |\n${rows.join('\n')}${moved}`
}

/** Notes which variables are asked for. */
function environment(home: string, variables: Set<string>): HostEnvironment['env'] {
  const known: Readonly<Record<string, string>> = home === '~' ? {} : { APPDATA: '%APPDATA%' }
  return new Proxy(known, {
    get(target, name) {
      variables.add(String(name))
      return target[String(name)]
    },
  })
}
