import { chat } from './chat.ts'
import { vllmConstraints } from './local-constraints.ts'

/** A vLLM server. */
export const vllm = chat('vllm', [], vllmConstraints)
