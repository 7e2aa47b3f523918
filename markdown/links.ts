import type { MarkdownIt, StateCore, Token } from 'markdown-it'
import { wordsOf } from './words.ts'

const allowedScheme = /^(?:https?|ircs?|mailto|xmpp)$/i
const leadsOutside = /^(?:https?:)?\/\//i

/** Whether an address is relative or of a scheme that links may have: what precedes the first colon is a scheme. */
export function isAllowed(address: string): boolean {
  const [beforePath = ''] = address.split(/[/?#]/, 1)
  const colon = beforePath.indexOf(':')
  return colon === -1 || allowedScheme.test(beforePath.slice(0, colon))
}

/** Links to a scheme that is not allowed lead nowhere; an image from one becomes its description. */
export function linksAndImages(md: MarkdownIt): void {
  md.core.ruler.push('links_and_images', ({ tokens }: StateCore) => {
    for (const { children } of tokens) {
      children?.forEach((token, index) => {
        if (token.type === 'link_open') restrainLink(token, children, index)
        if (token.type === 'image') restrainImage(token)
      })
    }
  })
}

function restrainLink(link: Token, tokens: Token[], index: number): void {
  const href = String(link.attrGet('href') ?? '')
  if (!isAllowed(href)) {
    link.attrs = (link.attrs ?? []).filter(([name]) => name !== 'href')
    return
  }
  if (leadsOutside.test(href)) link.attrSet('rel', 'nofollow ugc noopener')
  // A link whose words are its address is printed on paper without the address after it.
  if (link.info === 'auto' || saysItsAddress(href, tokens, index)) link.attrSet('data-bare', 'true')
}

function saysItsAddress(href: string, tokens: Token[], index: number): boolean {
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
