import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const rows = readFileSync('SECURITY.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => {
    const [row = '', shownBy = ''] = line.slice(2, -2).split(' | ')
    const tests = Array.from(shownBy.matchAll(/`([^`]+\.tsx?) › ([^`]+)`/g), ([, file = '', title = '']) => ({
      file,
      title,
    }))
    return { row, shownBy, tests }
  })

test('SECURITY.md has its rows', () => {
  expect(rows.length).toBeGreaterThan(40)
})

test.each(rows)('$row: is shown by tests that there are, or has a reason', ({ shownBy, tests }) => {
  const gone = tests.filter(({ file, title }) => {
    const source = existsSync(file) ? readFileSync(file, 'utf8') : ''
    return !["'", '"', '`'].some((quote) => source.includes(`${quote}${title}${quote},`))
  })
  expect(gone).toEqual([])
  expect(tests.length > 0 || /^(No|In part): ./.test(shownBy)).toBe(true)
})
