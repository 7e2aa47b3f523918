import * as fc from 'fast-check'
import type { z } from 'zod'
import type { Call } from '#contract/parts/call.ts'
import { formsOf } from './multipart.ts'
import { nearly, valuesOf } from './schema.ts'
import { garbage, naughtyText } from './values.ts'

/** A person's tokens and the ids of existing resources. Calls are sent with these ids and with ids that do not exist. */
export type Fixtures = { token: string; otherToken: string; ids: Record<string, string> }

/** A generated request. `build` inserts the tokens and ids when the request is sent. */
export type Fuzzed = { name: string; method: string; build: (fixtures: Fixtures) => Sent }
export type Sent = { url: string; headers: Record<string, string>; payload?: string }

const mostly = <T>(usual: fc.Arbitrary<T>, seldom: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: usual }, { weight: 1, arbitrary: seldom })

const tokens: fc.Arbitrary<(fixtures: Fixtures) => string | undefined> = fc.oneof(
  { weight: 16, arbitrary: fc.constant(({ token }: Fixtures) => `Bearer ${token}`) },
  { weight: 1, arbitrary: fc.constant(({ otherToken }: Fixtures) => `Bearer ${otherToken}`) },
  { weight: 1, arbitrary: fc.constant(() => undefined) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('', 'Bearer', 'Basic YTpi', 'Bearer a.b.c', 'bearer ..', `Bearer ${'a'.repeat(9_000)}`)
      .map((header) => () => header),
  },
)

const headers: fc.Arbitrary<Record<string, string>> = fc.dictionary(
  fc.constantFrom(
    'if-match',
    'if-none-match',
    'host',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-http-method-override',
    'origin',
    'cookie',
    'accept',
    'accept-encoding',
    'range',
    'expect-not',
    'content-encoding',
    'transfer-encoding-not',
  ),
  fc.constantFrom(
    '*',
    '"1"',
    'W/"1"',
    '"99999999999999999999"',
    '"-1"',
    '',
    'evil.test',
    'evil.test@localhost',
    '::1, 1.2.3.4',
    'DELETE',
    'null',
    'a=b; a=c',
    'gzip',
    'bytes=0-1',
    '\u00e9',
    'a'.repeat(5_000),
  ),
  { maxKeys: 3 },
)

/** Generates requests for a call: valid, almost valid, and hostile ones. */
export function requestsOf(name: string, call: Call): fc.Arbitrary<Fuzzed> {
  const { method } = call
  return fc
    .record({ path: paths(call), query: queries(call.query), token: tokens, headers, body: bodies(call) })
    .map(({ path, query, token, headers, body }) => ({
      name,
      method,
      build: (fixtures) => {
        const authorization = token(fixtures)
        return {
          url: path(fixtures) + query,
          headers: {
            ...headers,
            ...(authorization !== undefined && { authorization }),
            ...(body && { 'content-type': body.type }),
          },
          ...(body && { payload: body.payload }),
        }
      },
    }))
}

function paths(call: Call): fc.Arbitrary<(fixtures: Fixtures) => string> {
  const names = [...call.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const one = fc.oneof(
    { weight: 6, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: naughtyText.filter((text) => text.length < 1_000).map(escaped) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '..',
        '%2e%2e',
        '.',
        '%2f',
        '%00',
        '%',
        '%zz',
        'a%',
        ';x=1',
        '~',
        '*',
        '%ff',
      ),
    },
  )
  return fc
    .array(one, { minLength: names.length, maxLength: names.length })
    .map(
      (values) => (fixtures) =>
        names.reduce(
          (path, name, at) => path.replace(`:${name}`, () => values[at] ?? fixtures.ids[name] ?? 'none'),
          call.path,
        ),
    )
}

function queries(schema: z.ZodType | undefined): fc.Arbitrary<string> {
  const pairs = (query: unknown) =>
    Object.entries(typeof query === 'object' && query !== null ? query : { query }).map(
      ([key, value]) =>
        `${escaped(key)}=${escaped(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))}`,
    )
  const known = schema ? valuesOf(schema) : fc.constant({})
  const own = mostly(known, nearly(known)).map((query) =>
    pairs(query).length > 0 ? `?${pairs(query).join('&')}` : '',
  )
  const twice = own.map((query) =>
    query ? `${query}&${query.slice(1)}` : '?page=1&page=2&search[]=a&tag[x]=b',
  )
  const raw = fc.constantFrom(
    '?',
    '?%',
    '?=&=',
    '?__proto__=1',
    '?page=%00',
    '?page=1e3',
    '?page=0x10',
    '?page=99999999999',
    '?a'.repeat(500),
    '#x',
    '?%ff=%fe',
  )
  return fc.oneof(
    { weight: 6, arbitrary: own },
    { weight: 1, arbitrary: twice },
    { weight: 1, arbitrary: raw },
  )
}

function bodies(call: Call): fc.Arbitrary<{ type: string; payload: string } | null> {
  if (call.method === 'GET') return fc.constant(null)
  const known = call.body ? valuesOf(call.body) : fc.constant({})
  const values = mostly(known, nearly(known))
  const json = values.map((value) => ({ type: 'application/json', payload: JSON.stringify(value) ?? '' }))
  const cut = fc.tuple(json, fc.double({ min: 0, max: 1, noNaN: true })).map(([{ type, payload }, kept]) => ({
    type,
    payload: payload.slice(0, Math.floor(payload.length * kept)),
  }))
  const wrongType = fc
    .tuple(
      json,
      fc.constantFrom(
        'text/plain',
        'application/xml',
        '',
        'application/json; charset=utf-16',
        'application/x-www-form-urlencoded',
        'application/json;',
        '\u00ff',
      ),
    )
    .map(([{ payload }, type]) => ({ type, payload }))
  const raw = fc
    .constantFrom(
      '{"title":"\\ud800"}',
      '{"title":1e999}',
      '[',
      'null',
      '"a"',
      '{"a":1,"a":2}',
      '\ufeff{}',
      '{"__proto__":{"isPublic":true}}',
      '[['.repeat(5_000),
    )
    .map((payload) => ({ type: 'application/json', payload }))
  const forms = formsOf(values)
  return fc.oneof(
    { weight: call.multipart ? 4 : 1, arbitrary: forms },
    { weight: 6, arbitrary: json },
    { weight: 1, arbitrary: cut },
    { weight: 1, arbitrary: wrongType },
    { weight: 1, arbitrary: raw },
    {
      weight: 1,
      arbitrary: garbage.map((value) => ({ type: 'application/json', payload: JSON.stringify(value) ?? '' })),
    },
  )
}

/** Percent-encodes a text, with lone surrogates replaced. */
const escaped = (text: string) => encodeURIComponent(text.toWellFormed())
