/**
 * Time, model and usage of a message, as far as its record has them, and the cost at list prices. Nothing is guessed:
 * a model without a price, or a reply without recorded usage, has an unknown cost.
 */
import { isObject, tryParseJson } from '../../core/index.ts'
import { recordedUsage, type Usage } from '../../session-files/recorded-usage.ts'
import table from './model-prices.json' with { type: 'json' }
import type { MessageFacts } from './protocol.ts'

interface Price {
  readonly input: number
  readonly cached: number
  readonly written?: number
  readonly writtenForAnHour?: number
  readonly output: number
  readonly maxInput?: number
}

/** Milliseconds of 2015 and 2100: a number outside is no time of a conversation. */
const [EARLIEST, LATEST] = [1_420_000_000_000, 4_102_000_000_000]

export function factsOf(record: unknown): MessageFacts {
  if (!isObject(record)) return {}
  // Some agents keep the message below a key, others as JSON in a column.
  const inside = record['message'] ?? record['info'] ?? record['data']
  const inner = typeof inside === 'string' ? tryParseJson(inside) : inside
  const sources = isObject(inner) ? [inner, record] : [record]
  const first = (name: string) => sources.map((one) => one[name]).find((value) => value !== undefined)
  const time = first('time')
  const created = isObject(time) ? time['created'] : time
  const at = timeIn(record['timestamp'] ?? first('timestamp') ?? created ?? first('created_at') ?? first('ts'))
  const model = first('model') ?? first('modelID')
  const usage = recordedUsage(record)
  return {
    ...(at !== undefined && { at }),
    ...(typeof model === 'string' && !model.startsWith('<') && { model }),
    ...(usage && { usage }),
  }
}

/** ISO text, seconds or milliseconds. */
function timeIn(value: unknown): number | undefined {
  const read = typeof value === 'string' ? Date.parse(value) : typeof value === 'number' ? value : Number.NaN
  const at = read < EARLIEST / 100 ? read * 1000 : read
  return at >= EARLIEST && at <= LATEST ? at : undefined
}

/** In US dollars; undefined: unknown. A cost that the agent recorded comes first. */
export function costOf({ model = '', usage }: MessageFacts): number | undefined {
  if (usage?.cost !== undefined) return usage.cost
  const price = priceOf(model)
  if (!usage || !price || usage.input > (price.maxInput ?? Number.POSITIVE_INFINITY)) return undefined
  return dollars(usage, price)
}

function dollars({ input, cached, output, written = 0, writtenForAnHour = 0 }: Usage, price: Price): number {
  const { written: write = price.input, writtenForAnHour: writeForAnHour = write } = price
  const shortly = written - writtenForAnHour
  const fresh = Math.max(0, input - cached - written)
  const inputs = fresh * price.input + cached * price.cached + shortly * write + writtenForAnHour * writeForAnHour
  return (inputs + output * price.output) / 1_000_000
}

export const PRICES_DATE = table.date

/** A name with the date of a version has the price of the name. Other names are not compared: they may cost more. */
function priceOf(model: string): Price | undefined {
  const prices: Readonly<Record<string, Price>> = table.models
  const name = model.replace(/[-@](\d{8}|\d{4}-\d\d-\d\d)$/, '')
  return Object.hasOwn(prices, name) ? prices[name] : undefined
}
