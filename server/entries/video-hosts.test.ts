import { expect, test } from 'vitest'
import { renderMarkdown } from '#markdown/render.ts'
import { playVideosOf } from './rendering.ts'

const ID = 'kkGMgK9ZtnKfYAgnEtQxbv'
const shown = (url: string, hosts = ['tube.example', 'media.example:8443']) =>
  playVideosOf(renderMarkdown(url).html, hosts)

test.each([`https://tube.example/w/${ID}`, `https://media.example:8443/videos/watch/${ID}`])(
  '%s can be played in the page if its host is allowed',
  (url) => {
    expect(shown(url)).toContain(`href="${url}" data-video="peertube" data-id="${ID}"`)
    expect(shown(url, [])).not.toContain('data-video')
  },
)

test.each([
  `https://evil.example/w/${ID}`,
  `https://tube.example.evil.example/w/${ID}`,
  `https://tube.example@evil.example/w/${ID}`,
  `https://tube.example:444/w/${ID}`,
  `See https://tube.example/w/${ID}`,
  `<a href="https://tube.example/w/${ID}" data-peertube="${ID}">x</a>`,
])('%s stays a link', (content) => {
  expect(shown(content)).not.toContain('data-video=')
})

test('the time for a long text is linear in its length', () => {
  const hostile = ' href="https://tube.example/'.repeat(100_000)
  expect(playVideosOf(`${hostile} data-peertube="x"`, ['tube.example']).length).toBeGreaterThan(100_000)
})
