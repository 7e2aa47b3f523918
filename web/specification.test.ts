import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const rows = readFileSync('docs/specification.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| (?!Sentence|---)/.test(line))

const shownBy = rows.map((row) => ({
  sentence: row.slice(2, row.lastIndexOf(' | ')),
  tests: Array.from(row.matchAll(/`([^`]+\.tsx?) › (.+?)`(?=<br>| \|$)/g), ([, file = '', title = '']) => ({
    file,
    title,
  })),
}))

const quoted = (title: string) => [`'${title.replaceAll("'", "\\'")}'`, `"${title}"`, `\`${title}\``]

test('the specification has its table', () => {
  expect(shownBy.length).toBeGreaterThan(90)
})

test.each(shownBy)('$sentence', ({ tests }) => {
  expect(tests).not.toEqual([])
  const gone = tests.filter(({ file, title }) => {
    const source = existsSync(file) ? readFileSync(file, 'utf8') : ''
    return !quoted(title).some((literal) => source.includes(`${literal},`))
  })
  expect(gone).toEqual([])
})
