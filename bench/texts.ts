/**
 * Texts like those in agents' histories: prose, logs, arguments, signatures. About a tenth is not Latin.
 * They are put together from ready sentences, so that many megabytes take little time.
 */
import type { Sizes } from './random.ts'

const SENTENCES = [
  'The test fails because the second request arrives before the first one has been stored. ',
  'Please look at the order of the user and tell me whether it can still be changed. ',
  'I have checked the configuration, and the timeout is set to 30 seconds in two places. ',
  'That file does not exist any more; it was renamed in the last release. ',
  'Could you also update the documentation, and run the tests again afterwards? ',
  'Yes. ',
  "I'll start by reading the module that parses the arguments. ",
  'There are three callers, and only one of them passes the new option. ',
  'According to the log, the payment of $1,024.50 was accepted at 14:03 (UTC) and then reverted. ',
  'We should keep the old behavior when the flag is missing.\n\n',
  '1. Read the file.\n2. Change the function.\n3. Run the tests.\n',
  'The function `parseHeaders` returns `undefined` for an empty line, which is "correct" but surprising. ',
] as const

const FOREIGN = [
  'Die Prüfung der Bestellung ist noch nicht abgeschlossen – bitte später erneut versuchen. ',
  '请先检查订单的状态，然后再修改收货地址。',
  'テストが失敗する原因を調べてください。',
  'Всё готово 👍 можно запускать. ',
  'Café, naïve, façade: “quoted” words… ',
] as const

const LOGS = [
  'drwxr-xr-x  2 root root  4096 Nov 16 17:04 src\n',
  '-rw-r--r--  1 root root  8013 Nov 16 17:04 core.ts\n',
  '{"order_id":"#W2378156","status":"delivered","items":[{"name":"Keyboard","price":147.05,"available":true}]}\n',
  '  12\texport function read(path: string): string {\n  13\t  return readFileSync(path, "utf8")\n  14\t}\n',
  'FAIL  test/session.test.ts > append > keeps the order of two writers\nAssertionError: expected 2 to be 3\n',
  '    at Object.<anonymous> (/app/src/session/log.ts:73:21)\n',
  'HTTP/1.1 200 OK\ncontent-type: application/json; charset=utf-8\ncontent-length: 1583\n\n',
  '2026-03-14T09:26:53.589Z INFO  gateway request id=7f3a status=200 duration_ms=184\n',
  'diff --git a/README.md b/README.md\n@@ -12,7 +12,7 @@\n-Old line of text\n+New line of text\n',
] as const

const BASE64 =
  'QmFzZTY0IHRleHQgdGhhdCBsb29rcyBsaWtlIGEgc2lnbmF0dXJlIGJ1dCBpcyBub25lLCByZXBlYXRlZA0Kmz8vT1pHk3xQwLdNfUy+/aB4'

export function prose(random: Sizes, size: number): string {
  return random.chance(12) ? gathered(random, FOREIGN, size) : gathered(random, SENTENCES, size)
}

export function logs(random: Sizes, size: number): string {
  if (random.chance(8)) return gathered(random, FOREIGN, size)
  return gathered(random, random.chance(20) ? SENTENCES : LOGS, size)
}

/** Whole pieces up to about this size: a cut could go through a pair of surrogates. Never blank at its end. */
function gathered(random: Sizes, pieces: readonly string[], size: number): string {
  let text = random.pick(pieces)
  while (text.length < size) text += random.pick(pieces)
  return text.trim()
}

/** Some hundred bytes of arguments; less with a smaller scale. */
export function argumentsOf(random: Sizes, scale: number): Record<string, unknown> {
  const size = (most: number) => Math.ceil(random.size(30, most) * scale)
  switch (random.below(4)) {
    case 0:
      return { path: `src/session/${random.below(1e6)}.ts`, offset: random.below(500), limit: 200 }
    case 1:
      return { command: gathered(random, LOGS, size(300)), timeout: 120_000, description: 'Run it' }
    case 2: {
      const filters = { status: ['open', 'pending'], limit: random.below(100), archived: false }
      return { query: prose(random, size(120)), filters, page: null }
    }
    default:
      return { file_path: `/app/${random.below(1e6)}.ts`, old: prose(random, size(300)), new: prose(random, size(300)) }
  }
}

/** Base64 of about this many characters. */
export function signature(random: Sizes, start: string, size: number): string {
  const end = random.below(1e9).toString(36)
  return `${start}${BASE64.repeat(Math.ceil(size / BASE64.length)).slice(0, size)}${end}`
}
