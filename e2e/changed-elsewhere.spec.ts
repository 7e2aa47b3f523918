import { addCollaborator, createJournal, createProject } from '#testing/journal.ts'
import { replaceContent } from './fixtures/editor.ts'
import { expect, openApp, test, withoutEvents } from './fixtures/journey.ts'

test('an entry that was moved during an edit opens at its new location, without an error', {
  tag: '@long',
}, async ({ page, me }) => {
  await withoutEvents(page)
  const { projectId, listPath, milestoneId, entries } = await createJournal(me, [{ title: 'Rye' }])
  const { _id: milestone } = await me.call('createMilestone', {
    params: { projectId },
    body: { title: 'The second loaf', description: 'Rye this time' },
  })
  const entryId = entries[0]?._id ?? ''
  await openApp(page, listPath)
  await page.getByRole('button', { name: 'Edit entry Rye' }).click()
  await page.getByLabel('Title').fill('Wheat')
  await me.call('updateEntry', {
    params: { milestoneId, entryId },
    body: { title: 'Rye', content: 'Fed the starter.', tags: [], milestone },
  })
  await page.getByRole('button', { name: 'Update Entry' }).click()
  await expect(page.getByText('This entry was moved to The second loaf in A bakery.')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Messages' }).getByRole('listitem')).toHaveCount(0)
  await page.getByRole('button', { name: 'Open it there' }).click()
  await page.getByRole('button', { name: 'Update Entry' }).click()
  await expect(page.getByText('Entry updated successfully')).toBeVisible()
  const params = { milestoneId: milestone, entryId }
  expect(await me.call('readEntry', { params })).toMatchObject({ title: 'Wheat' })
})

test('without server-sent events, a changed role is shown once saving an entry is refused', {
  tag: '@long',
}, async ({ page, me, owner }) => {
  await withoutEvents(page)
  const { listPath, projectId } = await createJournal(owner, [{ title: 'Rye' }])
  await addCollaborator(owner, projectId, me, 'editor')
  await openApp(page, listPath)
  await page.getByRole('button', { name: 'Edit entry Rye' }).click()
  await page.getByLabel('Title').fill('Wheat')
  const params = { projectId }
  const [collaborator] = await owner.call('listCollaborators', { params })
  await owner.call('updateCollaborator', {
    params: { projectId, collaboratorId: collaborator?._id ?? '' },
    body: { role: 'viewer' },
  })
  await page.getByRole('button', { name: 'Update Entry' }).click()
  // The server's refusal is replaced by this once the role is fetched again.
  await expect(page.getByText('You may now only read A bakery')).toBeVisible()
  await expect(page.getByText('Collaborator (viewer)')).toBeVisible()
  await expect(page.getByLabel('Title')).toHaveValue('Wheat')
})

test('without server-sent events, deleting an entry that was deleted elsewhere reports it as not found', {
  tag: '@long',
}, async ({ page, me }) => {
  await withoutEvents(page)
  const { listPath, milestoneId, entries } = await createJournal(me, [{ title: 'Rye' }, { title: 'Wheat' }])
  await openApp(page, listPath)
  await expect(page.getByText('2 entries').first()).toBeVisible()
  await me.call('deleteEntry', { params: { milestoneId, entryId: entries[0]?._id ?? '' } })
  await page.getByRole('button', { name: 'Delete entry Rye' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Entry not found')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Rye' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Wheat' })).toBeVisible()
  await expect(page.getByText('1 entry').first()).toBeVisible()
})

test('without server-sent events, the entry page stops showing an entry that was deleted or moved', {
  tag: '@long',
}, async ({ page, me }) => {
  await withoutEvents(page)
  const { projectId, milestoneId, entries, entryPath } = await createJournal(me, [
    { title: 'Rye' },
    { title: 'Wheat' },
    { title: 'Oat' },
  ])
  const { _id: milestone } = await me.call('createMilestone', {
    params: { projectId },
    body: { title: 'The second loaf', description: 'Rye this time' },
  })
  const paramsOf = (index: number) => ({ milestoneId, entryId: entries[index]?._id ?? '' })
  const deleteEntry = async () => {
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  }
  const heading = (name: string) => page.getByRole('heading', { level: 1, name })

  await openApp(page, entryPath(0))
  await expect(heading('Rye')).toBeVisible()
  await me.call('deleteEntry', { params: paramsOf(0) })
  await deleteEntry()
  await expect(heading('Entry not found')).toBeVisible()

  await openApp(page, entryPath(1))
  await expect(heading('Wheat')).toBeVisible()
  const body = { title: 'Wheat', content: 'Fed the starter.', tags: [], milestone }
  await me.call('updateEntry', { params: paramsOf(1), body })
  await deleteEntry()
  await expect(page.getByText('This entry was moved elsewhere, so it was not deleted.')).toBeVisible()
  await expect(page.getByText('Entry not found')).toHaveCount(0)
  await expect(page).toHaveURL(new RegExp(milestone))
  await expect(heading('Wheat')).toBeVisible()

  const { revisions } = await me.call('listRevisions', { params: paramsOf(2) })
  const params = { ...paramsOf(2), revisionId: revisions[0]?._id ?? '' }
  await me.call('nameRevision', { params, body: { name: 'Before the oven' } })
  await me.call('updateEntry', { params: paramsOf(2), body: { title: 'Oat', content: 'It fell.', tags: [] } })
  await openApp(page, entryPath(2))
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Before the oven' }).click()
  await me.call('deleteEntry', { params: paramsOf(2) })
  await page.getByRole('button', { name: 'Restore this version' }).click()
  await expect(heading('Entry not found')).toBeVisible()
})

test('without server-sent events, what was deleted elsewhere can no longer be edited and leaves the lists', {
  tag: '@long',
}, async ({ page, me }) => {
  await withoutEvents(page)
  const { projectId, projectPath, milestoneId, entries } = await createJournal(me, [
    { title: 'Rye' },
    { title: 'Wheat' },
  ])
  for (const title of ['Hull', 'Deck'])
    await me.call('createMilestone', { params: { projectId }, body: { title, description: '-' } })
  const link = (name: string) => page.getByRole('link', { name, exact: true })

  await openApp(page, projectPath)
  await link('The first loaf').click()
  await link('Rye').click()
  await expect(page.getByRole('heading', { level: 1, name: 'Rye' })).toBeVisible()
  // The list has no neighbors: the entry has been fetched.
  await expect(page.getByRole('link', { name: 'Wheat' })).toBeVisible()
  await me.call('deleteEntry', { params: { milestoneId, entryId: entries[0]?._id ?? '' } })
  await link('Edit').click()
  await expect(page.getByRole('dialog').getByText('Entry not found')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Entry not found' })).toBeVisible()

  await link('Back to Project').click()
  await expect(page.getByText('1 entry', { exact: true })).toBeVisible()

  await openApp(page, projectPath)
  await expect(link('Wheat')).toBeVisible()
  await me.call('deleteMilestone', { params: { projectId, milestoneId } })
  await link('The first loaf').click()
  await expect(link('Hull')).toBeVisible()
  await expect(link('The first loaf')).toHaveCount(0)
  await me.call('deleteProject', { params: { projectId } })
  await link('Hull').click()
  await expect(page.getByRole('heading', { level: 1, name: 'Project not found' })).toBeVisible()
})

test('without server-sent events, a link to a milestone that was created elsewhere shows it', {
  tag: '@long',
}, async ({ page, me }) => {
  await withoutEvents(page)
  const { projectId, projectPath } = await createJournal(me, [{ title: 'Rye' }])
  await openApp(page, projectPath)
  await expect(page.getByRole('link', { name: 'Rye' })).toBeVisible()
  const body = { title: 'The second loaf', description: 'Rye this time' }
  const { _id } = await me.call('createMilestone', { params: { projectId }, body })
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('link', { name: 'Activity' }).click()
  await page.getByRole('main').getByRole('link', { name: 'The second loaf' }).click()
  await expect(page).toHaveURL(`${projectPath}?selected=${_id}`)
  await expect(page.getByRole('heading', { level: 2, name: 'The second loaf' })).toBeVisible()
})

test('without server-sent events, text whose entry or milestone was deleted elsewhere is kept, and the lists are updated', {
  tag: '@long',
}, async ({ page, me }) => {
  await withoutEvents(page)
  const { listPath, projectId, milestoneId, entries } = await createJournal(me, [
    { title: 'Rye' },
    { title: 'Wheat' },
  ])
  const dialog = page.getByRole('dialog')
  const toast = (text: string) =>
    page.getByRole('list', { name: 'Messages' }).getByText(text, { exact: true })
  async function leave() {
    await dialog.getByRole('button', { name: 'Close', exact: true }).click()
    await expect(dialog).toHaveCount(0)
  }
  await openApp(page, listPath)
  await me.call('deleteEntry', { params: { milestoneId, entryId: entries[0]?._id ?? '' } })
  await page.getByRole('button', { name: 'Edit entry Wheat' }).click()
  await page.getByLabel('Title').fill('Wheat bread')
  await me.call('deleteEntry', { params: { milestoneId, entryId: entries[1]?._id ?? '' } })
  await page.getByRole('button', { name: 'Update Entry' }).click()
  await expect(dialog.getByText('Entry not found')).toBeVisible()
  await expect(toast('Entry not found')).toBeVisible()
  await leave()
  await expect(page.getByText('0 entries').first()).toBeVisible()

  await page.getByRole('button', { name: 'Write' }).click()
  await page.getByLabel('Title').fill('Oat')
  await replaceContent(page.getByLabel('Content'), 'It crumbled.')
  await me.call('deleteMilestone', { params: { projectId, milestoneId } })
  await page.getByRole('button', { name: 'Create Entry' }).click()
  await expect(dialog.getByText('The milestone The first loaf was deleted.')).toBeVisible()
  await expect(page.getByLabel('Title')).toHaveValue('Oat')
  await expect(page.getByText('Failed to')).toHaveCount(0)
  await leave()
  await expect(page.getByText('No milestones yet')).toBeVisible()
})

test('without server-sent events, what was deleted elsewhere is reported as not found and leaves the lists', {
  tag: '@long',
}, async ({ page, me }) => {
  await withoutEvents(page)
  const dialog = page.getByRole('dialog')
  const confirm = () => page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  const absence = (text: string) =>
    page.getByRole('list', { name: 'Messages' }).getByText(text, { exact: true })
  const { projectId, projectPath } = await createJournal(me)
  const names = ['Hull', 'Deck', 'Oars']
  for (const act of ['edit', 'finish', 'delete'] as const) {
    for (const title of names)
      await me.call('createMilestone', { params: { projectId }, body: { title, description: '-' } })
    await openApp(page, projectPath)
    await expect(page.getByRole('link', { name: 'Oars' })).toBeVisible()
    for (const { _id, title } of await me.call('listMilestones', { params: { projectId } }))
      if (names.includes(title)) await me.call('deleteMilestone', { params: { projectId, milestoneId: _id } })
    if (act === 'finish') {
      await page.getByRole('checkbox', { name: 'Complete Hull' }).click({ force: true })
    } else if (act === 'delete') {
      await page.getByRole('button', { name: 'Delete milestone Hull' }).click()
      await confirm()
    } else {
      await page.getByRole('button', { name: 'Edit milestone Hull' }).click()
      await dialog.getByLabel('Description').fill('Cedar')
      await dialog.getByRole('button', { name: 'Update Milestone' }).click()
      await expect(dialog.getByText('Milestone not found')).toBeVisible()
      await expect(dialog.getByLabel('Description')).toHaveValue('Cedar')
    }
    await expect(absence('Milestone not found')).toBeVisible()
    await expect(page.getByText('Failed to')).toHaveCount(0)
    for (const name of names) await expect(page.getByText(name, { exact: true })).toHaveCount(0)
  }

  await createProject(me)
  await openApp(page, '/dashboard')
  await expect(page.getByRole('heading', { name: 'A bakery' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Canoe' })).toBeVisible()
  for (const { _id } of await me.call('listProjects', {}))
    await me.call('deleteProject', { params: { projectId: _id } })
  await page.getByRole('button', { name: 'Delete project Canoe' }).click()
  await confirm()
  await expect(absence('Project not found')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'A bakery' })).toHaveCount(0)
})
