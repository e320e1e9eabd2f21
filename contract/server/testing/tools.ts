/** Two tools that every client declares in its own format, and their results. */
export const TOOLS = [
  { name: 'weather', description: 'The weather in a city.', schema: object({ city: { type: 'string' } }) },
  { name: 'news', description: 'The news of a day.', schema: object({ day: { type: 'string', format: 'date' } }) },
] as const

export const RESULTS: Readonly<Record<string, string>> = { weather: 'snow, −3 °C', news: 'a bridge was opened' }

/** The answer of the default agent after both results. */
export const FINAL = 'Here is what the tools said: weather → snow, −3 °C; news → a bridge was opened.'

function object(properties: Record<string, { type: string; format?: string }>) {
  return { type: 'object' as const, properties, required: Object.keys(properties), additionalProperties: false }
}

/** What a promise was rejected with. */
export async function rejection(promise: Promise<unknown> | PromiseLike<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('Nothing was thrown.')
}
