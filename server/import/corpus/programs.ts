import { json, PICTURE, type Sample } from './sample.ts'

const note = {
  color: 'DEFAULT',
  isTrashed: false,
  isPinned: false,
  isArchived: false,
  createdTimestampUsec: 1_554_642_662_000_000,
  userEditedTimestampUsec: 1_571_326_862_345_000,
}

/** A list, a picture of another ending than its note says, an archived note that was never edited, one in the trash. */
export const keep: Sample = {
  source: 'keep',
  name: 'takeout-20260518T121935Z-001.zip',
  files: {
    'Takeout/Notizen/Glue.json': json({
      ...note,
      title: 'Glue',
      listContent: [
        { text: 'Epoxy', isChecked: true },
        { text: 'Clamps', isChecked: false },
      ],
      labels: [{ name: 'Boat' }, { name: 'To buy, soon' }],
      attachments: [{ filePath: '16a.jpeg', mimetype: 'image/jpeg' }],
    }),
    'Takeout/Notizen/Glue.html': '<html><head><title>Glue</title></head><body>Epoxy</body></html>',
    'Takeout/Notizen/16a.jpg': PICTURE,
    'Takeout/Notizen/2019-04-08.json': json({
      ...note,
      title: '',
      textContent: 'First line\nsecond line',
      isArchived: true,
      userEditedTimestampUsec: 0,
      annotations: [{ source: 'WEBLINK', title: 'Keel', url: 'https://keel.example/' }],
    }),
    'Takeout/Notizen/Old.json': json({ ...note, title: 'Old', textContent: 'x', isTrashed: true }),
    'Takeout/Notizen/Labels.txt': 'Boat\nTo buy\n',
    'Takeout/archive_browser.html': '<html></html>',
  },
  counts: { projects: 1, milestones: 1, entries: 2, files: 1 },
  projects: ['Google Keep'],
  entries: {
    Glue: {
      milestone: '2019',
      on: '2019-04-07',
      at: '2019-04-07T13:11:02.000Z',
      tags: ['Boat', 'To buy, soon'],
      has: ['- [x] Epoxy\n- [ ] Clamps', '![](/files/'],
      files: 1,
    },
    '2019-04-07': {
      milestone: '2019',
      on: '2019-04-07',
      has: ['First line\nsecond line', '<https://keel.example/>'],
    },
  },
  problems: {
    'it was archived there, and comes like the others': ['Takeout/Notizen/2019-04-08.json'],
    'it is in the trash there': ['Old'],
  },
}

/** An author for the whole feed, one in the way of version 1.0, a text without HTML, a relative address, no title; slashes as PHP writes them. */
export const jsonFeed: Sample = {
  source: 'feed',
  name: 'feed.json',
  files: {
    'feed.json': json({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Boat',
      home_page_url: 'https://boat.example/',
      authors: [{ name: 'Ada' }],
      items: [
        {
          id: '1',
          url: 'https://boat.example/log/1',
          title: 'First lines',
          content_html: '<p>Drawn, see <a href="2">next</a><pre>a &lt; b\n  c</pre>',
          date_published: '2024-05-17T10:00:00+02:00',
          tags: ['wood'],
          attachments: [{ url: 'https://boat.example/a.mp3', mime_type: 'audio/mpeg' }],
        },
        {
          id: '2',
          url: 'https://boat.example/log/2',
          content_text: 'Plain *text*',
          date_modified: '2024-05-18T10:00:00Z',
          author: { name: 'Lin' },
        },
      ],
    }).replaceAll('/', '\\/'),
  },
  counts: { projects: 1, milestones: 1, entries: 2, files: 0 },
  projects: ['Boat'],
  entries: {
    'First lines': {
      milestone: '2024',
      on: '2024-05-17',
      at: '2024-05-17T08:00:00.000Z',
      tags: ['wood'],
      author: 'Ada',
      has: ['[next]({2024-05-18})', '```\na < b\n  c\n```'],
    },
    '2024-05-18': { milestone: '2024', on: '2024-05-18', author: 'Lin', has: ['Plain *text*'] },
  },
  problems: { 'its enclosed file stays where it is': ['First lines'] },
}

/** A text with its facts in classes, a draft without a title of its own, and pages about the person. */
export const medium: Sample = {
  source: 'markdown',
  name: 'medium-export-1234.zip',
  files: {
    'posts/2024-05-17_First-lines-a1b2c3d4e5f6.html':
      '<!DOCTYPE html><html><head><title>First &amp; last lines</title><style>p {}</style></head><body><article class="h-entry"><header><h1 class="p-name">First &amp; last lines</h1></header><section data-field="subtitle" class="p-summary">Sub</section><section data-field="body" class="e-content"><section name="x" class="section section--first"><div class="section-divider"><hr class="section-divider"></div><div class="section-inner"><h3 class="graf graf--h3 graf--title">First &amp; last lines</h3><p class="graf">Text</p><pre class="graf graf--pre">code<br>two</pre></div></section></section><footer><p>By <a href="https://medium.com/@ada" class="p-author h-card">Ada</a> on <a href="https://medium.com/p/a1"><time class="dt-published" datetime="2024-05-17T10:11:12.000Z">May 17, 2024</time></a>.</p><p>Exported from Medium on May 18, 2024.</p></footer></article></body></html>',
    'posts/draft_Untitled-b1b2c3d4e5f6.html':
      '<html><head><title>Untitled plan</title></head><body><article class="h-entry"><section data-field="body" class="e-content"><p>Later</p></section></article></body></html>',
    'profile/profile.html': '<html><body>ada@example.test</body></html>',
  },
  counts: { projects: 1, milestones: 1, entries: 2, files: 0 },
  projects: ['Medium'],
  entries: {
    'First & last lines': {
      milestone: 'Notes',
      on: '2024-05-17',
      at: '2024-05-17T10:11:12.000Z',
      author: 'Ada',
      has: ['Text\n\n```\ncode\ntwo\n```'],
      hasNot: ['First', '---', 'Exported'],
    },
    'Untitled plan': { milestone: 'Notes', on: '2026-02-03', state: 'draft', has: ['Later'] },
  },
  problems: { 'no text shows it': ['profile/profile.html'] },
}

/** Pages that are called by ids, whose titles and days are in a list, with commas and quotes. */
export const substack: Sample = {
  source: 'markdown',
  name: 'export-1234.zip',
  files: {
    'posts.csv':
      'post_id,post_date,is_published,email_sent_at,type,audience,title,subtitle\r\n123.first-lines,2024-05-17T10:00:00.000Z,true,,newsletter,everyone,"First, ""best"" lines",The sub\r\n124.plan,,false,,newsletter,everyone,Plan,\r\n125.paid,2024-05-18T10:00:00.000Z,true,,newsletter,only_paid,Paid,\r\n',
    'posts/123.first-lines.html': '<p>Hello</p>',
    'posts/124.plan.html': '<p>Later</p>',
    'posts/125.paid.html': '<p>Thanks</p>',
  },
  counts: { projects: 1, milestones: 1, entries: 3, files: 0 },
  projects: ['Substack'],
  entries: {
    'First, "best" lines': {
      milestone: 'Notes',
      on: '2024-05-17',
      at: '2024-05-17T10:00:00.000Z',
      has: ['The sub\n\nHello'],
    },
    Paid: { milestone: 'Notes', on: '2024-05-18', state: 'draft' },
    Plan: { milestone: 'Notes', on: '2026-02-03', state: 'draft', has: ['Later'] },
  },
  problems: { 'not everybody could read it there, and it comes as a draft': ['posts/125.paid.html'] },
}

/** Bundles of text whose dates are in another file, with tags in the text, one in the trash. */
export const bear: Sample = {
  source: 'markdown',
  name: 'Notes.bear2bk',
  files: {
    'Notes/Hull.textbundle/text.md': '# Hull\n#boat/hull #hard wood#\n![](assets/a%20b.png)',
    'Notes/Hull.textbundle/info.json': json({
      version: 2,
      'net.shinyfrog.bear': {
        creationDate: '2024-05-17T10:00:00Z',
        modificationDate: '2024-05-18T10:00:00Z',
      },
    }),
    'Notes/Hull.textbundle/assets/a b.png': PICTURE,
    'Notes/Keel.textbundle/text.md': '# Keel\nOak',
    'Notes/Keel.textbundle/info.json': '{',
    'Notes/Mast.textbundle/text.md': '# Mast',
    'Notes/Mast.textbundle/info.json': json({ 'net.shinyfrog.bear': { trashed: 1 } }),
  },
  counts: { projects: 1, milestones: 1, entries: 2, files: 1 },
  projects: ['Notes'],
  entries: {
    Hull: {
      milestone: 'Notes',
      on: '2024-05-17',
      at: '2024-05-17T10:00:00.000Z',
      tags: ['hard wood', 'boat/hull'],
      files: 1,
    },
    Keel: { milestone: 'Notes', on: '2026-02-03', has: ['Oak'] },
  },
  problems: { 'it is in the trash there': ['Notes/Mast.textbundle/text.md'] },
}

/** Lines of JSON, as `gh api --paginate --jq '.[]'` writes them, and the names of fields of `gh release list --json`. */
export const releaseLines: Sample = {
  source: 'github',
  name: 'releases.json',
  files: {
    'releases.json': [
      {
        html_url: 'https://github.com/ada/boat/releases/tag/v1',
        tag_name: 'v1',
        published_at: '2024-05-17T10:00:00Z',
        body: 'One',
      },
      {
        url: 'https://github.com/ada/boat/releases/tag/v2',
        tagName: 'v2',
        publishedAt: '2024-05-18T10:00:00Z',
        isPrerelease: true,
        body: 'Two',
      },
    ]
      .map((line) => JSON.stringify(line))
      .join('\n'),
  },
  counts: { projects: 1, milestones: 1, entries: 2, files: 0 },
  projects: ['boat'],
  entries: {
    v1: { milestone: '2024', on: '2024-05-17', has: ['One'] },
    v2: { milestone: '2024', on: '2024-05-18', tags: ['pre-release'], has: ['Two'] },
  },
  problems: {},
}
