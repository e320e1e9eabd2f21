/** Results, texts and media that providers reject. */
import type { Draft } from './draft.ts'
import { corruption } from './types.ts'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mP4DwABAQEAHLCMmQAAAABJRU5ErkJggg=='

/** An image as a block of a result. */
const IMAGES: Readonly<Record<string, unknown>> = {
  'anthropic-messages': { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
  'openai-chat': { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
  'openai-responses': { type: 'input_image', image_url: `data:image/png;base64,${PIXEL}` },
  'bedrock-converse': { image: { format: 'png', source: { bytes: PIXEL } } },
}

export const contents = [
  corruption(
    'sub-agent-result-emptied',
    'The result of a sub-agent was emptied: an empty text or list, null, or no content at all.',
    'anthropics/claude-code#6774',
    (draft) =>
      draft.changeBody('result', (holder, key) => {
        const style = draft.random.below(4)
        if (style === 3) delete holder[key]
        else holder[key] = ['', [], null][style]
      }),
  ),
  corruption(
    'result-as-object',
    'A tool gave back an object, and it was stored as the content of the result without being made a text.',
    'scriptit-fr/GenAIApp#73',
    (draft) => rewriteResult(draft, (text) => ({ status: 'ok', output: text, lines: [1, 2, 3] })),
  ),
  corruption(
    'result-blocks-untyped',
    'The blocks of a result have no type, no text, or keys that the provider does not know.',
    'mozilla-ai/any-llm#832',
    (draft) =>
      rewriteResult(draft, (text) => {
        const style = draft.random.below(3)
        if (style === 0) return [{ text }]
        if (style === 1) return [{ type: 'text' }, { type: 'text', text }]
        return [{ type: 'text', text, annotations: null }]
      }),
  ),
  corruption(
    'image-only-result',
    'A screenshot tool gave back an image and no text.',
    'OpenHands/OpenHands#7700',
    (draft) => {
      const image = IMAGES[draft.dialect.id]
      return image === undefined ? false : rewriteResult(draft, () => [image])
    },
  ),
  corruption(
    'lone-surrogates',
    'Texts, arguments and results were cut in the middle of a character.',
    'elizaOS/eliza#18079',
    (draft) => {
      const cut = `${'The output was cut here \u{1F600}'.slice(0, -1)}… and it goes on after the cut`
      const result = draft.pick('result')
      if (result) draft.write(result, { result: cut })
      const text = draft.pick('text')
      if (text && typeof text.body === 'string') draft.write(text, { text: `${text.body} ${cut}` })
      return result !== undefined || text !== undefined
    },
  ),
  corruption(
    'control-characters',
    'The output of a tool has NUL and other control characters in it.',
    'google-gemini/gemini-cli#15912',
    (draft) =>
      draft.changePart('result', (part) =>
        draft.write(part, { result: 'ELF\u0000\u0001\u0002 binary output \u001b[31mred\u001b[0m and the rest of it' }),
      ),
  ),
  corruption(
    'empty-turn',
    'A message of the user or the assistant has no content: an empty text, an empty list or null.',
    'egoist/chatwise-releases#250',
    (draft) => {
      const role = draft.random.pick(['user', 'assistant'] as const)
      const key = draft.dialect.id === 'gemini' ? 'parts' : 'content'
      const message = { ...(draft.text(role, '') as object), [key]: draft.random.pick(['', [], null]) }
      draft.insert(draft.random.below(draft.messages.length + 1), message)
      return true
    },
  ),
  corruption(
    'blank-text',
    'The model began its answer with blank lines before a call, and they were stored.',
    'anthropics/claude-code#23440',
    (draft) => {
      const at = draft.rounds()[0]
      if (at === undefined) return false
      const blank = draft.text('assistant', draft.random.pick(['\n\n', ' ', '']))
      if (draft.dialect.items) draft.insert(at, blank)
      else draft.messages[at] = draft.dialect.merge(blank, draft.messages[at])
      return true
    },
  ),
  corruption(
    'assistant-last',
    'The history ends with an answer that was broken off, with white space at its end.',
    'tailcallhq/forgecode#1872',
    (draft) => {
      draft.messages.push(draft.text('assistant', 'I will now look at the file and then \n'))
      return true
    },
  ),
  corruption(
    'answer-fields-kept',
    'The answer was stored as the API gave it, with its id, model and usage.',
    'RooCodeInc/Roo-Code#11429',
    (draft) => {
      const at = [...draft.messages.keys()].filter((i) => draft.role(i) === 'assistant')
      for (const i of at) {
        const message = draft.messages[i] as object
        if (!draft.dialect.items)
          draft.messages[i] = { ...message, id: `msg_${i}`, model: 'some-model', usage: { input_tokens: 1 } }
        else draft.messages[i] = { ...message, status: 'completed' }
      }
      return at.length > 0
    },
  ),
] as const

/** Writes a value of any type as the content of a result. */
function rewriteResult(draft: Draft, make: (text: string) => unknown): boolean {
  return draft.changeBody('result', (holder, key, part) => {
    holder[key] = make(draft.dialect.content(part).text)
  })
}
