import { describe, expect, test } from 'vitest'
import { dateOf, orderOf } from './dates.ts'

const BERLIN = 'Europe/Berlin'
const NOON = '2024-05-17T10:00:00.000Z'
const AT_1542 = '2024-05-17T13:42:00.000Z'

/** What is between bars and on lines. */
const listed = (text: string) => text.split(/\s*[|\n]\s*/).filter(Boolean)

test.each([
  ...listed(`
    2024-05-17 | 2024/05/17 | 2024/5/17 | 2024.05.17 | 2024_05_17 | 2024. 5. 17. | 20240517 | 17.05.2024
    17.5.2024 | 17. 5. 2024 | 17/05/2024 | 17-05-2024 | 05/17/2024 | 5/17/2024 | May 17th, 2024
    May 17, 2024 | May 17 2024 | may 17,2024 | Friday, May 17, 2024 | Fri May 17 2024 | 17 May 2024
    17th May 2024 | 17th of May, 2024 | 17-May-2024 | 2024-May-17 | Fri, 17 May 2024 | 17. Mai 2024
    Freitag, 17. Mai 2024 | Freitag, den 17. Mai 2024 | 17 mai 2024 | vendredi 17 mai 2024
    17 de mayo de 2024 | viernes, 17 de mayo de 2024 | 17 maggio 2024 | 17 mei 2024 | 17 maja 2024
    2024. május 17. | 17 мая 2024 г. | 17. toukokuuta 2024 | 2024年5月17日 | 2024年5月17日星期五 | 2024년 5월 17일
    ２０２４年５月１７日 | [[2024-05-17]] | [[May 17th, 2024]] | "2024-05-17" | [17 May 2024](2024-05-17.md)
    @May 17, 2024 | <2024-05-17 Fri> | 2024-05-17 Friday
  `),
  ' 2024-05-17\n',
  ['2024-05-17'],
  [['2024-05-17']],
  20240517,
])('%j is a day', (written) => {
  expect(dateOf(written, BERLIN)).toEqual({ at: NOON, on: '2024-05-17', zone: BERLIN })
})

test.each([
  ...listed(`
    2024-05-17 15:42 | 2024-05-17T15:42:00 | 2024-05-17T15:42:00+02:00 | 2024-05-17T15:42+02
    20240517T154200 | 2024-05-17T13:42:00Z | 2024-05-17 13:42 UTC | 2024-05-17T13:42:00.000+0000
    20240517T134200Z | May 17, 2024 3:42 PM | May 17, 2024 at 3:42 PM | May 17, 2024 3:42 p.m.
    5/17/2024, 3:42:00 PM | May 17, 2024 3:42 PM GMT+02:00 | Fri, 17 May 2024 15:42:00 +0200
    Fri May 17 2024 15:42:00 GMT+0200 (Central European Summer Time) | Fri May 17 15:42:00 CEST 2024
    Fri May 17 15:42:00 2024 +0200 | Fri, 17 May 2024 09:42:00 EDT | 2024-05-17T15:42:00+02:00[Europe/Berlin]
    17.05.2024 15:42 | 17.05.2024, 15:42 Uhr | 17. Mai 2024 um 15:42 | 17 mai 2024 à 15h42 | 17/05/2024 15.42
    2024年5月17日 15:42 | 2024年5月17日 下午3:42 | 2024년 5월 17일 오후 3:42 | <2024-05-17 Fri 15:42> | 1715953320
    1715953320000 | 1715953320000000 | 1715953320.0 | 202405171542 | 20240517154200 | 20240517 1542
  `),
  1715953320,
  1715953320000,
  202405171542,
])('%j is a day and a time', (written) => {
  expect(dateOf(written, BERLIN)).toEqual({ at: AT_1542, on: '2024-05-17', zone: BERLIN })
})

test.each([
  ...listed(`
    2024 | 2024-05 | 2024-W20 | 2024-13-45 | 2024-02-30 | 31/31/2024 | Spring 2024 | Chapter 12 2024
    {{date}} | yesterday | 1.2.3 | 12345 | v2024.1 | 17 Foo 2024 | May 2024 | 0001-01-01 | 9999-12-31
  `),
  '',
  2024,
  12,
  0,
  -1,
  Number.NaN,
  null,
  undefined,
  true,
  {},
  [],
  [{}],
])('%j is no date', (written) => {
  expect(dateOf(written, BERLIN)).toBeNull()
})

describe('a date whose day and month could be the other way round', () => {
  test('has the order of the place', () => {
    expect(dateOf('05/06/2024', BERLIN)?.on).toBe('2024-06-05')
    expect(dateOf('05/06/2024', 'America/New_York')?.on).toBe('2024-05-06')
    expect(dateOf('05/06/2024', BERLIN, false)?.on).toBe('2024-05-06')
  })
  test.each([
    ['05/06/2024', 'either'],
    ['5-6-2024 10:00', 'either'],
    ['[[05/06/2024]]', 'either'],
    [['05/06/2024'], 'either'],
    ['17/05/2024', 'day'],
    ['05-17-2024', 'month'],
    ['05.06.2024', undefined],
    ['05/05/2024', undefined],
    ['2024/05/06', undefined],
    [1715953320, undefined],
  ])('%j begins with %s', (written, expected) => {
    expect(orderOf(written)).toBe(expected)
  })
})

test.each([
  ['2024-03-31 01:30', BERLIN, '2024-03-31T00:30:00.000Z'],
  ['2024-03-31 02:30', BERLIN, '2024-03-31T01:30:00.000Z'], // clocks never show it
  ['2024-03-31 00:30', BERLIN, '2024-03-30T23:30:00.000Z'],
  ['2024-10-27 02:30', BERLIN, '2024-10-27T00:30:00.000Z'], // clocks show it twice
  ['2024-05-17 10:00', 'Asia/Kathmandu', '2024-05-17T04:15:00.000Z'],
  ['2024-01-17 10:00', 'Pacific/Chatham', '2024-01-16T20:15:00.000Z'],
  ['2024-05-17 10:00', 'Pacific/Kiritimati', '2024-05-16T20:00:00.000Z'],
  ['2024-05-17 10:00 Asia/Calcutta', BERLIN, '2024-05-17T04:30:00.000Z'],
])('%s in %s is an instant of the clocks there', (written, zone, at) => {
  expect(dateOf(written, zone)).toMatchObject({ at, on: written.slice(0, 10) })
})
