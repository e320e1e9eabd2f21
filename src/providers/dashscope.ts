import { chat } from './chat.ts'
import { F, I, jsonText, M, orphans, unansweredById } from './evidence.ts'
import { shapeLaws } from './openai-laws.ts'

export const dashscope = chat('dashscope', [/(^|\.)dashscope(-\w+)?\.aliyuncs\.com$/], {
  'tool-result-missing': unansweredById(M, { seen: 'slot' }),
  'tool-call-id-empty': [I(), M({ half: true })],
  'tool-result-not-adjacent': M(),
  'tool-result-orphan': orphans(M),
  'tool-arguments-not-json': jsonText(M),
  'tool-arguments-not-object': I({ as: 'string' }),
  'tool-calls-empty-array': F(),
  'content-missing': F(),
  'content-shape': shapeLaws(F, ['content', 'keys', 'answer', 'stray']),
})
