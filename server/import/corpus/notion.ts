import { PICTURE, type Sample } from './sample.ts'

const id = (digit: string) => digit.repeat(32)

/** Ids in names, properties above the text, a database, links with escaped names and to the website, a title longer than its file name. */
export const notion: Sample = {
  source: 'notion',
  name: '0f1e2d3c_Export-9a8b.zip',
  files: {
    [`Workshop ${id('a')}.md`]: `# Workshop\n\nNote: keep this line\n\n[The log](Workshop%20${id('a')}/Log%20${id('b')}.csv)\n\n- [ ]  oil\n`,
    [`Workshop ${id('a')}/Log ${id('b')}.csv`]: 'Name,Created\nKeel,2024\n',
    [`Workshop ${id('a')}/Log ${id('b')}_all.csv`]: 'Name,Created\nKeel,2024\n',
    [`Workshop ${id('a')}/Log/Keel and a very long title that goes ${id('c')}.md`]: `# Keel and a very long title that goes on\n\nCreated: January 2, 2025 10:11 AM\nDate: January 2, 2024 10:11 AM → January 3, 2024\nStatus: Done\nTags: wood, glue\n\nLaid. ![board.png](Keel%20and%20a%20very%20long%20title%20that%20goes/board.png)\n\n[Back](https://www.notion.so/team/Workshop-${id('a')}?pvs=21)\n`,
    [`Workshop ${id('a')}/Log/Keel and a very long title that goes/board.png`]: PICTURE,
    [`Workshop ${id('a')}/Log/Empty ${id('d')}.md`]: '# Empty\n\n',
  },
  counts: { projects: 1, milestones: 2, entries: 3, files: 2 },
  projects: ['Notion'],
  entries: {
    Workshop: {
      milestone: 'Notes',
      on: '2026-02-03',
      has: ['Note: keep this line', '[The log](/files/', '- [ ]'],
      files: 1,
    },
    'Keel and a very long title that goes on': {
      milestone: 'Workshop / Log',
      on: '2024-01-02',
      tags: ['wood', 'glue'],
      has: ['Status: Done\n\nLaid. ![board.png](/files/', '[Back]({Workshop})'],
      hasNot: ['Created:', 'Tags:'],
      files: 1,
    },
    Empty: { milestone: 'Workshop / Log', on: '2026-02-03' },
  },
  problems: { 'no text shows it': [`Workshop ${id('a')}/Log ${id('b')}_all.csv`] },
}

const page = (title: string, head: string, body: string, own: string) =>
  `<html><head><meta charset="utf-8"/><title>${title}</title><style>p{}</style></head><body><article id="${own}" class="page sans"><header><h1 class="page-title">${title}</h1>${head}</header><div class="page-body">${body}</div></article></body></html>`

export const notionHtml: Sample = {
  source: 'notion',
  name: 'Export-html.zip',
  files: {
    'index.html': '<html><head><title>Export</title></head><body>All pages</body></html>',
    [`Team/Hull ${id('e')}.html`]: page(
      'Hull &amp; deck',
      '<table class="properties"><tbody><tr class="property-row property-row-created_time"><th><span class="icon"></span>Created</th><td><time>@May 6, 2024 7:08 AM</time></td></tr><tr class="property-row property-row-multi_select"><th>Tags</th><td><span class="selected-value">oak</span><span class="selected-value">tar</span></td></tr><tr class="property-row property-row-number"><th>Hours</th><td>12</td></tr><tr><th>Done</th><td><div class="checkbox checkbox-on"></div></td></tr></tbody></table>',
      `<ul id="x" class="toggle"><li><details open=""><summary>More</summary><p>Tar</p></details></li></ul><p>Due <time>@June 1, 2024</time> <span class="katex"><annotation encoding="application/x-tex">a^2</annotation></span></p><ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span class="to-do-children-checked">Caulk</span></li></ul><ul class="to-do-list"><li><div class="checkbox checkbox-off"></div> <span>Paint</span></li></ul><figure class="image"><a href="Hull%20${id('e')}/plan.png"><img src="Hull%20${id('e')}/plan.png"/></a></figure><figure class="link-to-page"><a href="Mast%20${id('f')}.html">Mast</a></figure>`,
      id('e'),
    ),
    [`Team/Hull ${id('e')}/plan.png`]: PICTURE,
    [`Team/Mast ${id('f')}.html`]: page('Mast', '', '<p>Spruce</p>', id('f')),
  },
  counts: { projects: 1, milestones: 1, entries: 2, files: 1 },
  projects: ['Team'],
  entries: {
    'Hull & deck': {
      milestone: 'Notes',
      on: '2024-05-06',
      tags: ['oak', 'tar'],
      has: [
        'Hours: 12',
        'Done: Yes',
        '<details>\n<summary>More</summary>\n\nTar',
        'Due June 1, 2024',
        '- [x] Caulk',
        '- [ ] Paint',
        '![](/files/',
        '[Mast]({Mast})',
      ],
      hasNot: ['Created', 'checkbox', '# Hull'],
      files: 1,
    },
    Mast: { milestone: 'Notes', on: '2026-02-03', has: ['Spruce'] },
  },
  problems: { 'no text shows it': ['index.html'] },
}
