import { chat } from './chat.ts'

/** Xiaomi's service for its MiMo models; each plan has a host of its own. */
export const mimo = chat('mimo', [/(^|\.)xiaomimimo\.com$/], {
  'content-empty': { evidence: 'few-reports', roles: ['assistant'], absent: true },
  'tool-result-multimodal-unsupported': { evidence: 'few-reports', unmatched: true },
})
