import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ApiError, foreignAnswer, unreachable } from '#web/api/api-error.ts'
import type { EntryFiles } from './entry-files.ts'
import { WaitingFilesCard } from './file-card.tsx'

const shown = (names: string[], error: Error | null) =>
  renderToStaticMarkup(
    <WaitingFilesCard files={{} as EntryFiles} arrival={{ key: 1, names, error }} />,
  ).replaceAll(/<[^>]*>/g, '')

test('files that could not be added are shown with the reason', () => {
  expect(shown(['a.jpg'], null)).toContain('Adding “a.jpg”')
  expect(shown(['a.jpg', 'b.jpg'], unreachable(null))).toContain(
    'The server cannot be reached, so 2 files could not be added yet.',
  )
  const refused = new ApiError(403, 'forbidden', 'You may not do that here', { isFromServer: true })
  const page = foreignAnswer({ status: 200, type: 'basic' })
  expect(shown(['a.jpg'], page)).toContain(
    '“a.jpg” could not be added yet: Something in front of this server',
  )
  expect(shown(['a.jpg'], refused)).toContain('“a.jpg” could not be added yet: You may not do that here')
})
