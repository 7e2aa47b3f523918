import { afterEach, beforeEach, expect, it, vi } from 'vitest'

/** Removes what the oldest browsers of the build's target lack (`build.target` in `vite.config.ts`). */
beforeEach(() => {
  vi.resetModules()
  vi.stubGlobal('URL', Object.assign(class extends URL {}, { parse: undefined, canParse: undefined }))
  const { Segmenter: _, ...olderIntl } = Object.getOwnPropertyDescriptors(Intl)
  vi.stubGlobal('Intl', Object.create(null, olderIntl))
  const missing = () => {
    throw new TypeError('is not a function')
  }
  vi.spyOn(String.prototype, 'isWellFormed').mockImplementation(missing)
  vi.spyOn(String.prototype, 'toWellFormed').mockImplementation(missing)
  vi.spyOn(URLSearchParams.prototype, 'size', 'get').mockReturnValue(undefined as never)
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  vi.resetModules()
})

it('an older browser follows a redirect of this origin', async () => {
  const { safeRedirect } = await import('./identity/redirect.ts')
  expect(safeRedirect('/projects/1?tag=x', 'https://milepost.example')).toBe('/projects/1?tag=x')
})

it('an older browser keeps the tag and the page in the links of a public project', async () => {
  const { publicPath } = await import('./public/paths.ts')
  expect(publicPath('1', { tag: 'bread', page: 2 })).toBe('/world/1?tag=bread&page=2')
})

it('an older browser validates forms', async () => {
  const { isStorable } = await import('#contract/parts/characters.ts')
  expect(['bread 🍞', 'half \ud83c', 'null \0'].map(isStorable)).toEqual([true, false, false])
  const { webhookFields } = await import('#contract/webhooks.ts')
  expect(webhookFields.safeParse({ url: 'https://example.org/hook' }).success).toBe(true)
  expect(webhookFields.safeParse({ url: 'example' }).success).toBe(false)
})

it('an older browser previews headings, videos and the number of words', async () => {
  const { renderMarkdown } = await import('#markdown/render.ts')
  const { html, wordCount } = renderMarkdown(
    `## ${'a'.repeat(63)}𝒂\n\nIt's rye bread\n\nhttps://youtu.be/dQw4w9WgXcQ`,
  )
  expect(html).toContain(`${'a'.repeat(63)}\ufffd"`)
  expect(html).toContain('data-id="dQw4w9WgXcQ"')
  expect(wordCount).toBe(7)
})
