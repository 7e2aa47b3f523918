import { renderPlainText } from '#markdown/plain-text.ts'
import { renderMarkdown } from '#markdown/render.ts'
import type { Rendering } from '#markdown/rendering.ts'

export type Task = { content: string; as: 'markdown' | 'plain' }

/** The task of the child process. */
export default function render({ content, as }: Task): Rendering {
  return as === 'plain' ? renderPlainText(content) : renderMarkdown(content)
}
