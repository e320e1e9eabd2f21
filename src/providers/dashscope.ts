import { chat } from './chat.ts'

const pairing = { by: 'slot', rejects: ['missing', 'orphan'] } as const

/** Alibaba's DashScope: Qwen. */
export const dashscope = chat('dashscope', [/(^|\.)dashscope(-\w+)?\.aliyuncs\.com$/], {
  'tool-result-missing': { evidence: 'many-reports', pairing },
  'tool-call-id-empty': [{ evidence: 'inferred' }, { evidence: 'many-reports', half: true, pairing }],
  'tool-result-not-adjacent': { evidence: 'many-reports', pairing },
  'tool-result-orphan': { evidence: 'many-reports', pairing },
  'tool-arguments-not-json': { evidence: 'many-reports' },
  'tool-arguments-not-object': { evidence: 'inferred', as: 'string' },
  'tool-calls-empty-array': { evidence: 'few-reports' },
  'content-missing': { evidence: 'few-reports' },
  'content-shape': {
    evidence: 'few-reports',
    typed: true,
    assumed: ['block', 'type', 'untyped', 'text'],
  },
  'tool-call-role': { evidence: 'few-reports', assumed: ['caller'] },
})
