import { expect, test } from 'vitest'
import { projectPage } from './project-page.ts'
import { aLine, aWorldPage } from './testing.ts'

test('a project without milestones shows none', () => {
  expect(projectPage(aWorldPage([])).shown).toBeNull()
})

test('an empty milestone has one page, a long one as many as there are', () => {
  expect(projectPage(aWorldPage(['first'], { _id: 'first' })).shown).toMatchObject({ page: 1, pageCount: 1 })
  const page = projectPage(aWorldPage(['first'], { _id: 'first', page: 3 }))
  expect(page.shown).toMatchObject({ page: 3, pageCount: 3 })
})

test('of the entries only the excerpts leave', () => {
  const entries = [aLine({ _id: 'one', excerpt: 'It rose.' })]
  const { shown } = projectPage(aWorldPage(['first'], { _id: 'first', entries }))
  expect(shown?.entries).toEqual(entries)
})
