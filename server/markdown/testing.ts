import { renderMarkdown } from '#markdown/render.ts'
import type { Renderer } from './renderer.ts'

/** Renders in this process, so that tests of other features start no child process. */
export const testRenderer: Renderer = {
  render: async (_person, content) => renderMarkdown(content),
  close: async () => {},
}
