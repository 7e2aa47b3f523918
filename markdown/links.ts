import type { MarkdownIt, StateCore, Token } from 'markdown-it'
import { wordsOf } from './words.ts'

const allowedScheme = /^(?:https?|ircs?|mailto|xmpp)$/i
const leadsOutside = /^(?:https?:)?\/\//i

/** Whether a URL is relative or has an allowed scheme; the text before the first colon is the scheme. */
export function isAllowed(url: string): boolean {
  const [beforePath = ''] = url.split(/[/?#]/, 1)
  const colon = beforePath.indexOf(':')
  return colon === -1 || allowedScheme.test(beforePath.slice(0, colon))
}

/** Hosts that are written without a scheme. Only common endings, because others are those of files: `notes.md`, `main.rs`. */
const bareHost =
  /^(?:www\.[^\s/?#]+|(?:[\w-]+\.)+(?:com|org|net|edu|gov|info|io|dev|app|eu|at|au|be|br|ca|ch|cn|cz|de|dk|es|fi|fr|ie|it|jp|kr|nl|no|nz|pt|ru|se|ua|uk|us))(?::\d+)?(?:[/?#]|$)/i
const bareMailbox = /^[\w.+-]+@(?:[\w-]+\.)+[a-z]{2,}$/i

/** Returns the target that was meant: without a scheme it would be a path below the page. */
function withScheme(href: string): string {
  if (bareHost.test(href)) return `${/^www\./i.test(href) ? 'http' : 'https'}://${href}`
  return bareMailbox.test(href) ? `mailto:${href}` : href
}

/**
 * Adds the scheme that targets lack, removes targets with schemes that are not allowed, and replaces such images by their
 * descriptions. A link without words shows its target.
 */
export function linksAndImages(md: MarkdownIt): void {
  md.core.ruler.push('links_and_images', (state: StateCore) => {
    for (const token of state.tokens) {
      const children = token.children && withShownTargets(state, token.children)
      token.children = children
      children?.forEach((token, index) => {
        if (token.type === 'link_open') restrainLink(token, children, index)
        if (token.type === 'image') restrainImage(token)
      })
    }
  })
}

/** Gives links without words their target as words, because nobody could see or press them. */
function withShownTargets(state: StateCore, tokens: Token[]): Token[] {
  const isWordless = (index: number) =>
    tokens[index]?.type === 'link_open' && tokens[index + 1]?.type === 'link_close'
  if (!tokens.some((_token, index) => isWordless(index))) return tokens
  return tokens.flatMap((token, index) => {
    if (!isWordless(index)) return token
    const content = String(token.attrGet('href') ?? '')
    return [token, Object.assign(new state.Token('text', '', 0), { content, level: token.level + 1 })]
  })
}

function restrainLink(link: Token, tokens: Token[], index: number): void {
  const href = withScheme(String(link.attrGet('href') ?? ''))
  if (href === '' || !isAllowed(href)) {
    link.attrs = (link.attrs ?? []).filter(([name]) => name !== 'href')
    return
  }
  link.attrSet('href', href)
  if (leadsOutside.test(href)) link.attrSet('rel', 'nofollow ugc noopener')
  // A link whose text is its URL is printed without the URL after it.
  if (link.info === 'auto' || showsItsUrl(href, tokens, index)) link.attrSet('data-bare', 'true')
}

function showsItsUrl(href: string, tokens: Token[], index: number): boolean {
  const words = tokens[index + 1]
  if (words?.type !== 'text' || tokens[index + 2]?.type !== 'link_close') return false
  return href === words.content || href === `http://${words.content}`
}

function restrainImage(image: Token): void {
  const src = String(image.attrGet('src') ?? '')
  if (src !== '' && isAllowed(src)) {
    image.attrSet('loading', 'lazy')
    image.attrSet('decoding', 'async')
    image.attrSet('referrerpolicy', 'no-referrer')
    return
  }
  image.content = wordsOf([image])
  Object.assign(image, { type: 'text', tag: '', attrs: null, children: null })
}

type Video = { host: string; player?: 'youtube' | 'vimeo' | 'peertube'; id?: string }

/**
 * Turns the URL of a video that is alone in its paragraph into a link that the page may replace by the player on a press
 * (`data-video` and `data-id`). Without script, or in a feed reader, it leads to the video. PeerTube runs on any host: its videos
 * have a `data-peertube`, and whether their host may play in the page is decided when the text is shown.
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
      link.info = '' // its text is no longer its URL
      words.content = `Video on ${video.host}`
    })
  })
}

const youtubeId = /^[\w-]{11}$/
const vimeoId = /^\d{1,12}$/
/** Matches the paths of PeerTube's videos on any host: `/w/…` and `/videos/watch/…`. */
const peertubePath =
  /^\/(?:w|videos\/watch)\/([1-9A-HJ-NP-Za-km-z]{22}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/

function videoAt(href: string): Video | undefined {
  const url = href.length > 500 ? undefined : parse(href)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  const { protocol, hostname, pathname, searchParams } = url
  const host = hostname.replace(/^(?:www|m|music)\./, '')
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
  return protocol !== 'https:' || id === undefined ? undefined : { host, player: 'peertube', id }
}

function parse(href: string): URL | undefined {
  try {
    return new URL(href)
  } catch {
    return undefined
  }
}
