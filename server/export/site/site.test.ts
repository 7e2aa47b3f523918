import { runInNewContext } from 'node:vm'
import { HtmlValidate } from 'html-validate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exported, unzipped } from '#server/export/testing.ts'
import { picture } from '#server/files/testing.ts'
import { uploader } from '#server/files/testing-uploads.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import { sendForm } from '#server/testing/form.ts'
import { type SiteDocument, searchSite } from './search/find.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

type Files = Map<string, Buffer>

/** What the standard forbids. Class names, quotes and the like are matters of taste. */
const validator = new HtmlValidate({
  extends: ['html-validate:standard'],
  rules: { 'no-inline-style': 'error' },
})

async function faultsOf(files: Files): Promise<string[]> {
  const faults: string[] = []
  for (const [path, bytes] of pagesOf(files)) {
    const { results } = await validator.validateString(bytes.toString())
    for (const { ruleId, message, line, column } of results.flatMap(({ messages }) => messages))
      faults.push(`${path}:${line}:${column} ${ruleId} ${message}`)
  }
  return faults
}

const pagesOf = (files: Files) => [...files].filter(([path]) => path.endsWith('.html'))

/** Returns the addresses in pages and style sheets that lead to no file of the site, and scripts. */
function brokenIn(files: Files): string[] {
  return [...files].flatMap(([path, bytes]) => {
    if (!/\.(?:html|css)$/.test(path)) return []
    const text = bytes.toString()
    const addresses = path.endsWith('.css')
      ? [...text.matchAll(/url\(([^)]+)\)/g)].map(([, url = '']) => url)
      : [...text.matchAll(/ (?:href|src|srcset|poster|action)="([^"]*)"/g)].flatMap(([, list = '']) =>
          list.split(', ').map((candidate) => candidate.split(' ')[0] ?? ''),
        )
    const scripts = text.includes('<script') ? [`${path}: a script`] : []
    return scripts.concat(
      addresses.flatMap((address) => {
        if (/^(?:https?:|mailto:|data:|#)/.test(address)) return []
        const { pathname } = new URL(address, `file:///${path.split('/').map(encodeURIComponent).join('/')}`)
        const target = decodeURIComponent(pathname.slice(1))
        return files.has(target) && !address.startsWith('/') ? [] : [`${path}: ${address}`]
      }),
    )
  })
}

async function bakery({
  visibility = 'public',
  title = 'A bakery',
  as,
}: {
  visibility?: string
  title?: string
  as?: Awaited<ReturnType<typeof t.person>>
} = {}) {
  const ada = as ?? (await t.person({ name: 'Ada <Lovelace>' }))
  const project = await t.project(ada, { title, isPublic: true })
  if (visibility !== 'public')
    await t.call(
      'updateProject',
      { params: { projectId: project._id }, body: { title, description: 'Rye', visibility } } as never,
      { as: ada },
    )
  const milestone = await t.milestone(ada, project._id, { title: 'The first loaf' })
  return { ada, project, milestone }
}

async function siteOf(
  as: Awaited<ReturnType<typeof t.person>>,
  project: string,
  base?: string,
  search = false,
) {
  const body = { scope: { project }, format: 'site' as const, search, ...(base !== undefined && { base }) }
  return unzipped((await exported(t, as, body)).bytes)
}

describe('a project as a site', () => {
  it('is a folder of valid pages whose links, pictures and styles are all in it, without a script', async () => {
    const { ada, project, milestone } = await bakery()
    const bytes = await picture(2_000, 1_000).jpeg().toBuffer()
    const loaf = await uploader(t).upload(ada, project._id, { name: 'loaf.jpg', bytes })
    const plan = await uploader(t).upload(ada, project._id, {
      name: 'plan.pdf',
      bytes: Buffer.from('%PDF-1.4'),
    })
    const first = await t.entry(ada, milestone._id, {
      title: 'Rye & <water>',
      content: `![A loaf](/files/${loaf._id} "Warm")\n\n[plan](/files/${plan._id}) $x^2$\n\n- [ ] bake\n\n| a | b |\n| :-: | - |\n| 1 | 2 |\n\n\`\`\`js\nlet a = 1 < 2\n\`\`\`\n\nhttps://youtu.be/dQw4w9WgXcQ`,
      tags: ['Rye', 'Ofen & Öl', 'https://a.example/?b=c'],
      happenedAt: '2026-01-01T12:00:00Z',
    })
    const second = await t.milestone(ada, project._id, { title: 'THE FIRST LOAF' })
    for (let number = 1; number <= 14; number += 1)
      await t.entry(ada, second._id, {
        title: `Day ${number}`,
        content: `See [before](/projects/${project._id}/milestones/${milestone._id}/entries/${first._id}#a)`,
      })
    const files = await siteOf(ada, project._id)
    expect(brokenIn(files)).toEqual([])
    expect(await faultsOf(files)).toEqual([])
    const others = [...files.keys()].filter((path) => !/^(?:entries|media)\/|\.woff2$/.test(path))
    expect(others.toSorted()).toEqual([
      '404.html',
      'apple-touch-icon.png',
      'favicon.ico',
      'favicon.svg',
      'index.html',
      'milestones/the-first-loaf-page-2.html',
      'milestones/the-first-loaf.html',
      'story.html',
      'style.css',
      'tags/https-a-example-b-c.html',
      'tags/ofen-öl.html',
      'tags/rye.html',
    ])
    const unstyled = pagesOf(files).filter(([, page]) => !page.includes('rel="stylesheet"'))
    expect(unstyled).toEqual([])
    expect(files.get('entries/2026-01-01-rye-water.html')?.toString()).toContain('A loaf')
    const linked = [...files].filter(([, text]) =>
      text.includes('href="../entries/2026-01-01-rye-water.html#a"'),
    )
    expect(linked).toHaveLength(14)
    expect([...files.keys()].filter((path) => path.endsWith('.pdf'))).toHaveLength(1)
  })

  it('has no file that a browser or the host of the site would run', async () => {
    const { ada, project, milestone } = await bakery()
    const bytes = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    const names = ['run.php', 'run.PHTML', 'page.html', 'drawing.svg', 'run.cgi', '.htaccess']
    const uploads = []
    for (const name of names) uploads.push(await uploader(t).upload(ada, project._id, { name, bytes }))
    const content = uploads.map(({ _id }, index) => `[${index}](/files/${_id})`).join('\n')
    await t.entry(ada, milestone._id, { title: 'Files', content })
    const files = [...(await siteOf(ada, project._id)).keys()].filter((path) => path.startsWith('media/'))
    expect(files).toHaveLength(names.length)
    expect(files.filter((path) => !path.endsWith('.bin'))).toEqual([])
  })

  it('has nothing that a visitor does not see', async () => {
    const { ada, project, milestone } = await bakery()
    await t.entry(ada, milestone._id, { title: 'Told', content: 'to all' })
    await t.entry(ada, milestone._id, { title: 'Kept', content: 'secretly', state: 'draft' } as never)
    const text = [...(await siteOf(ada, project._id)).values()].map(String).join('\n')
    expect(text).toContain('Told')
    expect(text).not.toMatch(/Kept|secretly/)
  })

  it('is made of a private project for its members, whom no search engine follows there', async () => {
    const { ada, project, milestone } = await bakery({ visibility: 'private' })
    const bytes = await picture(200, 100).jpeg().toBuffer()
    const loaf = await uploader(t).upload(ada, project._id, { name: 'loaf.jpg', bytes })
    const told = { title: 'Told', content: `![A loaf](/files/${loaf._id})`, tags: ['Rye'] }
    await t.entry(ada, milestone._id, told)
    await t.entry(ada, milestone._id, { title: 'Kept', content: 'secretly', state: 'draft' } as never)
    const viewer = await t.member(project._id, 'viewer')
    const files = await siteOf(viewer, project._id, 'https://bread.example/', true)
    expect(brokenIn(files)).toEqual(['search.html: a script'])
    expect(await faultsOf(files)).toEqual([])
    const indexed = pagesOf(files).filter(([, page]) => !page.includes('noindex'))
    expect(indexed).toEqual([])
    const text = [...files.values()].map(String).join('\n')
    expect(text).not.toMatch(/Kept|secretly|localhost|rel="canonical"|Shared with you|Public Project/)
    expect([...files.keys()].filter((path) => path.startsWith('media/')).length).toBeGreaterThan(0)
    expect([...files.keys()].filter((path) => path.startsWith('feed.'))).toEqual([])
    expect(files.get('index.html')?.toString()).toMatch(/<form[^>]* action="search\.html"/)

    const body = { scope: { project: project._id }, format: 'site' as const }
    const stranger = await t.person()
    expect(await t.refused('prepareExport', { body }, { as: stranger })).toMatchObject({ status: 404 })
  })

  it('is made of all projects of a person, each in its folder, with links between them', async () => {
    const { ada, milestone } = await bakery({ title: 'Bread' })
    const told = await t.entry(ada, milestone._id, { title: 'Told', content: 'to all' })
    const { project: second, milestone: other } = await bakery({
      as: ada,
      title: 'bread',
      visibility: 'private',
    })
    const linked = `See [there](/projects/x/milestones/x/entries/${told._id})`.replaceAll(
      '/x',
      `/${second._id}`,
    )
    await t.entry(ada, other._id, { title: 'Own', content: linked })
    await bakery({ title: 'Of somebody else' })
    const body = {
      scope: 'account' as const,
      format: 'site' as const,
      search: true,
      base: 'https://b.example/',
    }
    const files = await unzipped((await exported(t, ada, body)).bytes)
    expect(brokenIn(files)).toEqual(['bread/search.html: a script', 'bread-2/search.html: a script'])
    expect(await faultsOf(files)).toEqual([])
    const index = files.get('index.html')?.toString() ?? ''
    expect(index).toContain('href="bread/index.html"')
    expect(index).toContain('href="bread-2/index.html"')
    expect(index).toContain('noindex')
    expect(index).not.toContain('Of somebody else')
    expect(files.get(`bread-2/entries/${told.happenedOn}-own.html`)?.toString()).toContain(
      `href="../../bread/entries/${told.happenedOn}-told.html"`,
    )
    expect([...files.keys()].filter((path) => path.includes('feed.'))).toEqual([
      'bread/feed.atom',
      'bread/feed.rss',
      'bread/feed.json',
    ])
    expect(files.get('bread/feed.atom')?.toString()).toContain('https://b.example/bread/entries/')
  })

  it('is made although an entry has to be rendered again, as after an update', async () => {
    const { ada, project, milestone } = await bakery()
    const { _id } = await t.entry(ada, milestone._id, { title: 'First', content: 'It **rose**' })
    await t.entry(ada, milestone._id, { title: 'Second', content: 'It **fell**' })
    await t.deps.db.updateTable('entry_renderings').set({ renderer: 0 }).where('entry_id', '=', _id).execute()
    const text = [...(await siteOf(ada, project._id)).values()].map(String).join('\n')
    expect(text).toContain('It <strong>rose</strong>')
    expect(text).toContain('It <strong>fell</strong>')
  })

  it('has feeds with whole addresses once it is told where it will be', async () => {
    const { ada, project, milestone } = await bakery({ title: 'خبز' })
    await t.entry(ada, milestone._id, { title: 'Rye', content: 'Fed at nine' })
    const files = await siteOf(ada, project._id, 'https://bread.example/log&more')
    const feed = files.get('feed.atom')?.toString() ?? ''
    expect(feed).toMatch(/https:\/\/bread\.example\/log%26more\/entries\/[\d-]+-rye\.html/)
    expect(feed).not.toContain('localhost')
    const page = files.get('index.html')?.toString() ?? ''
    expect(page).toContain('<link rel="canonical" href="https://bread.example/log%26more/index.html">')
    expect(page).toContain('href="feed.atom"')
    expect(page).not.toContain('localhost')
    expect(brokenIn(files)).toEqual([])
    expect(await faultsOf(files)).toEqual([])
  })

  it('shows the pictures of authors', async () => {
    const { ada, project, milestone } = await bakery()
    const image = { bytes: await picture(80, 80).png().toBuffer(), type: 'image/png' }
    await sendForm(t.app, { method: 'PUT', url: '/api/account/picture', as: ada, fields: {}, image })
    const entry = await t.entry(ada, milestone._id, { title: 'Rye', content: 'Fed' })
    const files = await siteOf(ada, project._id)
    const pictures = [...files].filter(([path]) => path.startsWith('media/person-'))
    expect(pictures.map(([, bytes]) => bytes.subarray(8, 12).toString())).toEqual(['WEBP'])
    expect(files.get(`entries/${entry.happenedOn}-rye.html`)?.toString()).toContain(
      `src="../${pictures[0]?.[0]}"`,
    )
    expect(brokenIn(files)).toEqual([])
  })

  it('has a page that searches it, if that is wanted, and no other page has a script', async () => {
    const { ada, project, milestone } = await bakery()
    const entry = await t.entry(ada, milestone._id, {
      title: 'Crème brûlée </script>',
      content: 'Fed the **starter**',
      tags: ['Ofen'],
    })
    const files = await siteOf(ada, project._id, undefined, true)
    expect(brokenIn(files)).toEqual(['search.html: a script'])
    expect(await faultsOf(files)).toEqual([])
    expect(files.get('index.html')?.toString()).toMatch(/<form[^>]* action="search\.html"/)
    expect(files.get('search.html')?.toString()).toMatch(
      /<script src="search\.js" data-files="1" defer><\/script>/,
    )
    expect(files.get('search.js')?.toString()).not.toMatch(/\b(?:import|export) |require\(/)
    const self: { milepostSearch?: SiteDocument[] } = {}
    runInNewContext(files.get('search/1.js')?.toString() ?? '', { self })
    const find = (q: string) => {
      const search = searchSite(q, 50)
      search.look(self.milepostSearch ?? [])
      return search.found().hits
    }
    const found = find('creme start tag:ofen')
    expect(found).toEqual([
      {
        kind: 'entry',
        title: 'Crème brûlée </script>',
        path: expect.stringMatching(/^entries\/[^/]+\.html$/),
        on: entry.happenedOn,
        milestone: 'The first loaf',
        tags: ['Ofen'],
        text: 'Fed the starter',
      },
    ])
    expect(files.has(decodeURIComponent(found[0]?.path ?? ''))).toBe(true)
    expect(find('loaf')).toMatchObject([{ kind: 'milestone', path: 'index.html' }])

    const plain = await siteOf(ada, project._id)
    expect([...plain.keys()].filter((path) => path.startsWith('search'))).toEqual([])
    expect(plain.get('index.html')?.toString()).not.toContain('<form')
  })
})
