/**
 * Model names as constraints need them: one pattern a family, whatever a gateway puts around the name
 * (`anthropic/`, `us.anthropic.`, `models/`, `@20260101`, `:free`) and however it writes the version (`4-6`, `4.6`).
 */

export const CLAUDE = /claude/i

/** Any model that is not known to be a Claude. Needs a named model, unlike a constraint's `except`. */
export const NOT_CLAUDE = /^(?!.*claude)/is

/** Claude 4.6 and later. `claude-sonnet-4-20250514` is 4.0: a date is no version; `claude-opus-41` (Copilot) is 4.1. */
export const CLAUDE_4_6 =
  /claude-(?:[a-z]{1,20}-)?(?:4[-.](?:[6-9]|[1-9]\d)|(?:[5-9]|1\d)(?:[-.]\d{1,2})?)(?!\d)|claude-(?:fable|mythos)/i

/** Claude before 4.6: a name of the family that says an earlier version. */
export const CLAUDE_BEFORE_4_6 =
  /claude-(?!fable|mythos)(?:[a-z]{1,20}-){0,4}(?:2|3|instant|4(?![-.](?:[6-9]|[1-9]\d)(?!\d)))/i

/** Any model that is not known to be an earlier Claude. Needs a named model, unlike a constraint's `except`. */
export const CLAUDE_NOT_BEFORE_4_6 = new RegExp(`^(?!.*(?:${CLAUDE_BEFORE_4_6.source}))`, 'is')

/** Claude models with preserved thinking: a signature is bound to everything that stood before its block. */
export const CLAUDE_BINDING =
  /claude-(?:fable|mythos)-5[-.](?:[1-9]|[1-9]\d)(?!\d)|claude-(?:opus|sonnet|haiku)-5[-.](?:[5-9]|[1-9]\d)(?!\d)/i

/** Gemini 3 and later: thought signatures are checked. An alias such as `gemini-flash-latest` says nothing. */
export const GEMINI_3 = /gemini-(?:[3-9]|[1-9]\d)(?!\d)/i

/** Gemini 3.6 and later: a response shares its content with nothing else. */
export const GEMINI_3_6 = /gemini-(?:3\.(?:[6-9]|[1-9]\d)(?!\d)|[4-9](?!\d)|[1-9]\d(?!\d))/i

/** DeepSeek models that think by default. */
export const DEEPSEEK_THINKING = /deepseek-(?:reasoner|v(?:[4-9]|[1-9]\d)(?!\d))/i

/** The first DeepSeek reasoning model, whose service rejected two turns of one role. */
export const DEEPSEEK_R1 = /deepseek-(?:r1|reasoner)/i

/** Kimi models that think by default. */
export const KIMI_THINKING = /kimi-(?:thinking|k2-thinking|k2\.[5-9]|k[3-9])/i

/** Models whose chat template is Mistral's, wherever they are served. */
export const MISTRAL_TEMPLATE = /mistral|mixtral|magistral|ministral|devstral|codestral|pixtral/i

/** OpenAI models from GPT-5 on. Azure's `gpt-35-turbo` is 3.5. */
export const GPT_5 = /gpt-[5-9](?!\d)/i

/** OpenAI models up to GPT-5.1: no image in a tool message. */
export const GPT_BEFORE_5_2 = /gpt-[34](?!\d*-oss)|chatgpt-4|(?:^|\/)o[134](?!\w)|gpt-5(?:\.[01])?(?![.\d])/i

/** OpenAI models before GPT-5: their ids are shorter. */
export const GPT_4 = /gpt-[34](?!\d*-oss)|chatgpt-4|(?:^|\/)o[134](?!\w)/i
