import { expect, test } from 'vitest'
import { readCode } from './codes.ts'

test.each([
  '123456',
  '123 456',
  ' 123\u00a0456\n',
  '123\u2013456',
  '\u2068123456\u2069',
  '１２３４５６',
  '١٢٣٤٥٦',
  '۱۲۳۴۵۶',
  '१२३४५६',
])('%j is the code 123456 of an app, however it was typed or copied', (typed) => {
  expect(readCode(typed)).toEqual({ kind: 'app', code: '123456' })
})

test.each(['k7mpx-3hq9a', 'K7MPX 3HQ9A', 'k7mpx‑3hq9a', 'ｋ７ｍｐｘ３ｈｑ９ａ'])(
  '%j is a recovery code',
  (typed) => {
    expect(readCode(typed)).toEqual({ kind: 'recovery', code: 'k7mpx3hq9a' })
  },
)
