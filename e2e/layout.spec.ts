import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page, Request } from '@playwright/test'
import { addCollaborator, createJournal, createProject, invite } from '#testing/journal.ts'
import { jpeg } from './fixtures/files.ts'
import {
  blockRequests,
  expect,
  expectNoSidewaysScroll,
  sizes,
  test,
  visitor,
  waitUntilReady,
} from './fixtures/journey.ts'

/** The maximum sum of a page's layout shifts. */
const SHIFT_MAX = 0.01

const publicPaths = ['/', '/login', '/register', '/about', '/markdown-guide', '/nowhere']

const workspacePaths = ({ projectId, projectPath, listPath, entryPath }: Journal) => [
  '/dashboard',
  '/collaborations',
  '/search?q=a',
  '/import',
  '/trash',
  '/settings',
  projectPath,
  listPath,
  `${projectPath}/activity`,
  entryPath(0),
  `/world/${projectId}`,
  `/world/${projectId}/entries/${entryPath(0).split('/').at(-1)}`,
]

type Journal = Awaited<ReturnType<typeof createJournal>>

declare global {
  interface Window {
    layoutShift?: { sum: number; moved: string[] }
  }
}

type Shift = PerformanceEntry & {
  value: number
  hadRecentInput: boolean
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
}

/** Runs in the page: sums its layout shifts, and records which elements moved. */
function sumShifts() {
  const found = { sum: 0, moved: [] as string[] }
  window.layoutShift = found
  const rect = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].map(Math.round).join(' ')
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources, startTime } of list.getEntries() as Shift[]) {
      if (hadRecentInput) continue
      found.sum += value
      for (const { node, previousRect, currentRect } of sources) {
        const name = `${node?.nodeName} ${node?.textContent?.slice(0, 40)}`
        found.moved.push(
          `${Math.round(startTime)} ms, ${value}: ${name}, ${rect(previousRect)} to ${rect(currentRect)}`,
        )
      }
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

async function expectStill(page: Page, most = SHIFT_MAX): Promise<void> {
  const { sum, moved } = await page.evaluate(() => window.layoutShift ?? { sum: Infinity, moved: [] })
  expect(sum, moved.join('\n')).toBeLessThanOrEqual(most)
}

/** Opens a page and waits until all its content is loaded and painted. */
async function openWhole(page: Page, path: string): Promise<void> {
  const calls = new Set<Request>()
  const begin = (request: Request) =>
    request.url().includes('/api/') && !request.url().endsWith('/api/events') && calls.add(request)
  const end = (request: Request) => calls.delete(request)
  page.on('request', begin).on('requestfinished', end).on('requestfailed', end)
  await page.goto(path)
  await waitUntilReady(page)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  // The number of results stays.
  await expect(page.getByRole('main').getByRole('status').filter({ hasNotText: 'result' })).toHaveCount(0)
  await expect.poll(() => calls.size).toBe(0)
  await page.evaluate(() => document.fonts.ready)
  await page.evaluate(drawTwice)
  page.off('request', begin).off('requestfinished', end).off('requestfailed', end)
}

/**
 * Opens each page at each size, and asserts that it neither shifts nor scrolls sideways, also in narrow windows and with large
 * text.
 */
async function expectStillAndNarrow(page: Page, paths: readonly string[]): Promise<void> {
  await page.addInitScript(sumShifts)
  for (const path of paths) {
    for (const [size, viewport] of Object.entries(sizes)) {
      await test.step(`${path} on a ${size}`, async () => {
        await page.setViewportSize(viewport)
        await openWhole(page, path)
        await expectStill(page)
      })
    }
    await test.step(`${path} in 320 pixels, and with text of twice the size in 390`, async () => {
      await page.setViewportSize({ width: 320, height: 640 })
      await page.evaluate(drawTwice)
      await expectNoSidewaysScroll(page)
      await page.setViewportSize(sizes.phone)
      await page.evaluate(() => {
        document.documentElement.style.fontSize = '200%'
      })
      await page.evaluate(drawTwice)
      await expectNoSidewaysScroll(page)
      const bar = page.getByRole('navigation', { name: 'Main' })
      expect(await bar.evaluate(endOfItems)).toBeLessThanOrEqual(sizes.phone.width)
      expect(await bar.evaluate(isLogoWhole)).toBe(true)
      await page.setViewportSize({ width: 320, height: 640 })
      expect(await bar.evaluate(endOfItems)).toBeLessThanOrEqual(320)
    })
  }
}

/** Runs in the page: returns the right edge of the last item of a row. A row that is fixed to the window does not scroll. */
const endOfItems = (row: Element) =>
  Math.max(...Array.from(row.children, (item) => item.getBoundingClientRect().right))

/** Runs in the page: whether the logo is not cut off by its link, which gives way to the other items. */
function isLogoWhole(row: Element): boolean {
  const [link, end] = ['a', 'a circle:last-child'].map((part) =>
    row.querySelector(part)?.getBoundingClientRect(),
  )
  return link !== undefined && end !== undefined && end.right <= link.right
}

test('the pages without sign-in neither shift nor scroll sideways', { tag: '@long' }, async ({ page }) => {
  test.slow()
  await expectStillAndNarrow(page, publicPaths)
})

test('a page that arrives in two chunks is not painted before the second', { tag: '@long' }, async ({
  page,
  baseURL,
}) => {
  let sendRest = () => {}
  const isStyled = Promise.withResolvers<void>()
  const forward = async (request: IncomingMessage, response: ServerResponse) => {
    const answer = await fetch(`${baseURL}${request.url}`)
    const body = Buffer.from(await answer.arrayBuffer())
    response.setHeader('content-type', answer.headers.get('content-type') ?? '')
    const cut = request.url === '/register' ? body.indexOf('or with your email') : -1
    response.write(body.subarray(0, cut < 0 ? body.length : cut))
    if (cut < 0) response.end()
    else sendRest = () => response.end(body.subarray(cut))
  }
  const server = createServer((request, response) => void forward(request, response))
  await page.addInitScript(sumShifts)
  await page.setViewportSize(sizes.desktop)
  page.on('requestfinished', (request) => request.resourceType() === 'stylesheet' && isStyled.resolve())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const opened = page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/register`)
    await isStyled.promise
    // Gives the page time for a paint that may come: if this is too short, the journey passes and never fails.
    await new Promise((resolve) => setTimeout(resolve, 500))
    sendRest()
    await opened
    await expect(page.getByLabel('Email')).toBeVisible()
    await page.evaluate(drawTwice)
    await expectStill(page)
  } finally {
    server.close()
    server.closeAllConnections()
  }
})

test('the pages without sign-in neither shift nor scroll sideways in the fallback font', {
  tag: '@long',
}, async ({ page }) => {
  test.slow()
  await page.route('**/*.woff2', (route) => route.fulfill({ contentType: 'font/woff2', body: '' }))
  await expectStillAndNarrow(page, publicPaths)
})

test('the workspace and its public face neither shift nor scroll sideways', { tag: '@long' }, async ({
  page,
  me,
}) => {
  test.slow()
  const entry = {
    title: 'The first loaf that rose',
    content: 'It *rose*.\n\n'.repeat(12),
    tags: ['rye', 'sourdough'],
  }
  const journal = await createJournal(me, [entry, { title: 'Loaf 2' }], { isPublic: true })
  const { projectId } = journal
  const reached = { title: 'The oven', description: 'Bricks', completed: true }
  await me.call('createMilestone', { params: { projectId }, body: reached })
  const invitation = `/invite/${await invite(me, projectId, { email: 'grace@example.com' })}`
  await expectStillAndNarrow(page, [...workspacePaths(journal), invitation])
})

/** A text of a person, in which fonts of different widths break lines at different places. */
const LONG =
  'Building a fifteen-foot canoe in the garage, one strip at a time, and learning to plane it as I go along, slowly.'

test('fonts that come after the first paint move nothing', { tag: '@long' }, async ({ browser, owner }) => {
  const { projectId, entries } = await createJournal(
    owner,
    [1, 2, 3].map((day) => ({
      title: `The strip of day ${day}`,
      content: `${LONG} *Clamps*. ${LONG}`,
      tags: ['hull'],
    })),
    { isPublic: true },
  )
  const world = `/world/${projectId}`
  for (const path of [
    '/',
    '/register',
    world,
    `${world}/entries/${entries[0]?._id}`,
    `${world}/search?q=strip`,
  ])
    for (const width of [360, 412, 768])
      await test.step(`${path} in ${width} pixels`, async () => {
        const page = await visitor(browser)
        await page.setViewportSize({ width, height: 820 })
        await page.addInitScript(sumShifts)
        const painted = Promise.withResolvers<void>()
        await page.route('**/*.woff2', async (route) => {
          await painted.promise
          await route.continue()
        })
        // The load event waits for fonts that were asked for before it.
        await page.goto(path, { waitUntil: 'domcontentloaded' })
        await page.evaluate(drawTwice)
        painted.resolve()
        await waitUntilReady(page)
        await expect(page.locator('html[data-fonts]')).toHaveCount(0)
        await page.evaluate(drawTwice)
        expect(await page.locator('h1').evaluate((title) => getComputedStyle(title).fontFamily)).toMatch(
          / Variable/,
        )
        await expectStill(page, 0.002)
        await page.context().close()
      })
})

test('drafts and invitations do not shift the daily screens', { tag: '@long' }, async ({
  page,
  me,
  owner,
}) => {
  const journal = await createJournal(me, [{ title: 'Rye', tags: ['bread'] }, { title: 'Wheat' }])
  const { milestoneId } = journal
  for (const title of ['Oat', 'Spelt']) {
    const body = { title, content: 'Not yet', milestone: milestoneId }
    await me.call('saveDraft', { params: { draftId: randomUUID() }, body })
  }
  const body = { title: 'Salt', content: 'Coarse', state: 'draft' as const }
  await me.call('createEntry', { params: { milestoneId }, body })
  const shared = await createJournal(owner, [{ title: 'Hull' }])
  await addCollaborator(owner, shared.projectId, me, 'editor')
  await invite(owner, await createProject(owner), me)
  await page.addInitScript(sumShifts)
  for (const viewport of Object.values(sizes)) {
    await page.setViewportSize(viewport)
    for (const path of ['/dashboard', journal.projectPath, journal.listPath, journal.entryPath(0)]) {
      await openWhole(page, path)
      await expectStill(page)
    }
  }
})

test.describe('on a touch screen, whose scroll bar takes no room', () => {
  test.use({ isMobile: true, hasTouch: true, viewport: sizes.phone })

  test('the pictures and the Markdown of an entry do not shift its text in the editor', {
    tag: '@long',
  }, async ({ page, me }) => {
    const { projectId, milestoneId, listPath } = await createJournal(me)
    const pictures = await Promise.all([1, 2, 3].map((number) => jpeg(`loaf-${number}.jpg`)))
    const body = {
      files: pictures.map(({ name, buffer }) => ({ name, size: buffer.length, type: 'image/jpeg' })),
    }
    const files = await me.call('reserveFiles', { params: { projectId }, body })
    await Promise.all(
      files.map(({ _id }, index) =>
        page.request.put(`/api/files/${_id}/content`, {
          headers: { authorization: `Bearer ${me.token}`, 'content-type': 'application/octet-stream' },
          data: pictures[index]?.buffer,
        }),
      ),
    )
    const gallery = files.map(({ _id }) => `![](/files/${_id} "Fed")`).join('\n')
    const content = `**Fed**.\n\n${gallery}\n\n- one\n- two\n\n> [!TIP]\n> Wait.`
    const entry = await me.call('createEntry', { params: { milestoneId }, body: { title: 'Rye', content } })
    await page.addInitScript(sumShifts)
    await page.goto(`${listPath}&edit=${entry._id}&milestone=${milestoneId}`)
    await expect(page.getByRole('figure')).toHaveCount(3)
    await expect(page.getByLabel('Content')).not.toContainText('[!TIP]')
    await page.evaluate(drawTwice)
    await expectStill(page)
  })
})

test('rights that come last do not shift the entries of a milestone', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const journal = await createJournal(me, [{ title: 'Rye' }])
  await page.addInitScript(sumShifts)
  for (const viewport of Object.values(sizes)) {
    await page.setViewportSize(viewport)
    const release = await blockRequests(page, /\/permissions/)
    await page.goto(journal.listPath)
    await expect(page.getByRole('link', { name: 'Rye' })).toBeVisible()
    release()
    await expect(page.getByRole('button', { name: 'Add Entry' })).toBeVisible()
    await expectStill(page)
    await page.unrouteAll()
  }
})

test('the note on a completed project does not shift the timeline', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const projectId = await createProject(me)
  for (const title of ['Lumber', 'Hull']) {
    const body = { title, description: 'Straight cedar.', completed: true }
    await me.call('createMilestone', { params: { projectId }, body })
  }
  await page.addInitScript(sumShifts)
  await page.setViewportSize(sizes.phone)
  const release = await blockRequests(page, '**/permissions')
  const listed = page.waitForResponse('**/milestones')
  await page.goto(`/projects/${projectId}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Canoe' })).toBeVisible()
  await (await listed).finished()
  await page.evaluate(drawTwice)
  release()
  await expect(page.getByRole('region', { name: 'Project finished' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Milestones' })).toBeVisible()
  await page.evaluate(drawTwice)
  await expectStill(page)
})

const drawTwice = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
