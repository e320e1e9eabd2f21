/** Streams put together where a client leaves that to its caller. */
import type { AIMessageChunk } from '@langchain/core/messages'

export async function gathered(stream: AsyncIterable<AIMessageChunk>): Promise<AIMessageChunk> {
  let whole: AIMessageChunk | undefined
  for await (const chunk of stream) whole = whole ? whole.concat(chunk) : chunk
  return whole!
}

// biome-ignore lint/suspicious/noExplicitAny: events of the AWS client, as they come.
type Loose = any

export async function joinedBlocks(events: AsyncIterable<Loose>): Promise<Loose[]> {
  const blocks: { text: string; json: string; use?: Loose }[] = []
  let ended = false
  for await (const event of events) {
    ended ||= event.messageStop !== undefined
    const index = event.contentBlockDelta?.contentBlockIndex ?? event.contentBlockStart?.contentBlockIndex
    if (index === undefined) continue
    blocks[index] ??= { text: '', json: '' }
    const block = blocks[index]
    block.use ??= event.contentBlockStart?.start?.toolUse
    block.text += event.contentBlockDelta?.delta?.text ?? ''
    block.json += event.contentBlockDelta?.delta?.toolUse?.input ?? ''
  }
  if (!ended) throw new Error('The stream had no end.')
  return blocks.map(({ text, json, use }) =>
    use ? { toolUse: { ...use, input: JSON.parse(json || '{}') } } : { text },
  )
}
