/**
 * Reads a Dockerfile: its stages with their instructions, in order. Knows the forms that docker/Dockerfile uses, and throws at others.
 */
export interface Instruction {
  readonly name: string
  readonly text: string
}

export interface Stage {
  readonly image: string
  readonly name: string | undefined
  readonly instructions: readonly Instruction[]
}

const KNOWN = new Set(['WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'EXPOSE', 'VOLUME', 'HEALTHCHECK', 'ENTRYPOINT'])

export function stagesOf(dockerfile: string): readonly Stage[] {
  const stages: (Stage & { instructions: Instruction[] })[] = []
  for (const line of dockerfile.replaceAll('\\\n', ' ').split('\n')) {
    const [, name, text] = /^([A-Z]+)\s+(.*)$/.exec(line.trim()) ?? []
    if (!name || text === undefined) continue
    if (name === 'FROM') {
      const [, image, as] = /^(\S+)(?:\s+AS\s+(\S+))?$/.exec(text) ?? []
      stages.push({ image: image!, name: as, instructions: [] })
    } else if (!KNOWN.has(name)) throw new Error(`${name} is not known here`)
    else stages.at(-1)!.instructions.push({ name, text })
  }
  return stages
}

/** The list of an instruction in JSON form, such as ENTRYPOINT ["node", "main.js"]. */
export function listOf(text: string): readonly string[] {
  return JSON.parse(text.slice(text.indexOf('['))) as string[]
}

export function copyOf(text: string): {
  readonly from?: string
  readonly paths: readonly string[]
  readonly to: string
} {
  const words = text.split(/\s+/)
  const from = words[0]!.startsWith('--from=') ? words.shift()!.slice('--from='.length) : undefined
  const to = words.pop()!
  return { ...(from === undefined ? {} : { from }), paths: words, to }
}
