import { chat } from './chat.ts'
import { M } from './evidence.ts'

export const zhipu = chat('zhipu', [/(^|\.)z\.ai$/, /(^|\.)bigmodel\.cn$/], { 'no-user-message': M() })
