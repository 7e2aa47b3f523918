import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SOURCE_NAMES } from './words.ts'

test.each(['web/import/choose-archive.tsx', 'docs/import.md'])('%s names every source', (path) => {
  const text = readFileSync(path, 'utf8').replace(/\s+/g, ' ').toLowerCase()
  const programs = Object.values(SOURCE_NAMES).map((name) => name.replace(/^an? (?:.*? of )?/, ''))
  expect(programs).toContain('Day One')
  expect(programs.filter((program) => !text.includes(program.toLowerCase()))).toEqual([])
})
