import { createJournal } from '#testing/journal.ts'
import { expectAccessible } from './fixtures/accessibility.ts'
import { jpeg, uploadsDone } from './fixtures/files.ts'
import { blockRequests, expect, expectAllClosed, test, waitUntilShown } from './fixtures/journey.ts'

test('a project gets a cover and becomes unlisted in its edit form, and both can be reverted', {
  tag: '@long',
}, async ({ page, me }) => {
  const { projectId } = await createJournal(me, [{ title: 'Rye' }], { isPublic: true })
  const read = () => me.call('readProject', { params: { projectId } })
  await page.goto('/dashboard')
  const edit = page.getByRole('button', { name: 'Edit project A bakery' })
  await edit.click()
  const dialog = page.getByRole('dialog', { name: 'Edit Project' })
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    dialog.getByRole('button', { name: 'Choose cover' }).click(),
  ])
  await chooser.setFiles(await jpeg('ovens.jpg'))
  await expect(dialog.getByRole('img', { name: 'The cover' })).toBeVisible()
  await dialog.getByRole('checkbox', { name: 'Unlisted' }).check()
  await expect(dialog).toContainText('Anyone with the link can read it; it is not listed and not indexed.')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Update Project' }).click()
  await expect(page.getByText('Project updated successfully')).toBeVisible()
  await uploadsDone(page)
  await expect(page.getByText('Unlisted', { exact: true })).toBeVisible()
  expect(await read()).toMatchObject({ visibility: 'unlisted', image: { width: 1_200, height: 800 } })

  await expectAllClosed(page)
  await page.goto(`/world/${projectId}`)
  await expect(page.getByText('Unlisted Project')).toBeVisible()
  const cover = page.locator('main img').first()
  await expect.poll(() => cover.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await expectAccessible(page)

  await page.goto('/dashboard')
  await expect(page.locator('main li img')).toBeVisible()
  await edit.click()
  await expect(dialog.getByRole('img', { name: 'The cover' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Remove cover' }).click()
  await dialog.getByRole('checkbox', { name: 'Unlisted' }).uncheck()
  await dialog.getByRole('button', { name: 'Update Project' }).click()
  await expect(page.getByText('Project updated successfully')).toBeVisible()
  await expect(page.locator('main li img')).toHaveCount(0)
  const now = await read()
  expect(now).toMatchObject({ visibility: 'public', isPublic: true })
  expect(now.coverFile).toBeNull() // chosen: otherwise the first picture would be the cover
})

test('a cover that the server refuses does not replace the current one', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { projectId } = await createJournal(me)
  const read = () => me.call('readProject', { params: { projectId } })
  await page.goto('/dashboard')
  const dialog = page.getByRole('dialog', { name: 'Edit Project' })
  const choose = async (name: string) => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      dialog.getByRole('button', { name: /(Choose|Change) cover/ }).click(),
    ])
    await chooser.setFiles(await jpeg(name))
  }
  const save = async () => {
    await dialog.getByRole('button', { name: 'Update Project' }).click()
    await expectAllClosed(page)
  }
  const edit = page.getByRole('button', { name: 'Edit project A bakery' })
  await edit.click()
  await choose('ovens.jpg')
  await save()
  await uploadsDone(page)
  await expect.poll(async () => (await read()).coverFile).toBeDefined()
  const { coverFile } = await read()

  await page.route('**/api/files/*/content', (route) =>
    route.fulfill({ status: 413, json: { code: 'too_large', message: 'This file is too large' } }),
  )
  await edit.click()
  await expect(dialog.getByRole('img', { name: 'The cover' })).toBeVisible()
  await choose('loaves.jpg')
  await expect(dialog.getByText('“loaves.jpg”: This file is too large')).toBeVisible()
  await expect(dialog.getByRole('img', { name: 'The cover' })).toHaveAttribute('src', /\/api\/media\//)
  await dialog.getByLabel('Description').fill('Bread, and nothing else')
  await save()
  await expect.poll(read).toMatchObject({ description: 'Bread, and nothing else', coverFile })
})

test('a cover that is still being accepted is saved if Save is pressed first, and not after Cancel', {
  tag: '@long',
}, async ({ page, me }) => {
  const { projectId } = await createJournal(me)
  const read = () => me.call('readProject', { params: { projectId } })
  let saves = 0
  page.on('request', (request) => {
    if (request.method() === 'PUT' && request.url().endsWith(`/api/projects/${projectId}`)) saves += 1
  })
  await page.goto('/dashboard')
  const dialog = page.getByRole('dialog', { name: 'Edit Project' })
  const pressTooEarly = async (name: string) => {
    await page.getByRole('button', { name: 'Edit project A bakery' }).click()
    const release = await blockRequests(page, `**/api/projects/${projectId}/files`, 'POST')
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      dialog.getByRole('button', { name: /(Choose|Change) cover/ }).click(),
    ])
    const reserved = page.waitForResponse(`**/api/projects/${projectId}/files`)
    await chooser.setFiles(await jpeg(name))
    await dialog.getByRole('button', { name: 'Update Project' }).click()
    await expect(dialog).toBeVisible()
    return { release, reserved }
  }

  const first = await pressTooEarly('ovens.jpg')
  first.release()
  await expectAllClosed(page)
  await expect.poll(async () => (await read()).coverFile).toBeDefined()
  expect(saves).toBe(1)
  const { coverFile } = await read()

  const second = await pressTooEarly('loaves.jpg')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expectAllClosed(page)
  second.release()
  await waitUntilShown(page, second.reserved)
  expect(saves).toBe(1)
  expect(await read()).toMatchObject({ coverFile })
})

test('the error of a cover stays beside it when the project cannot be saved either', {
  tag: '@long',
}, async ({ page, me }) => {
  const { projectId } = await createJournal(me)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Edit project A bakery' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Project' })
  const fail = (message: string) => ({ status: 500, json: { code: 'internal', message } })
  await page.route(`**/api/projects/${projectId}/files`, (route) => route.fulfill(fail('No cover today')))
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    dialog.getByRole('button', { name: 'Choose cover' }).click(),
  ])
  await chooser.setFiles(await jpeg('ovens.jpg'))
  await expect(dialog.getByText('No cover today')).toBeVisible()
  await page.route(`**/api/projects/${projectId}`, (route) => route.fulfill(fail('No change today')))
  await dialog.getByLabel('Description').fill('Bread, and nothing else')
  await dialog.getByRole('button', { name: 'Update Project' }).click()
  await expect(dialog.getByText('No change today')).toBeVisible()
  await expect(dialog.getByText('No cover today')).toBeVisible()
})
