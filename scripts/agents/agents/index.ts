import type { Agent } from '../types.ts'
import { claudeCode } from './claude-code.ts'
import { cline } from './cline.ts'
import { codex, codexOwn } from './codex.ts'
import { continueDev } from './continue.ts'
import { copilot } from './copilot.ts'
import { geminiCli } from './gemini-cli.ts'
import { kimiCode } from './kimi-code.ts'
import { libraries } from './libraries.ts'
import { opencode } from './opencode.ts'
import { pi } from './pi.ts'
import { qwenCode } from './qwen-code.ts'

export const agents: readonly Agent[] = [
  ...claudeCode,
  codex,
  codexOwn,
  geminiCli,
  qwenCode,
  ...opencode,
  ...pi,
  ...copilot,
  kimiCode,
  ...continueDev,
  cline,
  ...libraries,
]
