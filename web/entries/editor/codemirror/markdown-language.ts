import {
  defineLanguageFacet,
  Language,
  LanguageSupport,
  languageDataProp,
  syntaxHighlighting,
} from '@codemirror/language'
import { tagHighlighter, tags } from '@lezer/highlight'
import { GFM, type MarkdownConfig, parser } from '@lezer/markdown'

/** A longer paragraph is shown without its inline formatting: finding the ends of emphasis takes quadratic time. */
const PARAGRAPH_MAX = 5_000
/** The number of lists and quotes inside each other. Deeper ones are parsed as text: each level costs as much as the line is long. */
const DEPTH_MAX = 40

const limits: MarkdownConfig = {
  parseInline: [
    {
      name: 'LongParagraph',
      before: 'Escape',
      parse: (context) => (context.end - context.offset > PARAGRAPH_MAX ? context.end : -1),
    },
  ],
  parseBlock: [
    {
      name: 'DeepNesting',
      before: 'LinkReference',
      parse(context, line) {
        if (context.depth <= DEPTH_MAX) return false
        const start = context.lineStart
        context.addElement(context.elt('Paragraph', start + line.pos, start + line.text.length))
        context.nextLine()
        return true
      },
    },
  ],
}

const data = defineLanguageFacet()

/** Markdown with the extensions of GitHub, as a language of CodeMirror, without the languages inside code blocks. */
export const markdownLanguage = new Language(
  data,
  parser.configure([GFM, limits, { props: [languageDataProp.add({ Document: data })] }]),
  [],
  'markdown',
)

const highlighter = tagHighlighter([
  { tag: tags.processingInstruction, class: 'md-mark' },
  { tag: tags.contentSeparator, class: 'md-mark' },
  { tag: tags.emphasis, class: 'md-emphasis' },
  { tag: tags.strong, class: 'md-strong' },
  { tag: tags.strikethrough, class: 'md-struck' },
  { tag: tags.monospace, class: 'md-code' },
  { tag: tags.link, class: 'md-link' },
  { tag: [tags.url, tags.string], class: 'md-url' },
  { tag: tags.labelName, class: 'md-label' },
  { tag: tags.atom, class: 'md-task' },
  { tag: [tags.escape, tags.character], class: 'md-escape' },
  { tag: [tags.comment, tags.angleBracket, tags.tagName], class: 'md-html' },
])

/** The language and the classes of its inline formatting. */
export const markdown = () => new LanguageSupport(markdownLanguage, syntaxHighlighting(highlighter))
