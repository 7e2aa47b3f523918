import { renderMarkdown } from '#markdown/render.ts'
import type { Renderer } from './renderer.ts'

/** Renders as the child process does, but here, so that a test of something else starts no process. */
export const testRenderer: Renderer = {
  render: async (_person, content) => renderMarkdown(content),
  close: async () => {},
}
