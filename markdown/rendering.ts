import type { Heading } from './headings.ts'

/** Raise it whenever the same Markdown may come out differently: what is stored under another version is rendered again. */
export const RENDERER_VERSION = 4

/** What a text becomes. */
export type Rendering = {
  html: string
  excerpt: string
  wordCount: number
  headings: Heading[]
  renderedAs: 'markdown' | 'plain'
}
