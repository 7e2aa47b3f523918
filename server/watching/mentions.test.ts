import { describe, expect, it } from 'vitest'
import { plainHtml } from '#markdown/plain-text.ts'
import { renderMarkdown } from '#markdown/render.ts'
import { mentionedIn } from './mentions.ts'

const mentionedInText = (text: string) => mentionedIn(renderMarkdown(text).html, members)

const members = [
  { id: '1', name: 'Ann' },
  { id: '2', name: 'Ann Lee' },
  { id: '3', name: 'Jürgen' },
  { id: '4', name: 'Ann Lee' },
  { id: '5', name: '美咲' },
  { id: '6', name: '' },
  { id: '7', name: '민수' },
  { id: '8', name: 'דוד' },
  { id: '9', name: 'สมชาย' },
  { id: '10', name: '_ivo_' },
  { id: '11', name: 'Tom & Jo' },
]

describe('a mention', () => {
  it.each([
    ['@Ann saw it', ['1']],
    ['Ask @ann.', ['1']],
    ['(@ANN)', ['1']],
    ['@Ann Lee, and her namesake', ['2', '4']],
    ['@Ann\nLee', ['2', '4']],
    ['@Ann Leeds', ['1']],
    ['@jurgen and @Ann', ['1', '3']],
    ['@美咲、見て', ['5']],
    ['**@Ann**', ['1']],
    ['＠美咲 見て', ['5']],
    ['昨日は@美咲さんと', ['5']],
    ['请@Ann看', ['1']],
    ['@Annさん、@민수가', ['1', '7']],
    ['ל@דוד', ['8']],
    ['ขอบคุณ@สมชายมาก', ['9']],
    ['Ask @Ann/@Jürgen', ['1', '3']],
    ['https://example.org/ (@Ann)', ['1']],
    ['[@Ann](https://example.org)', ['1']],
    ['````\n@Ann\n```\n````\n@Jürgen', ['3']],
    ['1. Look\n   ```\n   @Ann\n   ```\n   @Jürgen', ['3']],
    ['@Ann[^1]\n\n[^1]: Her boat', ['1']],
    ['Her boat[^1]@Ann\n\n[^1]: Hers', ['1']],
    ['@Ann`x`y, z`x`@Jürgen', ['1', '3']],
    ['`` ` ``@Ann and `@Jürgen`', ['1']],
    ['_@Ann_ and __@Jürgen__', ['1', '3']],
    ['@**Ann**', ['1']],
    ['@_ivo_ and @Tom &amp; Jo', ['10', '11']],
    ['@Ann\n\nLee came', ['1']],
    ['| @Ann | Lee |\n|-|-|', ['1']],
    ['> [!NOTE]\n> @Ann', ['1']],
    ['![@Ann on the lake](/files/0190b0b0-0000-7000-8000-000000000000)', ['1']],
  ])('is found in %j', (text, ids) => {
    expect(mentionedInText(text)).toEqual(ids)
  })

  it.each([
    'Ann',
    'me@Ann.example',
    'https://example.org/@Ann',
    '[her page](https://example.org/@Ann)',
    '<https://example.org/?who=@Ann>',
    'www.example.org/@Ann',
    '@สมชาย\u{E34}',
    '@Anna',
    '@Ann_',
    '`@Ann`',
    '```\n@Ann\n```',
    '~~~ts\n@Ann\n',
    '@ Ann',
    '`` @Ann ` ``',
    '    @Ann',
    '- ```\n  @Ann\n  ```',
    '> ```\n> @Ann\n> ```',
    '> @Ann said so\n> > and > more',
    '$@Ann$',
    '<!-- @Ann -->',
    '[her boat](/boat "@Ann")',
    'ada+boat@Ann.example.org',
    '@Ann@social.example',
    'social.example/@Ann',
    '@',
  ])('is not in %j', (text) => {
    expect(mentionedInText(text)).toEqual([])
  })

  it.each([
    ['signs', '@ann '.repeat(40_000)],
    ['signs without names', '@'.repeat(200_000)],
    ['signs between signs', '@<'.repeat(50_000)],
    ['a URL that never ends', `http://${'/@'.repeat(100_000)}`],
    ['blank lines', `@${' \n'.repeat(100_000)}`],
  ])('is looked for in linear time: %s', (_name, text) => {
    const many = Array.from({ length: 500 }, (_, index) => ({ id: String(index), name: `Ann ${index}` }))
    const html = plainHtml(text)
    const before = process.cpuUsage()
    mentionedIn(html, many)
    expect(process.cpuUsage(before).user).toBeLessThan(150_000)
  })
})
