import { json, PICTURE, type Sample } from './sample.ts'

const MEDIA = '0a0b0c0d-1111-4222-8333-444444444444'

const TODAY = new Date().toISOString().slice(0, 10)

/** A document of the Quill editor, a day in another zone than UTC, a mood, pictures in the text and after it. */
export const journiv: Sample = {
  source: 'journiv',
  name: 'journiv_export.zip',
  files: {
    'data.json': json({
      export_version: '1.4',
      export_date: '2026-01-01T00:00:00Z',
      app_version: '1.0.0',
      user_email: 'grace@example.org',
      journals: [
        {
          title: 'Shed',
          description: 'What I build',
          created_at: '2025-01-01T00:00:00Z',
          updated_at: '2025-01-01T00:00:00Z',
          entries: [
            {
              title: 'Roof',
              content_delta: {
                ops: [
                  { insert: 'Tiles' },
                  { insert: '\n', attributes: { header: 2 } },
                  { insert: 'Red', attributes: { bold: true } },
                  { insert: ' ones\none' },
                  { insert: '\n', attributes: { list: 'bullet' } },
                  { insert: 'after\nx' },
                  { insert: '\n', attributes: { 'code-block': 'go' } },
                  { insert: { image: `/api/v1/media/${MEDIA}/original` } },
                  { insert: '\n' },
                ],
              },
              content_plain_text: 'Tiles',
              entry_date: '2025-02-03',
              entry_datetime_utc: '2025-02-02T15:30:00',
              entry_timezone: 'Asia/Tokyo',
              tags: ['roof'],
              mood_log: { mood_name: 'happy' },
              media: [
                {
                  filename: 'tile.png',
                  file_path: `e1/${MEDIA}_tile.png`,
                  media_type: 'image',
                  external_id: MEDIA,
                },
                { filename: 'x.png', file_path: 'e1/gone_x.png', media_type: 'image', external_id: 'gone' },
              ],
              created_at: '2025-02-02T15:31:00',
              updated_at: '2025-02-02T15:31:00',
            },
            {
              content: '# Plain\n\nOlder exports have Markdown.',
              entry_date: '2024-02-03',
              entry_datetime_utc: '2024-02-03T12:00:00Z',
              is_draft: true,
              created_at: '2024-02-03T12:00:00Z',
            },
          ],
        },
      ],
    }),
    [`media/e1/${MEDIA}_tile.png`]: PICTURE,
  },
  counts: { projects: 1, milestones: 2, entries: 2, files: 1 },
  projects: ['Shed'],
  entries: {
    Roof: {
      milestone: '2025',
      on: '2025-02-03',
      at: '2025-02-02T15:30:00.000Z',
      tags: ['roof'],
      has: ['## Tiles', '**Red** ones', '- one\n\nafter\n\n```go\nx\n```', '![](/files/'],
      files: 1,
    },
    Plain: { milestone: '2024', on: '2024-02-03', state: 'draft' },
  },
  problems: {
    'its mood does not come': ['Shed, 2025-02-03, Roof'],
    'the archive does not have a file that it shows': ['Shed, 2025-02-03, Roof'],
  },
}

/** Content in full and as an excerpt, dates in two formats, an enclosure, an item without a title, an unknown entity. */
export const rss: Sample = {
  source: 'feed',
  name: 'feed.xml',
  files: {
    'feed.xml': `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/">
<channel><title>Radio log</title><atom:link href="https://radio.example/feed.xml" rel="self"/><link>https://radio.example</link><description>Waves</description>
<item><title>Aerial &amp; mast</title><link>https://radio.example/aerial</link><guid isPermaLink="false">tag:1</guid><pubDate>Tue, 05 Mar 2024 23:30:00 -0500</pubDate><dc:creator>Grace</dc:creator><category>wire</category>
<description>Short</description><content:encoded><![CDATA[<p>Long <em>text</em>, see <a href="https://radio.example/valve">valves</a></p><img src="https://radio.example/mast.jpg">]]></content:encoded></item>
<item><link>https://radio.example/valve</link><description>&lt;p&gt;Glowing&nbsp;valves&lt;/p&gt;</description><pubDate>2023-01-02T03:04:05Z</pubDate><enclosure url="https://radio.example/a.mp3" type="audio/mpeg" length="1"/></item>
<item><title>Never</title><description>x</description><media:content url="https://radio.example/sea.jpg" medium="image"><media:description>The sea</media:description></media:content></item>
</channel></rss>`,
  },
  counts: { projects: 1, milestones: 3, entries: 3, files: 0 },
  projects: ['Radio log'],
  entries: {
    'Aerial & mast': {
      milestone: '2024',
      on: '2024-03-05',
      at: '2024-03-06T04:30:00.000Z',
      tags: ['wire'],
      author: 'Grace',
      has: ['Long *text*, see [valves]({2023-01-02})', '![](https://radio.example/mast.jpg)'],
    },
    '2023-01-02': { milestone: '2023', on: '2023-01-02', has: ['valves'] },
    Never: {
      milestone: TODAY.slice(0, 4),
      on: TODAY,
      has: ['x', '![The sea](<https://radio.example/sea.jpg>)'],
    },
  },
  problems: {
    'its enclosed file stays where it is': ['https://radio.example/valve'],
    'it has no date, and gets that of the import': ['Never'],
    'a picture of it stays on the website where it is': ['Aerial & mast', 'Never'],
  },
}

/** Years of two digits, addresses relative to a page, titles escaped twice, ampersands alone, entities of HTML and a control character. */
export const carelessRss: Sample = {
  source: 'feed',
  name: 'old.xml',
  files: {
    'old.xml': `<?xml version="1.0"?><rss version="2.0"><channel><title>Wind & water</title><link>https://boat.example/log/</link><description>Sails&nbsp;</description>
<item><title>Tom &amp;amp; Ada&amp;#8217;s keel</title><link>/keel/?a=1&b=2</link><pubDate>Fri, 17 May 24 10:00:00 EST</pubDate>
<description>&lt;p&gt;See &lt;a href="/mast"&gt;the mast&lt;/a&gt; &amp;amp; &lt;img alt="x" src="../k.jpg?w=1&amp;amp;h=2"&gt; A & B&lt;/p&gt;</description></item>
<item><title>Mast</title><link>/mast</link><pubDate>Sat, 18 May 2024 10:00:00 GMT</pubDate><description><![CDATA[AT&T \u0008 &copy; <a href="#top">top</a>]]></description></item>
</channel></rss>`,
  },
  counts: { projects: 1, milestones: 1, entries: 2, files: 0 },
  projects: ['Wind & water'],
  entries: {
    'Tom & Ada’s keel': {
      milestone: '2024',
      on: '2024-05-17',
      at: '2024-05-17T15:00:00.000Z',
      has: ['[the mast]({Mast})', '![x](https://boat.example/k.jpg?w=1&h=2)', 'A & B'],
    },
    Mast: { milestone: '2024', on: '2024-05-18', has: ['AT&T', '©', '[top](#top)'] },
  },
  problems: { 'a picture of it stays on the website where it is': ['Tom & Ada’s keel'] },
}

/** XHTML, HTML and plain text in one feed. */
export const atom: Sample = {
  source: 'feed',
  name: 'atom.xml',
  files: {
    'atom.xml': `<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Notes</title><subtitle>Of mine</subtitle><link rel="self" href="https://n.example/atom.xml"/><link href="https://n.example/"/>
<entry><title type="html">&lt;b&gt;Bold&lt;/b&gt; title</title><link href="https://n.example/1"/><id>urn:1</id><published>2022-02-02T22:22:22+02:00</published><updated>2022-02-03T00:00:00Z</updated><author><name>Ada</name></author><category term="one" label="One"/>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>A <strong>strong</strong> &lt;tag&gt;</p></div></content></entry>
<entry><title>Plain</title><id>urn:2</id><updated>2021-01-01T00:00:00Z</updated><content type="text">*as* it is</content></entry></feed>`,
  },
  counts: { projects: 1, milestones: 2, entries: 2, files: 0 },
  projects: ['Notes'],
  entries: {
    'Bold title': {
      milestone: '2022',
      on: '2022-02-02',
      tags: ['One'],
      author: 'Ada',
      has: ['A **strong** <tag>'],
    },
    Plain: { milestone: '2021', on: '2021-01-01', has: ['*as* it is'] },
  },
  problems: {},
}

/** Pages that were written one after the other, a draft, a release without a text, downloads. */
export const releases: Sample = {
  source: 'github',
  name: 'releases.json',
  files: {
    'releases.json': `${json([
      {
        url: 'https://api.github.com/repos/grace/radio/releases/1',
        html_url: 'https://github.com/grace/radio/releases/tag/v1.0.0',
        id: 1,
        node_id: 'RE_1',
        tag_name: 'v1.0.0',
        name: 'One',
        body: '## Changes\n\n* Louder',
        draft: false,
        prerelease: false,
        author: { login: 'grace' },
        assets: [{ name: 'radio.zip' }],
        created_at: '2024-01-01T00:00:00Z',
        published_at: '2024-01-02T00:00:00Z',
      },
    ])}${json([
      {
        url: 'https://api.github.com/repos/grace/radio/releases/2',
        html_url: 'https://github.com/grace/radio/releases/tag/v2.0.0-rc',
        id: 2,
        node_id: 'RE_2',
        tag_name: 'v2.0.0-rc',
        name: '',
        body: '',
        draft: true,
        prerelease: true,
        author: { login: 'grace' },
        assets: [],
        created_at: '2025-01-01T00:00:00Z',
        published_at: null,
      },
    ])}`,
  },
  counts: { projects: 1, milestones: 2, entries: 2, files: 0 },
  projects: ['radio'],
  entries: {
    One: { milestone: '2024', on: '2024-01-02', author: 'grace', has: ['## Changes'] },
    'v2.0.0-rc': { milestone: '2025', on: '2025-01-01', state: 'draft', tags: ['pre-release'] },
  },
  problems: { 'its downloads stay at GitHub': ['One'] },
}
