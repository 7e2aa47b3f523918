import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { TextHandle } from '#web/composer/text/text-handle.ts'
import { Button, IconButton } from '#web/ui/controls/button.tsx'

/** A text that was pasted as plain text, with its position and its HTML. */
export type Pasted = { text: string; at: number; html: string }

/** Larger HTML is ignored. */
const HTML_MAX = 2_000_000

const formatted =
  /<(?:a|b|strong|em|i|del|s|h[1-6]|ul|ol|table|blockquote|pre|code|img|math|details)[\s>]|(?:font-weight|font-style|text-decoration|mso-list)[\w-]{0,30}:/i

/** Whether HTML has formatting that Markdown supports. */
export const isFormatted = (html: string): boolean => html.length <= HTML_MAX && formatted.test(html)

type PasteOfferProps = {
  pasted: Pasted
  /** Returns the current content. */
  read: () => string
  text: () => TextHandle | null
  onDone: () => void
}

/** Offers to replace pasted plain text by Markdown with its formatting. Undo restores the plain text. */
export function PasteOffer({ pasted, read, text, onDone }: PasteOfferProps) {
  const { markdown, left } = useConverted(pasted)
  if (!markdown || markdown === pasted.text.trim() || !read().startsWith(pasted.text, pasted.at)) return null

  function replace(insert: string) {
    const { at, text: plain } = pasted
    const caret = at + insert.length
    text()?.apply({ from: at, to: at + plain.length, insert, start: caret, end: caret })
    onDone()
  }

  return (
    <div className="pointer-events-none sticky bottom-3 z-10 flex justify-center">
      <div className="pointer-events-auto flex animate-rise items-center gap-2 rounded-lg border border-line bg-raised py-1.5 pr-1.5 pl-3.5 text-sm shadow-lg">
        <output>{left === 0 ? 'Pasted as plain text' : withoutPictures(left)}</output>
        <Button size="sm" onClick={() => replace(markdown)}>
          Paste as Markdown
        </Button>
        <IconButton label="Keep the plain text" icon={<X />} size="sm" onClick={onDone} />
      </div>
    </div>
  )
}

const withoutPictures = (left: number) =>
  left === 1
    ? 'Pasted as plain text. One picture cannot be pasted this way: copy it alone, or add it as a file.'
    : `Pasted as plain text. ${left} pictures cannot be pasted this way: copy each alone, or add them as files.`

type Converted = {
  markdown: string | null /** The number of pictures that do not come along. */
  left: number
}

/** Loads the converter and returns the Markdown of the pasted text; null if there is none. */
function useConverted({ html }: Pasted): Converted {
  const [converted, setConverted] = useState<Converted>({ markdown: null, left: 0 })

  useEffect(() => {
    let isMounted = true
    import('./html-to-markdown.ts').then(
      ({ htmlToMarkdown, picturesLeft }) =>
        isMounted && setConverted({ markdown: htmlToMarkdown(html), left: picturesLeft(html) }),
      // Without the converter the plain text remains.
      () => undefined,
    )
    return () => {
      isMounted = false
    }
  }, [html])

  return converted
}
