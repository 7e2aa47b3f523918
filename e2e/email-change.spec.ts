import { randomUUID } from 'node:crypto'
import type { Account } from '#testing/account.ts'
import { expectAccessible } from './fixtures/accessibility.ts'
import { type EmailServer, linkPathIn, test } from './fixtures/email.ts'
import { blockRequests, expect, loseResponses, openApp, pressTwice } from './fixtures/journey.ts'

/** Requests a change of the email of an account that has confirmed none yet, and returns the link in the email to the new one. */
async function linkFor(emailServer: EmailServer, who: Account, next: string): Promise<string> {
  await who.call('changeEmail', { body: { email: next, currentPassword: who.password } })
  return linkPathIn((await emailServer.sink.emailTo(next)).content, 'email-change')
}

const tokenIn = (link: string) => link.slice('/email-change/'.length)
const nextEmail = () => `grace-${randomUUID()}@example.test`

test('pressing twice requests one change of the email', { tag: '@long' }, async ({
  page,
  me,
  emailServer: _emailServer,
}) => {
  let calls = 0
  page.on('request', (sent) => {
    if (sent.method() === 'PUT' && sent.url().endsWith('/api/account/email')) calls += 1
  })
  await openApp(page, '/settings')
  const next = nextEmail()
  await page.getByRole('button', { name: 'Change email' }).click()
  await page.getByLabel('New email').fill(next)
  const form = page.locator('form').filter({ has: page.getByLabel('New email') })
  await form.getByLabel('Your password').fill(me.password)
  await pressTwice(form.getByRole('button', { name: 'Send the links' }))
  await expect(page.getByText(`Your address will be ${next}.`)).toBeVisible()
  expect(calls).toBe(1)
})

test('an email changes once both addresses have confirmed it by their links', { tag: '@long' }, async ({
  page,
  me,
  emailServer,
}) => {
  const next = nextEmail()
  await page.goto(await emailServer.linkTo(me.email))
  await page.getByRole('button', { name: 'Confirm this address' }).click()
  await openApp(page, '/settings')
  const profile = page.getByRole('region', { name: 'Profile' })
  await profile.getByRole('button', { name: 'Change email' }).click()
  await profile.getByLabel('New email').fill(next)
  await page.reload()
  await expect(profile.getByLabel('New email'), 'typed before').toHaveValue(next)
  await profile.getByLabel('Your password').fill('a wrong guess')
  await profile.getByRole('button', { name: 'Send the links' }).click()
  await expect(profile.getByText('Incorrect password')).toBeVisible()
  await expectAccessible(page)
  await profile.getByLabel('Your password').fill(me.password)
  await profile.getByRole('button', { name: 'Send the links' }).click()
  await expect(profile.getByText(`Your address will be ${next}.`)).toBeVisible()
  await expect(page.locator('body')).not.toBeFocused()
  await expectAccessible(page)

  const linkTo = async (email: string, nth: number) =>
    linkPathIn((await emailServer.sink.emailTo(email, nth)).content, 'email-change')
  await openApp(page, await linkTo(next, 1))
  await page.getByRole('button', { name: 'Confirm the change' }).click()
  await expect(page.getByRole('heading', { name: 'This address is confirmed' })).toBeFocused()
  await openApp(page, await linkTo(me.email, 2))
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Confirm the change' }).click()
  await expect(page.getByRole('heading', { name: 'Your address is changed' })).toBeFocused()
  await page.getByRole('link', { name: 'Go to Settings' }).click()
  await expect(profile.getByText(next, { exact: true })).toBeVisible()
})

test('a link for another account offers to sign out and leads to that account', { tag: '@long' }, async ({
  page,
  me,
  colleague,
  emailServer,
}) => {
  const other = await colleague('The bread baker')
  const next = nextEmail()
  const link = await linkFor(emailServer, other, next)
  await openApp(page, link)
  const main = page.getByRole('main')
  await expect(main.getByText(`You are signed in with ${me.email}.`)).toBeVisible()
  await main.getByRole('button', { name: 'Confirm the change' }).click()
  await expect(main.getByRole('heading', { name: 'This link is for another account' })).toBeFocused()
  await main.getByRole('button', { name: 'Sign out' }).click()
  await expect(main.getByRole('heading', { name: 'Change the address of your account?' })).toBeFocused()
  await main.getByRole('link', { name: 'Sign in' }).click()
  await main.getByLabel('Email').fill(other.email)
  await main.getByLabel('Password', { exact: true }).fill(other.password)
  await main.getByRole('button', { name: 'Sign in', exact: true }).click()
  await main.getByRole('button', { name: 'Confirm the change' }).click()
  await expect(main.getByRole('heading', { name: 'Your address is changed' })).toBeFocused()
  await expect(main.getByText(`You sign in with ${next} from now on.`)).toBeVisible()
})

test('the settings say that a change confirmed in another tab can no longer be cancelled', {
  tag: '@long',
}, async ({ page, me, emailServer }) => {
  const next = nextEmail()
  const link = await linkFor(emailServer, me, next)
  await openApp(page, '/settings')
  const profile = page.getByRole('region', { name: 'Profile' })
  await expect(profile.getByText(`Your address will be ${next}.`)).toBeVisible()
  await me.call('confirmEmailChange', { body: { token: tokenIn(link) } })
  await profile.getByRole('button', { name: 'Cancel the change' }).click()
  await expect(page.getByText(`It is too late to cancel: your address is ${next} now`)).toBeVisible()
  await expect(page.getByText('Your address stays as it is')).toHaveCount(0)
  await expect(profile.getByText(next, { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'User menu' }).click()
  await expect(page.getByRole('banner').getByText(next).filter({ visible: true })).toBeVisible()
})

test('a second press of Cancel the change sends nothing', { tag: '@long' }, async ({
  page,
  me,
  emailServer,
}) => {
  await linkFor(emailServer, me, nextEmail())
  await openApp(page, '/settings')
  let calls = 0
  page.on('request', (request) => {
    if (request.method() === 'DELETE') calls += 1
  })
  await pressTwice(page.getByRole('button', { name: 'Cancel the change' }))
  await expect(page.getByText('Your address stays as it is')).toBeVisible()
  await expect(page.getByText('Your address will be')).toHaveCount(0)
  expect(calls).toBe(1)
})

for (const [when, isReadable] of [
  ['at once', true],
  ['at the next press where the account could not be read', false],
] as const) {
  test(`links whose response was lost are sent once, and shown ${when}`, { tag: '@long' }, async ({
    page,
    me,
  }) => {
    const next = nextEmail()
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'PUT' && sent.push(request.url()))
    await openApp(page, '/settings')
    const profile = page.getByRole('region', { name: 'Profile' })
    await profile.getByRole('button', { name: 'Change email' }).click()
    await profile.getByLabel('New email').fill(next.replace('grace', 'Grace'))
    await profile.getByLabel('Your password').fill(me.password)
    const reconnect = await loseResponses(page, 'PUT', /\/api\/account\/email$/)
    if (!isReadable) await page.route('**/api/account', (route) => route.abort())
    await profile.getByRole('button', { name: 'Send the links' }).click()
    if (!isReadable) {
      await expect(profile.getByText('The server cannot be reached.')).toBeVisible()
      await page.unroute('**/api/account')
      await reconnect()
      await profile.getByRole('button', { name: 'Send the links' }).click()
    }
    await expect(profile.getByText(`Your address will be ${next}.`)).toBeVisible()
    expect(sent.filter((url) => url.endsWith('/api/account/email'))).toHaveLength(1)
  })
}

for (const { button, path, heading, text } of [
  {
    button: 'Confirm the change',
    path: /\/email\/confirmation$/,
    heading: 'Your address is changed',
    text: 'from now on.',
  },
  {
    button: 'It was not me',
    path: /\/email\/refusal$/,
    heading: 'Nothing is changed',
    text: 'The account keeps its address.',
  },
]) {
  test(`“${button}” whose response was lost shows its result at the next press`, { tag: '@long' }, async ({
    page,
    me,
    emailServer,
  }) => {
    await openApp(page, await linkFor(emailServer, me, nextEmail()))
    const main = page.getByRole('main')
    const reconnect = await loseResponses(page, 'POST', path)
    await page.route('**/api/account', (route) => route.abort())
    await main.getByRole('button', { name: button }).click()
    await expect(main.getByText('The server cannot be reached.')).toBeVisible()
    await reconnect()
    await page.unroute('**/api/account')
    await main.getByRole('button', { name: button }).click()
    await expect(main.getByRole('heading', { name: heading })).toBeFocused()
    await expect(main.getByText(text)).toBeVisible()
  })
}

test('a change to the account’s current email is refused, and the current email is shown', {
  tag: '@long',
}, async ({ page, me, emailServer }) => {
  const next = nextEmail()
  await openApp(page, '/settings')
  const profile = page.getByRole('region', { name: 'Profile' })
  await profile.getByRole('button', { name: 'Change email' }).click()
  const token = tokenIn(await linkFor(emailServer, me, next))
  await me.call('confirmEmailChange', { body: { token } })
  await profile.getByLabel('New email').fill(next)
  await profile.getByLabel('Your password').fill(me.password)
  await profile.getByRole('button', { name: 'Send the links' }).click()
  await expect(profile.getByText('This is the address of your account')).toBeVisible()
  await expect(profile.getByText(next, { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'User menu' }).click()
  await expect(page.getByRole('banner').getByText(next).filter({ visible: true })).toBeVisible()
})

test('a change cannot be rejected while its confirmation is pending', { tag: '@long' }, async ({
  page,
  me,
  emailServer,
}) => {
  await openApp(page, await linkFor(emailServer, me, nextEmail()))
  const main = page.getByRole('main')
  const release = await blockRequests(page, '**/api/account/email/*')
  await main.getByRole('button', { name: 'Confirm the change' }).click()
  await expect(main.getByRole('button', { name: 'It was not me' })).toBeDisabled()
  release()
  await expect(main.getByRole('heading', { name: 'Your address is changed' })).toBeFocused()
})

test('a page that waits for the second confirmation shows that another tab has given it', {
  tag: '@long',
}, async ({ page, me, emailServer }) => {
  await page.goto(await emailServer.linkTo(me.email))
  await page.getByRole('button', { name: 'Confirm this address' }).click()
  await expect(page.getByRole('heading', { name: 'Your email address is confirmed' })).toBeFocused()
  const next = nextEmail()
  const link = await linkFor(emailServer, me, next)
  const other = linkPathIn((await emailServer.sink.emailTo(me.email, 2)).content, 'email-change')
  await openApp(page, link)
  const main = page.getByRole('main')
  await main.getByRole('button', { name: 'Confirm the change' }).click()
  await expect(main.getByRole('heading', { name: 'This address is confirmed' })).toBeFocused()
  await me.call('confirmEmailChange', { body: { token: tokenIn(other) } })
  const isShown = async () => {
    // No second request starts while the first is pending.
    await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
    return main.getByRole('heading', { name: 'Your address is changed' }).isVisible()
  }
  await expect.poll(isShown).toBe(true)
  await expect(main.getByText(`You sign in with ${next} from now on.`)).toBeVisible()
  await page.getByRole('button', { name: 'User menu' }).click()
  await expect(page.getByRole('banner').getByText(next).filter({ visible: true })).toBeVisible()
})

test('the prompt to sign in disappears once another tab has signed in', {
  tag: '@long',
}, async ({ page, context, me, emailServer }) => {
  await openApp(page, await linkFor(emailServer, me, nextEmail()))
  const main = page.getByRole('main')
  await page.route('**/api/account/email/confirmation', (route) =>
    route.fulfill({ status: 401, json: { code: 'not_signed_in', message: 'Please sign in to continue' } }),
  )
  await main.getByRole('button', { name: 'Confirm the change' }).click()
  await expect(main.getByRole('link', { name: 'Sign in' })).toBeVisible()
  const other = await context.newPage()
  await openApp(other, '/login')
  await other.getByLabel('Email').fill(me.email)
  await other.getByLabel('Password', { exact: true }).fill(me.password)
  await other.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(main.getByText(`You are signed in with ${me.email}.`)).toBeVisible()
  await expect(main.getByText('Please sign in to continue')).toHaveCount(0)
})

test('a typed email is not restored into the form once it is the email of the account', {
  tag: '@long',
}, async ({ page, me, emailServer }) => {
  const next = nextEmail()
  await openApp(page, '/settings')
  const profile = page.getByRole('region', { name: 'Profile' })
  await profile.getByRole('button', { name: 'Change email' }).click()
  await profile.getByLabel('New email').fill(next)
  const token = tokenIn(await linkFor(emailServer, me, next))
  await page.reload()
  await expect(profile.getByText(`Your address will be ${next}.`)).toBeVisible()
  await me.call('confirmEmailChange', { body: { token } })
  await page.reload()
  await expect(profile.getByText(next, { exact: true })).toBeVisible()
  await profile.getByRole('button', { name: 'Change email' }).click()
  await expect(profile.getByLabel('New email')).toHaveValue('')
})
