declare module 'commonmark-spec' {
  export const tests: { markdown: string; html: string; section: string; number: number }[]
}

declare module 'markdown-it-footnote' {
  import type { MarkdownIt } from 'markdown-it'

  export default function footnotes(md: MarkdownIt): void
}
