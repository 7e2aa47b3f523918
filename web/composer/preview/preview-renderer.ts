/** The maximum time to render a text, more than an ordinary text needs on any machine. */
export const TIME_LIMIT_MS = 1_000

/**
 * The messages of the worker: that it has been loaded, then the HTML of each text; in between, that it loads
 * libraries for a text.
 */
export type FromWorker = 'ready' | 'loading' | 'loaded' | { html: string }

/** The HTML of a text, or the reason why it could not be rendered. */
export type Preview =
  | { content: string; html: string }
  | { content: string; failure: 'too complex' | 'not loaded' }

/**
 * Renders texts in a worker, which is terminated when one takes too long, so that no text can block the page. One text is
 * rendered at a time; of the texts that arrive in the meantime only the latest is rendered. The first text starts the
 * worker.
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

  /** Absent while the worker or its libraries are loading, which does not count. */
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
