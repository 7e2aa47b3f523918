import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ConflictChoice } from './conflict-dialog.tsx'

const mine = { title: 'Rye', content: 'It rose.', tags: ['bread'] }
const theirs = { title: 'Rye', content: 'It fell.', tags: [] }

test('a conflict says that the entry was changed elsewhere, and offers both versions', () => {
  const html = renderToStaticMarkup(<ConflictChoice mine={mine} theirs={theirs} onChoose={() => {}} />)
  expect(html).toContain('This entry was changed elsewhere while you were writing.')
  expect(html).toMatch(/Your text<.*Go on with yours<.*It rose\./)
  expect(html).toMatch(/The text saved meanwhile<.*Go on with this one<.*It fell\./)
})
