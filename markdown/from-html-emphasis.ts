import type TurndownService from 'turndown'

const MARKS: { [name: string]: { mark: string; tag: string } } = {
  B: { mark: '**', tag: 'strong' },
  STRONG: { mark: '**', tag: 'strong' },
  I: { mark: '*', tag: 'em' },
  EM: { mark: '*', tag: 'em' },
  S: { mark: '~~', tag: 'del' },
  DEL: { mark: '~~', tag: 'del' },
}
const INLINE = /^(?:A|B|CODE|DEL|EM|FONT|I|KBD|MARK|S|SMALL|SPAN|STRONG|SUB|SUP|U)$/
const TEXT_NODE = 3

/**
 * Writes emphasis with marks or, where they would be read as text (`**Name:**value`), with tags. Emphasis over several paragraphs is
 * one for each.
 */
export function addEmphasis(turndown: TurndownService): void {
  turndown.addRule('emphasis', {
    filter: (node) => node.nodeName in MARKS,
    replacement(content, node) {
      const { mark = '', tag = '' } = MARKS[node.nodeName] ?? {}
      return content.replaceAll(/\S(?:(?!\n\s*\n)[^])*/g, (paragraph) => {
        const words = paragraph.trimEnd()
        const isWhole = words === content.trim()
        const [before, after] = isWhole
          ? [neighbor(node, 'previousSibling'), neighbor(node, 'nextSibling')]
          : ['', '']
        const letters = [...words]
        // A tilde beside the marks is not escaped, as stars are.
        const touches = mark === '~~' && [before, letters[0], letters.at(-1), after].includes('~')
        const fits = !touches && isFree(before, letters[0]) && isFree(after, letters.at(-1))
        return `${fits ? `${mark}${words}${mark}` : `<${tag}>${words}</${tag}>`}${paragraph.slice(words.length)}`
      })
    },
  })
}

const WORD = /[\p{L}\p{N}\p{M}]/u
/** Scripts without spaces between words, whose emphasis may touch punctuation. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3000-\u303F\uFF00-\uFFEF]/u

/** Whether marks between these characters are emphasis: punctuation inside needs space or punctuation outside. */
const isFree = (outside: string, inside = '') =>
  !WORD.test(outside) || WORD.test(inside) || UNSPACED.test(outside) || UNSPACED.test(inside)

/** Returns the character beside an element in its paragraph; empty at the ends of it, and beside space of the element's own. */
function neighbor(node: Node, direction: 'previousSibling' | 'nextSibling'): string {
  const isBefore = direction === 'previousSibling'
  const own = node.textContent ?? ''
  if ((isBefore ? own.trimStart() : own.trimEnd()) !== own) return ''
  let at: Node | null = node
  while (at) {
    const sibling: Node | null = at[direction]
    if (!sibling) {
      at = at.parentNode && INLINE.test(at.parentNode.nodeName) ? at.parentNode : null
      continue
    }
    if (sibling.nodeType !== TEXT_NODE && !INLINE.test(sibling.nodeName)) return ''
    const characters = [...(sibling.textContent ?? '')]
    const character = isBefore ? characters.at(-1) : characters[0]
    if (character !== undefined) return character
    at = sibling
  }
  return ''
}
