/**
 * A broken history found, explained and repaired, before your eyes. Run it with `npm run demo`.
 */
import { apply, invert, lint, pointer, repair } from '../src/index.ts'

const history = [
  { role: 'user', content: 'Book the flight and tell me the weather in Oslo.' },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: '\n\n' },
      { type: 'tool_use', id: 'toolu_1', name: 'book_flight', input: { to: 'OSL' } },
      { type: 'tool_use', id: 'toolu_2', name: 'weather', input: { city: 'Oslo' } },
    ],
  },
  { role: 'user', content: 'Are you still there?' },
  { role: 'assistant', content: 'Yes, one moment.' },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_2', content: '4 °C, rain' }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_0', content: 'Hotel confirmed: room 12' }] },
]
const options = { provider: 'anthropic', model: 'claude-opus-4-6' } as const

console.log('A session died: the app was closed during a tool call, a result came late, a window cut off a call.\n')
show(history)

console.log('\nWhat Anthropic would reject:\n')
for (const { rule, severity, at, message } of lint(history, options))
  console.log(`  ${severity}  ${pointer(at)}  ${rule}: ${message}`)

const { value: repaired, patch, remaining: left } = repair(history, options)
console.log(`\nRepaired with ${patch.length} edits, ${left.length} findings left:\n`)
show(repaired)

console.log(
  `\nLint finds ${lint(repaired, options).length} now; untouched messages are the same objects: ${repaired[0] === history[0]}.`,
)
console.log(
  `Undone with the inverse patch, it is what it was: ${JSON.stringify(apply(repaired, invert(patch))) === JSON.stringify(history)}.`,
)

function show(messages: readonly unknown[]): void {
  for (const message of messages) console.log('  ' + JSON.stringify(message))
}
