import { expect, test } from 'vitest'
import { playerOf } from './play-video.ts'

const YOUTUBE = 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1'
const VIMEO = 'https://player.vimeo.com/video/76979871?autoplay=1&dnt=1'
const TUBE = 'https://tube.example/videos/embed/kkGMgK9ZtnKfYAgnEtQxbv?autoplay=1&p2p=0'

test.each([
  ['https://youtu.be/dQw4w9WgXcQ', YOUTUBE],
  ['https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=141s', `${YOUTUBE}&start=141`],
  ['https://youtu.be/dQw4w9WgXcQ?si=x&t=242', `${YOUTUBE}&start=242`],
  ['https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=1h2m3s', `${YOUTUBE}&start=3723`],
  ['https://www.youtube.com/watch?v=dQw4w9WgXcQ#t=1m', `${YOUTUBE}&start=60`],
  ['https://www.youtube.com/embed/dQw4w9WgXcQ?start=30', `${YOUTUBE}&start=30`],
  ['https://youtu.be/dQw4w9WgXcQ?t=soon', YOUTUBE],
])('%s is played on YouTube from its second on', (href, player) => {
  expect(playerOf({ href, dataset: { video: 'youtube', id: 'dQw4w9WgXcQ' } })).toBe(player)
})

test.each([
  ['https://vimeo.com/76979871', VIMEO],
  ['https://vimeo.com/76979871#t=1m30s', `${VIMEO}#t=90s`],
  ['https://vimeo.com/76979871/abcdef1234?share=copy', `${VIMEO}&h=abcdef1234`],
  ['https://player.vimeo.com/video/76979871?h=abcdef1234#t=30s', `${VIMEO}&h=abcdef1234#t=30s`],
])('%s is played on Vimeo, also if it is unlisted', (href, player) => {
  expect(playerOf({ href, dataset: { video: 'vimeo', id: '76979871' } })).toBe(player)
})

test('a video of PeerTube is played from its second on', () => {
  const href = 'https://tube.example/w/kkGMgK9ZtnKfYAgnEtQxbv?start=1m2s'
  expect(playerOf({ href, dataset: { video: 'peertube', id: 'kkGMgK9ZtnKfYAgnEtQxbv' } })).toBe(
    `${TUBE}&start=62`,
  )
})
