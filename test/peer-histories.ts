/**
 * Fourteen histories that fifteen other repairers were run on, in the shorthand of `shorthand.ts`. REAL marks output of
 * a tool that must be kept.
 */
export const peerHistories: Readonly<Record<string, string>> = {
  valid: 'U A{a} R(a,REAL) A',
  'valid, parallel': 'U A{a,b} R(a,REAL) R(b,REAL2) A',
  'deep orphan': "U A{a} U' A",
  'tail orphan': 'U A{a}',
  'partial parallel': "U A{a,b} R(a,REAL) U' A",
  'orphan result': 'U R(a,REAL) A',
  'misplaced after a user message': "U A{a} U' R(a,REAL) A",
  'misplaced after a later assistant': "U A{a} A R(a,REAL) U' A",
  'partial and misplaced': "U A{a,b} U' R(a,REAL) U'' A",
  'result before call': "U R(a,REAL) A{a} U' A",
  'duplicate result': 'U A{a} R(a,REAL) R(a,REAL) A',
  'reused id, the second call open': "U A{a} R(a,REAL) A U' A{a} U'' A",
  'cut in mid-turn': 'R(a,REAL) A U A',
  'reused id, both answered': "U A{a} R(a,REAL) A U' A{a} R(a,REAL2) A",
}
