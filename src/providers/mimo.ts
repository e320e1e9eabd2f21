import { chat } from './chat.ts'
import { F } from './evidence.ts'
import { muteLaws, shapeLaws } from './openai-laws.ts'

/** Xiaomi's service for its MiMo models; each plan has a host of its own. */
export const mimo = chat('mimo', [/(^|\.)xiaomimimo\.com$/], {
  'content-empty': F({ roles: ['assistant'] }),
  'role-unknown': muteLaws,
  'content-shape': shapeLaws(F, ['mute', 'hollow']),
  'tool-result-multimodal-unsupported': F(),
})
