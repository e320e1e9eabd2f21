import { chat } from './chat.ts'
import { vllmLaws } from './local-laws.ts'

export const vllm = chat('vllm', [], vllmLaws)
