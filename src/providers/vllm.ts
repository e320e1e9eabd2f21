import { chat } from './chat.ts'
import { vllmConstraints } from './local-constraints.ts'

export const vllm = chat('vllm', [], vllmConstraints)
