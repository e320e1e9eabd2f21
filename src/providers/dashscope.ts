import { chat } from './chat.ts'
import { F, I, M } from './evidence.ts'

export const dashscope = chat('dashscope', [/(^|\.)dashscope(-\w+)?\.aliyuncs\.com$/], {
  'tool-result-missing': M(),
  'tool-call-id-empty': [I(), M({ half: true })],
  'tool-result-not-adjacent': M(),
  'tool-result-orphan': M(),
  'tool-arguments-not-json': M(),
  'tool-arguments-not-object': I({ as: 'string' }),
  'tool-calls-empty-array': F(),
  'content-missing': F(),
  'content-shape': F(),
})
