/** Short helpers for Anthropic blocks and lists. */

export const user = (...content: unknown[]) => ({ role: 'user', content })
export const assistant = (...content: unknown[]) => ({ role: 'assistant', content })
export const says = (text: string, more: object = {}) => ({ type: 'text', text, ...more })
export const call = (id: string, more: object = {}) => ({ type: 'tool_use', id, name: 'look', input: {}, ...more })
export const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'done' })
export const thinks = { type: 'thinking', thinking: '', signature: 'c2lnbmVk' }
export const hi = user(says('hi'))
export const list = (...messages: unknown[]) => ({ messages })
export const on = (model: string, ...messages: unknown[]) => ({ model, messages })
export const image = (data: string) => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } })
