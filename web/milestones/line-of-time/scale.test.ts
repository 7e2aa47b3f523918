import { expect, it } from 'vitest'
import type { Milestone } from '#contract/milestones.ts'
import { ROWS_MAX, scaleOf } from './scale.ts'

const milestone = (_id: string, days: Partial<Milestone> = {}) =>
  ({ _id, title: _id, startsOn: null, dueOn: null, reachedAt: null, ...days }) as Milestone

const dayOf = (iso: string) => iso.slice(0, 10)
const of = (...list: Milestone[]) => scaleOf(list, undefined, dayOf)

it('is nothing without days, and of one day alone it is a point', () => {
  expect(of(milestone('a'), milestone('b'))).toBeNull()
  expect(of(milestone('a', { dueOn: '2026-03-01' }))?.rows).toMatchObject([{ planned: { from: 0, to: 0 } }])
})

it('places what is planned and reached from the first to the last day, and tells what was late', () => {
  const scale = of(
    milestone('a', { startsOn: '2026-01-01', dueOn: '2026-01-31' }),
    milestone('b', { dueOn: '2026-01-31', reachedAt: '2026-02-20T10:00:00Z' }),
    milestone('c', { startsOn: '2026-04-11' }),
    milestone('without days'),
  )
  expect(scale).toMatchObject({ from: '2026-01-01', to: '2026-04-11', hidden: 0 })
  expect(scale?.rows).toMatchObject([
    { planned: { from: 0, to: 30 }, reached: null, isLate: false },
    { planned: { from: 30, to: 30 }, reached: 50, reachedOn: '2026-02-20', isLate: true },
    { planned: { from: 100, to: 100 } },
  ])
  expect(scale?.lines).toEqual([31, 59, 90])
})

it('has a line for each month, of many years one for each year, and of centuries not more', () => {
  const years = of(milestone('a', { startsOn: '2020-02-10', dueOn: '2026-06-01' }))
  expect(years?.lines).toHaveLength(6)
  const centuries = of(milestone('a', { startsOn: '1700-01-01', dueOn: '2199-12-31' }))
  expect(centuries?.lines).toHaveLength(19)
  const leap = of(milestone('a', { startsOn: '2028-02-28', dueOn: '2028-03-01' }))
  expect(leap?.lines).toEqual([])
})

it('is of as many milestones as fit, around the selected one', () => {
  const many = Array.from({ length: 6_000 }, (_, at) => milestone(`m${at}`, { dueOn: '2026-03-01' }))
  const scale = scaleOf(many, 'm3000', dayOf)
  expect(scale?.rows).toHaveLength(ROWS_MAX)
  expect(scale?.rows.map(({ milestone: { _id } }) => _id)).toContain('m3000')
  expect(scale?.hidden).toBe(6_000 - ROWS_MAX)
  expect(scaleOf(many, 'm5999', dayOf)?.rows.at(-1)?.milestone._id).toBe('m5999')
  // Also of one that has no day.
  const between = many.toSpliced(3_000, 0, milestone('without days'))
  expect(scaleOf(between, 'without days', dayOf)?.rows.map(({ milestone: { _id } }) => _id)).toContain(
    'm3000',
  )
})
