import { createProject, invite } from '#testing/journal.ts'
import { expectAccessible } from './fixtures/accessibility.ts'
import { test } from './fixtures/email.ts'
import { blockRequests, expect, expectNoSidewaysScroll, openApp, sizes } from './fixtures/journey.ts'

test.describe.configure({ mode: 'default' })
test('a person with an unconfirmed email sees how to confirm it, and then their invitations', {
  tag: '@long',
}, async ({ page, me, owner, emailServer }) => {
  const projectId = await createProject(owner)
  const inviteToken = await invite(owner, projectId, me, 'editor')

  await page.goto('/collaborations?status=pending')
  await expect(page.getByText(`Invitations to ${me.email} appear here once you have confirmed`)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No Collaborations Yet' })).toBeVisible()
  await expectAccessible(page)

  await openApp(page, `/invite/${inviteToken}`)
  await page.getByRole('button', { name: 'Accept Invitation' }).click()
  const box = page.getByRole('main').getByRole('alert')
  await expect(box).toContainText('Confirm your email address first')
  const another = box.getByRole('button', { name: 'Send a new confirmation email' })
  await another.click()
  await expect(box.getByRole('status')).toContainText('A link was sent a moment ago.')
  await page.route('**/send-verification-email', (route) => route.fulfill({ status: 204 }), { times: 1 })
  await another.click()
  await expect(box.getByRole('status')).toContainText(`A new email is on its way to ${me.email}.`)

  await openApp(page, await emailServer.linkTo(me.email))
  await page.getByRole('button', { name: 'Confirm this address' }).click()
  await expect(page.getByRole('heading', { name: 'Your email address is confirmed' })).toBeVisible()

  await page.getByRole('link', { name: 'Collaborations' }).click()
  const invitations = page.getByRole('region', { name: 'Invitations' })
  await invitations.getByRole('article', { name: 'Canoe' }).getByRole('button', { name: 'Accept' }).click()
  await expect(page.getByText('Invitation accepted successfully!')).toBeVisible()
  await page.getByRole('button', { name: 'Accepted', exact: true }).click()
  await page.getByRole('link', { name: 'Open Project' }).click()
  await expect(page.getByText('Collaborator (editor)')).toBeVisible()
})

test('the hint about an unconfirmed email does not move the list', { tag: '@long' }, async ({
  page,
  me: _me,
}) => {
  const release = await blockRequests(page, '**/api/collaborators/options')
  await page.goto('/collaborations')
  const list = page.getByRole('heading', { name: 'No Collaborations Yet' })
  await expect(list).toBeVisible()
  const before = await list.boundingBox()
  release()
  await expect(page.getByText('appear here once you have confirmed')).toBeVisible()
  expect(await list.boundingBox()).toEqual(before)
})

test('if the server emails invitations, nobody is asked to pass on the link', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const options = page.waitForResponse('**/api/collaborators/options')
  await page.goto(`/projects/${await createProject(me)}`)
  await page.getByRole('button', { name: 'Collaborators' }).click()
  expect(await (await options).json()).toEqual({ mailed: true })
  await expect(page.getByText('This server sends no email.')).toBeHidden()
})

for (const [size, viewport] of Object.entries(sizes)) {
  test(`the hints about an unconfirmed email are accessible in both themes on a ${size}`, {
    tag: '@long',
  }, async ({ page, me }) => {
    await page.setViewportSize(viewport)
    await page.goto('/collaborations')
    await expect(page.getByText(`Invitations to ${me.email}`)).toBeVisible()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  })
}
