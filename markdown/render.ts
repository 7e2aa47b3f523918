import { formatMarkdown } from './format.ts'
import { highlight } from './highlight.ts'
import { toMathml } from './mathml.ts'
import type { Rendering } from './rendering.ts'

export { HTML_MAX } from './format.ts'

/**
 * Renders Markdown to HTML that is safe to insert into a page. Call it for users' texts only in a worker with a time and a memory
 * limit.
 */
export const renderMarkdown = (content: string): Rendering => formatMarkdown(content, { highlight, toMathml })
