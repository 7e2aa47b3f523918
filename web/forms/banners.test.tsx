import { renderToStaticMarkup } from 'react-dom/server'
import { useForm } from 'react-hook-form'
import { expect, test } from 'vitest'
import { ConflictBanner } from './banners.tsx'

type Fields = { title: string; completed: boolean }

const original = { title: 'Rye', completed: false, version: 1 }
const theirs = { title: 'Wheat', completed: false, version: 2 }

function Conflict({ labels }: { labels: { [field in keyof Fields]?: string } }) {
  const form = useForm<Fields>({ defaultValues: { title: 'Spelt', completed: false } })
  return <ConflictBanner saving={{ form, original, theirs }} labels={labels} />
}

test('a conflict shows that the resource was changed elsewhere, and the fields of the saved version that differ', () => {
  const html = renderToStaticMarkup(<Conflict labels={{ title: 'Title', completed: 'Mark as completed' }} />)
  expect(html).toContain('This was changed elsewhere while you were typing. What you typed is still here.')
  expect(html).toContain('Wheat')
  expect(html).toContain('Use this')
  expect(html).not.toContain('Mark as completed')
})

test('a conflict of fields without labels lists no fields', () => {
  const html = renderToStaticMarkup(<Conflict labels={{ completed: 'Mark as completed' }} />)
  expect(html).toContain('What you typed is still here.')
  expect(html).not.toContain('The saved version reads')
})
