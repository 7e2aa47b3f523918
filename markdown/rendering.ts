import type { Heading } from './headings.ts'

/** Increase it whenever the same Markdown may render differently: renderings of other versions are rendered again. */
export const RENDERER_VERSION = 15

/** The result of rendering a text. */
export type Rendering = {
  html: string
  excerpt: string
  wordCount: number
  headings: Heading[]
  renderedAs: 'markdown' | 'plain'
}
