import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderMarkdown } from './render.ts'

/** Returns where the first link of a text leads. */
const targetOf = (content: string) => / href="([^"]*)"/.exec(renderMarkdown(content).html)?.[1]

test.each([
  ['#parts-list', '# Parts list', '#section-parts-list'],
  ['#Parts-List', '# Parts list', '#section-parts-list'],
  ['#parts%20list', '# Parts list', '#section-parts-list'],
  ['#section-parts-list', '# Parts list', '#section-parts-list'],
  ['#parts-list', '# Parts list!', '#section-parts-list'],
  ['#salt--pepper', '# Salt & Pepper', '#section-salt-pepper'],
  ['#salt-pepper', '# Salt & Pepper', '#section-salt-pepper'],
  ['#-launch', '# 🚀 Launch', '#section-launch'],
  ['#launch', '# 🚀 Launch', '#section-launch'],
  ['#the-oven', '# The **oven**', '#section-the-oven'],
  ['#über-uns', '# Über uns', '#section-über-uns'],
  ['#%C3%BCber-uns', '# Über uns', '#section-über-uns'],
  ['#u%CC%88ber-uns', '# Über uns', '#section-über-uns'],
  ['#части', '# Части', '#section-части'],
  ['#部品', '# 部品', '#section-部品'],
  ['#الأجزاء', '# الأجزاء', '#section-الأجزاء'],
  ['#भाग', '# भाग', '#section-भाग'],
  ['#part', '# Part\n\n# Part\n\n# Part', '#section-part'],
  ['#part-1', '# Part\n\n# Part\n\n# Part', '#section-part-1'],
  ['#part-2', '# Part\n\n# Part\n\n# Part', '#section-part-2'],
  ['#part-1', '# Part 1\n\n# Part\n\n# Part', '#section-part-1'],
  ['#part', '> # Part', '#section-part'],
  ['#part', 'Part\n====', '#section-part'],
  ['#part', '- # Part', '#section-part'],
  [`#${'部'.repeat(200)}`, `# ${'部'.repeat(200)}`, `#section-${'部'.repeat(64)}`],
])('a link to %s leads to the heading of %j', (fragment, heading, expected) => {
  expect(targetOf(`[there](${fragment})\n\n${heading}`)).toBe(expected)
  expect(targetOf(`[there]\n\n[there]: ${fragment}\n\n${heading}`)).toBe(expected)
})

test.each(['#nothing', '#', '/r#part', 'https://example.com/#part', '#%', '#footnote-1'])(
  'a link to %s stays as it is',
  (href) => {
    expect(targetOf(`[there](${href})\n\n# Part`)).toBe(href === '#%' ? '#%25' : href)
  },
)

test('a link in a footnote leads to a heading too', () => {
  expect(renderMarkdown('# Part\n\na[^1]\n\n[^1]: see [it](#part)').html).toContain(
    '<a href="#section-part">it</a>',
  )
})

test('every heading is reached by its fragment as GitHub writes it', () => {
  const words = fc.constantFrom('a', 'a 1', 'A', 'é', 'b_c', '部品', 'a-1')
  fc.assert(
    fc.property(fc.array(words, { minLength: 1, maxLength: 8 }), (texts) => {
      const used = new Map<string, number>()
      const fragments = texts.map((text) => {
        const slug = text.toLowerCase().replaceAll(' ', '-')
        let unique = slug
        while (used.has(unique)) {
          used.set(slug, (used.get(slug) ?? 0) + 1)
          unique = `${slug}-${used.get(slug)}`
        }
        used.set(unique, 0)
        return unique
      })
      const links = fragments.map((fragment) => `[x](#${fragment})`).join(' ')
      const { html, headings } = renderMarkdown(
        `${links}\n\n${texts.map((text) => `# ${text}`).join('\n\n')}`,
      )
      const targets = Array.from(html.matchAll(/<a href="#([^"]*)"/g), ([, id]) => id)
      expect(targets).toEqual(headings.map(({ id }) => id))
    }),
  )
})
