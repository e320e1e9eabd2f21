import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { runsOf } from '../../test/long-runs.ts'
import { check, declaredOf } from './schema.ts'

const tree = {
  type: 'object',
  $defs: {
    node: {
      type: 'object',
      properties: { name: { type: 'string' }, next: { $ref: '#/$defs/node' } },
      required: ['name'],
    },
  },
  properties: { top: { $ref: '#/$defs/node' } },
}

const cases: readonly (readonly [string, object, unknown, readonly string[]])[] = [
  ['fits', { type: 'object', properties: { a: { type: 'number' } } }, { a: 1.5, b: 'extra' }, []],
  ['a type', { properties: { a: { type: 'integer' } } }, { a: 1.5 }, ['/a: must be integer']],
  ['several types', { properties: { a: { type: ['string', 'null'] } } }, { a: 1 }, ['/a: must be string or null']],
  ['null is one of them', { properties: { a: { type: ['string', 'null'] } } }, { a: null }, []],
  ['what is missing', { required: ['a', 'toString'] }, {}, ['/a: is missing', '/toString: is missing']],
  [
    'what is too much',
    { properties: { a: {} }, additionalProperties: false },
    { a: 1, b: 2 },
    ['/b: must not be there'],
  ],
  ['the rest has a shape', { additionalProperties: { type: 'string' } }, { a: 'x', b: 2 }, ['/b: must be string']],
  ['a choice', { properties: { a: { enum: ['x', 'y'] } } }, { a: 'z' }, ['/a: must be one of ["x","y"]']],
  ['a constant', { properties: { a: { const: { b: 1 } } } }, { a: { b: 1 } }, []],
  [
    'items',
    { properties: { a: { type: 'array', items: { type: 'string' }, maxItems: 2 } } },
    { a: ['x', 1, 'y'] },
    ['/a: breaks maxItems 2', '/a/1: must be string'],
  ],
  [
    'bounds',
    { properties: { a: { minimum: 1 }, b: { exclusiveMaximum: 3 }, c: { minLength: 2 } } },
    { a: 0, b: 3, c: '😀' },
    ['/a: breaks minimum 1', '/b: breaks exclusiveMaximum 3', '/c: breaks minLength 2'],
  ],
  [
    'a pattern',
    { properties: { a: { type: 'string', pattern: '^[a-z]+$' } } },
    { a: 'A' },
    ['/a: must match ^[a-z]+$'],
  ],
  ['an invalid pattern', { properties: { a: { type: 'string', pattern: '(' } } }, { a: 'A' }, []],
  [
    'any of',
    { properties: { a: { anyOf: [{ type: 'string' }, { type: 'null' }] } } },
    { a: 1 },
    ['/a: matches none of the allowed schemas'],
  ],
  ['all of', { allOf: [{ required: ['a'] }, { required: ['b'] }] }, { a: 1 }, ['/b: is missing']],
  ['a reference', tree, { top: { name: 'x', next: { nam: 'y' } } }, ['/top/next/name: is missing']],
  ['no object', { type: 'object' }, [], ['the arguments: must be object']],
]

it.each(cases)('%s', async (_name, schema, value, wrong) => {
  expect(await check(schema, value)).toEqual(wrong.length > 0 ? { wrong } : { value })
})

it('a Standard Schema validates arguments itself, and its JSON Schema is declared to the model', async () => {
  const schema = z.object({ at: z.object({ n: z.coerce.number() }) })
  expect(await check(schema, { at: { n: '7' } })).toEqual({ value: { at: { n: 7 } } })
  expect(await check(schema, { at: {} })).toMatchObject({ wrong: [expect.stringMatching(/^\/at\/n: /)] })
  expect(declaredOf(schema, undefined)).toMatchObject({ type: 'object', required: ['at'] })
  expect(declaredOf(schema, { type: 'object', title: 'own' })).toEqual({ type: 'object', title: 'own' })
})

it('never throws and always ends, for any schema and value', async () => {
  const any = fc.jsonValue({ maxDepth: 4 })
  const schema = fc.dictionary(
    fc.constantFrom(
      'type',
      'properties',
      'items',
      'required',
      'enum',
      'anyOf',
      '$ref',
      'minimum',
      'additionalProperties',
    ),
    fc.oneof(any, fc.constant('#')),
  )
  const run = fc.asyncProperty(schema, any, async (one, value) => {
    const found = await check(one, value)
    expect('wrong' in found || 'value' in found).toBe(true)
  })
  await fc.assert(run, { numRuns: runsOf(200, 500), seed: 16 })
})
