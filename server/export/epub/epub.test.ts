import { EpubCheck } from '@likecoin/epubcheck-ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isBlank, isStorable } from '#contract/parts/characters.ts'
import { hostileTexts } from '#markdown/testing/hostile.ts'
import { exported, unzipped } from '#server/export/testing.ts'
import { picture } from '#server/files/testing.ts'
import { uploader } from '#server/files/testing-uploads.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

/** What a checker of EPUB finds, also warnings. */
async function faultsOf(book: Buffer): Promise<string[]> {
  const { messages } = await EpubCheck.validate(book)
  return messages
    .filter(({ severity }) => ['fatal', 'error', 'warning'].includes(severity))
    .map(({ id, message, location }) => `${id} ${message} ${JSON.stringify(location)}`)
}

const bookOf = async (as: Person, project: string) =>
  (await exported(t, as, { scope: { project }, format: 'epub' })).bytes

async function story(title = 'A radio', description = 'Strip by strip\n\n<b>not bold</b> & more') {
  const ada = await t.person({ name: 'Ada <Lovelace>' })
  const project = await t.project(ada, { title, description })
  const milestone = await t.milestone(ada, project._id, { title: 'Lumber & glue', startsOn: '2026-01-02' })
  return { ada, project, milestone }
}

/** All in `npm run test:all`, otherwise every second. */
const hostile = hostileTexts
  .filter(({ content, size }) => size === 1_000 && !isBlank(content) && isStorable(content))
  .filter((_, index) => process.env.MILEPOST_TESTS === 'all' || index % 2 === 0)

const NAUGHTY = [
  '<script>alert(1)</script> <img src=x onerror=alert(1)> </body></html> ]]> <!-- -->',
  '\u0001\u0008 ? ﷽ Z̮̞̠͙͔ͅḀ̗̞͈̻̗Ḷ͙͎̯̹̞͓G̻O̭̗̮ 田中さん 🏳️‍🌈 ثم نفس سقطت \u202etest\u202d',
  '&nbsp; &lt; &#0; &#x1F600; &notanentity; "quotes" \'single\'',
  `${'  '.repeat(0)}${Array.from({ length: 60 }, (_, depth) => `${'  '.repeat(depth)}- deep`).join('\n')}`,
  '> '.repeat(200) + 'quoted',
  '# A\n\n# A\n\n# 1 é "x"\n\n[to it](#a) [nowhere](#none) [bad](http://[::1)',
  '| a | b |\n| :-: | -: |\n| **x** | `y` |\n\nNote[^1] and again[^1]\n\n[^1]: Below\n\n- [x] done\n- [ ] open',
  '$x^2 + \\frac{a}{b}$\n\n$$\n\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}\n$$\n\n```js\nlet a = 1 < 2\n```\n\n> [!NOTE]\n> Mind',
  '<https://example.org/?a=1&b=2> mailto:a@example.org ~~gone~~ https://www.youtube.com/watch?v=dQw4w9WgXcQ',
]

describe('a project as EPUB', () => {
  it('is valid, with parts, chapters, pictures, formulas and links between entries', async () => {
    const { ada, project, milestone } = await story()
    const bytes = await picture(2_000, 1_000).jpeg().toBuffer()
    const file = await uploader(t).upload(ada, project._id, { name: 'board.jpg', bytes })
    const film = await uploader(t).upload(ada, project._id, {
      name: 'plan.pdf',
      bytes: Buffer.from('%PDF-1.4'),
    })
    const first = await t.entry(ada, milestone._id, {
      title: 'First & <second>',
      content: `![A board](/files/${file._id} "In June")\n\n[plan](/files/${film._id})`,
      happenedAt: '2026-01-01T12:00:00Z',
    })
    const link = `/projects/${project._id}/milestones/${milestone._id}/entries/${first._id}`
    await t.entry(ada, milestone._id, {
      title: 'Next',
      content: `Since [then](${link}): $x^2$ and [gone](/settings)`,
    })
    await t.milestone(ada, project._id, { title: 'Empty part' })
    const book = await bookOf(ada, project._id)
    expect(await faultsOf(book)).toEqual([])
    const files = await unzipped(book)
    const text = (path: string) => files.get(`book/${path}`)?.toString() ?? ''
    expect([...files.keys()][0]).toBe('mimetype')
    expect(book.subarray(30, 58).toString()).toBe('mimetypeapplication/epub+zip')
    expect(text('entry-1.xhtml')).toContain(`<img src="media/${file._id}.webp"`)
    expect(text('entry-2.xhtml')).toContain('<a href="entry-1.xhtml">then</a>')
    expect(text('entry-2.xhtml')).toContain('<math xmlns="http://www.w3.org/1998/Math/MathML"')
    expect(text('entry-2.xhtml')).toContain('<a>gone</a>')
    expect(text('nav.xhtml')).toContain('First &amp; &lt;second&gt;')
    expect(text('content.opf')).toContain('properties="cover-image"')
    expect(text('content.opf')).toMatch(/href="entry-2\.xhtml"[^>]*properties="mathml"/)
  })

  it('is one of several in an archive of all projects of a person, also of private ones', async () => {
    const { ada, milestone } = await story('Bread')
    await t.entry(ada, milestone._id, { title: 'Rye', content: 'Fed' })
    await t.project(ada, { title: 'bread', isPublic: false })
    await story('Of somebody else')
    const { bytes, headers } = await exported(t, ada, { scope: 'account', format: 'epub' })
    expect(headers['content-disposition']).toMatch(/milepost-books-[\d-]+\.zip/)
    const books = await unzipped(bytes)
    expect([...books.keys()]).toEqual(['bread.epub', 'bread-2.epub'])
    for (const book of books.values()) expect(await faultsOf(book)).toEqual([])
    expect((await unzipped(books.get('bread.epub') ?? bytes)).has('book/entry-1.xhtml')).toBe(true)
  })

  it('is valid whatever was written, and runs nothing', { timeout: 120_000 }, async () => {
    const { ada, project, milestone } = await story(
      '<i>&amp;\u0007 "title"',
      NAUGHTY.join('\n\n').slice(0, 4_000),
    )
    for (const content of NAUGHTY)
      await t.entry(ada, milestone._id, { title: content.slice(0, 100), content })
    for (const { name, content } of hostile) await t.entry(ada, milestone._id, { title: name, content })
    const book = await bookOf(ada, project._id)
    expect(await faultsOf(book)).toEqual([])
    const pages = [...(await unzipped(book))].filter(([path]) => path.endsWith('.xhtml'))
    expect(pages.length).toBeGreaterThan(30)
    for (const [, content] of pages)
      expect(content.toString()).not.toMatch(/<(?:script|iframe|video)|\son\w+="/)
  })

  it('is right-to-left if its title is', async () => {
    const { ada, project, milestone } = await story('مشروع القارب', 'كتبت هذا في الليل')
    await t.entry(ada, milestone._id, { title: 'الأول', content: 'نص' })
    const book = await bookOf(ada, project._id)
    expect(await faultsOf(book)).toEqual([])
    const files = await unzipped(book)
    expect(files.get('book/content.opf')?.toString()).toContain('page-progression-direction="rtl"')
    expect(files.get('book/entry-1.xhtml')?.toString()).toContain('dir="rtl"')
  })

  it('has the same bytes for the same content', async () => {
    const { ada, project, milestone } = await story()
    await t.entry(ada, milestone._id, { content: 'One' })
    const before = await bookOf(ada, project._id)
    t.later(90_000)
    expect(Buffer.compare(await bookOf(ada, project._id), before)).toBe(0)
    await t.entry(ada, milestone._id, { content: 'Two' })
    expect(Buffer.compare(await bookOf(ada, project._id), before)).not.toBe(0)
  })

  it('has nothing that another reader of the project does not see', async () => {
    const { ada, project, milestone } = await story()
    const shown = await t.entry(ada, milestone._id, { title: 'Published' })
    const draft = await t.entry(ada, milestone._id, { title: 'Unfinished', state: 'draft' })
    const trashed = await t.entry(ada, milestone._id, { title: 'In the trash' })
    await t.call('deleteEntry', { params: { milestoneId: milestone._id, entryId: trashed._id } }, { as: ada })
    const viewer = await t.member(project._id, 'viewer')
    for (const as of [ada, viewer]) {
      const files = await unzipped(await bookOf(as, project._id))
      const all = [...files.values()].map((bytes) => bytes.toString()).join('\n')
      expect(all).toContain('Published')
      for (const hidden of ['Unfinished', 'In the trash', 'example.test', ada.userId])
        expect(all).not.toContain(hidden)
    }
    const one = { scope: { entry: shown._id }, format: 'epub' as const }
    expect(await faultsOf((await exported(t, viewer, one)).bytes)).toEqual([])
    const { url } = await t.call(
      'prepareExport',
      { body: { ...one, scope: { entry: draft._id } } },
      { as: ada },
    )
    expect((await t.app.inject(url)).statusCode).toBe(404)
    const stranger = await t.person()
    expect(
      await t.refused(
        'prepareExport',
        { body: { scope: { project: project._id }, format: 'epub' } },
        { as: stranger },
      ),
    ).toMatchObject({ status: 404 })
  })
})
