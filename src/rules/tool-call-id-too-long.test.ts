import { hash } from '../core/index.ts'
import { testRule } from '../testing/index.ts'
import { toolCallIdTooLong } from './tool-call-id-too-long.ts'

const stem = 'call-0123456789-0123456789-0123456789-012'
const one = hash(`${stem}-0`)
const two = hash(`${stem}-1`)

testRule(toolCallIdTooLong, {
  constraint: { max: 40 },
  valid: {
    'a short id': `
      user: go
      assistant: call a run
      tool: result a ok`,
  },
  invalid: {
    'ids that differ only after the limit stay apart': {
      before: `
        user: go
        assistant: call ${stem}-0 run | call ${stem}-1 run
        tool: result ${stem}-0 one | result ${stem}-1 two`,
      finds: [`long ${stem}-0 43 40`, `long ${stem}-1 43 40`],
      after: `
        user: go
        assistant: call ${one} run | call ${two} run
        tool: result ${one} one | result ${two} two`,
    },
  },
})
