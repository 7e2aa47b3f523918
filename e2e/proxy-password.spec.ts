import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { picture } from '#server/files/testing.ts'
import { createAccount } from '#testing/account.ts'
import { test as base, expect, expectAllClosed, isStream, openApp } from './fixtures/journey.ts'

const CREDENTIALS = { username: 'house', password: 'front door' }
const EXPECTED = `Basic ${Buffer.from('house:front door').toString('base64')}`

/** A proxy that asks for a password, as nginx does with `auth_basic`; it may keep the password from the server. */
function passwordProxy(target: string, { passesOn }: { passesOn: boolean }) {
  const seen: string[] = []
  const server = createServer((incoming, outgoing) => {
    const { authorization, ...headers } = incoming.headers
    if (authorization !== EXPECTED) {
      seen.push(`401 ${authorization?.split(' ')[0] ?? 'nothing'}`)
      outgoing.writeHead(401, { 'www-authenticate': 'Basic realm="House"', 'content-type': 'text/html' })
      return outgoing.end('<h1>401 Authorization Required</h1>')
    }
    const { method, url = '' } = incoming
    const passed = { ...headers, ...(passesOn && { authorization }) }
    const forwarded = request(new URL(url, target), { method, headers: passed }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    outgoing.on('close', () => forwarded.destroy())
    return incoming.pipe(forwarded)
  })
  return { server, seen }
}

for (const passesOn of [true, false])
  base.describe(
    `behind a proxy that ${passesOn ? 'passes its password on' : 'keeps its password to itself'}`,
    () => {
      const test = base.extend<{ house: { url: string; seen: string[] } }>({
        house: async ({ baseURL }, use) => {
          const { server, seen } = passwordProxy(baseURL ?? '', { passesOn })
          await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
          await use({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen })
          server.closeAllConnections()
          server.close()
        },
      })
      test.use({ httpCredentials: CREDENTIALS })

      test('people sign in, write, upload and follow the events', { tag: '@long' }, async ({
        page,
        house,
        baseURL,
      }) => {
        const me = await createAccount(baseURL ?? '', 'Ada Lovelace')
        await openApp(page, `${house.url}/login`)
        await page.getByLabel('Email').fill(me.email)
        await page.getByLabel('Password', { exact: true }).fill(me.password)
        const following = page.waitForResponse((response) => isStream(response) && response.ok())
        await page.getByRole('button', { name: 'Sign in', exact: true }).click()
        await expect(page).toHaveURL(`${house.url}/dashboard`)
        await following
        await page.getByRole('button', { name: 'New Project' }).first().click()
        await page.getByLabel('Project Title').fill('The front garden')
        await page.getByLabel('Description').fill('Behind the door')
        await page.getByRole('button', { name: 'Create Project' }).last().click()
        await expect(page.getByText('Project created successfully')).toBeVisible()
        await expectAllClosed(page)
        await page.reload()
        await expect(page.getByText('The front garden').first()).toBeVisible()
        await openApp(page, `${house.url}/settings`)
        const profile = page.getByRole('region', { name: 'Profile' })
        const buffer = await picture(300, 200).png().toBuffer()
        await profile
          .locator('input[type=file]')
          .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer })
        await expect(profile.getByRole('button', { name: 'Remove picture' })).toBeVisible()
        // A refused token would make the browser ask for the password again.
        if (passesOn) expect(house.seen).not.toContain('401 Bearer')
      })
    },
  )
