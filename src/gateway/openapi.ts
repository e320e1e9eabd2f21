/**
 * The gateway's own paths, described for those who make clients from descriptions (OpenAPI 3.1).
 */
interface Path {
  readonly method: 'get' | 'post' | 'delete'
  readonly path: string
  readonly says: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, 'integer' | 'string' | 'boolean' | 'object' | 'array'>>
}

const ID = '/suture/v1/sessions/{id}'
/** How much may be left, what must stay word for word, and whether it is to be done though it is not due. */
const COMPACTION = { budget: 'object', pins: 'array', force: 'boolean' } as const
const paths: readonly Path[] = [
  { method: 'get', path: '/', says: 'What is here.' },
  { method: 'get', path: '/suture/openapi.json', says: 'This description.' },
  { method: 'get', path: '/suture/health', says: 'The process is up, or `draining`.' },
  { method: 'get', path: '/suture/ready', says: 'It takes requests and its store answers; 503 while it drains.' },
  { method: 'get', path: '/suture/metrics', says: 'Counts and times, in the text format of Prometheus.' },
  {
    method: 'get',
    path: '/suture/v1/sessions',
    says: 'Ids of the sessions of this key, in order.',
    query: {
      after: 'the last id of the page before',
      limit: 'how many at most; default 100',
      details: '`true`: with provider, model, turns, tokens, findings and last activity of each',
    },
  },
  { method: 'get', path: '/suture/viewer/', says: 'The viewer, a page for a browser.' },
  {
    method: 'get',
    path: '/suture/v1/events',
    says: 'Requests as they pass, as server-sent events: names, counts and times, no content.',
    query: { after: 'the number of the last event that was seen' },
  },
  {
    method: 'get',
    path: ID,
    says: 'What was said, in pages of whole turns.',
    query: { from: '`newest` or `oldest`', size: 'at least so many messages', cursor: 'from the page before' },
  },
  { method: 'delete', path: ID, says: 'Deletes the session, all of it and for good.' },
  {
    method: 'get',
    path: `${ID}/history`,
    says: 'The history that would be sent: repaired, with replacements applied.',
  },
  { method: 'get', path: `${ID}/turns`, says: 'Where each turn begins and ends.' },
  {
    method: 'get',
    path: `${ID}/export`,
    says: 'The log record by record, or the last turns as a history of their own.',
    query: { last: 'so many turns' },
  },
  { method: 'get', path: `${ID}/compactions`, says: 'Receipts of past compactions, the oldest first.' },
  { method: 'get', path: `${ID}/verify`, says: 'Every record held against its hash.' },
  { method: 'post', path: `${ID}/revert`, says: 'Takes back this turn and all after it.', body: { turn: 'integer' } },
  { method: 'post', path: `${ID}/undo`, says: 'Takes back the latest replacement or revert.' },
  {
    method: 'post',
    path: `${ID}/fork`,
    says: 'A session of its own with everything up to the end of this turn.',
    body: { id: 'string', turn: 'integer' },
  },
  { method: 'post', path: `${ID}/plan`, says: 'What a compaction would do.', body: COMPACTION },
  {
    method: 'post',
    path: `${ID}/compact`,
    says: 'Makes the history shorter; `undo` takes it back.',
    body: COMPACTION,
  },
]

/** The description, as an object. */
export function openapi(version: string): unknown {
  const described: Record<string, Record<string, unknown>> = {}
  for (const one of paths) {
    described[one.path] ??= {}
    described[one.path]![one.method] = operationOf(one)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Suture gateway', version, description: 'Every other path is passed on to an upstream.' },
    security: [{ key: [] }],
    paths: described,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      schemas: { Problem: problemSchema },
    },
  }
}

const problemSchema = {
  type: 'object',
  required: ['type', 'error'],
  properties: {
    type: { const: 'error' },
    error: {
      type: 'object',
      required: ['type', 'code', 'message', 'request_id'],
      properties: {
        type: { const: 'suture_error' },
        code: { type: 'string' },
        message: { type: 'string' },
        request_id: { type: 'string' },
      },
    },
  },
}

function operationOf({ path, says, query = {}, body }: Path): unknown {
  const parameters = Object.entries(query).map(([name, description]) => ({
    name,
    in: 'query',
    description,
    schema: { type: 'string' },
  }))
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }
  const properties = Object.entries(body ?? {}).map(([name, type]) => [name, { type }])
  const requestBody = {
    content: { 'application/json': { schema: { type: 'object', properties: Object.fromEntries(properties) } } },
  }
  return {
    summary: says,
    parameters: path.includes('{id}') ? [id, ...parameters] : parameters,
    ...(body ? { requestBody } : {}),
    responses: {
      200: { description: 'Done.' },
      default: {
        description: 'An error of the gateway.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  }
}
