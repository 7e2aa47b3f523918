import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { writeZip } from '#server/export/zip.ts'
import { expectAccessible, expectFitting } from './fixtures/accessibility.ts'
import { expect, openApp, test } from './fixtures/journey.ts'

const NOTES: Record<string, string> = {
  'Boat/Plans/2026-01-02-first-lines.md': '# First lines\n\nDrawn at night. See [[Second thoughts]].\n',
  'Boat/Plans/Second thoughts.md': '---\ndate: 2026-01-05\ntags: [wood]\n---\nBack to the start.\n',
  'Boat/Hull/empty.md': '\n',
}

async function* files() {
  for (const [path, text] of Object.entries(NOTES)) {
    const bytes = Buffer.from(text)
    const mtime = new Date('2026-02-03T04:05:06Z')
    yield { path, mtime, size: bytes.length, bytes: Readable.from([bytes]), isCompressed: false }
  }
}

test('a folder of Markdown is planned, imported and undone', { tag: '@long' }, async ({ page, me }) => {
  await me.call('listProjects', {})
  await openApp(page, '/settings')
  await page.getByRole('link', { name: 'Import…' }).click()
  const archive = {
    name: 'Boat.zip',
    mimeType: 'application/zip',
    buffer: await buffer(Readable.from(writeZip(files()))),
  }
  await page.getByLabel('File to import').setInputFiles(archive)
  await expect(page.getByRole('heading', { level: 1, name: 'Boat.zip' })).toBeVisible()
  await expect(page.getByText('1 project, 1 milestone and 2 entries')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('it has no text')).toBeVisible()
  await expectFitting(page)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Import 2 entries' }).click()
  await expect(page.getByText('were created')).toBeVisible({ timeout: 30_000 })
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Boat', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Boat', exact: true })).toBeVisible()
  await page.goBack()
  await page.getByRole('button', { name: 'Undo everything' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Undo everything' }).click()
  await expect(page.getByText('Everything that this import had created is deleted.')).toBeVisible({
    timeout: 30_000,
  })
})
