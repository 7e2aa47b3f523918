import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FILTERS } from '#contract/search-query.ts'
import { picture } from '#server/files/testing.ts'
import { uploader } from '#server/files/testing-uploads.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { deleted } from '#server/trash/testing.ts'
import { fillIndex, gatherWords } from './upkeep.ts'
import { INDEX_VERSION } from './words.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const search = (as: Person, q: string, more: { page?: number; kind?: 'entry' } = {}) =>
  t.call('search', { query: { q, ...more } }, { as })
const titles = async (as: Person, q: string) => (await search(as, q)).hits.map(({ title }) => title.text)

describe('what is found', () => {
  let ada: Person
  const texts: [title: string, content: string, tags?: string[]][] = [
    ['Werkbank', 'Das Mühlrad und die Straße nach Łódź, gehobelt im März'],
    ['Étagère', 'Une étagère en chêne, vernie à la main'],
    ['Молоток', 'Купил новый молоток и ёлку, й остаётся'],
    ['İstanbul', 'ISPARTA halısı ve çekiç'],
    ['木工', '木の椅子を作る。東京都の職人に会った。'],
    ['カタカナ', 'ﾊﾟﾝを焼く、が'],
    ['한글 문서', '나무로 만든 의자와 책상'],
    ['ไม้', 'ฉันทำเก้าอี้ไม้ไผ่'],
    ['كرسي', 'صنعتُ كُرسيًّا من الخشب'],
    ['Config', 'Edit `server.config.ts`, then learn C++ or C# and R'],
    [
      'The well-known lathe',
      "It's O'Neil's \"oak\" \\ 100 % ready & <div>bold</div>",
      ['Garden work', 'été'],
    ],
    ['🎉', 'A party'],
    ['Varnish', 'The first coat dried overnight, and the second coat too'],
    ['造船', '我们在上海造了一条木船，涂上清漆。'],
    ['נגרות', 'בָּנִיתִי שֻׁלְחָן מֵעֵץ אַלּוֹן'],
    ['Segelbootsbau', 'Schöne Grüße, die Planken aus Eschenholz sitzen'],
    ['Crate', 'supercalifragilistic'],
    ['Address', 'page2#frag'],
  ]
  beforeAll(async () => {
    ada = await t.person({ name: 'Ada' })
    const { _id: projectId } = await t.project(ada, { title: 'Workshop', description: 'A bench of ash' })
    const { _id: milestoneId } = await t.milestone(ada, projectId, {
      title: 'Joinery',
      description: 'Dovetails and mortises',
    })
    for (const [title, content, tags = []] of texts) await t.entry(ada, milestoneId, { title, content, tags })
    await fillIndex(t.deps.db)
    await gatherWords(t.deps.db)
  })

  it.each([
    ['muhlrad', 'Werkbank'],
    ['MÜHLRAD', 'Werkbank'],
    ['mühl', 'Werkbank'],
    ['mühlrad'.normalize('NFD'), 'Werkbank'],
    ['strasse', 'Werkbank'],
    ['lodz', 'Werkbank'],
    ['straße gehob', 'Werkbank'],
    ['etagere', 'Étagère'],
    ['chêne', 'Étagère'],
    ['CHENE main', 'Étagère'],
    ['молоток', 'Молоток'],
    ['МОЛОТ', 'Молоток'],
    ['елку', 'Молоток'],
    ['istanbul', 'İstanbul'],
    ['ISTANBUL', 'İstanbul'],
    ['ısparta', 'İstanbul'],
    ['cekic', 'İstanbul'],
    ['木工', '木工'],
    ['椅子', '木工'],
    ['東京', '木工'],
    ['京都', '木工'],
    ['東京都', '木工'],
    ['職人', '木工'],
    ['椅', '木工'],
    ['作る', '木工'],
    ['木の椅子', '木工'],
    ['パン', 'カタカナ'],
    ['カナ', 'カタカナ'],
    ['カタ', 'カタカナ'],
    ['焼く', 'カタカナ'],
    ['한글', '한글 문서'],
    ['문서', '한글 문서'],
    ['의자', '한글 문서'],
    ['책상', '한글 문서'],
    ['한글'.normalize('NFD'), '한글 문서'],
    ['나무', '한글 문서'],
    ['ไม้ไผ่', 'ไม้'],
    ['เก้าอี้', 'ไม้'],
    ['คرسي'.replace('ค', 'ك'), 'كرسي'],
    ['الخشب', 'كرسي'],
    ['صنعت', 'كرسي'],
    ['كُرْسِيّ', 'كرسي'],
    ['صَنَعْتُ', 'كرسي'],
    ['造船', '造船'],
    ['上海', '造船'],
    ['木船', '造船'],
    ['清漆', '造船'],
    ['我们 上海', '造船'],
    ['נגרות', 'נגרות'],
    ['שלחן', 'נגרות'],
    ['שֻׁלְחָן', 'נגרות'],
    ['אלון', 'נגרות'],
    ['segelboot', 'Segelbootsbau'],
    ['bootsbau', 'Segelbootsbau'],
    ['holz', 'Segelbootsbau'],
    ['schone grusse', 'Segelbootsbau'],
    ['GRÜSSE', 'Segelbootsbau'],
    ['Schoene', 'Segelbootsbau'],
    ['eschenhloz', 'Segelbootsbau'],
    ['SEGELBOOTSBAU', 'Segelbootsbau'],
    ['server.config.ts', 'Config'],
    ['config.ts', 'Config'],
    ['server.con', 'Config'],
    ['c++', 'Config'],
    ['c#', 'Config'],
    ['R', 'Config'],
    ['well-known', 'The well-known lathe'],
    ['known lathe', 'The well-known lathe'],
    ["o'neil", 'The well-known lathe'],
    ['garden', 'The well-known lathe'],
    ['ete', 'The well-known lathe'],
    ['tag:ete', 'The well-known lathe'],
    ['tag:#ete', 'The well-known lathe'],
    ['tag:"garden work" lathe', 'The well-known lathe'],
    ['garden tag:', 'The well-known lathe'],
    ['garden by:@me', 'The well-known lathe'],
    ['🎉', '🎉'],
    ['"second coat"', 'Varnish'],
    ['coat overn', 'Varnish'],
    ['joinery', 'Joinery'],
    ['dovetail', 'Joinery'],
    ['workshop', 'Workshop'],
    ['ash', 'Workshop'],
    // Parts of words, and slips.
    ['rnish', 'Varnish'],
    ['ühlra', 'Werkbank'],
    ['varnsih', 'Varnish'],
    ['muehlrad', 'Werkbank'],
    ['молотк', 'Молоток'],
    ['lathee', 'The well-known lathe'],
    // What contains the letters comes before a similar word: "2#frag" and "fragil" share as many letters.
    ['fragil', 'Crate'],
    // Signs as keyboards of Chinese and Japanese write them.
    ['tag：ete', 'The well-known lathe'],
    ['garden by：me', 'The well-known lathe'],
    ['garden after：２００１', 'The well-known lathe'],
    ['＂second coat＂', 'Varnish'],
    ['coat －dovetails', 'Varnish'],
  ])('%s finds %s first', async (q, title) => {
    expect((await titles(ada, q))[0]).toBe(title)
  })

  it.each([
    '"coat second"',
    'nowhere',
    '"o\' neil"',
    'in:nowhere coat',
    'is:draft',
    'has:file',
    'by:Charles',
    "'\\",
    ':*',
    '()',
    '!&|',
    '<->',
  ])('%s finds nothing', async (q) => {
    expect(await titles(ada, q)).toEqual([])
  })

  it('marks the words in titles and passages, in the letters as they were typed', async () => {
    const [hit] = (await search(ada, 'muhlrad lodz')).hits
    const marked = hit?.snippet.marks.map(({ start, length }) =>
      hit.snippet.text.slice(start, start + length),
    )
    expect(marked).toEqual(['Mühlrad', 'Łódź'])
    const [lathe] = (await search(ada, 'lathe')).hits
    expect(lathe).toMatchObject({
      title: { marks: [{ start: 15, length: 5 }] },
      kind: 'entry',
      isDraft: false,
    })
    expect(lathe?.snippet.text).toContain('ready & <div>bold</div>')
  })

  it.each([
    ['etag', 'étag'],
    ['uhlra', 'ühlra'],
    ['dovetial', 'Dovetails'],
  ])('marks of a word what was typed, or the whole word that was misspelled: %s', async (q, marked) => {
    const [hit] = (await search(ada, q)).hits
    const [mark] = hit?.snippet.marks ?? []
    expect(hit?.snippet.text.substr(mark?.start ?? 0, mark?.length)).toBe(marked)
  })

  it.each([
    ['coat -second', []],
    ['coat -dovetails', ['Varnish']],
    // A whole word, and its accents do not matter.
    ['coat -sec', ['Varnish']],
    ['etagere -chene', []],
    ['coat -"second coat"', []],
    ['coat −second', []],
    ['coat - first', ['Varnish']],
    ['well-known', ['The well-known lathe']],
    ['garden -lathe', []],
    ['garden -tag:été', []],
    ['garden -tag:#été', []],
    ['garden -tag:rye -has:picture -is:draft -in:Nowhere -by:Charles', ['The well-known lathe']],
    ['garden -in:Workshop', []],
    ['garden -by:me', []],
    ['garden -before:2001', ['The well-known lathe']],
    ['garden -after:2001', []],
    ['after:01.02.2001 before:2999/1/1 garden', ['The well-known lathe']],
    ['清漆 -木船', []],
    ['“second coat”', ['Varnish']],
    ['“coat second”', []],
    ['„second coat“', ['Varnish']],
    ['« coat second »', []],
  ])('%s finds what the minus signs and quotation marks leave', async (q, found) => {
    expect(await titles(ada, q)).toEqual(found)
  })

  it('lists what a minus sign alone leaves', async () => {
    const all = await titles(ada, 'in:Workshop')
    expect(await titles(ada, '-coat')).toEqual(all.filter((title) => title !== 'Varnish'))
  })

  it('is what the filters leave, and filters that name nothing are named', async () => {
    const { hits, unknown } = await search(ada, 'in:Work by:me after:2001 before:2999-01-01 coat', {
      kind: 'entry',
    })
    expect(hits.map(({ title }) => title.text)).toEqual(['Varnish'])
    expect(unknown).toEqual([])
    const nothing = 'in:nowhere before:soon after:0000 before:2026-02-30 has:noise'
    expect((await search(ada, `${nothing} coat`)).unknown).toEqual(nothing.split(' '))
    expect(await titles(ada, 'before:2001 coat')).toEqual([])
  })

  it.each(Object.keys(FILTERS))('is less by %s:', async (name) => {
    expect((await search(ada, `${name}:nothing-of-the-kind`)).hits).toEqual([])
  })

  it('is nothing new on the pages after the last one, and everything without words', async () => {
    const first = await search(ada, '')
    expect(first.hits).toHaveLength(20)
    expect(first).toMatchObject({ hasNext: false, isIndexing: false })
    expect((await search(ada, '', { page: 2 })).hits).toEqual([])
  })
})

describe('what is written in several ways', () => {
  let ada: Person
  const texts: [title: string, content: string][] = [
    ['학교', '저는 어제 학교에서 물과 책을 받았습니다'],
    ['京都', '昨日、京都で高かった机を買いました。プリンタとコーヒーも。'],
    ['北京', '今天我在北京做了一张木桌子'],
    ['Мастерская', 'Работал в мастерской, купил гвозди длиной 50 мм'],
    ['मराठी', 'हिन्दी में लिखा, २५ घंटे'],
    ['Measures', 'O’Brien sent 25 kg of 3.5mm screws, 1,000 of them, on 2×4s of ½ inch, by e-mail'],
    ['Separate', 'Kept the parts separate'],
    ['Operate', 'To operate it again'],
    ['Varnish', 'The second coat'],
  ]
  beforeAll(async () => {
    ada = await t.person()
    const { _id: projectId } = await t.project(ada, { title: 'Notes' })
    const { _id: milestoneId } = await t.milestone(ada, projectId, { title: 'Days' })
    for (const [title, content] of texts) await t.entry(ada, milestoneId, { title, content })
    await fillIndex(t.deps.db)
    await gatherWords(t.deps.db)
  })

  it.each([
    // Particles and endings, and words that stand elsewhere in the text.
    ['저', '학교'],
    ['물', '학교'],
    ['학교 책', '학교'],
    ['학교는', '학교'],
    ['받았다', '학교'],
    ['高い', '京都'],
    ['京都の机', '京都'],
    ['プリンター', '京都'],
    ['こーひー', '京都'],
    ['北京桌子', '北京'],
    ['мастерскую', 'Мастерская'],
    // Numbers, and words that are joined or apart.
    ['50мм', 'Мастерская'],
    ['हिंदी', 'मराठी'],
    ['25 घंटे', 'मराठी'],
    ['25kg', 'Measures'],
    ['3.5 mm', 'Measures'],
    ['3,5 mm', 'Measures'],
    ['1000 screws', 'Measures'],
    ['2x4', 'Measures'],
    ['1/2 inch', 'Measures'],
    ['obrien', 'Measures'],
    ['email', 'Measures'],
    // A word with one slip comes before one that shares many letters.
    ['seperate', 'Separate'],
    // A phrase that is still being typed.
    ['"second co', 'Varnish'],
  ])('%s finds %s first', async (q, title) => {
    expect((await titles(ada, q))[0]).toBe(title)
  })
})

describe('who finds what', () => {
  it('members find what they may see: no drafts of others, nothing in the trash, nothing of projects that they left', async () => {
    const owner = await t.person({ name: 'Owner' })
    const { _id: projectId } = await t.project(owner, { title: 'Zebra project', visibility: 'private' })
    const { _id: milestoneId } = await t.milestone(owner, projectId, { title: 'Zebra milestone' })
    const editor = await t.member(projectId, 'editor')
    const viewer = await t.member(projectId, 'viewer')
    const stranger = await t.person()
    await t.entry(owner, milestoneId, { title: 'Zebra entry' })
    await t.entry(owner, milestoneId, { title: 'Zebra draft of the owner', state: 'draft' })
    const draft = await t.entry(editor, milestoneId, { title: 'Zebra draft of the editor', state: 'draft' })
    const gone = await t.entry(editor, milestoneId, { title: 'Zebra in the trash' })
    await deleted(t, editor, { milestoneId, entryId: gone._id })
    const other = await t.project(owner, { title: 'Zebra elsewhere', visibility: 'unlisted' })
    await t.milestone(owner, other._id, { title: 'Zebra of a public project' })
    const shared = ['Zebra entry', 'Zebra milestone', 'Zebra project']
    const found = async (who: Person) => (await titles(who, 'zebra')).toSorted()
    expect(await found(viewer)).toEqual(shared)
    expect(await found(editor)).toEqual([...shared, draft.title].toSorted())
    expect(await found(owner)).toEqual(
      [...shared, 'Zebra draft of the owner', 'Zebra elsewhere', 'Zebra of a public project'].toSorted(),
    )
    expect(await found(stranger)).toEqual([])
    expect(await titles(editor, 'zebra is:draft')).toEqual([draft.title])
    // In every filter too.
    expect((await search(stranger, 'in:Zebra')).unknown).toEqual(['in:Zebra'])

    await t.pool.query(`delete from collaborators where project_id = $1 and user_id = $2`, [
      projectId,
      viewer.userId,
    ])
    expect(await found(viewer)).toEqual([])
    await t.call(
      'updateEntry',
      { params: { milestoneId, entryId: draft._id }, body: { state: 'published' } },
      { as: editor },
    )
    expect(await found(owner)).toContain(draft.title)
    const deletionId = await deleted(t, owner, { projectId })
    expect(await found(editor)).toEqual([])
    await t.call('restoreDeletion', { params: { deletionId }, body: {} }, { as: owner })
    expect(await found(editor)).toEqual([...shared, draft.title].toSorted())
  })

  it('several projects or people are alternatives, and of several days all hold', async () => {
    const ada = await t.person({ name: 'Ada' })
    const projects = [
      await t.project(ada, { title: 'Red  boat' }),
      await t.project(ada, { title: 'Blue boat' }),
    ]
    const [red = '', blue = ''] = projects.map(({ _id }) => _id)
    await t.project(ada, { title: 'House' })
    const ben = await t.member(red, 'editor')
    const write = async (who: Person, projectId: string, title: string, happenedOn: string) =>
      t.entry(who, (await t.milestone(ada, projectId))._id, { title, happenedOn, happenedZone: 'UTC' })
    await write(ada, red, 'Okapi of Ada', '2024-01-01')
    await write(ada, blue, 'Okapi in blue', '2025-01-01')
    await write(ben, red, 'Okapi of Ben', '2026-01-01')
    const found = async (q: string) => (await titles(ada, q)).toSorted()
    const all = ['Okapi in blue', 'Okapi of Ada', 'Okapi of Ben']
    expect(await found('okapi in:"red boat" in:blue')).toEqual(all)
    expect(await found('okapi in:boat -in:blue')).toEqual(['Okapi of Ada', 'Okapi of Ben'])
    expect(await found('okapi by:me by:"the editor"')).toEqual(all)
    expect(await found('okapi after:2024 after:2025 before:2027 before:2026')).toEqual(['Okapi in blue'])
  })

  it('files are found by their names, and has:picture finds the entries that show one', async () => {
    const ada = await t.person()
    const { _id: projectId } = await t.project(ada)
    const { _id: milestoneId } = await t.milestone(ada, projectId)
    const bytes = await picture(6, 4).png().toBuffer()
    const file = await uploader(t).upload(ada, projectId, { name: 'kitchen-plan.png', bytes })
    await t.entry(ada, milestoneId, { title: 'Plan', content: `![the second floor](/files/${file._id})` })
    await t.entry(ada, milestoneId, { title: 'Words' })
    for (const q of ['kitchen', 'kitchen-plan.png', 'second floor', 'has:picture', 'has:pictures in:me'])
      expect((await search(ada, q.replace(' in:me', ''))).hits.map(({ title }) => title.text)).toEqual([
        'Plan',
      ])
  })
})

describe('with more things than are looked at one by one', () => {
  let ada: Person
  beforeAll(async () => {
    ada = await t.person()
    const { _id: projectId } = await t.project(ada, { title: 'Long journal' })
    const { _id: milestoneId } = await t.milestone(ada, projectId)
    const at = (year: number) => ({ happenedAt: `${year}-01-01T12:00:00Z`, happenedZone: 'UTC' })
    await t.entry(ada, milestoneId, { title: 'Okapi', content: 'Seen at dusk', ...at(1999) })
    await t.entry(ada, milestoneId, { title: 'Zoo', content: 'An okapi, asleep', ...at(1998) })
    await t.entry(ada, milestoneId, { title: 'Tagged', tags: ['okapis'], ...at(1997) })
    await t.entry(ada, milestoneId, { title: 'Draft', content: 'okapi', state: 'draft', ...at(1996) })
    await t.pool.query(
      `insert into entries (id, milestone_id, title, content, tags, happened_at, created_at, updated_at)
       select gen_random_uuid(), $1, case when i = 1 then 'Newest okapi' else 'Day ' || i end, 'x', '{}',
         timestamptz '2020-01-01' - i * interval '1 day', now(), now() from generate_series(1, 1010) i`,
      [milestoneId],
    )
    await fillIndex(t.deps.db)
  })

  it.each([
    ['okapi', ['Newest okapi', 'Okapi', 'Tagged', 'Zoo', 'Draft']],
    ['okapi -asleep', ['Newest okapi', 'Okapi', 'Tagged', 'Draft']],
    ['okapi -dusk -day -newest', ['Tagged', 'Zoo', 'Draft']],
    ['okapi after:1998', ['Newest okapi', 'Okapi', 'Zoo']],
    ['okapi before:1999', ['Tagged', 'Zoo', 'Draft']],
    ['"an okapi"', ['Zoo']],
    ['okapi is:draft', ['Draft']],
    ['okapi tag:okapis', ['Tagged']],
  ])('%s finds the old ones too', async (q, expected) => {
    expect(await titles(ada, q)).toEqual(expected)
  })

  it('finds nothing of them for others', async () => {
    expect(await titles(await t.person(), 'okapi')).toEqual([])
  })
})

it('what is indexed of an entry changes only with the version of the index', async () => {
  const ada = await t.person({ name: 'Ada' })
  const { _id: projectId } = await t.project(ada)
  const { _id: milestoneId } = await t.milestone(ada, projectId)
  const bytes = await picture(6, 4).png().toBuffer()
  const file = await uploader(t).upload(ada, projectId, { name: 'Plan.png', bytes })
  const { _id: entryId } = await t.entry(ada, milestoneId, {
    title: 'Straße nach Łódź',
    content: `Send an **e-mail**: 木の椅子 [C++](https://example.org) ![oak](/files/${file._id})`,
    tags: ['Wood'],
    happenedAt: '2026-03-04T23:00:00.000Z',
    happenedZone: 'Europe/Berlin',
  })
  await fillIndex(t.deps.db)
  const { rows } = await t.pool.query(
    'select kind, is_draft, happened_on, has, tags, heads::text, words::text from search_documents where id = $1',
    [entryId],
  )
  expect([INDEX_VERSION, rows[0]]).toMatchInlineSnapshot(`
    [
      3,
      {
        "happened_on": "2026-03-05",
        "has": [
          "picture",
        ],
        "heads": "'lodz':3A 'nach':2A 'strasse':1A 'wood':9B",
        "is_draft": false,
        "kind": "entry",
        "tags": [
          "wood",
        ],
        "words": "'an':16C 'c':23C 'c++':23C 'e':17C 'e-mail':17C 'email':17C 'lodz':3A 'mail':18C 'nach':2A 'oak':24C 'plan':30 'plan.png':30 'png':31 'send':15C 'strasse':1A 'wood':9B 'の椅':20C '子':22C '木の':19C '椅子':21C",
      },
    ]
  `)
})

it('an index of former rules is filled again, also where only the words of a text differ, and one of later rules is not', async () => {
  const ada = await t.person()
  const { _id: projectId } = await t.project(ada, { title: 'Send an e-mail' })
  await fillIndex(t.deps.db)
  const withRules = async (folding: number) => {
    await t.pool.query(`update search_documents set words = to_tsvector('simple', 'send') where id = $1`, [
      projectId,
    ])
    await t.pool.query('update search_state set folding = $1', [folding])
    await fillIndex(t.deps.db)
    return titles(ada, 'email')
  }
  expect(await withRules(INDEX_VERSION - 1)).toEqual(['Send an e-mail'])
  expect(await withRules(INDEX_VERSION + 1)).toEqual([])
  expect(await withRules(INDEX_VERSION - 1)).toEqual(['Send an e-mail'])
})

it('an index that a crash emptied is filled again, and a search says so meanwhile', async () => {
  const ada = await t.person()
  const { _id: projectId } = await t.project(ada, { title: 'Okapi' })
  await fillIndex(t.deps.db)
  expect(await search(ada, 'okapi')).toMatchObject({ hits: [{ _id: projectId }], isIndexing: false })
  await t.pool.query('truncate search_documents, search_queue, search_words, search_state')
  expect(await search(ada, 'okapi')).toMatchObject({ hits: [], isIndexing: true })
  await fillIndex(t.deps.db)
  expect(await search(ada, 'okapi')).toMatchObject({ hits: [{ _id: projectId }], isIndexing: false })
})
