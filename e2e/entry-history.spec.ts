import type { Route } from '@playwright/test'
import { REVISIONS_PER_PAGE } from '#contract/history.ts'
import { addCollaborator, createJournal } from '#testing/journal.ts'
import { expectAccessible } from './fixtures/accessibility.ts'
import {
  blockRequests,
  expect,
  expectNoSidewaysScroll,
  openApp,
  openListening,
  pressTwice,
  test,
  withoutEvents,
} from './fixtures/journey.ts'

test('an earlier version is compared, named and restored from the history of an entry', {
  tag: '@long',
}, async ({ page, me }) => {
  const { entryPath, milestoneId, entries } = await createJournal(me, [
    { title: 'Rye', content: 'It **rose** by noon.\n\nThe crust is dark.', tags: ['bread'] },
  ])
  const params = { milestoneId, entryId: entries[0]?._id ?? '' }
  const { revisions } = await me.call('listRevisions', { params })
  const first = { ...params, revisionId: revisions[0]?._id ?? '' }
  // Two saves within ten minutes are one version, unless the first has a name.
  await me.call('nameRevision', { params: first, body: { name: 'Before the oven' } })
  await me.call('updateEntry', {
    params,
    body: { title: 'Rye', content: 'It **fell** by noon.\n\nThe crust is dark.' },
  })

  await page.goto(entryPath(0))
  await page.getByRole('button', { name: 'History' }).click()
  const layer = page.getByRole('dialog', { name: 'History of Rye' })
  const versions = layer.getByRole('navigation', { name: 'Versions' })
  await expect(versions.getByRole('region', { name: 'Today' }).getByRole('button')).toHaveCount(2)
  await expect(layer.getByRole('deletion')).toHaveText('rose')
  await expect(layer.getByRole('insertion')).toHaveText('fell')
  await expect(layer.getByRole('button', { name: 'Restore this version' })).toHaveCount(0)
  await expectAccessible(page)

  await versions.getByRole('button', { name: 'Before the oven' }).click()
  await layer.getByLabel('Compare with').selectOption('the current version')
  await expect(layer.getByRole('insertion')).toHaveText('fell')
  await layer.getByRole('tab', { name: 'Text' }).click()
  await expect(layer.locator('strong')).toHaveText('rose')
  await layer.getByRole('button', { name: 'Change the name' }).click()
  await layer.getByLabel('Name').fill('As it was')
  await page.keyboard.press('Escape')
  await expect(layer).toHaveCount(0)
  await page.getByRole('button', { name: 'History' }).click()
  await versions.getByRole('button', { name: 'Before the oven' }).click()
  await layer.getByRole('button', { name: 'Change the name' }).click()
  await expect(layer.getByLabel('Name')).toHaveValue('As it was')
  await layer.getByRole('button', { name: 'Save name' }).click()
  await expect(versions.getByRole('button', { name: 'As it was' })).toBeVisible()

  // Somebody saves in the meantime: restoring must not overwrite their version unseen.
  const saveMeanwhile = async (route: Route) => {
    await me.call('updateEntry', { params, body: { content: 'It fell again.' } })
    await route.continue()
  }
  await page.route('**/restore', saveMeanwhile, { times: 1 })
  await layer.getByRole('button', { name: 'Restore this version' }).click()
  await expect(layer.getByRole('alert')).toContainText('nothing was restored')
  await expectAccessible(page)
  // Two presses before the button is busy send one call.
  let calls = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/restore')) calls += 1
  })
  await layer.getByRole('button', { name: 'Restore this version' }).evaluate((button: HTMLElement) => {
    button.click()
    button.click()
  })
  await expect(page.getByText('Version restored')).toBeVisible()
  expect(calls).toBe(1)
  await expect(layer).toHaveCount(0)
  await expect(page.locator('strong')).toHaveText('rose')

  await page.getByRole('link', { name: 'Edit' }).click()
  const editor = page.getByRole('dialog', { name: 'Edit Entry' })
  await editor.getByRole('button', { name: 'History' }).click()
  await expect(versions.getByText('Restored')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(layer).toHaveCount(0)
  await expect(editor.getByRole('button', { name: 'Update Entry' })).toBeVisible()
})

test('on a phone, the list of versions leads to one version and back', { tag: '@long' }, async ({
  page,
  me,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const { entryPath } = await createJournal(me, [{ title: 'Rye', content: 'It rose.' }])
  await page.goto(entryPath(0))
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByRole('navigation', { name: 'Versions' }).getByRole('button').click()
  await expect(page.getByText('This is the first version that is kept.')).toBeVisible()
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'All versions' }).click()
  await expect(page.getByRole('navigation', { name: 'Versions' })).toBeVisible()
})

test('the last version on a page of the history is compared with its predecessor, and is not labelled as the first', {
  tag: '@long',
}, async ({ page, me }) => {
  await withoutEvents(page)
  const { entryPath, milestoneId, entries } = await createJournal(me, [{ title: 'Rye', content: 'Loaf 0.' }])
  const params = { milestoneId, entryId: entries[0]?._id ?? '' }
  for (let loaf = 1; loaf <= REVISIONS_PER_PAGE; loaf += 1) {
    const { revisions } = await me.call('listRevisions', { params })
    // A named version is kept separately.
    await me.call('nameRevision', {
      params: { ...params, revisionId: revisions[0]?._id ?? '' },
      body: { name: `After loaf ${loaf - 1}` },
    })
    await me.call('updateEntry', { params, body: { content: `Loaf ${loaf}.` } })
  }
  await openApp(page, entryPath(0))
  const isEarlier = (url: URL) => url.searchParams.has('before')
  await page.route(isEarlier, (route) => route.fulfill({ status: 500 }))
  await page.getByRole('button', { name: 'History' }).click()
  const versions = page.getByRole('navigation', { name: 'Versions' }).getByRole('listitem')
  await expect(versions).toHaveCount(REVISIONS_PER_PAGE)
  await versions.last().getByRole('button').click()
  const shown = page.getByRole('region', { name: 'Version', exact: true })
  await expect(shown.getByText('This version could not be fetched')).toBeVisible()
  await expect(shown.getByText('This is the first version that is kept.')).toHaveCount(0)
  await page.unroute(isEarlier)
  await shown.getByRole('button', { name: 'Try again' }).click()
  await expect(shown.getByRole('insertion')).toHaveText('1')
  await expect(shown.getByRole('deletion')).toHaveText('0')
  await versions.last().getByRole('button').click()
  await expect(shown.getByText('This is the first version that is kept.')).toBeVisible()
})

test('pressing twice names a version once, and the focus returns from its form', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { entryPath } = await createJournal(me, [{ title: 'Rye', content: 'It rose.' }])
  await page.goto(entryPath(0))
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByRole('button', { name: 'Name this version' }).click()
  let calls = 0
  page.on('request', (sent) => {
    if (sent.method() !== 'GET' && sent.url().includes('/revisions/')) calls += 1
  })
  const layer = page.getByRole('dialog', { name: 'History of Rye' })
  await layer.getByLabel('Name').fill('As sent')
  await pressTwice(layer.getByRole('button', { name: 'Save name' }))
  const rename = layer.getByRole('button', { name: 'Change the name' })
  await expect(rename).toBeVisible()
  expect(calls).toBe(1)

  await rename.press('Enter')
  await layer.getByLabel('Name').press('Enter')
  await expect(rename).toBeFocused()
  await rename.press('Enter')
  await layer.getByRole('button', { name: 'Cancel' }).press('Enter')
  await expect(rename).toBeFocused()
})

test('a version name that is edited while it is being saved is kept and saved next', {
  tag: '@long',
}, async ({ page, me }) => {
  const { entryPath } = await createJournal(me, [{ title: 'Rye' }])
  await openApp(page, entryPath(0))
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByRole('button', { name: 'Name this version' }).click()
  const name = page.getByLabel('Name')
  await name.fill('First')
  const release = await blockRequests(page, /\/revisions\/[^/]+$/, 'PUT')
  await page.getByRole('button', { name: 'Save name' }).click()
  await name.press('End')
  await name.pressSequentially(' draft')
  release()
  await expect(page.getByRole('navigation', { name: 'Versions' }).getByText('First')).toBeVisible()
  await expect(name).toHaveValue('First draft')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(page.getByRole('navigation', { name: 'Versions' }).getByText('First draft')).toBeVisible()
  await expect(name).toHaveCount(0)
})

test('a version name is shown once more when its entry is deleted elsewhere', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { entryPath, milestoneId, entries } = await createJournal(me, [{ title: 'Rye' }])
  await openListening(page, entryPath(0))
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByRole('button', { name: 'Name this version' }).click()
  await page.getByLabel('Name').fill('As sent to the club')
  await me.call('deleteEntry', { params: { milestoneId, entryId: entries[0]?._id ?? '' } })
  const dialog = page.getByRole('dialog', { name: 'Your text is still here' })
  await expect(dialog.getByText('As sent to the club')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByRole('heading', { name: 'Entry not found' })).toBeVisible()
})

test('a version name is shown once more when its author becomes a viewer', { tag: '@long' }, async ({
  page,
  me,
  owner,
}) => {
  const { entryPath, projectId } = await createJournal(owner, [{ title: 'Rye' }])
  await addCollaborator(owner, projectId, me, 'editor')
  await openListening(page, entryPath(0))
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByRole('button', { name: 'Name this version' }).click()
  await page.getByLabel('Name').fill('As sent to the club')
  const [collaborator] = await owner.call('listCollaborators', { params: { projectId } })
  await owner.call('updateCollaborator', {
    params: { projectId, collaboratorId: collaborator?._id ?? '' },
    body: { role: 'viewer' },
  })
  const dialog = page.getByRole('dialog', { name: 'Your text is still here' })
  await expect(dialog.getByText('As sent to the club')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Rye' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'History' })).toBeHidden()
})
