import { chat } from './chat.ts'

export const zhipu = chat('zhipu', [/(^|\.)z\.ai$/, /(^|\.)bigmodel\.cn$/], {
  'no-user-message': { evidence: 'many-reports' },
})
