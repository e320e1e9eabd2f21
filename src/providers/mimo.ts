import { chat } from './chat.ts'
import { F } from './evidence.ts'

/** Xiaomi's service for its MiMo models; each plan has a host of its own. */
export const mimo = chat('mimo', [/(^|\.)xiaomimimo\.com$/], {
  'content-empty': F({ roles: ['assistant'] }),
  'tool-result-multimodal-unsupported': F(),
})
