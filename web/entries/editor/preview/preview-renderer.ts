/** How long a text may take to render. It is more than honest writing needs, on any machine. */
export const TIME_LIMIT_MS = 1_000

/**
 * What the worker sends: that it has been loaded, then the HTML of each text that it was sent; in between, that it loads
 * what a text needs.
 */
export type FromWorker = 'ready' | 'loading' | 'loaded' | { html: string }

/** A text as HTML, or why there is none. */
export type Preview =
  | { content: string; html: string }
  | { content: string; failure: 'too complex' | 'not loaded' }

/**
 * Renders texts in a worker that is stopped when one takes too long, so that no text can hold the page up. One text is
 * rendered at a time; of those that arrive meanwhile only the latest is rendered afterwards. The worker is started by
 * the first text.
 */
export function createPreviewRenderer(startWorker: () => Worker, onPreview: (preview: Preview) => void) {
  let worker: Worker | undefined
  let isReady = false
  let underWay: string | undefined
  let next: string | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  function start(): Worker {
    const started = startWorker()
    started.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
      if (data === 'ready') {
        isReady = true
        proceed()
      } else if (data === 'loading') clearTimeout(timer)
      else if (data === 'loaded') limitTime()
      else finish(data)
    })
    started.addEventListener('error', (event) => {
      event.preventDefault() // the preview shows the failure
      fail()
    })
    return started
  }

  /** Not while the worker, or a part of it, is loaded: a slow network says nothing about a text. */
  function limitTime() {
    clearTimeout(timer)
    timer = setTimeout(fail, TIME_LIMIT_MS)
  }

  function proceed() {
    if (next === undefined || underWay !== undefined) return
    worker ??= start()
    if (!isReady) return
    underWay = next
    next = undefined
    limitTime()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows; a worker has none
    worker.postMessage(underWay)
  }

  function finish(result: { html: string } | { failure: 'too complex' }) {
    clearTimeout(timer)
    const content = underWay
    underWay = undefined
    if (content !== undefined) onPreview({ content, ...result })
    proceed()
  }

  function fail() {
    const wasReady = isReady
    stopWorker()
    if (wasReady) return finish({ failure: 'too complex' })
    const content = next
    next = undefined
    if (content !== undefined) onPreview({ content, failure: 'not loaded' })
  }

  function stopWorker() {
    clearTimeout(timer)
    worker?.terminate()
    worker = undefined
    isReady = false
  }

  return {
    render(content: string) {
      if (content === underWay) next = undefined
      else next = content
      proceed()
    },
    stop() {
      stopWorker()
      underWay = undefined
      next = undefined
    },
  }
}
