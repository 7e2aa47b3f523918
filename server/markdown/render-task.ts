import { type Rendering, renderMarkdown, renderPlainText } from '#markdown/render.ts'

export type Task = { content: string; as: 'markdown' | 'plain' }

/** What a child process runs. */
export default function render({ content, as }: Task): Rendering {
  return as === 'plain' ? renderPlainText(content) : renderMarkdown(content)
}
