import { amp } from './amp/index.ts'
import { claudeCode } from './claude-code/index.ts'
import { cline } from './cline/index.ts'
import { codex } from './codex/index.ts'
import { continueDev } from './continue/index.ts'
import { copilotCli } from './copilot-cli/index.ts'
import { crush } from './crush/index.ts'
import { droid } from './droid/index.ts'
import { fineTuning } from './fine-tuning/index.ts'
import { geminiCli } from './gemini-cli/index.ts'
import { goose } from './goose/index.ts'
import { kimiCode } from './kimi-code/index.ts'
import { langchain } from './langchain/index.ts'
import { librechat } from './librechat/index.ts'
import { openWebui } from './open-webui/index.ts'
import { openaiAgents } from './openai-agents/index.ts'
import { opencode } from './opencode/index.ts'
import { openHands } from './openhands/index.ts'
import { pi } from './pi/index.ts'
import { plain } from './plain/index.ts'
import { qwenCode } from './qwen-code/index.ts'
import { shareGpt } from './sharegpt/index.ts'
import type { SessionFormat } from './types.ts'
import { uiMessages } from './ui-messages/index.ts'
import { vscodeCopilotChat } from './vscode-copilot-chat/index.ts'

/** All session-file formats. A new format is one folder and one line here. */
export const formats: readonly SessionFormat[] = [
  claudeCode,
  codex,
  copilotCli,
  pi,
  qwenCode,
  cline,
  opencode,
  goose,
  crush,
  geminiCli,
  kimiCode,
  openHands,
  continueDev,
  amp,
  droid,
  vscodeCopilotChat,
  openaiAgents,
  openWebui,
  librechat,
  uiMessages,
  langchain,
  shareGpt,
  fineTuning,
  plain,
]
