import { NAME_MAX } from '#contract/identity.ts'
import { addCollaborator, createProject, invite } from '#testing/journal.ts'
import { expectAccessible } from './fixtures/accessibility.ts'
import {
  blockRequests,
  expect,
  expectNoSidewaysScroll,
  pressShortcut,
  sizes,
  test,
  waitUntilShown,
  withoutEvents,
} from './fixtures/journey.ts'

test('the empty state explains what will appear there', async ({ page, me }) => {
  await page.goto('/collaborations')
  await expect(page.getByRole('heading', { level: 1, name: 'My Collaborations' })).toBeVisible()
  await expect(page.getByText("Projects you're collaborating on with other team members")).toBeVisible()
  await expect(page.getByText('No collaborations found')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No Collaborations Yet' })).toBeVisible()
  await expect(page.getByText('will appear here')).toBeVisible()
  await page.getByRole('link', { name: 'View My Projects' }).click()
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('heading', { name: me.name })).toBeVisible()
})

test('no empty state is shown while the list is loading', { tag: '@long' }, async ({ page, me, owner }) => {
  await invite(owner, await createProject(owner, 'Bread'), me, 'viewer')
  await page.goto('/collaborations')
  await expect(page.getByRole('heading', { name: 'No Collaborations Yet' })).toBeVisible()
  const release = await blockRequests(page, '**/my-collaborations?*status=pending')
  await page.getByRole('button', { name: 'Pending' }).click()
  await expect(page.getByText('Loading collaborations')).toBeVisible()
  await expect(page.getByText('No collaborations found')).toBeHidden()
  await expect(page.getByRole('heading', { name: 'No Collaborations Yet' })).toBeHidden()
  release()
  await expect(page.getByText('Showing 1-1 of 1 collaborations')).toBeVisible()
})

test('the list waits for the invitations above it, which would move it', { tag: '@long' }, async ({
  page,
  me,
  owner,
}) => {
  await addCollaborator(owner, await createProject(owner, 'Canoe'), me)
  await invite(owner, await createProject(owner, 'Bread'), me)
  const release = await blockRequests(page, '**/my-collaborations?status=pending')
  const listed = page.waitForResponse('**/my-collaborations?*status=accepted')
  await page.goto('/collaborations')
  await waitUntilShown(page, listed)
  await expect(page.getByText('Loading collaborations')).toBeVisible()
  await expect(page.getByRole('article', { name: 'Canoe' })).toBeHidden()
  release()
  await expect(page.getByRole('article', { name: 'Bread' })).toBeVisible()
  await expect(page.getByRole('article', { name: 'Canoe' })).toBeVisible()
})

test('a card shows the project, the role in it, since when and by whom', { tag: '@long' }, async ({
  page,
  me,
  owner,
}) => {
  const projectId = await createProject(owner, 'Canoe', true)
  await addCollaborator(owner, projectId, me, 'admin')
  await invite(owner, await createProject(owner, 'Bread'), me, 'viewer')
  const declined = await invite(owner, await createProject(owner, 'Garden'), me, 'editor')
  await me.call('declineInvitation', { params: { inviteToken: declined } })

  await page.goto('/collaborations')
  const list = page.getByRole('region', { name: 'Collaborations' })
  const card = (name: string) => list.getByRole('article', { name })
  await expect(page.getByText('Showing 1-1 of 1 collaborations')).toBeVisible()
  await expect(card('Canoe').getByText('About Canoe')).toBeVisible()
  for (const badge of ['Admin', 'Accepted', 'Public'])
    await expect(card('Canoe').getByText(badge, { exact: true })).toBeVisible()
  await expect(card('Canoe').getByText(/^Joined .*\d/)).toBeVisible()
  await expect(card('Canoe').getByText('by Grace Hopper')).toBeVisible()

  const filters = page.getByRole('group', { name: 'Status' })
  await expect(filters.getByRole('button')).toHaveText(['All', 'Accepted', 'Pending', 'Declined'])
  await expect(filters.getByRole('button', { name: 'Accepted' })).toHaveAttribute('aria-pressed', 'true')
  await filters.getByRole('button', { name: 'Pending' }).click()
  await expect(card('Bread').getByText('Grace Hopper invites you to')).toBeVisible()
  await expect(card('Bread').getByText('Pending', { exact: true })).toBeVisible()
  await expect(card('Bread').getByText(/^Invited .*\d/)).toBeVisible()
  await expect(card('Bread').getByText('Public', { exact: true })).toBeHidden()
  await expect(card('Canoe')).toBeHidden()
  await filters.getByRole('button', { name: 'Declined' }).click()
  await expect(card('Garden').getByText('Invitation declined')).toBeVisible()
  await expect(page).toHaveURL('/collaborations?status=declined')
  await filters.getByRole('button', { name: 'All' }).click()
  await expect(page.getByText('Showing 1-3 of 3 collaborations')).toBeVisible()
  await expectAccessible(page)
  await page.goBack()
  await expect(filters.getByRole('button', { name: 'Declined' })).toHaveAttribute('aria-pressed', 'true')
  await expect(card('Garden')).toBeVisible()
  await expect(card('Bread')).toBeHidden()

  await filters.getByRole('button', { name: 'Accepted' }).click()
  await card('Canoe').getByRole('link', { name: 'Open Project' }).click()
  await expect(page).toHaveURL(`/projects/${projectId}`)
})

test('the search keeps the focus, shows its filter and has an empty state', {
  tag: '@long',
}, async ({ page, me, owner }) => {
  await addCollaborator(owner, await createProject(owner, 'Canoe'), me)
  await addCollaborator(owner, await createProject(owner, 'Bread'), me)
  await page.goto('/collaborations')
  await expect(page.getByText('Showing 1-2 of 2 collaborations')).toBeVisible()
  const search = page.getByPlaceholder('Search collaborative projects...')
  await pressShortcut(page, '/')
  await expect(search).toBeFocused()
  await search.pressSequentially('CANOE')
  await expect(page.getByText('Showing 1-1 of 1 collaborations')).toBeVisible()
  await expect(page.getByText('Filtered by "CANOE"')).toBeVisible()
  await expect(search).toBeFocused()
  await search.fill('Zeppelin')
  await expect(page.getByText('No collaborations found matching "Zeppelin"')).toBeVisible()
  await page.getByRole('button', { name: 'Clear Search' }).click()
  await expect(page.getByText('Showing 1-2 of 2 collaborations')).toBeVisible()
  await expect(search).toHaveValue('')
})

test('pending invitations are shown above the list whatever the filter, and a dot points to them', {
  tag: '@long',
}, async ({ page, me, owner }) => {
  const projectId = await createProject(owner, 'Bread')
  await invite(owner, projectId, me, 'editor')
  await page.goto('/dashboard')
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Collaborations' })
  await expect(link).toHaveAccessibleName('Collaborations 1 invitation waits for your answer')
  await link.click()
  const filters = page.getByRole('group', { name: 'Status' })
  const invitation = page.getByRole('region', { name: 'Invitations' }).getByRole('article', { name: 'Bread' })
  for (const name of ['Accepted', 'Declined', 'All']) {
    await filters.getByRole('button', { name }).click()
    await expect(invitation.getByText('Grace Hopper invites you to')).toBeVisible()
  }
  await filters.getByRole('button', { name: 'Pending' }).click()
  await expect(page.getByRole('article', { name: 'Bread' })).toHaveCount(1)
  await filters.getByRole('button', { name: 'Accepted' }).click()
  await invitation.getByRole('button', { name: 'Accept' }).click()
  await expect(page.getByText('Invitation accepted successfully!')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Open Project' })).toHaveAttribute(
    'href',
    `/projects/${projectId}`,
  )
  await expect(page.getByRole('region', { name: 'Invitations' })).toHaveCount(0)
  await expect(link).toHaveAccessibleName('Collaborations')
})

test('invitations are accepted or declined on their cards, one at a time', async ({ page, me, owner }) => {
  for (const title of ['Canoe', 'Bread']) await invite(owner, await createProject(owner, title), me, 'editor')
  const accept = await blockRequests(page, '**/api/collaborators/accept/*')
  const decline = await blockRequests(page, '**/api/collaborators/decline/*')
  await page.goto('/collaborations?status=pending')
  const canoe = page.getByRole('article', { name: 'Canoe' })
  await canoe.getByRole('button', { name: 'Accept' }).click()
  await expect(canoe.getByRole('button', { name: 'Accept' })).toHaveAttribute('aria-busy', 'true')
  await expect(canoe.getByRole('button', { name: 'Decline' })).toBeDisabled()
  accept()
  await expect(page.getByText('Invitation accepted successfully!')).toBeVisible()
  await expect(canoe).toBeHidden()

  const bread = page.getByRole('article', { name: 'Bread' })
  await bread.getByRole('button', { name: 'Decline' }).click()
  const question = page.getByRole('alertdialog', {
    name: 'Are you sure you want to decline this invitation?',
  })
  await question.getByRole('button', { name: 'Decline' }).click()
  await expect(bread.getByRole('button', { name: 'Decline' })).toHaveAttribute('aria-busy', 'true')
  await expect(bread.getByRole('button', { name: 'Accept' })).toBeDisabled()
  decline()
  await expect(page.getByText('Invitation declined')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No Collaborations Yet' })).toBeVisible()
  await page.getByRole('button', { name: 'Accepted', exact: true }).click()
  await expect(canoe.getByText('Accepted', { exact: true })).toBeVisible()
})

test('a card shows that its invitation was answered, even if the list cannot be refetched', {
  tag: '@long',
}, async ({ page, me, owner }) => {
  for (const title of ['Canoe', 'Bread']) await invite(owner, await createProject(owner, title), me, 'editor')
  await page.goto('/collaborations?status=pending')
  const canoe = page.getByRole('article', { name: 'Canoe' })
  const bread = page.getByRole('article', { name: 'Bread' })
  await expect(canoe.getByRole('button', { name: 'Accept' })).toBeVisible()
  await page.route('**/api/collaborators/my-collaborations?*', (route) =>
    route.fulfill({ status: 500, json: {} }),
  )
  await canoe.getByRole('button', { name: 'Accept' }).click()
  await expect(canoe.getByRole('link', { name: 'Open Project' })).toBeVisible()
  await bread.getByRole('button', { name: 'Decline' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Decline' }).click()
  await expect(bread.getByText('Invitation declined')).toBeVisible()
  await expect(canoe.getByRole('link', { name: 'Open Project' })).toBeVisible()
})

test('an expired invitation says so in place of its buttons', { tag: '@long' }, async ({
  page,
  me,
  owner,
}) => {
  await invite(owner, await createProject(owner), me)
  await page.route('**/api/collaborators/my-collaborations*', async (route) => {
    const response = await route.fetch()
    const { collaborations, pagination } = (await response.json()) as {
      collaborations: object[]
      pagination: object
    }
    const expired = collaborations.map((card) => ({ ...card, expiresAt: '2026-01-02T03:04:05.000Z' }))
    await route.fulfill({ response, json: { collaborations: expired, pagination } })
  })
  await page.goto('/collaborations?status=pending')
  const card = page.getByRole('article', { name: 'Canoe' })
  await expect(card.getByText('Expired', { exact: true })).toBeVisible()
  await expect(card.getByText('Ask Grace Hopper to invite you again.')).toBeVisible()
  await expect(card.getByRole('button')).toHaveCount(0)
})

test('leaving a project asks for confirmation, removes its card and revokes access', async ({
  page,
  me,
  owner,
}) => {
  const projectId = await createProject(owner)
  await addCollaborator(owner, projectId, me, 'editor')
  await page.goto(`/projects/${projectId}`)
  await expect(page.getByText('Collaborator (editor)')).toBeVisible()
  await page.getByRole('link', { name: 'Collaborations' }).click()
  const card = page.getByRole('article', { name: 'Canoe' })
  await card.getByRole('button', { name: 'Leave' }).click()
  const question = page.getByRole('alertdialog', { name: 'Are you sure you want to leave this project?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(card.getByRole('button', { name: 'Leave' })).toBeFocused()

  await page.route('**/collaborators/me', (route) => route.fulfill({ status: 500, json: {} }), { times: 1 })
  await card.getByRole('button', { name: 'Leave' }).click()
  await question.getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByText('Failed to leave the project')).toBeVisible()
  await expect(card).toBeVisible()

  await card.getByRole('button', { name: 'Leave' }).click()
  await question.getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByText('You left “Canoe”')).toBeVisible()
  await expect(card).toBeHidden()
  await expect(page.getByRole('region', { name: 'Collaborations' })).toBeFocused()
  await page.goBack()
  await expect(page.getByRole('heading', { name: /^(Access Denied|Project not found)$/ })).toBeVisible()
})

test('pagination shows ten collaborations per page and five page buttons around the current page', {
  tag: '@long',
}, async ({ page, me, owner }) => {
  const projectId = await createProject(owner)
  await addCollaborator(owner, projectId, me)
  await page.route('**/api/collaborators/my-collaborations*', async (route) => {
    const asked = Number(new URL(route.request().url()).searchParams.get('page') ?? 1)
    const response = await route.fetch({
      url: route
        .request()
        .url()
        .replace(/page=\d+/, 'page=1'),
    })
    const { collaborations } = (await response.json()) as { collaborations: object[] }
    const pagination = {
      totalItems: 73,
      totalPages: 8,
      currentPage: asked,
      hasPrev: asked > 1,
      hasNext: asked < 8,
      limit: 10,
    }
    await route.fulfill({ response, json: { collaborations, pagination } })
  })
  await page.goto('/collaborations')
  const pages = page.getByRole('navigation', { name: 'Pages of collaborations' })
  const numbers = pages.getByRole('button', { name: /^Page \d$/ })
  await expect(page.getByText('Showing 1-10 of 73 collaborations')).toBeVisible()
  await expect(numbers).toHaveText(['1', '2', '3', '4', '5'])
  await expect(pages.getByRole('button', { name: 'Previous page' })).toBeDisabled()
  await pages.getByRole('button', { name: 'Page 5' }).click()
  await expect(numbers).toHaveText(['3', '4', '5', '6', '7'])
  await expect(page).toHaveURL('/collaborations?page=5')
  await pages.getByRole('button', { name: 'Next page' }).click()
  await expect(numbers).toHaveText(['4', '5', '6', '7', '8'])
  await pages.getByRole('button', { name: 'Page 8' }).click()
  await expect(page.getByText('Showing 71-73 of 73 collaborations')).toBeVisible()
  await expect(pages.getByRole('button', { name: 'Next page' })).toBeDisabled()
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await expect(page).toHaveURL('/collaborations?status=all')
})

test('collaborations that cannot be fetched show an error message in place of the list, without a toast', {
  tag: '@long',
}, async ({ page, me, owner }) => {
  await withoutEvents(page)
  await addCollaborator(owner, await createProject(owner), me)
  const logged: string[] = []
  page.on('console', (message) => void (message.type() === 'error' && logged.push(message.text())))
  await page.route('**/api/collaborators/my-collaborations*', (route) =>
    route.fulfill({ status: 400, json: { code: 'invalid', message: 'No list today' } }),
  )
  await page.goto('/collaborations')
  await expect(page.getByRole('heading', { name: 'Your collaborations could not be fetched' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Messages' }).getByRole('listitem')).toHaveCount(0)
  await expect.poll(() => logged.join()).toContain('No list today')
  await page.unroute('**/api/collaborators/my-collaborations*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('article', { name: 'Canoe' })).toBeVisible()
})

test('a notice says that invitations may be missing if the email settings could not be fetched', {
  tag: '@long',
}, async ({ page, me: _me }) => {
  await withoutEvents(page)
  const options = '**/api/collaborators/options'
  await page.route(options, (route) => route.fulfill({ status: 400, json: {} }))
  await page.goto('/collaborations')
  await expect(page.getByText('No Collaborations Yet')).toBeVisible()
  const notice = page.getByText('Invitations may be missing here')
  await expect(notice).toBeVisible()
  await expectAccessible(page)
  await page.unroute(options)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(notice).toHaveCount(0)
})

test('long words without spaces, and emails at twice the font size, do not overflow the page', {
  tag: '@long',
}, async ({ page, me, colleague }) => {
  const owner = await colleague('M'.repeat(NAME_MAX))
  await invite(owner, await createProject(owner, 'W'.repeat(200)), me)
  await page.setViewportSize(sizes.phone)
  await page.goto('/collaborations?status=pending')
  await expect(page.getByText(`by ${owner.name}`)).toBeVisible()
  await expectNoSidewaysScroll(page)
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%'
  })
  await expectNoSidewaysScroll(page)
})

for (const [size, viewport] of Object.entries(sizes)) {
  test(`cards of every kind are accessible in both themes on a ${size}`, {
    tag: '@long',
  }, async ({ page, me, owner }) => {
    await page.setViewportSize(viewport)
    await addCollaborator(owner, await createProject(owner, 'Canoe', true), me, 'admin')
    await addCollaborator(owner, await createProject(owner, 'Bread'), me, 'viewer')
    await invite(owner, await createProject(owner, 'Garden'), me, 'editor')
    const inviteToken = await invite(owner, await createProject(owner, 'Loom'), me, 'editor')
    await me.call('declineInvitation', { params: { inviteToken } })
    await page.goto('/collaborations?status=all')
    await expect(page.getByRole('region', { name: 'Collaborations' }).getByRole('article')).toHaveCount(4)
    await expect(page.getByRole('region', { name: 'Invitations' }).getByRole('article')).toHaveCount(1)
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  })
}

test('both cards of an invitation are disabled while one of them is answered', { tag: '@long' }, async ({
  page,
  me,
  owner,
}) => {
  await invite(owner, await createProject(owner, 'Bread'), me, 'editor')
  await page.goto('/collaborations?status=all')
  const cardIn = (name: string) => page.getByRole('region', { name, exact: true }).getByRole('article')
  const release = await blockRequests(page, '**/accept/**')
  await cardIn('Invitations').getByRole('button', { name: 'Accept' }).click()
  const other = cardIn('Collaborations')
  await expect(other.getByRole('button', { name: 'Accept' })).toHaveAttribute('aria-busy', 'true')
  await expect(other.getByRole('button', { name: 'Decline' })).toBeDisabled()
  release()
  await expect(other.getByRole('link', { name: 'Open Project' })).toBeVisible()
})
