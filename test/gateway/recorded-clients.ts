/**
 * What clients do with a conversation between two requests, as their sources and recordings show it. Each is a few lines on an
 * imaginary conversation of many turns.
 */

// biome-ignore lint/suspicious/noExplicitAny: messages of several dialects
export type Message = any

export interface Client {
  /** Sends a request and returns the text of its reply. */
  ask(messages: readonly Message[], more?: object): Promise<string>
}

export interface Behavior {
  readonly name: string
  /** Branches besides the conversation that a person would expect; 0 if absent. */
  readonly branches?: number
  /** The requests are bigger than those of a client that sends back what it got, so their time is not compared. */
  readonly isBigger?: boolean
  run(client: Client, begun: readonly Message[], turns: number): Promise<void>
}

export const user = (content: string) => ({ role: 'user', content })
export const says = (content: string) => ({ role: 'assistant', content })
const system = (content: string) => ({ role: 'system', content })
const words = (n: number, what: string) =>
  `${what} ${n}. ${`Some words of ${what.toLowerCase()} ${n}, and more. `.repeat(12)}`
const promptOf = (n: number) => words(n, 'Question')

/** A history of this many messages, about 100 kB for 150. */
export function begunWith(count: number): Message[] {
  return Array.from({ length: count }, (_, i) =>
    i % 2 === 0 ? user(words(i, 'Early question')) : says(words(i, 'Early answer')),
  )
}

/** One request per turn; `sent` makes it of the conversation so far and its last prompt. */
function eachTurn(
  sent: (history: readonly Message[], prompt: Message, n: number) => readonly Message[],
  more = (_n: number) => ({}),
) {
  return async (client: Client, begun: readonly Message[], turns: number) => {
    const history = [...begun]
    for (let n = 0; n < turns; n++) {
      const prompt = user(promptOf(n))
      const reply = await client.ask(sent(history, prompt, n), more(n))
      history.push(prompt, says(reply))
    }
  }
}

const rest = (history: readonly Message[], count: number, keep: (message: Message, i: number) => Message) =>
  history.map((message, i) => (i < count ? message : keep(message, i)))

const isReply = (message: Message) => message.role === 'assistant'
const tools = ['read', 'write', 'run'].map((name) => ({
  type: 'function',
  function: { name, parameters: { type: 'object' } },
}))
const agent = { tools }
const PROMPT = `You are an agent. ${'Follow the rules of the project. '.repeat(60)}`
const environment = (n: number) =>
  `<environment_details>\n# Visible files\n${Array.from({ length: 12 }, (_, i) => `src/file-${i}.ts`).join('\n')}\n# Time\n12:${n}\n</environment_details>`

export const table: readonly Behavior[] = [
  { name: 'sends back what it got', run: eachTurn((history, prompt) => [...history, prompt]) },
  {
    name: 'the reply as text parts',
    run: eachTurn((history, prompt) => [
      ...history.map((one) => (isReply(one) ? { ...one, content: [{ type: 'text', text: one.content }] } : one)),
      prompt,
    ]),
  },
  {
    name: 'sends each request twice',
    run: async (client, begun, turns) => {
      const history = [...begun]
      for (let n = 0; n < turns; n++) {
        history.push(user(promptOf(n)))
        const [first] = [await client.ask(history), await client.ask(history)]
        history.push(says(first))
      }
    },
  },
  {
    name: 'a sub-agent alternates with the main agent',
    branches: 1,
    run: async (client, begun, turns) => {
      const [main, helper] = [[...begun], [user('Find the tests of this project.')]]
      for (let n = 0; n < turns; n++) {
        const line: Message[] = n % 2 === 0 ? main : helper
        if (n > 1) line.push(user(`${n % 2 === 0 ? '' : 'Helper. '}${promptOf(n)}`))
        line.push(says(await client.ask(line, n % 2 === 0 ? agent : {})))
      }
    },
  },
  {
    name: 'a small side request (title) after each turn',
    branches: 1,
    run: async (client, begun, turns) => {
      const history = [...begun]
      for (let n = 0; n < turns; n++) {
        history.push(user(promptOf(n)))
        history.push(says(await client.ask(history)))
        if (n % 2 === 1)
          await client.ask([system('Answer with a title.'), user(`Title of: ${promptOf(n).slice(0, 40)}`)])
      }
    },
  },
  {
    name: 'the system prompt has a clock',
    run: eachTurn((history, prompt, n) => [system(`${PROMPT} It is 12:${n}.`), ...history, prompt]),
  },
  {
    name: 'the reply has a line break at its end',
    run: eachTurn((history, prompt) => [
      ...history.map((one) => (isReply(one) ? { ...one, content: `${one.content}\n` } : one)),
      prompt,
    ]),
  },
  {
    name: 'leaves the reply out',
    run: async (client, begun, turns) => {
      const history = [...begun]
      for (let n = 0; n < turns; n++) {
        history.push(user(promptOf(n)))
        await client.ask(history)
      }
    },
  },
  {
    name: 'adds its environment to the last message, and takes it out a turn later',
    run: eachTurn((history, prompt, n) => [...history, user(`${prompt.content}\n\n${environment(n)}`)]),
  },
  {
    name: 'regenerates',
    run: async (client, begun, turns) => {
      const history = [...begun]
      for (let n = 0; n < turns; n++) {
        history.push(user(promptOf(n)))
        await client.ask(history)
        history.push(says(await client.ask(history)))
      }
    },
  },
  { name: 'a sliding window of 40 messages', run: eachTurn((history, prompt) => [...history.slice(-39), prompt]) },
]

/** Real clients; the comment names where it was seen. */
export const clients: readonly Behavior[] = [
  // Cline: environment_details in every user message; they stay in the history.
  {
    name: 'Cline: environment details that stay',
    run: eachTurn((history, prompt, n) => [
      system(PROMPT),
      ...rest(history, 150, (one, i) => (isReply(one) ? one : user(`${one.content}\n\n${environment((i - 150) / 2)}`))),
      user(`${prompt.content}\n\n${environment(n)}`),
    ]),
  },
  // Cline: when the window is full, half of the pairs after the first one are left out, with a notice in the first reply.
  {
    name: 'Cline: truncates the middle',
    run: eachTurn((history, prompt, n) => {
      if (n < 20) return [...history, prompt]
      const notice = says(`${history[1].content}\n\n[NOTE] Some earlier conversation was removed.`)
      return [history[0], notice, ...history.slice(80), prompt]
    }),
  },
  // Claude Code: reminders before the last prompt only, and a cache mark that moves.
  {
    name: 'Claude Code: moving reminders and cache marks',
    run: eachTurn((history, prompt, n) => {
      const marked = (one: Message) => ({
        ...one,
        content: [{ type: 'text', text: one.content, cache_control: { type: 'ephemeral' } }],
      })
      const reminder = { type: 'text', text: `<system-reminder>\nToday is day ${n}.\n</system-reminder>` }
      const last = { role: 'user', content: [reminder, ...marked(prompt).content] }
      return [...history.slice(0, -1), marked(history.at(-1)), last]
    }),
  },
  // Claude Code: asks for a suggestion of the next prompt with the whole history, and drops question and answer.
  {
    name: 'Claude Code: suggests the next prompt',
    run: async (client, begun, turns) => {
      const history = [...begun]
      for (let n = 0; n < turns; n++) {
        history.push(user(promptOf(n)))
        history.push(says(await client.ask([system(PROMPT), ...history], agent)))
        await client.ask([system(PROMPT), ...history, user('[SUGGESTION MODE: what would the user type next?]')], agent)
      }
    },
  },
  // Claude Code, /compact: asks for a summary, and goes on from it.
  {
    name: 'Claude Code: compacts',
    run: async (client, begun, turns) => {
      let history = [...begun]
      for (let n = 0; n < turns; n++) {
        if (n % 15 === 14) {
          const summary = await client.ask([system(PROMPT), ...history, user('Summarize this conversation.')], agent)
          history = [user(`This session is continued from an earlier conversation. Summary:\n${summary}`)]
        }
        history.push(user(promptOf(n)))
        history.push(says(await client.ask([system(PROMPT), ...history], agent)))
      }
    },
  },
  // Codex: a compaction keeps the latest user messages and a summary.
  {
    name: 'Codex: compacts to user messages and a summary',
    run: async (client, begun, turns) => {
      let history = [...begun]
      for (let n = 0; n < turns; n++) {
        if (n % 15 === 14) {
          const summary = await client.ask([system(PROMPT), ...history, user('Write a handoff summary.')], agent)
          const prompts = history.filter((one) => !isReply(one)).slice(-10)
          history = [...prompts, user(`Another model made this summary:\n${summary}`)]
        }
        history.push(user(promptOf(n)))
        history.push(says(await client.ask([system(PROMPT), ...history], agent)))
      }
    },
  },
  // LangChain, trim_messages: strategy "last", start_on "human", include_system.
  {
    name: 'LangChain: trims, keeps the system message',
    run: eachTurn((history, prompt) => [system(PROMPT), ...history.slice(-30), prompt]),
  },
  // LangChain, SummarizationMiddleware: a summary of another request, and the latest 20 messages.
  {
    name: 'LangChain: summarizes',
    branches: 1,
    run: async (client, begun, turns) => {
      let history = [...begun]
      for (let n = 0; n < turns; n++) {
        if (n % 10 === 9) {
          const text = history
            .slice(0, -20)
            .map((one) => one.content.slice(0, 60))
            .join('\n')
          const summary = await client.ask([user(`Extract the context of these messages:\n${text}`)])
          history = [user(`Here is a summary of the conversation to date:\n\n${summary}`), ...history.slice(-20)]
        }
        history.push(user(promptOf(n)))
        history.push(says(await client.ask(history)))
      }
    },
  },
  // AI SDK, convertToModelMessages: parts, call arguments written again, empty text left out.
  {
    name: 'AI SDK: converts to model messages',
    run: async (client, begun, turns) => {
      const history = [...begun]
      for (let n = 0; n < turns; n++) {
        history.push({ role: 'user', content: [{ type: 'text', text: promptOf(n) }] })
        history.push({ role: 'assistant', content: [{ type: 'text', text: await client.ask(history) }] })
      }
    },
  },
  // Open WebUI: title, tags and follow-ups after each reply, with the history inside of a prompt.
  {
    name: 'Open WebUI: title, tags, follow-ups',
    branches: 1,
    run: async (client, begun, turns) => {
      const history = [...begun]
      for (let n = 0; n < turns; n++) {
        history.push(user(promptOf(n)))
        history.push(says(await client.ask(history)))
        const chat = history
          .slice(-2)
          .map((one) => `${one.role.toUpperCase()}: ${one.content.slice(0, 80)}`)
          .join('\n')
        for (const task of ['Generate a concise title', 'Generate 1-3 broad tags', 'Suggest 3-5 follow-up questions'])
          await client.ask([user(`### Task:\n${task}.\n### Chat History:\n<chat_history>\n${chat}\n</chat_history>`)])
      }
    },
  },
  // LibreChat: an earlier prompt is edited, and the conversation goes on from there.
  {
    name: 'LibreChat: edits an earlier prompt',
    run: async (client, begun, turns) => {
      const history = [...begun]
      for (let n = 0; n < turns; n++) {
        if (n % 10 === 9) history.splice(-4, 4, user(`Edited. ${promptOf(n)}`))
        else history.push(user(promptOf(n)))
        history.push(says(await client.ask(history)))
      }
    },
  },
  // Kimi Code: call ids are renamed in every request, and arguments are written with spaces.
  {
    name: 'Kimi Code: renames call ids',
    run: eachTurn((history, prompt, n) => [
      ...history.slice(0, 2),
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: `c${n}`, type: 'function', function: { name: 'read', arguments: `{ "n": 1${n % 2 ? ' ' : ''}}` } },
        ],
      },
      { role: 'tool', tool_call_id: `c${n}`, content: n % 2 ? 'done' : [{ type: 'text', text: 'done' }] },
      ...history.slice(2),
      prompt,
    ]),
  },
  // Aider: the map of the repository is an early message, and another one in each request.
  {
    name: 'Aider: an early message changes',
    run: eachTurn((history, prompt, n) => [
      user(`Here is the map of the repository, version ${n}:\n${'src/file.ts: function work()\n'.repeat(120)}(${n})`),
      says('Ok.'),
      ...history,
      prompt,
    ]),
  },
  // A chat that leaves out failed tool rounds and empty contents.
  {
    name: 'null and empty contents',
    run: eachTurn((history, prompt, n) => [
      ...history.map((one) => ({ ...one, name: n % 2 ? null : undefined, refusal: null })),
      ...(n % 2 ? [says('')] : []),
      prompt,
    ]),
  },
  // Claude Code: a title with another system prompt and without tools, of the same first prompt.
  {
    name: 'a title of the same first prompt',
    branches: 1,
    run: async (client, begun, turns) => {
      const history = [...begun]
      for (let n = 0; n < turns; n++) {
        history.push(user(promptOf(n)))
        history.push(says(await client.ask([system(PROMPT), ...history], agent)))
        if (n % 4 === 3) await client.ask([system('You write titles.'), history[0]])
      }
    },
  },
]
