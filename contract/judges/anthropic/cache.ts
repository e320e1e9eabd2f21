/**
 * Anthropic, prompt caching: cache marks are counted and ordered over tools, system and messages together.
 */

import { isObject, listAt } from '../json.ts'
import type { JudgedRequest, Rejection } from '../rejection.ts'
import { blocksOf, reject } from './blocks.ts'

interface Mark {
  readonly at: string
  readonly ttl: string
  readonly onEmptyText: boolean
}

export function cacheControl({ body }: JudgedRequest): Rejection | undefined {
  const marks = [...marksOf(body)]
  return onEmptyText(marks) ?? tooMany(marks) ?? ttlOrder(marks)
}

/** docs/rejections.md#anthropic-cache-control-on-empty-text. */
function onEmptyText(marks: readonly Mark[]): Rejection | undefined {
  const mark = marks.find((mark) => mark.onEmptyText)
  if (!mark) return undefined
  return reject('cache-control-on-empty-text', `${mark.at}.text: cache_control cannot be set for empty text blocks`)
}

/** docs/rejections.md#anthropic-cache-control-too-many. */
function tooMany(marks: readonly Mark[]): Rejection | undefined {
  if (marks.length <= 4) return undefined
  return reject(
    'cache-control-too-many',
    `A maximum of 4 blocks with cache_control may be provided. Found ${marks.length}.`,
  )
}

/** docs/rejections.md#anthropic-cache-control-ttl-order. */
function ttlOrder(marks: readonly Mark[]): Rejection | undefined {
  const short = marks.findIndex((mark) => mark.ttl === '5m')
  const long = short < 0 ? undefined : marks.slice(short).find((mark) => mark.ttl === '1h')
  if (!long) return undefined
  return reject(
    'cache-control-ttl-order',
    `${long.at}.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block.`,
  )
}

function* marksOf(body: unknown): Generator<Mark> {
  yield* marksIn(listAt(body, 'tools'), 'tools')
  yield* marksIn(listAt(body, 'system'), 'system')
  for (const { block, at } of blocksOf(body)) {
    yield* markOn(block, at)
    yield* marksIn(listAt(block, 'content'), `${at}.${block.type}.content`)
  }
}

function* marksIn(list: readonly unknown[], path: string): Generator<Mark> {
  for (const [i, item] of list.entries()) yield* markOn(item, `${path}.${i}`)
}

function* markOn(item: unknown, at: string): Generator<Mark> {
  if (!isObject(item) || !isObject(item.cache_control)) return
  const ttl = item.cache_control.ttl === '1h' ? '1h' : '5m'
  yield { at, ttl, onEmptyText: item.type === 'text' && item.text === '' }
}
