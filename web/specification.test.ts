import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Returns the tests that a row names. One without a file is of the file before it. */
function testsIn(row: string, named: RegExp) {
  let file = ''
  return Array.from(row.matchAll(named), ([, its = file, title = '']) => {
    file = its
    return { file, title }
  })
}

const rows = readFileSync('docs/specification.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| (?!Sentence|---)/.test(line))
  .map((row) => ({
    sentence: row.slice(2, row.lastIndexOf(' | ')),
    tests: testsIn(row, /`(?:([^`]+\.tsx?) )?› (.+?)`(?=<br>| \|$)/g),
  }))

const quoted = (title: string) => [`'${title.replaceAll("'", "\\'")}'`, `"${title}"`, `\`${title}\``]

test('every sentence of the specification names a test', () => {
  expect(rows.length).toBeGreaterThan(90)
  expect(rows.filter(({ tests }) => tests.length === 0).map(({ sentence }) => sentence)).toEqual([])
})

test('every test that the specification names exists', () => {
  const sources = new Map<string, string>()
  const sourceOf = (file: string) => {
    const source = sources.get(file) ?? (existsSync(file) ? readFileSync(file, 'utf8') : '')
    sources.set(file, source)
    return source
  }
  const missing = rows.flatMap(({ sentence, tests }) =>
    tests
      .filter(({ file, title }) => !quoted(title).some((literal) => sourceOf(file).includes(`${literal},`)))
      .map(({ file, title }) => ({ sentence, test: `${file} › ${title}` })),
  )
  expect(missing).toEqual([])
})
