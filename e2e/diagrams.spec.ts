import { createJournal } from '#testing/journal.ts'
import { expectAccessible } from './fixtures/accessibility.ts'
import { expect, expectNoSidewaysScroll, openApp, test } from './fixtures/journey.ts'

const fence = (source: string) => `\`\`\`mermaid\n${source}\n\`\`\`\n`
const DOUGH = 'flowchart TD\n  Flour --> Dough\n  Water --> Dough\n  Dough -->|12 hours| Loaf'

test('a diagram replaces its code on request, in a frame with an opaque origin', {
  tag: '@long',
}, async ({ page, me }) => {
  const hostile = 'flowchart TD\n  A[Crumb] --> B\n  click A href "javascript:parent.hacked=1"'
  const content = `It rose.\n\n${fence(DOUGH)}\nThen:\n\n${fence('flowchart TD\n  A --')}\n${fence(hostile)}`
  const { entryPath } = await createJournal(me, [{ title: 'Rye', content }])
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await openApp(page, entryPath(0))
  const buttons = page.getByRole('button', { name: 'Draw diagram' })
  await expect(buttons).toHaveCount(3)
  expect(requests.filter((path) => path.startsWith('/diagrams/'))).toEqual([])

  await buttons.nth(0).press('Enter')
  const frame = page.frameLocator('iframe[title="Diagram"]').first()
  await expect(frame.getByText('12 hours')).toBeVisible()
  await expect(page.getByText('Flour --> Dough')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Show code' })).toBeFocused()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)

  // Code with invalid syntax stays code, and shows the reason.
  await buttons.nth(0).press('Enter')
  await expect(page.getByRole('alert')).toContainText('This diagram could not be drawn')
  await expect(page.getByRole('group', { name: 'Code' }).filter({ hasText: /A --\s*$/ })).toBeVisible()

  await buttons.nth(1).press('Enter')
  await expect(page.getByRole('button', { name: 'Show code' })).toHaveCount(2)
  await expect(page.frameLocator('iframe[title="Diagram"]').nth(1).locator('svg')).toBeVisible()
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)

  await page.getByRole('button', { name: 'Show code' }).first().press('Enter')
  await expect(page.getByText('Flour --> Dough')).toBeVisible()
  await expect(page.locator('iframe')).toHaveCount(1)
})
