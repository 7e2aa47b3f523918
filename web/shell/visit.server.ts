import { createContext, createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router'
import { type Answer, answerContext } from '#web/api/answer.server.ts'
import { markupContext } from '#web/markdown/send-markup.server.ts'

/** What the server gives to the rendering of one page; `nonce` marks its own scripts, for the server's eyes only. */
export type Visit = { answer: Answer; nonce: string; report: (error: unknown) => void }

/** Renders the page of an address. */
export type Render = (url: URL, visit: Visit, signal: AbortSignal) => Promise<Response>

export const visitContext = createContext<Visit>()

/**
 * Makes the renderer of this build. A page depends on its address alone: no header of the request reaches it, so that
 * the same page serves everybody. It is made here because contexts are told apart by instance, the build's own.
 */
export function rendererOf(build: ServerBuild, mode: 'production' | 'development'): Render {
  const handle = createRequestHandler(build, mode)
  return (url, visit, signal) => {
    const context = new RouterContextProvider()
    context.set(answerContext, visit.answer)
    context.set(visitContext, visit)
    if (!url.pathname.endsWith('.data')) context.set(markupContext, new Map())
    return handle(new Request(url, { signal }), context)
  }
}
