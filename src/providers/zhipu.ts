import { chat } from './chat.ts'

/** Zhipu, also Z.ai: GLM. */
export const zhipu = chat('zhipu', [/(^|\.)z\.ai$/, /(^|\.)bigmodel\.cn$/], {
  'no-user-message': { evidence: 'many-reports' },
})
