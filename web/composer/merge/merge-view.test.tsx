import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Dialog } from 'radix-ui'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Entry } from '#contract/entries.ts'
import { mergeEntry } from './merge-entry.ts'
import { mergeText } from './merge-text.ts'
import { MergeView } from './merge-view.tsx'

const base = { title: 'Rye', content: 'It rested.\n\nIt rose.', tags: ['bread'] }
const mine = { ...base, title: 'My rye', content: 'It rested.\n\nIt fell.' }
const theirs = {
  ...base,
  title: 'Our rye',
  content: 'It rested.\n\nIt burnt.',
  happenedOn: '2026-03-02',
} as Entry
const original = { ...base, happenedOn: '2026-03-01' } as Entry

const shown = (chosen: { day?: string }) => {
  const content = mergeText(base.content, mine.content, theirs.content)
  const merge = mergeEntry({ base, mine, theirs, chosen, original }, content)
  return renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <Dialog.Root open>
        <MergeView
          conflict={{ mine, theirs, merge }}
          projectId="p"
          original={original}
          onDecide={() => {}}
          onWritten={() => {}}
        />
      </Dialog.Root>
    </QueryClientProvider>,
  )
}

test('a conflict shows that the entry was changed elsewhere, with both versions of passages that both changed', () => {
  const marked = shown({ day: '2026-03-09' })
  expect(marked).toMatch(/>It <mark[^>]*>fell<\/mark>\.</)
  expect(marked).toMatch(/>It <mark[^>]*>burnt<\/mark>\.</)
  const html = marked.replaceAll(/<\/?mark[^>]*>/g, '')
  expect(html).toContain('This entry was changed elsewhere while you were writing.')
  expect(html).toMatch(/Keep all of mine<.*Keep all of theirs</)
  for (const part of ['Title', 'Date', 'Text'])
    expect(html).toMatch(new RegExp(`${part}</legend>.*Keep mine.*Keep theirs`))
  for (const text of ['My rye', 'Our rye', 'Mar 9, 2026', 'Mar 2, 2026', 'It fell.', 'It burnt.'])
    expect(html).toContain(text)
})

test('before a choice, the result contains both versions', () => {
  expect(shown({})).toMatch(/<textarea[^>]*>It rested\.\n\nIt fell\.\nIt burnt\.<\/textarea>/)
})
