/** Short helpers for messages of the OpenAI chat format. */

export const user = (content: unknown = 'hi') => ({ role: 'user', content })
export const assistant = (content: unknown, more: object = {}) => ({ role: 'assistant', content, ...more })
export const tool = (id: string, content: unknown = 'done') => ({ role: 'tool', tool_call_id: id, content })
export const call = (id: string, more: object = {}) => ({
  id,
  type: 'function',
  function: { name: 'look', arguments: '{}', ...more },
})
export const calls = (...calls: unknown[]) => ({ role: 'assistant', content: '', tool_calls: calls })
export const list = (...messages: unknown[]) => ({ messages })
export const on = (model: string, ...messages: unknown[]) => ({ model, messages })
