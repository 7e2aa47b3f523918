import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const main = 'web/pages/islands/main.ts'

test('each island of a public page is loaded by main.ts, and each that is loaded is on a page', () => {
  const namesIn = (text: string) =>
    Array.from(text.matchAll(/data-island(?:="|': ')([\w-]+)/g), ([, name = '']) => name)
  const onPages = globSync('web/**/*.tsx').flatMap((path) => namesIn(readFileSync(path, 'utf8')))
  const loaded = namesIn(readFileSync(main, 'utf8'))
  expect(new Set(onPages)).toEqual(new Set(loaded))
  expect(loaded.filter((name) => !existsSync(`web/pages/islands/${name}.ts`))).toEqual([])
})
