import { createProject, invite } from '#testing/journal.ts'
import { expectAccessible } from './fixtures/accessibility.ts'
import {
  blockRequests,
  expect,
  expectNoSidewaysScroll,
  openApp,
  pressTwice,
  sizes,
  stopTime,
  test,
  withoutEvents,
} from './fixtures/journey.ts'

const accepting = { name: 'Accept Invitation' }
const signingIn = { name: 'Sign in to accept' }

test('a visitor sees the invitation, and both sign-in and registration return to it', async ({
  page,
  owner,
}) => {
  const link = `/invite/${await invite(owner, await createProject(owner), { email: 'guest@example.com' }, 'editor')}`
  await openApp(page, link)
  await expect(page.getByRole('heading', { name: 'Grace Hopper invites you to collaborate' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Canoe' })).toBeVisible()
  await expect(page.getByText('About Canoe')).toBeVisible()
  await expect(page.getByText('Editor', { exact: true })).toBeVisible()
  await expect(page.getByText('Editors can also delete entries and milestones.')).toBeVisible()
  const main = page.getByRole('main')
  const redirect = `redirect=${encodeURIComponent(link)}`
  await expect(main.getByRole('link', signingIn)).toHaveAttribute('href', `/login?${redirect}`)
  await expect(main.getByRole('link', { name: 'Create an account' })).toHaveAttribute(
    'href',
    `/register?${redirect}`,
  )
  await expectAccessible(page)
  await page.getByRole('link', signingIn).click()
  await expect(page).toHaveURL(
    (url) => url.pathname === '/login' && url.searchParams.get('redirect') === link,
  )
})

test('an invitation is accepted after signing in, and leads to the project after three seconds', async ({
  page,
  me,
  owner,
}) => {
  const projectId = await createProject(owner)
  const link = `/invite/${await invite(owner, projectId, me, 'editor')}`
  await page.evaluate(() => localStorage.clear())
  await page.context().clearCookies()
  await openApp(page, link)
  await page.getByRole('link', signingIn).click()
  await page.getByLabel('Email').fill(me.email)
  await page.getByLabel('Password', { exact: true }).fill(me.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL(link)
  await expect(page.getByText(`You are signed in with ${me.email}.`)).toBeVisible()
  await stopTime(page)
  await page.getByRole('button', accepting).click()
  await expect(page.getByText('Invitation accepted successfully!')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Invitation accepted' })).toBeFocused()
  await expect(page.getByRole('link', { name: 'Go to the project now' })).toHaveAttribute(
    'href',
    `/projects/${projectId}`,
  )
  await page.clock.runFor(2900)
  await expect(page).toHaveURL(link)
  await page.clock.resume()
  await expect(page).toHaveURL(`/projects/${projectId}`)
  await expect(page.getByText('Collaborator (editor)')).toBeVisible()
})

test('the link of an accepted invitation opens the project for its collaborator, and is invalid for anyone else', {
  tag: '@long',
}, async ({ page, me, owner }) => {
  const projectId = await createProject(owner)
  const inviteToken = await invite(owner, projectId, me)
  await me.call('acceptInvitation', { params: { inviteToken } })
  // The page is shown until the code of the next screen arrives.
  const release = await blockRequests(page, /\/project-screen-[^/]*\.js$/)
  await page.route('**/accept/*', (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto(`/invite/${inviteToken}`)
  const again = page.getByRole('button', { name: 'Try again' })
  await again.waitFor()
  await page.unroute('**/accept/*')
  await again.click()
  await expect(page.getByRole('heading', { name: 'You are already a collaborator' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'You are already a collaborator' })).toBeVisible()
  await expect(page.getByText('This invitation link is invalid or has expired.')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Go to the project now' })).toBeVisible()
  await expectAccessible(page)
  release()
  await expect(page).toHaveURL(`/projects/${projectId}`)
  await page.goBack()
  await expect(page).toHaveURL('/robots.txt')

  await page.evaluate(() => localStorage.clear())
  await page.context().clearCookies()
  const response = await page.goto(`/invite/${inviteToken}`)
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'Invalid Invitation' })).toBeVisible()
})

test('leaving the page after accepting cancels the redirect', { tag: '@long' }, async ({
  page,
  me,
  owner,
}) => {
  await openApp(page, `/invite/${await invite(owner, await createProject(owner), me)}`)
  await expect(page.getByRole('button', accepting)).toBeVisible()
  await stopTime(page)
  await page.getByRole('button', accepting).click()
  await expect(page.getByRole('heading', { name: 'Invitation accepted' })).toBeVisible()
  await page.getByRole('navigation').getByRole('link', { name: 'Dashboard' }).click()
  await expect(page.getByRole('heading', { name: `Welcome, ${me.name}` })).toBeVisible()
  await page.clock.runFor(4000)
  await expect(page).toHaveURL('/dashboard')
})

test('a redirect to another origin is replaced by one to My Collaborations', { tag: '@long' }, async ({
  page,
  me,
  owner,
}) => {
  const inviteToken = await invite(owner, await createProject(owner), me)
  await page.route('**/api/collaborators/accept/*', async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as object
    await route.fulfill({ response, json: { ...body, redirectTo: '//evil.example' } })
  })
  await openApp(page, `/invite/${inviteToken}`)
  await expect(page.getByRole('button', accepting)).toBeVisible()
  await stopTime(page)
  await page.getByRole('button', accepting).click()
  await expect(page.getByRole('link', { name: 'Go to My Collaborations' })).toBeVisible()
  await page.clock.resume()
  await expect(page).toHaveURL('/collaborations')
})

test('declining asks for confirmation and ends the invitation, even without an account', async ({
  page,
  owner,
}) => {
  const link = `/invite/${await invite(owner, await createProject(owner), { email: 'guest@example.com' })}`
  await openApp(page, link)
  await page.getByRole('button', { name: 'Decline' }).click()
  const question = page.getByRole('alertdialog', {
    name: 'Are you sure you want to decline this invitation?',
  })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('link', signingIn)).toBeVisible()
  await page.getByRole('button', { name: 'Decline' }).click()
  await question.getByRole('button', { name: 'Decline' }).click()
  await expect(page.getByText('Invitation declined')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'You declined this invitation' })).toBeFocused()
  await expectAccessible(page)
  const response = await page.goto(link)
  expect(response?.status()).toBe(404)
})

test('an invalid link shows an error message on the page and in a toast', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const response = await page.goto('/invite/no-such-invitation')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'Invalid Invitation' })).toBeVisible()
  const said = 'This invitation link is invalid or has expired.'
  await expect(page.getByRole('main').getByText(said)).toBeVisible()
  await expect(page.getByRole('list', { name: 'Messages' }).getByText(said)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Back to Home' })).toBeVisible()

  // Within the app, the screen asks without a reload.
  const inviteToken = await invite(me, await createProject(me), { email: 'guest@example.com' })
  await openApp(page, '/dashboard')
  const answer = await blockRequests(page, '**/api/collaborators/accept/*')
  await page.evaluate((path) => {
    history.pushState({}, '', path)
    dispatchEvent(new PopStateEvent('popstate'))
  }, `/invite/${inviteToken}`)
  await expect(page.getByText('Loading invitation')).toBeVisible()
  answer({ status: 404, json: {} })
  await expect(page.getByRole('heading', { name: 'Invalid Invitation' })).toBeVisible()
  await expect(page.getByRole('main').getByText(said)).toBeVisible()
  await expect(page.getByText('Invalid invitation', { exact: true })).toBeVisible()
})

test('an invitation for another person is refused in a red box, with a way to switch accounts', {
  tag: '@long',
}, async ({ page, me, owner }) => {
  const link = `/invite/${await invite(owner, await createProject(owner), { email: 'guest@example.com' })}`
  await page.goto(link)
  await expect(page.getByText(`You are signed in with ${me.email}.`)).toBeVisible()
  await page.getByRole('button', accepting).click()
  const box = page.getByRole('main').getByRole('alert')
  await expect(box).toContainText('Sign in with the address that was invited')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Decline' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Decline' }).click()
  await expect(box).toContainText('Sign in with the address that was invited')
  await box.getByRole('button', { name: 'Sign in with another account' }).click()
  await expect(page).toHaveURL(
    (url) => url.pathname === '/login' && url.searchParams.get('redirect') === link,
  )
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
})

test('an invitation that was already answered does not ask again', { tag: '@long' }, async ({
  page,
  me,
  owner,
}) => {
  await openApp(page, `/invite/${await invite(owner, await createProject(owner), me)}`)
  await page.getByRole('button', { name: 'Decline' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Decline' }).click()
  await page.getByRole('link', { name: 'Go to My Collaborations' }).click()
  await expect(page.getByRole('heading', { name: 'My Collaborations' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Invalid Invitation' })).toBeVisible()
  await page.goto('/collaborations')
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Invalid Invitation' })).toBeVisible()
})

test('an invitation that was accepted elsewhere leads to the project, even through Decline', {
  tag: '@long',
}, async ({ page, me, owner }) => {
  const projectId = await createProject(owner)
  const inviteToken = await invite(owner, projectId, me)
  await page.goto(`/invite/${inviteToken}`)
  await expect(page.getByText(`You are signed in with ${me.email}.`)).toBeVisible()
  await me.call('acceptInvitation', { params: { inviteToken } })
  // The page is shown until the code of the next screen arrives.
  const release = await blockRequests(page, /\/project-screen-[^/]*\.js$/)
  await page.getByRole('button', { name: 'Decline' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Decline' }).click()
  await expect(page.getByRole('heading', { name: 'You are already a collaborator' })).toBeFocused()
  await expect(page.getByRole('link', { name: 'Go to the project now' })).toHaveAttribute(
    'href',
    `/projects/${projectId}`,
  )
  await expect(page.getByText('invalid or has expired')).toHaveCount(0)
  release()
  await expect(page).toHaveURL(`/projects/${projectId}`)
})

test('an accepted invitation shows the granted role, even after another tab has signed out', {
  tag: '@long',
}, async ({ page, me, owner, context }) => {
  const projectId = await createProject(owner)
  await invite(owner, projectId, me)
  await openApp(page, '/dashboard')
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await page.getByRole('region', { name: 'Notifications' }).getByRole('link').click()
  await expect(page.getByText('Your role: Viewer')).toBeVisible()
  const [{ _id: collaboratorId } = { _id: '' }] = await owner.call('listCollaborators', {
    params: { projectId },
  })
  await owner.call('updateCollaborator', { params: { projectId, collaboratorId }, body: { role: 'editor' } })
  await stopTime(page)
  await page.getByRole('button', accepting).click()
  const said = page.getByRole('main').getByText('You are now an editor of Canoe.')
  await expect(said).toBeVisible()

  const other = await context.newPage()
  await openApp(other, '/dashboard')
  await other.getByRole('button', { name: 'User menu' }).click()
  await other.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Sign In' })).toBeVisible()
  await expect(said).toBeVisible()
  await page.clock.resume()
  await expect(page).toHaveURL(`/login?redirect=${encodeURIComponent(`/projects/${projectId}`)}`)
})

test('switching accounts does not wait for the response to the sign-out', {
  tag: '@long',
}, async ({ page, me, owner }) => {
  const link = `/invite/${await invite(owner, await createProject(owner), { email: 'guest@example.com' })}`
  await page.goto(link)
  await expect(page.getByText(`You are signed in with ${me.email}.`)).toBeVisible()
  await page.getByRole('button', accepting).click()
  const release = await blockRequests(page, '**/api/auth/sign-out')
  const sent = page.waitForRequest('**/api/auth/sign-out')
  await page.getByRole('button', { name: 'Sign in with another account' }).click()
  const request = await sent
  await expect(page).toHaveURL(
    (url) => url.pathname === '/login' && url.searchParams.get('redirect') === link,
  )
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  expect(request.existingResponse()).toBeNull()
  release()
})

for (const ending of ['declined', 'withdrawn'] as const) {
  test(`an invitation that was ${ending} while its page was open is shown as invalid, without buttons`, {
    tag: '@long',
  }, async ({ page, me, owner }) => {
    const projectId = await createProject(owner)
    const inviteToken = await invite(owner, projectId, me)
    await page.goto(`/invite/${inviteToken}`)
    await expect(page.getByText(`You are signed in with ${me.email}.`)).toBeVisible()
    if (ending === 'declined') await me.call('declineInvitation', { params: { inviteToken } })
    else {
      const [{ _id: collaboratorId } = { _id: '' }] = await owner.call('listCollaborators', {
        params: { projectId },
      })
      await owner.call('removeCollaborator', { params: { projectId, collaboratorId } })
    }
    await page.getByRole('button', accepting).click()
    await expect(page.getByRole('heading', { name: 'Invalid Invitation' })).toBeVisible()
    const said = 'This invitation link is invalid or has expired.'
    await expect(page.getByRole('main').getByText(said)).toBeVisible()
    await expect(page.getByRole('list', { name: 'Messages' }).getByText(said)).toBeVisible()
    await expect(page.getByRole('main').getByRole('button')).toHaveCount(0)
  })
}

test('a failed reply without a response from the server shows the default error message', {
  tag: '@long',
}, async ({ page, me, owner }) => {
  await page.goto(`/invite/${await invite(owner, await createProject(owner), me)}`)
  await expect(page.getByText(`You are signed in with ${me.email}.`)).toBeVisible()
  await page.route('**/api/collaborators/*/*', (route) => route.fulfill({ status: 500, json: {} }))
  await blockRequests(page, '**/my-collaborations*')
  await page.getByRole('button', accepting).click()
  await expect(page.getByText('Failed to accept invitation')).toBeVisible()
  await expect(page.getByRole('button', accepting)).not.toHaveAttribute('aria-busy')
  await page.getByRole('button', { name: 'Decline' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Decline' }).click()
  await expect(page.getByText('Failed to decline invitation')).toBeVisible()
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    'The server is not available right now.',
  )
})

test('retrying to accept causes no layout shift while the request is pending', { tag: '@long' }, async ({
  page,
  me,
  owner,
}) => {
  const token = await invite(owner, await createProject(owner), me, 'viewer')
  await page.goto(`/invite/${token}`)
  await expect(page.getByText('You are signed in with')).toBeVisible()
  await page.route('**/accept/**', (route) => route.abort())
  const accept = page.getByRole('button', { name: 'Accept Invitation' })
  await accept.click()
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible()
  const before = await accept.boundingBox()
  const release = await blockRequests(page, '**/accept/**')
  await accept.click()
  await expect(accept).toHaveAttribute('aria-busy', 'true')
  expect(await accept.boundingBox()).toEqual(before)
  release()
})

test('an expired session leads to sign-in and back', { tag: '@long' }, async ({ page, me, owner }) => {
  const link = `/invite/${await invite(owner, await createProject(owner), me)}`
  await withoutEvents(page)
  await page.goto(link)
  await expect(page.getByText(`You are signed in with ${me.email}.`)).toBeVisible()
  // Only the press shows that the session has ended.
  await page.route(/\/api\/(?!.*accept)/, (route) => route.abort())
  await page.waitForLoadState('networkidle')
  await page.context().clearCookies()
  await me.call('signOut', {})
  await page.getByRole('button', accepting).click()
  await expect(page).toHaveURL(
    (url) => url.pathname === '/login' && url.searchParams.get('redirect') === link,
  )
})

for (const [size, viewport] of Object.entries(sizes)) {
  test(`an invitation and its acceptance are accessible in both themes on a ${size}`, {
    tag: '@long',
  }, async ({ page, me, owner }) => {
    await page.setViewportSize(viewport)
    await page.goto(`/invite/${await invite(owner, await createProject(owner), me, 'admin')}`)
    await expect(page.getByText(`You are signed in with ${me.email}.`)).toBeVisible()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    // Stops the clock, so that the page is shown long enough to be checked.
    await stopTime(page)
    await page.getByRole('button', accepting).click()
    await expect(page.getByRole('heading', { name: 'Invitation accepted' })).toBeVisible()
    await expectNoSidewaysScroll(page)
  })
}

test('pressing Accept twice accepts an invitation once', { tag: '@long' }, async ({ page, me, owner }) => {
  let calls = 0
  page.on('request', (sent) => {
    // Looking the invitation up is the same call without a token.
    if (sent.url().includes('/api/collaborators/accept/') && sent.headers().authorization) calls += 1
  })
  await openApp(page, `/invite/${await invite(owner, await createProject(owner), me)}`)
  await pressTwice(page.getByRole('button', accepting))
  await expect(page.getByRole('heading', { name: 'Invitation accepted' })).toBeVisible()
  expect(calls).toBe(1)

  calls = 0
  await invite(owner, await createProject(owner, 'Bread'), me)
  await openApp(page, '/collaborations?status=pending')
  const bread = page.getByRole('article', { name: 'Bread' })
  await pressTwice(bread.getByRole('button', { name: 'Accept' }))
  await expect(bread).toBeHidden()
  expect(calls).toBe(1)
})
