import { expect, test, vi } from 'vitest'
import { renderMarkdown } from './render.ts'

const render = (content: string) => renderMarkdown(content).html

test.each([
  ['https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=10', 'youtube', 'dQw4w9WgXcQ'],
  ['https://m.youtube.com/watch?v=dQw4w9WgXcQ', 'youtube', 'dQw4w9WgXcQ'],
  ['https://music.youtube.com/watch?v=dQw4w9WgXcQ', 'youtube', 'dQw4w9WgXcQ'],
  ['https://youtu.be/dQw4w9WgXcQ', 'youtube', 'dQw4w9WgXcQ'],
  ['http://www.youtube.com/watch?v=dQw4w9WgXcQ', 'youtube', 'dQw4w9WgXcQ'],
  ['https://www.youtube.com/shorts/dQw4w9WgXcQ', 'youtube', 'dQw4w9WgXcQ'],
  ['https://vimeo.com/76979871', 'vimeo', '76979871'],
  ['https://player.vimeo.com/video/76979871', 'vimeo', '76979871'],
])('%s alone on a line can be played in the page', (url, player, id) => {
  const name = player === 'vimeo' ? 'Vimeo' : 'YouTube'
  expect(render(url)).toBe(
    `<div class="prose"><p class="video"><a href="${url.replace('&', '&amp;')}" data-video="${player}" data-id="${id}" rel="nofollow ugc noopener">Video on ${name}</a></p></div>`,
  )
})

test('a video of PeerTube is a link to its host, with the data of its player', () => {
  for (const id of ['9c9de5e8-0a1e-484a-b099-e80766180a6d', 'kkGMgK9ZtnKfYAgnEtQxbv'])
    expect(render(`https://tube.example/w/${id}`)).toBe(
      `<div class="prose"><p class="video"><a href="https://tube.example/w/${id}" data-peertube="${id}" rel="nofollow ugc noopener">Video on tube.example</a></p></div>`,
    )
})

test.each([
  'See https://youtu.be/dQw4w9WgXcQ',
  'https://youtu.be/dQw4w9WgXcQ https://youtu.be/dQw4w9WgXcQ',
  '[Bread](https://youtu.be/dQw4w9WgXcQ)',
  'http://tube.example/w/kkGMgK9ZtnKfYAgnEtQxbv',
  'https://youtu.be/short',
  'https://youtu.be.example/dQw4w9WgXcQ',
  'https://evil.example/?https://youtu.be/dQw4w9WgXcQ',
  'https://youtube.com@evil.example/watch?v=dQw4w9WgXcQ',
  'https://vimeo.com/about',
])('%s stays a link', (content) => {
  expect(render(content)).not.toContain('video')
})

test('a URL that is too long for a video is not parsed', () => {
  const parse = vi.spyOn(globalThis, 'URL')
  try {
    renderMarkdown(`https://youtu.be/${'a'.repeat(500)}`)
    expect(parse).not.toHaveBeenCalled()
    renderMarkdown('https://youtu.be/dQw4w9WgXcQ')
    expect(parse).toHaveBeenCalled()
  } finally {
    parse.mockRestore()
  }
})
