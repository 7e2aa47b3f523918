import { json, PICTURE, type Sample } from './sample.ts'

/** Dates of a database without a zone, pictures in smaller sizes, a page, a draft, tags of templates, Markdown and Lexical alone. */
export const ghost: Sample = {
  source: 'ghost',
  name: 'the-hull.zip',
  files: {
    'the-hull.ghost.2025-07-30.json': json({
      db: [
        {
          meta: { exported_on: 1_753_891_082_041, version: '5.130.1' },
          data: {
            posts: [
              {
                id: '1',
                uuid: '11111111-1111-4111-8111-111111111111',
                title: 'First & best',
                slug: 'first',
                custom_excerpt: 'Keels < hulls, *mostly*',
                html: '<p>Hello <b>you</b>.</p><figure class="kg-card kg-image-card"><a href="__GHOST_URL__/content/images/2024/05/keel.png"><img src="__GHOST_URL__/content/images/size/w1000/2024/05/keel.png" alt="Keel"></a><figcaption>The keel</figcaption></figure><p><a href="__GHOST_URL__/second/">next</a></p><script>alert(1)</script>',
                feature_image: '__GHOST_URL__/content/images/2024/05/cover.png',
                type: 'post',
                status: 'published',
                visibility: 'public',
                created_at: '2024-05-01T21:00:00.000Z',
                updated_at: '2024-05-03T00:00:00.000Z',
                published_at: '2024-05-02T22:30:00.000Z',
              },
              {
                id: '2',
                title: 'Second',
                slug: 'second',
                mobiledoc: json({
                  version: '0.3.1',
                  cards: [['markdown', { markdown: 'Plain **Markdown**' }]],
                  sections: [[10, 0]],
                }),
                html: '<p>other</p>',
                status: 'sent',
                visibility: 'paid',
                created_at: '2025-06-30 15:31:36',
                published_at: null,
              },
              {
                id: '3',
                title: 'About',
                slug: 'about',
                type: 'page',
                status: 'published',
                html: null,
                lexical: json({
                  root: {
                    children: [
                      {
                        type: 'heading',
                        tag: 'h2',
                        children: [{ type: 'extended-text', text: 'Me', format: 0 }],
                      },
                      { type: 'paragraph', children: [{ type: 'extended-text', text: 'bold', format: 1 }] },
                      { type: 'paragraph', children: [{ type: 'text', text: ' loose ', format: 1 }] },
                      { type: 'callout', calloutEmoji: '💡', calloutText: 'a <b>hint</b>' },
                      { type: 'toggle', heading: 'More', content: '<p>inside</p>' },
                      { type: 'image', src: 'https://elsewhere.example/x.png', alt: 'x' },
                    ],
                  },
                }),
                published_at: '2023-01-01T00:00:00.000Z',
              },
              {
                id: '4',
                title: 'Empty',
                slug: 'empty',
                html: '',
                status: 'published',
                published_at: '2024-01-01T00:00:00.000Z',
              },
            ],
            tags: [
              { id: 't1', name: 'Wood', slug: 'wood' },
              { id: 't2', name: '#internal', slug: 'hash-internal' },
              { id: 't3', name: 'Glue', slug: 'glue' },
            ],
            posts_meta: [
              {
                post_id: '1',
                feature_image_alt: 'The "yard"',
                feature_image_caption: 'By <a href="https://shed.example">Grace</a>',
              },
            ],
            posts_tags: [
              { post_id: '1', tag_id: 't1', sort_order: 1 },
              { post_id: '1', tag_id: 't3', sort_order: 0 },
              { post_id: '1', tag_id: 't2', sort_order: 2 },
            ],
            users: [{ id: 'u1', name: 'Grace', slug: 'grace' }],
            posts_authors: [{ post_id: '1', author_id: 'u1', sort_order: 0 }],
            settings: [
              { key: 'title', value: 'The hull' },
              { key: 'description', value: 'A boat, slowly' },
            ],
          },
        },
      ],
    }),
    'content/images/2024/05/keel.png': PICTURE,
    'content/images/2024/05/cover.png': PICTURE,
    'content/images/2020/01/keel.png': PICTURE,
  },
  counts: { projects: 1, milestones: 3, entries: 3, files: 2 },
  projects: ['The hull'],
  entries: {
    'First & best': {
      milestone: '2024',
      on: '2024-05-02',
      at: '2024-05-02T22:30:00.000Z',
      tags: ['Glue', 'Wood'],
      author: 'Grace',
      has: [
        '*Keels < hulls, \\*mostly\\**\n\n![The "yard"](/files/',
        'By [Grace](https://shed.example)',
        'Hello **you**.',
        '![Keel](/files/',
        'The keel',
        '[next]({Second})',
      ],
      hasNot: ['alert', 'GHOST'],
      files: 2,
      cover: true,
    },
    Second: {
      milestone: '2025',
      on: '2025-06-30',
      at: '2025-06-30T15:31:36.000Z',
      state: 'draft',
      has: ['Plain **Markdown**'],
    },
    About: {
      milestone: 'Pages',
      on: '2023-01-01',
      has: [
        '## Me',
        '**bold**',
        ' **loose** ',
        '> 💡 a **hint**',
        '<summary>More</summary>\n\ninside',
        'https://elsewhere.example/x.png',
      ],
    },
  },
  problems: {
    'it has no text': ['Empty'],
    'not everybody could read it there, and it comes as a draft': ['Second'],
    'a picture of it stays on the website where it is': ['About'],
    'no text shows it': ['content/images/2020/01/keel.png'],
  },
}
