/** Workflow commands of GitHub Actions: annotations at file and line. */
import { doubtOf } from '../doctor/index.ts'
import type { Reporter } from './index.ts'
import { messageOf, pathOf } from './machine.ts'

export const github: Reporter = ({ files }, options) =>
  files
    .flatMap((file) => {
      const path = property(pathOf(file.path, options.cwd))
      const doubt = doubtOf(file)
      const level = file.status === 'unreadable' ? 'error' : 'warning'
      const broken = doubt ? [`::${level} file=${path},title=${doubt.name}::${data(doubt.text)}`] : []
      const found = file.findings.map((one) => {
        const line = one.line === undefined ? '' : `,line=${one.line}`
        return `::${one.severity} file=${path}${line},title=${property(one.rule)}::${data(messageOf(one, options))}`
      })
      return [...broken, ...found]
    })
    .join('\n')

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
