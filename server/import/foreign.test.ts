import { describe, expect, it } from 'vitest'
import { zipOf } from './testing.ts'
import { importingApp } from './testing-app.ts'

const { t, imports } = await importingApp()

const EXPORTS: { [program: string]: [path: string, content: string, way: string] } = {
  Evernote: ['My notes.enex', '<?xml version="1.0"?><en-export><note/></en-export>', 'Yarle or Joplin'],
  'Day One Classic': ['J.dayone/entries/A.doentry', '<plist version="1.0"><dict/></plist>', 'as JSON'],
  'Day One as plain text': ['Journal.txt', '\tDate:\tMay 17, 2024 at 3:42 PM\n\nText', 'as JSON'],
  Journey: ['1554.json', '{"text":"<p>x</p>","date_journal":1554642662000}', 'Markdown'],
  'Standard Notes': [
    'Standard Notes Backup and Import File.txt',
    '{"version":"004","items":[{"uuid":"a"}]}',
    '“Items”',
  ],
  Roam: ['graph.json', '[{"title":"May 17th, 2024","create-time":1,"children":[]}]', 'as Markdown'],
  TiddlyWiki: ['t.json', '[{"title":"A","created":"20240517100000000","text":"x"}]', 'web pages'],
  OPML: ['outline.opml', '<opml version="2.0"><body/></opml>', 'as Markdown'],
  'Twitter or X': ['data/tweets.js', 'window.YTD.tweets.part0 = []', 'twitter-archive-parser'],
  Joplin: [`${'0'.repeat(32)}.md`, 'A note\n\nid: 1\ntype_: 1', 'Front Matter'],
}

describe('the export of a program that is not read here', () => {
  it.each(Object.entries(EXPORTS))(
    'is refused by its name, with the way: %s',
    async (name, [path, content, way]) => {
      const planned = await imports.plan(await t.person(), 'x.zip', await zipOf({ [path]: content }))
      expect(planned).toMatchObject({ state: 'failed', problem: expect.stringContaining(name) })
      expect(planned.problem).toContain(way)
    },
  )

  it('is left out where it is beside texts', async () => {
    const archive = await zipOf({ 'a.md': 'Text', 'graph.json': '[{"title":"x","children":[]}]' })
    const { plan } = await imports.plan(await t.person(), 'x.zip', archive)
    expect(plan).toMatchObject({ source: 'markdown', counts: { entries: 1 } })
  })
})

it('notes of Google Keep are found beside hundreds of albums of pictures', async () => {
  const album = (at: number) => [`Takeout/Google Photos/${at}/a.jpg.json`, '{}']
  const note =
    '{"isTrashed":false,"createdTimestampUsec":1554642662000000,"textContent":"Glue","title":"Glue"}'
  const albums = Object.fromEntries(Array.from({ length: 60 }, (_, at) => album(at)))
  const archive = await zipOf({ ...albums, 'Takeout/Keep/Glue.json': note })
  expect(await imports.plan(await t.person(), 'takeout.zip', archive)).toMatchObject({
    plan: { counts: { entries: 1 } },
  })
})
