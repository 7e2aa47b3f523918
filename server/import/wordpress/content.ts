import { replaceBlocks } from '#server/import/converting/blocks.ts'

const BLOCKS =
  /^\s*<\/?(?:address|article|aside|blockquote|dd|details|div|dl|dt|figure|footer|form|h[1-6]|header|hr|iframe|li|main|nav|ol|p|pre|section|table|tbody|td|tfoot|th|thead|tr|ul|video|audio)\b/i
/** An uploaded file, with the words below it. */
export type Upload = { address: string; caption: string }

const ATTRIBUTE = (name: string) => new RegExp(`\\b${name}=["']([^"'\\]]{1,2000})["']`)

/**
 * Returns the HTML of a post. One that was not made of blocks has its paragraphs as empty lines, and all have shortcodes, of which
 * those of WordPress itself for pictures and films are understood; others stay as they are. `ofPost`: the pictures that were sent with it.
 */
export function htmlOfContent(
  content: string,
  uploads: ReadonlyMap<string, Upload>,
  ofPost: readonly Upload[] = [],
): string {
  const html = withCode(withLanguages(content))
    .replaceAll(BUILDER_PICTURE, '<p><img src="$1" alt=""></p>')
    .replaceAll(BUILDER, '')
    .replaceAll(/\[caption\b([^\]]{0,2000})\]/g, '<figure>')
    .replaceAll('[/caption]', '</figure>')
    .replaceAll(/\[gallery\b([^\]]{0,5000})\]/g, (_whole, attributes: string) =>
      galleryOf(attributes, uploads, ofPost),
    )
    .replaceAll(/\[embed\b[^\]]{0,2000}\]([^[\s]{1,2000})\[\/embed\]/g, '<p><a href="$1">$1</a></p>')
    .replaceAll(
      /\[(?:youtube|vimeo|dailymotion)[ =](https?:\/\/[^\]\s"]{1,2000})\]/g,
      '<p><a href="$1">$1</a></p>',
    )
    .replaceAll(
      /\[(?:video|audio)\b([^\]]{0,2000})\](?:\[\/(?:video|audio)\])?/g,
      (whole, attributes: string) => {
        const source = ['src', 'mp4', 'webm', 'm4v', 'mp3', 'm4a', 'ogg', 'wav']
          .map((name) => ATTRIBUTE(name).exec(attributes)?.[1])
          .find((found) => found !== undefined)
        return source === undefined ? whole : `<video src="${source}"></video>`
      },
    )
  return /<!-- wp:|<p[\s>]/i.test(content) ? html : withParagraphs(html)
}

/** Code as plugins and WordPress.com have it: every character is itself, also if the editor has escaped it. */
const withCode = (content: string) =>
  replaceBlocks(content, {
    open: /\[(code|sourcecode)\b([^[\]]{0,500})\]/g,
    close: ([, name = '']) => `[/${name}]`,
    replace: (code, [, , attributes = '']) => {
      const [, language] = /\blang(?:uage)?=["']?([\w+#.-]{1,50})/.exec(attributes) ?? []
      return `<pre${language === undefined ? '' : ` lang="${language}"`}>${escaped(code)}</pre>`
    },
  })

/** Only the comment before a block of code tells its language. */
const withLanguages = (content: string) =>
  content.replaceAll(
    /(<!-- wp:[\w-]+\/?[\w-]* \{[^{}\n]{0,500}"(?:language|lang)":"([\w+#.-]{1,50})"[^\n]{0,500}-->\s{0,20}<pre)\b/g,
    (_whole, begin: string, language: string) => `${begin} lang="${language}"`,
  )

const escaped = (code: string) =>
  code
    .replaceAll(/&(?!(?:amp|lt|gt|quot|#\d{2,5});)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    // It is no shortcode, either.
    .replaceAll('[', '&#91;')

/** A picture that a frame of a page builder names. */
const BUILDER_PICTURE = /\[et_pb_image\b[^\]]{0,2000}?\bsrc=["'”″]([^"'”″\]\s]{1,2000})["'”″][^\]]{0,5000}\]/g

/** The columns and rows of page builders, whose texts are between them: WPBakery, Divi, Avada, Enfold. */
const BUILDER = /\[\/?(?:vc|et_pb|fusion|av)_\w{1,60}(?:\s[^\]]{0,5000})?\]/g

/** A gallery without a list shows what was sent with its post. */
const galleryOf = (attributes: string, uploads: ReadonlyMap<string, Upload>, ofPost: readonly Upload[]) =>
  (
    ATTRIBUTE('ids')
      .exec(attributes)?.[1]
      ?.split(',')
      .map((id) => uploads.get(id.trim())) ?? ofPost
  )
    .filter((upload) => upload !== undefined)
    .map(
      ({ address, caption }) =>
        `<figure><img src="${address.replaceAll('"', '%22')}" alt=""><figcaption>${caption}</figcaption></figure>`,
    )
    .join('')

/** Makes paragraphs of what is between empty lines, and breaks of single ones, as WordPress shows them. Code keeps its lines. */
function withParagraphs(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .split(/(<pre[\s>][\s\S]*?<\/pre>)/i)
    .map((part) =>
      /^<pre/i.test(part)
        ? part
        : part
            .split(/\n\s*\n/)
            .map((block) =>
              block.trim() === '' || BLOCKS.test(block)
                ? block
                : `<p>${block.trim().replaceAll('\n', '<br>')}</p>`,
            )
            .join('\n'),
    )
    .join('\n')
}
