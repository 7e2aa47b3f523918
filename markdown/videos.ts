import type { MarkdownIt, StateCore, Token } from 'markdown-it'

type Video = { host: string; player?: 'youtube' | 'vimeo' | 'peertube'; id?: string }

/**
 * The URL of a video alone in its paragraph becomes a link that the page may replace by the player when it is pressed
 * (`data-video` and `data-id`); without script, or in a feed reader, it leads to the video. PeerTube runs on any host: its
 * videos have a `data-peertube`, and whether their host may play in the page is decided when the text is shown.
 */
export function videos(md: MarkdownIt): void {
  md.core.ruler.before('links_and_images', 'videos', ({ tokens }: StateCore) => {
    tokens.forEach((paragraph, index) => {
      const children = tokens[index + 1]?.children
      if (paragraph.type !== 'paragraph_open' || paragraph.hidden || children?.length !== 3) return
      const [link, words] = children as [Token, Token, Token]
      if (link.type !== 'link_open' || words.type !== 'text') return
      const href = String(link.attrGet('href') ?? '')
      const video = words.content === href ? videoAt(href) : undefined
      if (!video) return
      paragraph.attrSet('class', 'video')
      if (video.player === 'peertube' && video.id) link.attrSet('data-peertube', video.id)
      else if (video.player && video.id) {
        link.attrSet('data-video', video.player)
        link.attrSet('data-id', video.id)
      }
      link.info = '' // its words are no longer its address
      words.content = `Video on ${video.host}`
    })
  })
}

const youtubeId = /^[\w-]{11}$/
const vimeoId = /^\d{1,12}$/
/** The addresses of PeerTube's videos, whatever the host: `/w/…` and `/videos/watch/…`. */
const peertubePath =
  /^\/(?:w|videos\/watch)\/([1-9A-HJ-NP-Za-km-z]{22}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/

function videoAt(href: string): Video | undefined {
  if (href.length > 500 || !URL.canParse(href)) return undefined
  const { protocol, hostname, pathname, searchParams } = new URL(href)
  if (protocol !== 'https:') return undefined
  const host = hostname.replace(/^(?:www|m)\./, '')
  const [, first = '', second = ''] = pathname.split('/')
  if (host === 'youtube.com' || host === 'youtu.be' || host === 'youtube-nocookie.com') {
    const isPath = first === 'shorts' || first === 'embed' || first === 'live'
    const id =
      host === 'youtu.be' ? first : isPath ? second : first === 'watch' ? (searchParams.get('v') ?? '') : ''
    return youtubeId.test(id) ? { host: 'YouTube', player: 'youtube', id } : undefined
  }
  if (host === 'vimeo.com' || host === 'player.vimeo.com') {
    const id = first === 'video' ? second : first
    return vimeoId.test(id) ? { host: 'Vimeo', player: 'vimeo', id } : undefined
  }
  const [, id] = peertubePath.exec(pathname) ?? []
  return id === undefined ? undefined : { host, player: 'peertube', id }
}
