import { dialects } from '../dialects/index.ts'
import { brokenHistory } from './arbitraries.ts'
import { testDialect } from './test-dialect.ts'

const unmarked: readonly string[] = ['openai-chat', 'openai-responses']

for (const dialect of dialects) {
  testDialect(dialect, {
    histories: brokenHistory(dialect.id),
    marksFailure: !unmarked.includes(dialect.id),
    // The legacy functions API had a name and no id.
    anonymous: dialect.id === 'openai-chat' ? ['function_call', 'function'] : [],
  })
}
