import { expect, test } from 'vitest'
import { renderMarkdown } from './render.ts'

const render = (content: string) => renderMarkdown(content).html

test.each(['NOTE', 'TIP', 'IMPORTANT', 'WARNING', 'CAUTION', 'note'])(
  'a quote that begins with [!%s] is a callout',
  (kind) => {
    const name = kind.charAt(0) + kind.slice(1).toLowerCase()
    expect(render(`> [!${kind}]\n> It *rose*.`)).toBe(
      `<div class="prose"><blockquote class="callout" role="note" data-callout="${kind.toLowerCase()}">\n<p class="callout-title"><strong>${name.charAt(0).toUpperCase()}${name.slice(1)}</strong></p>\n<p>It <em>rose</em>.</p>\n</blockquote></div>`,
    )
  },
)

test('the kind may be a separate paragraph', () => {
  expect(render('> [!TIP]\n>\n> It rose.')).toContain('</strong></p>\n<p>It rose.</p>')
})

test.each([
  '> [!NOTE]',
  '> [!NOTE] It rose.',
  '> It rose.\n> [!NOTE]',
  '> > [!NOTE]\n> > a',
  '- > [!NOTE]\n  > a',
  '> [!OTHER]\n> a',
])('%j is not a callout, as on GitHub', (content) => {
  expect(render(content)).not.toContain('callout')
})

test('the kind is not part of the excerpt', () => {
  expect(renderMarkdown('> [!NOTE]\n> It rose.').excerpt).toBe('It rose.')
})
