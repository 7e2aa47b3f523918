import { describe, expect, it, test } from 'vitest'
import { encodingIn, isKnown } from './request-headers.ts'

describe('the encoding of a response', () => {
  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1.0, br;q=0', 'gzip'],
    ['GZIP ; q=0.5', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *;q=0', 'identity'],
    ['deflate', 'identity'],
    ['', 'identity'],
    [undefined, 'identity'],
    [';;=,,"', 'identity'],
    ['gzip;q=', 'gzip'],
  ])('to %j is %s', (header, encoding) => expect(encodingIn(header)).toBe(encoding))

  it('is null if the header is longer than any client sends, so that parsing time is bounded', () => {
    expect(encodingIn(`gzip${' '.repeat(15_500)}x`)).toBe('identity')
    expect(encodingIn(`br, gzip${','.repeat(200)}`)).toBe('identity')
  })
})

test.each([
  ['"a"', true],
  ['W/"a"', true],
  [' "b" , W/"a"', true],
  ['*', true],
  // As a proxy that compresses writes it.
  ['W/"a-gzip"', true],
  ['"a;br"', true],
  ['"a-b"', false],
  ['"b"', false],
  [undefined, false],
  [`"a"${', "b"'.repeat(1_000)}`, false],
])('an If-None-Match of %.20j names the etag: %s', (header, known) =>
  expect(isKnown('"a"', header)).toBe(known),
)
