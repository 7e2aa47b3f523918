import { json, PICTURE, type Sample } from './sample.ts'

const wordPressItem = (id: number, content: string, more = '') =>
  `<item><title><![CDATA[Post <em>${id}</em>]]></title><wp:post_id>${id}</wp:post_id><wp:post_date>2021-03-04 05:06:07</wp:post_date><wp:status>publish</wp:status>${more}<content:encoded><![CDATA[${content}]]></content:encoded></item>`
const wordPressFile = (items: string) =>
  `<br />\n<b>Deprecated</b>: a function in <b>/var/www/x.php</b>\n<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:wp="http://wordpress.org/export/1.2/"><channel><title>Boat</title><link>https://boat.example</link><wp:wxr_version>1.2</wp:wxr_version>${items}</channel></rss>`
const attachment = (id: number, name: string) =>
  wordPressItem(
    id,
    '',
    `<wp:post_parent>1</wp:post_parent><wp:post_type>attachment</wp:post_type><wp:attachment_url>https://boat.example/wp-content/uploads/2021/03/${name}</wp:attachment_url>`,
  )

/** A warning before each file, a post in both, a gallery of what was sent with its post, a page builder, pictures that a script loads. */
export const wordPressInParts: Sample = {
  source: 'wordpress',
  name: 'boat.wordpress.com.zip',
  files: {
    'boat.001.xml': wordPressFile(
      `${wordPressItem(1, 'Before\n\n[gallery columns="2"]\n\nAfter')}${attachment(4, 'keel.png')}${attachment(5, 'plan.pdf')}`,
    ),
    'boat.002.xml': wordPressFile(
      `${wordPressItem(1, 'Before\n\n[gallery columns="2"]\n\nAfter')}${attachment(4, 'keel.png')}${wordPressItem(
        2,
        '[vc_row full_width="a"][vc_column][et_pb_text admin_label="T"]<p>Words</p><p><img src="data:image/gif;base64,R0" data-src="https://boat.example/wp-content/uploads/2021/03/mast.png"></p>[/et_pb_text][/vc_column][/vc_row]',
      )}`,
    ),
    'wp-content/uploads/2021/03/keel.png': PICTURE,
    'wp-content/uploads/2021/03/mast.png': PICTURE,
  },
  counts: { projects: 1, milestones: 1, entries: 2, files: 2 },
  projects: ['Boat'],
  entries: {
    'Post 1': {
      milestone: '2021',
      on: '2021-03-04',
      has: ['Before', 'After'],
      hasNot: ['gallery'],
      files: 1,
    },
    'Post 2': {
      milestone: '2021',
      on: '2021-03-04',
      has: ['Words'],
      hasNot: ['vc', 'et', 'data:'],
      files: 1,
    },
  },
  problems: { 'it is in the archive twice': ['Post 1'] },
}

const kind = (name: string) =>
  `<category scheme="http://schemas.google.com/g/2005#kind" term="http://schemas.google.com/blogger/2008/kind#${name}"/>`
const bloggerEntry = (id: number, title: string, more: string) =>
  `<entry><id>tag:blogger.com,1999:post-${id}</id><title type="text">${title}</title><published>2011-02-03T04:05:06.000-07:00</published><content type="html">&lt;div dir="ltr"&gt;Text ${id}&lt;/div&gt;</content>${more}</entry>`

/** The export of Blogger: posts, pages, drafts, comments, settings and the template, all in one feed. */
export const blogger: Sample = {
  source: 'feed',
  name: 'blog-03-02-2011.xml',
  files: {
    'blog-03-02-2011.xml': `<?xml version='1.0' encoding='UTF-8'?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:app="http://purl.org/atom/app#"><id>tag:blogger.com</id><title type="text">Canoe log</title>
${bloggerEntry(1, 'Template: Canoe log', kind('template'))}${bloggerEntry(2, 'Language', kind('settings'))}
${bloggerEntry(3, 'Keel', `${kind('post')}<category scheme="http://www.blogger.com/atom/ns#" term="wood"/>`)}
${bloggerEntry(4, 'Mast', `${kind('post')}<app:control><app:draft>yes</app:draft></app:control>`)}
${bloggerEntry(5, 'About', kind('page'))}${bloggerEntry(6, 'Nice!', kind('comment'))}</feed>`,
  },
  counts: { projects: 1, milestones: 2, entries: 3, files: 0 },
  projects: ['Canoe log'],
  entries: {
    Keel: { milestone: '2011', on: '2011-02-03', tags: ['wood'], has: ['Text 3'] },
    Mast: { milestone: '2011', on: '2011-02-03', state: 'draft', has: ['Text 4'] },
    About: { milestone: 'Pages', on: '2011-02-03', has: ['Text 5'] },
  },
  problems: { 'it is neither a post nor a page': ['Template: Canoe log', 'Language', 'Nice!'] },
}

const memo = (id: number, content: string, more: object = {}) => ({
  id,
  rowStatus: 'NORMAL',
  creatorId: 1,
  createdTs: 1_651_876_200,
  updatedTs: 1_651_876_200,
  content,
  ...more,
})

/** What the API of Memos listed until version 0.21: numbers as ids, seconds as dates. */
export const memosOfOldApi: Sample = {
  source: 'memos',
  name: 'memos.json',
  files: { 'memos.json': json([memo(7, 'Planed the keel'), memo(8, 'Sawed', { rowStatus: 'ARCHIVED' })]) },
  counts: { projects: 1, milestones: 1, entries: 2, files: 0 },
  projects: ['Memos'],
  entries: {
    'Planed the keel': { milestone: '2022', on: '2022-05-06', at: '2022-05-06T22:30:00.000Z' },
    Sawed: { milestone: '2022', on: '2022-05-06' },
  },
  problems: { 'it was archived there, and comes like the others': ['Sawed'] },
}

/** Items with the same id, of which some programs for feeds show one alone. */
export const rssWithTwins: Sample = {
  source: 'feed',
  name: 'twins.xml',
  files: {
    'twins.xml': `<rss version="2.0"><channel><title>Twins</title><link>https://t.example</link>
<item><title>One</title><guid>1</guid><pubDate>Fri, 17 May 2024 10:00:00 GMT</pubDate><description>First</description></item>
<item><title>Two</title><guid>1</guid><pubDate>Sat, 18 May 2024 10:00:00 GMT</pubDate><description>Second</description></item></channel></rss>`,
  },
  counts: { projects: 1, milestones: 1, entries: 2, files: 0 },
  projects: ['Twins'],
  entries: {
    One: { milestone: '2024', on: '2024-05-17', has: ['First'] },
    Two: { milestone: '2024', on: '2024-05-18', has: ['Second'] },
  },
  problems: {},
}
