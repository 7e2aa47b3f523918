import { expect, test } from 'vitest'
import { entryPage } from './entry-page.server.ts'
import { aWorldEntry } from './testing.ts'

test('an entry is safe HTML, and its source stays behind', () => {
  const page = entryPage(aWorldEntry({ _id: 'one', content: 'It **rose**. <script>alert(1)</script>' }))
  expect(page.html).toContain('<strong>rose</strong>')
  expect(page.html).not.toContain('<script>')
  expect(JSON.stringify(page)).not.toContain('**')
})

test('a new version of an entry is rendered anew', () => {
  const html = (version: number, content: string) =>
    entryPage(aWorldEntry({ _id: 'two', version, content })).html
  expect(html(1, 'Before')).toContain('Before')
  expect(html(2, 'After')).toContain('After')
})
