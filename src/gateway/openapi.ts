/** The gateway's own paths as an OpenAPI 3.1 description, for generated clients. */
interface Operation {
  readonly summary: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, 'integer' | 'string' | 'boolean' | 'object' | 'array'>>
}

const ID = '/suture/v1/sessions/{id}'
/** The size to reach, texts to keep verbatim, and whether to compact before it is due. */
const COMPACTION = { budget: 'object', pins: 'array', force: 'boolean' } as const

/** By method and path. */
const operations: Readonly<Record<string, Operation>> = {
  'get /': { summary: 'Overview of the paths.' },
  'get /suture/openapi.json': { summary: 'This description.' },
  'get /suture/health': { summary: 'The process is up, or `draining`.' },
  'get /suture/ready': {
    summary: '200 if the gateway accepts requests and its store answers; 503 while it shuts down.',
  },
  'get /suture/metrics': { summary: 'Metrics in the text format of Prometheus.' },
  'get /suture/v1/sessions': {
    summary: 'Ids of the sessions of this key, in order, without branches.',
    query: {
      after: 'the last id of the previous page',
      limit: 'maximum number of ids; default 100',
      details: '`true`: with provider, model, turns, tokens, findings and last activity of each',
    },
  },
  'get /suture/viewer/': { summary: 'The viewer, a page for a browser.' },
  'get /suture/v1/events': {
    summary: 'Requests as they pass, as server-sent events: names, counts and times, no content.',
    query: { after: 'the number of the last event that the client received' },
  },
  [`get ${ID}`]: {
    summary: 'The messages, in pages of whole turns.',
    query: {
      from: '`newest` or `oldest`',
      size: 'minimum number of messages in the page',
      cursor: 'the cursor that the previous page returned',
    },
  },
  [`delete ${ID}`]: { summary: 'Deletes the whole session with its branches. This cannot be undone.' },
  [`get ${ID}/history`]: { summary: 'The history that would be sent: repaired, with replacements applied.' },
  [`get ${ID}/turns`]: { summary: 'Where each turn begins and ends.' },
  [`get ${ID}/revisions`]: {
    summary: 'Every message with author, position and time, also those that others took the place of.',
  },
  [`get ${ID}/branches`]: { summary: 'Lines that go on beside this one, with the position where each begins.' },
  [`get ${ID}/export`]: {
    summary: 'The log record by record, or the last turns as a history of their own.',
    query: { last: 'number of turns' },
  },
  [`get ${ID}/compactions`]: { summary: 'Receipts of past compactions, the oldest first.' },
  [`get ${ID}/verify`]: { summary: 'Checks the hash of every record.' },
  [`post ${ID}/revert`]: {
    summary: 'Removes this turn and all later ones from the history; `undo` restores them.',
    body: { turn: 'integer' },
  },
  [`post ${ID}/undo`]: { summary: 'Undoes the latest replacement or revert.' },
  [`post ${ID}/fork`]: {
    summary: 'Creates a new session with everything up to the end of this turn.',
    body: { id: 'string', turn: 'integer' },
  },
  [`post ${ID}/plan`]: { summary: 'What a compaction would do.', body: COMPACTION },
  [`post ${ID}/compact`]: { summary: 'Compacts the history; `undo` restores it.', body: COMPACTION },
}

/** The description, as an object. */
export function openapi(version: string): unknown {
  const described: Record<string, Record<string, unknown>> = {}
  for (const [name, operation] of Object.entries(operations)) {
    const [method, path] = name.split(' ') as [string, string]
    described[path] = { ...described[path], [method]: operationAt(path, operation) }
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

function operationAt(path: string, { summary, query = {}, body }: Operation): unknown {
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
    summary,
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
