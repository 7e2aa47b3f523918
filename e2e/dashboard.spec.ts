import type { Account } from '#testing/account.ts'
import { addCollaborator, createJournal } from '#testing/journal.ts'
import {
  blockRequests,
  expect,
  expectLayers,
  pressShortcut,
  sizes,
  stopTime,
  test,
  withoutEvents,
} from './fixtures/journey.ts'

const start = (me: Account, title: string, description = 'Strip by strip', isPublic = false) =>
  me.call('createProject', { body: { title, description, isPublic } })

test('the dashboard greets by name and shows what each project is', async ({ page, me }) => {
  const { _id: projectId } = await start(me, 'Canoe')
  await me.call('createMilestone', { params: { projectId }, body: { title: 'Hull', description: 'Cedar' } })
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(me.name)
  await expect(page.getByText('Manage your projects and track your progress')).toBeVisible()
  const card = page.getByRole('listitem').filter({ hasText: 'Canoe' })
  await expect(card.getByText('Strip by strip')).toBeVisible()
  const progress = card.getByRole('progressbar')
  await expect(progress).toHaveAttribute('value', '0')
  await expect(progress).toHaveAttribute('aria-valuetext', '0 of 1 milestone completed')
  for (const name of ['Share Canoe', 'Edit project Canoe', 'Delete project Canoe']) {
    await expect(card.getByRole('button', { name })).toBeVisible()
  }
  await card.getByRole('link', { name: 'View Details' }).click()
  await expect(page).toHaveURL(/\/projects\/[\w-]+$/)
})

test('the search covers titles and descriptions, and its empty state names the search text', async ({
  page,
  me,
}) => {
  await start(me, 'Canoe', 'Cedar strips')
  await start(me, 'Bread', 'Feed the starter')
  await page.goto('/dashboard')
  await expect(page.getByRole('link', { name: 'View Details' })).toHaveCount(2)
  await pressShortcut(page, '/')
  const search = page.getByPlaceholder('Search projects...')
  await expect(search).toBeFocused()
  await search.fill('CEDAR')
  await expect(page.getByRole('link', { name: 'View Details' })).toHaveCount(1)
  await search.fill('Zeppelin ')
  await expect(page.getByText('No projects found matching "Zeppelin "')).toBeVisible()
  await expect(page).toHaveURL((url) => url.searchParams.get('q') === 'Zeppelin ')
  await page.getByRole('button', { name: 'Clear Search' }).click()
  await expect(page.getByRole('link', { name: 'View Details' })).toHaveCount(2)
  await expect(page).toHaveURL('/dashboard')
  await search.fill('cedar')
  await expect(page).toHaveURL('/dashboard?q=cedar')
  await page.getByRole('link', { name: 'View Details' }).click()
  await expect(page).toHaveURL(/\/projects\//)
  await page.goBack()
  await expect(search).toHaveValue('cedar')
  await expect(page.getByRole('link', { name: 'View Details' })).toHaveCount(1)
  await page.goBack()
  await expect(page).toHaveURL('/robots.txt') // typing and clearing added no history entries
})

test('a new project is listed before the server has responded, and its toast leads to it', {
  tag: '@long',
}, async ({ page, me }) => {
  const release = await blockRequests(page, '**/api/projects', 'POST')
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'New Project' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create New Project' })
  await expect(dialog.getByLabel('Make this project publicly viewable')).not.toBeChecked()
  await dialog.getByLabel('Project Title').fill('Canoe')
  await dialog.getByLabel('Description').fill('Strip by strip')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Saving...')).toBeVisible()
  release()
  await expect(page.getByText('Project created successfully')).toBeVisible()
  const [project] = await me.call('listProjects', {})
  await expect(page).toHaveURL('/dashboard')
  await expectLayers(page, 0)
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await expect(page).toHaveURL(`/projects/${project?._id}`)
  await page.goBack()
  await expect(page.getByRole('link', { name: 'View Details' })).toBeVisible()
  await page.goForward()
  await expect(page.getByRole('heading', { name: 'No milestones yet' })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a project that finishes saving while another form is open does not navigate away', {
  tag: '@long',
}, async ({ page, me: _me }) => {
  const release = await blockRequests(page, '**/api/projects', 'POST')
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'New Project' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create New Project' })
  await dialog.getByLabel('Project Title').fill('Canoe')
  await dialog.getByLabel('Description').fill('Strip by strip')
  await dialog.getByRole('button', { name: 'Create Project' }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'New Project' }).click()
  await dialog.getByLabel('Project Title').fill('Kayak')
  release()
  await expect(page.getByText('Project created successfully')).toBeVisible()
  await expect(page.getByText('Nothing written yet')).toBeVisible()
  await expect(dialog.getByLabel('Project Title')).toHaveValue('Kayak')
  await expect(page).toHaveURL('/dashboard')
})

test('cards show the latest entry, most recent first, and completed and shared projects are grouped separately', {
  tag: '@long',
}, async ({ page, me, owner }) => {
  const old = await createJournal(me, [{ title: 'Rye' }])
  await start(me, 'Canoe')
  const { _id: done } = await start(me, 'Kayak')
  const params = { projectId: done }
  await me.call('createMilestone', { params, body: { title: 'Hull', description: 'x', completed: true } })
  const theirs = await createJournal(owner, [{ title: 'Spelt' }])
  await addCollaborator(owner, theirs.projectId, me, 'viewer')
  await page.goto('/dashboard')
  const projects = page.getByRole('region', { name: 'Projects' })
  await expect(projects.getByRole('heading', { level: 2 })).toHaveText([
    'Canoe',
    'A bakery',
    'Shared with you',
    'Finished',
  ])
  await expect(
    projects.getByRole('region', { name: 'Finished' }).getByRole('heading', { level: 3 }),
  ).toHaveText(['Kayak'])
  const shared = projects.getByRole('region', { name: 'Shared with you' })
  await expect(shared.getByText('Viewer', { exact: true })).toBeVisible()
  await expect(shared.getByRole('link', { name: 'Spelt' })).toBeVisible()
  await expect(shared.getByRole('link', { name: 'Open Project' })).toHaveAttribute(
    'href',
    `/projects/${theirs.projectId}`,
  )
  await page.getByPlaceholder('Search projects...').fill('zeppelin')
  await expect(shared).toHaveCount(0)
  await page.getByRole('button', { name: 'Clear Search' }).click()
  await projects.getByRole('link', { name: 'Rye' }).click()
  await expect(page).toHaveURL(old.entryPath(0))
})

test('a project that cannot be saved reopens its form with the input', { tag: '@long' }, async ({
  page,
  me,
}) => {
  await page.route('**/api/projects', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'New Project' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create New Project' })
  await dialog.getByRole('button', { name: 'Create Project' }).click()
  await expect(dialog.getByText('Title is required')).toBeVisible()
  await expect(dialog.getByText('Description is required')).toBeVisible()
  await dialog.getByLabel('Project Title').fill('Canoe')
  await dialog.getByLabel('Description').fill('Strip by strip')
  await dialog.getByRole('button', { name: 'Create Project' }).click()
  await expect(page.getByText('Failed to create project')).toBeVisible()
  await expect(page.getByText('What you typed is still here.', { exact: true })).toBeVisible()
  await expect(dialog.getByRole('alert')).toContainText('What you typed is still here.')
  await expect(dialog.getByLabel('Description')).toHaveValue('Strip by strip')
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByRole('button', { name: 'New Project' })).toBeFocused()
  expect(await me.call('listProjects', {})).toEqual([])
  await expect(page.getByText("You don't have any projects yet.")).toBeVisible()
})

test('a second press of the submit button before the dialog has closed sends no request', {
  tag: '@long',
}, async ({ page, me }) => {
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/projects')) sent.push(request.url())
  })
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'New Project' }).click()
  await page.getByLabel('Project Title').fill('Canoe')
  await page.getByLabel('Description').fill('Strip by strip')
  await page.getByRole('button', { name: 'Create Project' }).evaluate((button: HTMLButtonElement) => {
    button.click()
    button.click()
  })
  await expect(page.getByText('Project created successfully')).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
  expect(sent).toHaveLength(1)
  expect(await me.call('listProjects', {})).toHaveLength(1)
})

test('a conflict with someone else’s changes is shown, and no input is lost', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { _id: projectId } = await start(me, 'Canoe')
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Edit project Canoe' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Project' })
  await dialog.getByLabel('Description').fill('My words')
  const theirs = { title: 'Kayak', description: 'Their words', isPublic: true }
  await me.call('updateProject', { params: { projectId }, body: theirs })
  await dialog.getByRole('button', { name: 'Update Project' }).click()
  await expect(page.getByText('Failed to update project')).toBeVisible()
  await expect(dialog.getByRole('alert')).toContainText('Their words')
  await expect(dialog.getByLabel('Project Title')).toHaveValue('Kayak')
  await expect(dialog.getByLabel('Description')).toHaveValue('My words')
  await dialog.getByRole('button', { name: 'Update Project' }).click()
  await expect(page.getByText('Project updated successfully')).toBeVisible()
  const saved = await me.call('readProject', { params: { projectId } })
  expect(saved).toMatchObject({ title: 'Kayak', description: 'My words', isPublic: true })
})

test('deleting a project asks for confirmation, is optimistic and is rolled back on failure', async ({
  page,
  me,
}) => {
  const { _id } = await start(me, 'Canoe')
  await page.route(`**/api/projects/${_id}`, (route) => route.fulfill({ status: 500, json: {} }), {
    times: 1,
  })
  await page.goto('/dashboard')
  for (const outcome of ['Failed to delete project', 'Project deleted successfully']) {
    await page.getByRole('button', { name: 'Delete project Canoe' }).click()
    const question = page.getByRole('alertdialog', { name: 'Are you sure you want to delete this project?' })
    await question.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText(outcome)).toBeVisible()
  }
  await expect(page.getByText("You don't have any projects yet.")).toBeVisible()
})

test('a double click on a dialog’s button presses nothing behind the dialog', {
  tag: '@long',
}, async ({ page, me }) => {
  for (let number = 1; number <= 9; number += 1) await start(me, `Canoe ${number}`)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Delete project Canoe 5' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).dblclick()
  await expect(page.getByText('Project deleted successfully')).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('heading', { name: /^Canoe/ })).toHaveCount(8)
})

test('a double press opens a dialog and does not close it again', async ({ page, me }) => {
  await start(me, 'Canoe')
  await page.goto('/dashboard')
  const dialog = page.getByRole('dialog')
  for (const viewport of [sizes.desktop, sizes.phone]) {
    await page.setViewportSize(viewport)
    await page.getByRole('button', { name: 'New Project' }).dblclick()
    await expect(dialog).toBeVisible()
    await expectLayers(page, 1)
    // Later, a press on the background closes it.
    await expect(async () => {
      await page.mouse.click(5, 5)
      await expect(dialog).toHaveCount(0, { timeout: 100 })
    }).toPass()
  }
})

test('Enter pressed twice or held down in a dialog does not press the button that opened it', {
  tag: '@long',
}, async ({ page, me }) => {
  await start(me, 'Canoe')
  await page.goto('/dashboard')
  const opener = page.getByRole('button', { name: 'Edit project Canoe' })
  const dialog = page.getByRole('dialog', { name: 'Edit Project' })
  await opener.click()
  await expect(dialog).toBeVisible()
  await stopTime(page)
  await page.keyboard.press('Enter')
  await page.clock.runFor(200)
  await expect(opener).toBeFocused()
  await page.keyboard.press('Enter')
  await page.clock.runFor(600)
  await expect(dialog).toHaveCount(0)

  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Project Title')).toBeFocused()
  await page.keyboard.down('Enter')
  await page.clock.runFor(600)
  await expect(opener).toBeFocused()
  await page.keyboard.down('Enter')
  await page.clock.runFor(600)
  await expect(dialog).toHaveCount(0)
})

test('a list that cannot be fetched shows an error message and can be retried', { tag: '@long' }, async ({
  page,
  me,
}) => {
  await withoutEvents(page)
  await start(me, 'Canoe')
  await me.call('saveDraft', {
    params: { draftId: crypto.randomUUID() },
    body: { title: 'Rye', content: '' },
  })
  await page.route('**/api/projects', (route) => route.fulfill({ status: 400, json: {} }))
  await page.route('**/api/drafts', (route) => route.abort())
  await page.goto('/dashboard')
  await expect(page.getByText('Failed to fetch projects')).toBeVisible()
  await expect(page.getByText('Your drafts could not be fetched.')).toBeVisible()
  await page.unroute('**/api/drafts')
  await page.getByRole('button', { name: 'Fetch them again' }).click()
  await expect(page.getByRole('button', { name: 'Use elsewhere Rye' })).toBeVisible()
  await page.unroute('**/api/projects')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Canoe' })).toBeVisible()
})

test('Try again refetches everything on the screen that has failed', { tag: '@long' }, async ({
  page,
  me,
}) => {
  await start(me, 'Canoe')
  await me.call('saveDraft', {
    params: { draftId: crypto.randomUUID() },
    body: { title: 'Rye', content: '' },
  })
  // Only the press may succeed: the app itself tries again meanwhile.
  const isPressed = () => page.evaluate(() => 'pressed' in globalThis)
  await page.route(/\/api\/(projects|drafts)$/, async (route) =>
    (await isPressed()) ? route.fallback() : route.fulfill({ status: 400, json: {} }),
  )
  await withoutEvents(page) // once connected, the stream refetches them
  await page.goto('/dashboard')
  await expect(page.getByText('Your drafts could not be fetched.')).toBeVisible()
  await expect(page.getByText('Failed to fetch projects')).toBeVisible()
  await page.evaluate(() =>
    addEventListener('click', () => Object.assign(globalThis, { pressed: true }), true),
  )
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Canoe' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Use elsewhere Rye' })).toBeVisible()
})

test('the code of a dialog is prefetched on hover, and not before', { tag: '@long' }, async ({
  page,
  me,
}) => {
  await start(me, 'Canoe')
  const scripts = new Set<string>()
  page.on('request', (request) => request.resourceType() === 'script' && scripts.add(request.url()))
  /** Whether a script with a text, which minification does not remove, is there. */
  async function isFetched(text: string) {
    const answers = await Promise.all([...scripts].map((script) => page.request.get(script)))
    const texts = await Promise.all(answers.map((answer) => answer.text()))
    return texts.some((script) => script.includes(text))
  }
  const ZOD = 'invalid_type'

  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Canoe' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Notifications' })).toBeVisible()
  expect(await isFetched(ZOD)).toBe(false)
  for (const [opener, text] of [
    ['Delete project Canoe', 'Are you sure you want to delete this project'],
    ['Share Canoe', 'Share to All Platforms'],
    ['Notifications', 'Mark all read'],
    ['New Project', 'Create New Project'],
  ] as const) {
    expect(await isFetched(text)).toBe(false)
    await page.getByRole('button', { name: opener }).hover()
    await expect.poll(() => isFetched(text)).toBe(true)
  }
  await expect.poll(() => isFetched(ZOD)).toBe(true)
})

test('a dialog whose code cannot be fetched shows an error message, and opens after a reload', {
  tag: '@long',
}, async ({ page, me }) => {
  await start(me, 'Canoe')
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Canoe' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Notifications' })).toBeVisible()
  await page.route('**/assets/*.js', (route) => route.abort())
  const opener = page.getByRole('button', { name: 'Edit project Canoe' })
  await opener.click()
  await expect(page.getByText('This could not be opened. Check your connection')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(opener).toBeFocused()
  await page.unroute('**/assets/*.js')
  const loaded = page.waitForEvent('load')
  await page.getByRole('button', { name: 'Reload the page' }).click()
  await loaded
  await opener.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Edit Project' })
  await expect(dialog.getByLabel('Project Title')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(opener).toBeFocused()
})

test('while a dialog is loading, nothing behind it can be pressed, and Escape cancels', {
  tag: '@long',
}, async ({ page, me }) => {
  await start(me, 'Canoe')
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Canoe' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Notifications' })).toBeVisible()
  const release = await blockRequests(page, '**/assets/*.js', 'GET')
  const opener = page.getByRole('button', { name: 'New Project' })
  await opener.press('Enter')
  await expect(page.getByText('Opening…')).toBeVisible()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(opener).toBeFocused()
  await opener.press('Enter')
  await page.keyboard.press('Enter')
  release()
  await expect(page.getByRole('dialog', { name: 'Create New Project' })).toHaveCount(1)
})

test('a title with a bidi override affects no text but its own', { tag: '@long' }, async ({ page, me }) => {
  const title = '\u202Eeonac'
  const { _id } = await start(me, title)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: /^Delete project/ }).click()
  const question = page.getByRole('alertdialog', { name: 'Are you sure you want to delete this project?' })
  await expect(question.locator('bdi')).toHaveText(title)
  await expect(question.locator('bdi')).toHaveCSS('unicode-bidi', 'isolate')
  await page.goto(`/projects/${_id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
  await expect(page).toHaveTitle('eonac · Milepost')
})
