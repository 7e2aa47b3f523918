import { createHash } from 'node:crypto'
import { tests as commonmark } from 'commonmark-spec'
import { expect, test } from 'vitest'
import { renderMarkdown } from './render.ts'
import { RENDERER_VERSION } from './rendering.ts'
import { GFM_EXAMPLES } from './testing/gfm-examples.ts'
import { hostileTexts, SIZES } from './testing/hostile.ts'

const texts = [
  ...commonmark.map(({ markdown }) => markdown),
  ...GFM_EXAMPLES.map(([, markdown]) => markdown),
  ...hostileTexts.filter(({ size }) => size === SIZES[0]).map(({ content }) => content),
]

/** Returns a hash of how all known texts are rendered. Word counts are omitted, because they depend on the version of ICU. */
function hashOfRenderings(): string {
  const hash = createHash('sha256')
  for (const text of texts) {
    const { html, excerpt, headings, renderedAs } = renderMarkdown(text)
    hash.update(JSON.stringify([html, excerpt, headings, renderedAs]))
  }
  return hash.digest('hex').slice(0, 16)
}

// If it fails because a text renders differently, also after an update of a library, increase RENDERER_VERSION, or entries are
// never rendered again. If only a text was added, the version may stay. Then write both values here.
test('the renderer has a new version when a known text renders differently', () => {
  expect({ version: RENDERER_VERSION, hash: hashOfRenderings() }).toEqual({
    version: 15,
    hash: '03aebec8b0cddc54',
  })
})
