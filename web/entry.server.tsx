import { Writable } from 'node:stream'
import { renderToPipeableStream } from 'react-dom/server'
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from 'react-router'
import type { RenderContext } from '#contract/rendering.ts'
import { markupContext } from '#web/markdown/send-markup.server.ts'
import { NonceContext } from '#web/shell/inline-scripts.tsx'
import { cachedParamsOf, renderContext } from '#web/shell/render.server.ts'
import { SentMarkup } from './markdown/rendered-markdown.tsx'

export { cachedRoutesOf, rendererOf } from '#web/shell/render.server.ts'

export const handleError: HandleErrorFunction = (error, { request, context }) => {
  // Even the catch-all route matches no URL with a line break.
  if (isRouteErrorResponse(error) && error.status === 404) return
  if (!request.signal.aborted) context.get(renderContext).report(error)
}

/** Renders a page as a whole, so that its status and ETag are known before the first byte. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  const { nonce, report } = loadContext.get(renderContext)
  const html = await render(
    <NonceContext value={nonce}>
      <SentMarkup value={loadContext.get(markupContext)}>
        <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
      </SentMarkup>
    </NonceContext>,
    { nonce, report, signal: request.signal },
  )
  headers.set('content-type', 'text/html; charset=utf-8')
  const leaf = routerContext.staticHandlerContext.matches.at(-1)?.route.id ?? ''
  const isPublic = cachedParamsOf(routerContext.routeModules[leaf]) !== undefined
  return new Response(isPublic ? withDeferredScripts(withLateFonts(withEarlyStyles(html))) : html, {
    status,
    headers,
  })
}

/** Renames the types of a page's scripts and preloads, so that the browser leaves both to `deferHydration`. */
function withDeferredScripts(html: string): string {
  return html
    .replaceAll('<link rel="modulepreload"', '<link rel="deferred-modulepreload"')
    .replace(/(<script(?: nonce="[^"]*")?) type="module"/, '$1 type="deferred-module"')
}

/**
 * Preloads a page's style sheets at the beginning of its head, where React puts its first picture: on a slow line they would
 * wait for that, and the page for them.
 */
function withEarlyStyles(html: string): string {
  const sheets = html.matchAll(/<link(?: nonce="[^"]*")? rel="stylesheet" href="([^"]+)"/g)
  const preloads = Array.from(sheets, ([, href]) => `<link rel="preload" as="style" href="${href}"/>`)
  return html.replace(/<meta charset="utf-8"\/>/i, (meta) => meta + preloads.join(''))
}

/** Leaves the fonts of a page to `loadFonts`: before the first paint they would compete with what that takes. */
function withLateFonts(html: string): string {
  return html
    .replace('<html', '<html data-fonts="later"')
    .replaceAll(/<link(?: nonce="[^"]*")? rel="preload"[^>]* as="font"[^>]*>/g, '')
}

type RenderOptions = Pick<RenderContext, 'nonce' | 'report'> & { signal: AbortSignal }

function render(page: React.ReactNode, { nonce, report, signal }: RenderOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    let isShellReady = false
    const { pipe, abort } = renderToPipeableStream(page, {
      nonce,
      onShellReady: () => {
        isShellReady = true
      },
      onAllReady: () => pipe(collect(resolve)),
      onShellError: reject,
      // An error of the shell itself is reported by handleError.
      onError: (error) => {
        if (isShellReady && !signal.aborted) report(error)
      },
    })
    signal.addEventListener('abort', () => abort(signal.reason), { once: true })
  })
}

function collect(done: (text: string) => void): Writable {
  const chunks: Buffer[] = []
  return new Writable({
    write(chunk: Buffer, _encoding, next) {
      chunks.push(chunk)
      next()
    },
    final(next) {
      done(Buffer.concat(chunks).toString())
      next()
    },
  })
}
