/**
 * Writes docs/rules/README.md, the table of all rules, from the rules themselves.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { explanations, rules } from '../src/rules/index.ts'

const rows = rules.map(({ id, repair }) => `| [${id}](${id}.md) | ${explanations[id]!.summary} | ${repair} |`)
const page = `# Rules

What must hold, and how safe its repair is: \`safe\` drops nothing that was said and adds nothing that was not, \`lossy\` does, \`none\` leaves it to you.
Which provider has which rule is in \`src/providers\`; a constraint's evidence decides between error and warning. This page is made by \`npm run docs\`.

| rule | what must hold | repair |
|---|---|---|
${rows.join('\n')}

[thinking-model-mismatch](thinking-model-mismatch.md) is documented as tolerated and has no check.
`
writeFileSync(join(process.cwd(), 'docs/rules/README.md'), page)
