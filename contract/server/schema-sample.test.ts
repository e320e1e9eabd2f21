import { expect, test } from 'vitest'
import { sample } from './schema-sample.ts'

const cases: Readonly<Record<string, readonly [schema: unknown, value: unknown]>> = {
  'nothing said': [undefined, 'value'],
  'a constant': [{ const: 3 }, 3],
  'a choice': [{ type: 'string', enum: ['b', 'a'] }, 'b'],
  'a default': [{ type: 'integer', default: 9 }, 9],
  'required fields only': [
    { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } }, required: ['b'] },
    { b: 1 },
  ],
  'all fields when none is required': [
    { properties: { a: { type: 'string' }, b: { type: 'boolean' } } },
    { a: 'a', b: true },
  ],
  'a list': [{ type: 'array', items: { type: 'integer', minimum: 4 }, minItems: 2 }, [4, 4]],
  'the capitals of Gemini': [
    { type: 'OBJECT', properties: { day: { type: 'STRING', format: 'date' } } },
    { day: '2026-01-31' },
  ],
  'a reference': [{ $ref: '#/$defs/city', $defs: { city: { type: 'string', maxLength: 3 } } }, 'val'],
  'one of several': [{ anyOf: [{ type: 'null' }, { type: 'string' }] }, null],
  'a nullable type': [{ type: ['number', 'null'], exclusiveMinimum: 2 }, 3],
  'a reference to itself ends': [{ $ref: '#' }, 'value'],
}

test.each(Object.entries(cases))('%s', (_name, [schema, value]) => {
  expect(sample(schema)).toEqual(value)
})
