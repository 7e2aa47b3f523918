import { createContext, createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router'
import type { Render, RenderContext } from '#contract/rendering.ts'
import { answerContext } from '#web/api/answer.server.ts'
import { markupContext } from '#web/markdown/send-markup.server.ts'

export const renderContext = createContext<RenderContext>()

/**
 * Returns the renderer of this build. A page depends on its URL alone: no header of the request reaches it, so the same
 * page serves everybody. The renderer is part of the build because React Router identifies contexts by instance.
 */
export function rendererOf(build: ServerBuild, mode: 'production' | 'development'): Render {
  const handle = createRequestHandler(build, mode)
  return (url, given, signal) => {
    const context = new RouterContextProvider()
    context.set(answerContext, given.answer)
    context.set(renderContext, given)
    if (!url.pathname.endsWith('.data')) context.set(markupContext, new Map())
    return handle(new Request(url, { signal }), context)
  }
}
