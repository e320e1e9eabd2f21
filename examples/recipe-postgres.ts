/**
 * A session in PostgreSQL: here PGlite, which runs in the process; a Pool of `pg` fits the same way.
 */
import { PGlite } from '@electric-sql/pglite'
import { openSession } from '../src/session.ts'
import { postgresStore } from '../src/stores/postgres.ts'

const database = await PGlite.create() // new Pool({ connectionString: process.env.DATABASE_URL })
const store = await postgresStore({ query: (text, values) => database.query(text, values) })
const session = await openSession(store, 'chat-1', { provider: 'openai' })
await session.append([
  { role: 'user', content: 'What is the weather in Oslo?' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{}' } }],
  },
])

const later = await openSession(store, 'chat-1', { provider: 'openai' }) // another process, after a crash
console.log('open:', later.found.open.map(({ id }) => id).join(' '), 'to send:', (await later.history()).length)
await database.close()
