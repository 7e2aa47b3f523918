import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientNamed } from '#server/platform/limits/fair-queue.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import { type Card, STOPS_MAX } from './card.ts'
import { fontsFor, layOut, paint } from './paint-task.ts'
import { createPainter, createPictures } from './pictures.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const get = (url: string, headers: Record<string, string> = {}) => t.app.inject({ url, headers })

async function published(title = 'A canoe') {
  const owner = await t.person({ name: 'Grace Hopper' })
  const project = await t.project(owner, { isPublic: true, title })
  const milestone = await t.milestone(owner, project._id, { completed: true })
  const entry = await t.entry(owner, milestone._id)
  const ofProject = `/world/${project._id}/share.png`
  return {
    owner,
    project,
    milestone,
    entry,
    ofProject,
    ofEntry: `/world/${project._id}/entries/${entry._id}/share.png`,
  }
}

const PICTURE = 'png 1200x630'

async function kindOf(png: Uint8Array): Promise<string> {
  const { format, width, height } = await sharp(png).metadata()
  return `${format} ${width}x${height}`
}

describe('a share picture', () => {
  it('exists for a public project, for its entries and for the site', async () => {
    const { ofProject, ofEntry } = await published()
    const pictures = await Promise.all([ofProject, ofEntry, '/share.png'].map((url) => get(url)))
    for (const picture of pictures) {
      expect(picture.statusCode).toBe(200)
      expect(picture.headers).toMatchObject({
        'content-type': 'image/png',
        'cache-control': 'no-cache',
        'cross-origin-resource-policy': 'cross-origin',
      })
      expect(await kindOf(picture.rawPayload)).toBe(PICTURE)
    }
    expect(new Set(pictures.map(({ headers }) => headers.etag)).size).toBe(3)
  })

  it('has an ETag that changes only with its content', async () => {
    const { owner, project, milestone, entry, ofProject, ofEntry } = await published()
    const seen = await get(ofProject)
    const etag = String(seen.headers.etag)
    const known = await get(`${ofProject}?v=whatever`, { 'if-none-match': etag })
    expect([known.statusCode, known.body]).toEqual([304, ''])
    const body = { title: 'Another', content: 'Text' }
    const params = { milestoneId: milestone._id, entryId: entry._id }
    const before = (await get(ofEntry)).headers.etag
    await t.call('updateEntry', { params, body }, { as: owner })
    expect((await get(ofEntry)).headers.etag).not.toBe(before)
    expect((await get(ofProject, { 'if-none-match': etag })).statusCode).toBe(304)
    await t.milestone(owner, project._id)
    expect((await get(ofProject, { 'if-none-match': etag })).statusCode).toBe(200)
  })

  it('is the same for concurrent requests, and returned without a body for HEAD', async () => {
    const { ofProject } = await published()
    const pictures = await Promise.all(Array.from({ length: 30 }, () => get(ofProject)))
    expect(pictures.map(({ statusCode }) => statusCode)).toEqual(Array(30).fill(200))
    const head = await t.app.inject({ method: 'HEAD', url: ofProject })
    expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, '', pictures[0]?.headers.etag])
  })

  it('is absent once the project is no longer public, even with a matching ETag', async () => {
    const { owner, project, ofProject, ofEntry } = await published()
    const kept = await Promise.all(
      [ofProject, ofEntry].map(async (url) => ({ url, etag: (await get(url)).headers.etag })),
    )
    const params = { projectId: project._id }
    await t.call(
      'updateProject',
      { params, body: { title: 'x', description: 'y', isPublic: false } },
      { as: owner },
    )
    for (const { url, etag } of kept) {
      const gone = await get(url, { 'if-none-match': String(etag) })
      expect([gone.statusCode, gone.headers['cache-control']]).toEqual([404, 'no-store'])
    }
  })

  it('is absent for missing projects and entries, and for entries of another project', async () => {
    const [here, elsewhere] = [await published(), await published()]
    const none = '0199f1f0-0000-7000-8000-000000000000'
    for (const url of [
      `/world/${none}/share.png`,
      '/world/no-id/share.png',
      `/world/${here.project._id}/entries/${none}/share.png`,
      `/world/${here.project._id}/entries/${elsewhere.entry._id}/share.png`,
    ]) {
      expect([url, (await get(url)).statusCode]).toEqual([url, 404])
    }
  })
})

describe('painting a picture', () => {
  const stops = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ completed: index % 2 === 0, current: index === 1 }))
  const entry = (title: string): Card => ({
    kind: 'entry',
    title,
    projectTitle: title,
    milestoneTitle: title,
    ownerName: title.slice(0, 100),
    stops: stops(3),
    cover: null,
    projectId: 'a',
  })

  const titles = [
    ['long', 'W'.repeat(200)],
    ['long, in words', 'many small words '.repeat(11)],
    ['marked up', '<b>bold</b> & "quotes" {} </svg>'],
    ['Hebrew', 'מסע אל ההר 2026'],
    ['Arabic', 'بناء قارب خشبي'],
    ['Japanese', 'はじめてのパン作り'],
    ['Chinese', '从零开始建造'],
    ['Korean', '나무 카누 만들기'],
    ['Hindi and Thai', 'नाव ภาษาไทย'],
    ['emoji', 'Launch 🚀 👨‍👩‍👧‍👦 ❤️ 🇳🇱'],
    ['in a script without a font', 'ᚠᚢᚦ ⸻ \u{10ffff} \u200b \u202e'],
  ]
  /** Includes a right-to-left script and one with a separate font; all scripts in `npm run test:all`. */
  const few = ['long', 'marked up', 'Arabic', 'Japanese', 'emoji']

  it.each(titles.filter(([what = '']) => process.env.MILEPOST_TESTS === 'all' || few.includes(what)))(
    'with a title that is %s',
    async (_what, title) => {
      expect(await kindOf(await paint(entry(title)))).toBe(PICTURE)
    },
  )

  it.each(['🇵🇹', '1️⃣', '🚀'])('uses the font that contains %s', (sign) => {
    expect(fontsFor(sign).map(({ name }) => name)).toContain('Emoji')
  })

  const samples = [
    ['Latin', 'Łódź żółć ğış Thuyền gỗ'],
    ['Cyrillic and Greek', 'Деревянная лодка ґїє Ξύλινο κανό ἀρχή'],
    ['Arabic and Hebrew', 'قارب خشبي گچپ סירת עץ'],
    ['scripts of India', 'लकड़ी की नाव কাঠের நாவாய் చెక్క લાકડાની ਲੱਕੜ ಮರದ മരത്തോണി ලී ඔරුව'],
    ['scripts of Southeast Asia', 'เรือไม้ ເຮືອໄມ້ ទូកឈើ သစ်သားလှေ'],
    ['Georgian, Armenian and Ethiopic', 'ხის ნავი Փայտե նավակ የእንጨት ጀልባ'],
    ['traditional Chinese', '體育臺灣龜鬱'],
    ['Japanese and Korean', '木のカヌー作り 나무 카누'],
    ['signs', '🚀 ❤️ 🇳🇱 ☀️ ★ ♫ ✓ ■ № € ₹ ∀x∈ℝ ∑ √2 ≤ ∞ → ½'],
  ]

  /** Those with the largest fonts; Japanese has one too. */
  const large = ['scripts of India', 'traditional Chinese']

  it.each(samples.filter(([what = '']) => process.env.MILEPOST_TESTS === 'all' || !large.includes(what)))(
    'has a glyph for each character of %s',
    async (_what, title) => {
      expect([...(await layOut(entry(title))).missing]).toEqual([])
    },
  )

  it('leaves out a line with words that no font can draw, and signs alone', async () => {
    const { svg, missing } = await layOut({ ...entry('A canoe'), projectTitle: 'ᚠᚢᚦ' } as Card)
    expect([...missing]).toEqual(['ᚠ', 'ᚢ', 'ᚦ'])
    expect(svg).toBe((await layOut({ ...entry('A canoe'), projectTitle: '' } as Card)).svg)
    expect((await layOut(entry('A ₿canoe'))).svg).toBe((await layOut(entry('A canoe'))).svg)
  })

  it('draws no boxes for characters without glyphs', async () => {
    expect(await paint(entry('A\u0007 \u0085canoe'))).toEqual(await paint(entry('A canoe')))
  })

  it.each([0, 1, 2, 500])('supports %i milestones', async (count) => {
    const shown = {
      title: 'A canoe',
      ownerName: 'Ada',
      stops: stops(Math.min(count, STOPS_MAX)),
      cover: null,
      projectId: 'a',
    }
    const facts = { ...shown, progress: 50, milestones: count, completed: count }
    expect(await kindOf(await paint({ kind: 'project', ...facts }))).toBe(PICTURE)
  })
})

/** A process of low priority takes a long time on a busy machine. */
const PATIENT = { timeoutMs: 150_000 }

const SITE = { card: { kind: 'site' } as const, cover: null }

describe('the painter', () => {
  it('starts again after it was closed', { tags: ['long'] }, async () => {
    const painter = createPainter(t.deps.log, PATIENT)
    expect(await kindOf(await painter.paint(SITE))).toBe(PICTURE)
    await painter.close()
    expect(await kindOf(await painter.paint(SITE))).toBe(PICTURE)
    await painter.close()
  })

  it('refuses what it cannot paint, and continues', { tags: ['long'] }, async () => {
    const painter = createPainter(t.deps.log, PATIENT)
    const broken = painter.paint({ card: { kind: 'project' } as Card, cover: null })
    await expect(broken).rejects.toMatchObject({ code: 'unavailable' })
    expect(await kindOf(await painter.paint(SITE))).toBe(PICTURE)
    await painter.close()
  })
})

const cardOf = (title: string): Card => ({
  kind: 'project',
  title,
  ownerName: 'Ada',
  progress: 0,
  stops: [],
  milestones: 0,
  completed: 0,
  cover: null,
  projectId: 'a',
})

/** Creates pictures with a painter that records what it paints. */
function recorded() {
  const painted: string[] = []
  const picture = createPictures(async (card) => {
    painted.push('title' in card ? card.title : 'site')
    await new Promise(setImmediate)
    return new Uint8Array(1)
  })
  return { painted, picture }
}

it('a client that asks for sixty pictures does not hold up another that asks for one', async () => {
  const { painted, picture } = recorded()
  const greedy = Array.from({ length: 60 }, (_, index) =>
    picture(clientNamed('192.0.2.1'), cardOf(`greedy ${index}`)),
  )
  const outcomes = Promise.allSettled(greedy)
  await picture(clientNamed('192.0.2.2'), cardOf('modest'))
  expect(painted.indexOf('modest')).toBeLessThanOrEqual(1)
  const refused = (await outcomes).filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(60 - 16)
  expect(refused[0]).toMatchObject({ reason: { code: 'too_many_requests', retryAfter: 5 } })
})

it('a picture is painted once, for many requests of one client and for other clients too', async () => {
  const { painted, picture } = recorded()
  const clients = ['192.0.2.1', '192.0.2.2', ...Array.from({ length: 40 }, () => '192.0.2.3')]
  await Promise.all(clients.map((client) => picture(clientNamed(client), cardOf('A canoe'))))
  expect(painted).toEqual(['A canoe'])
})
