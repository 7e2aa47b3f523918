/** Something open above the page. `close` closes it, or asks first; it returns whether it closes. */
type Layer = { close: () => boolean }

/** Runs `first` and then performs the router's deferred history writes. */
type Release = (first?: () => void) => void

/** The router is notified of a traversal that leads to another page. */
type Traversal = { to: number; arrived: () => void; release: Release; isToPage: boolean }

/** The part of Window that the layers need. */
export type HistoryWindow = {
  history: Pick<History, 'state' | 'pushState' | 'replaceState' | 'go' | 'back'>
  location: Pick<Location, 'href'>
  addEventListener: (type: 'popstate', listener: (event: PopState) => void) => void
  setTimeout: (run: () => void) => unknown
}

type PopState = Pick<Event, 'stopImmediatePropagation'>

/** `idx` is React Router's index of the entry; the other fields are ours. */
type EntryState = { idx?: number; layer?: number; beyond?: number } | null

/**
 * Gives every open layer (dialog, confirmation, menu) its own history entry, so that Back closes only the topmost one. The
 * entries have the page's URL and the router's state, and the router is not notified of them, because it would reload the page's
 * data. Create this before the router, whose listener would otherwise run first. Closing a layer in another way removes its
 * entry.
 */
export class HistoryLayers {
  readonly #window: HistoryWindow
  #layers: Layer[] = []
  /** The index of the page's entry, below those of its layers. */
  #base = 0
  /** The number of layer entries that follow the page's entry. */
  #pushed = 0
  /** The current entry, as of the last event. */
  #at: EntryState = null
  #traversal: Traversal | null = null
  /** The router has pushed a page that is not shown yet, so the layers of the previous page are still open. */
  #isLeaving = false

  constructor(window: HistoryWindow) {
    this.#window = window
    this.#at = this.#state
    this.#observePushes()
    window.addEventListener('popstate', (event) => this.#onPop(event))
  }

  /** Opens a layer above the others; returns a function to call once the layer is closed. */
  open(close: () => boolean): () => void {
    const layer = { close }
    if (this.#layers.length === 0 && !this.#traversal) this.#rebase()
    this.#layers.push(layer)
    this.settleSoon()
    return () => {
      this.#remove(layer)
      this.settleSoon()
    }
  }

  /** Removes the entries of all layers and then runs a function that leaves the page, while the layers are still visible. */
  leave(run: () => void): void {
    this.#layers = []
    const depth = this.#depth
    if (this.#traversal) {
      const { arrived } = this.#traversal
      this.#traversal.arrived = () => {
        arrived()
        this.leave(run)
      }
    } else if (depth > 0) this.#traverse(-depth, run)
    else run()
  }

  /** Adjusts the history to the number of open layers. */
  settle(): void {
    const idx = this.#state?.idx
    if (this.#traversal || idx === undefined) return
    this.#isLeaving = false
    this.#at = this.#state
    if (idx < this.#base || idx > this.#base + this.#pushed) this.#rebase()
    const depth = idx - this.#base
    const missing = this.#layers.length - depth
    if (missing > 0 && this.#pushed > depth) {
      this.#traverse(Math.min(missing, this.#pushed - depth))
    } else if (missing > 0) {
      this.#push(depth)
    } else if (missing < 0) this.#withdraw(missing, depth)
  }

  get #state(): EntryState {
    return this.#window.history.state as EntryState
  }

  /** The number of layer entries below the current entry; 0 after a navigation. */
  get #depth(): number {
    const depth = (this.#state?.idx ?? 0) - this.#base
    return depth >= 0 && depth <= this.#pushed ? depth : 0
  }

  #observePushes(): void {
    const { history } = this.#window
    const { pushState } = history
    history.pushState = (state: EntryState, title: string, href?: string | URL | null) => {
      pushState.call(history, state, title, href)
      if (state?.layer !== undefined) return
      this.#isLeaving = true
      this.#at = this.#state
    }
  }

  #rebase(): void {
    const { idx = 0, layer = 0 } = this.#state ?? {}
    this.#base = idx - layer
    this.#pushed = layer
  }

  #remove(layer: Layer): void {
    this.#layers = this.#layers.filter((other) => other !== layer)
  }

  /**
   * Calls `settle` in a microtask, so that a layer that replaces another, or a navigation that closes some, is handled as one
   * change. Call it after a navigation, too.
   */
  settleSoon(): void {
    this.#window.setTimeout(() => this.settle())
  }

  #push(depth: number): void {
    const { history } = this.#window
    const { beyond, ...state } = this.#state ?? {}
    if (beyond !== undefined) history.replaceState(state, '')
    for (let layer = depth + 1; layer <= this.#layers.length; layer += 1) {
      history.pushState({ ...state, idx: this.#base + layer, layer }, '')
    }
    this.#pushed = this.#layers.length
    this.#at = this.#state
  }

  /**
   * Goes back over entries whose layers are closed. If the router has replaced such an entry, its replacement moves down with it.
   */
  #withdraw(by: number, depth: number): void {
    const { history, location } = this.#window
    const { href } = location
    const state = this.#state
    const isReplaced = state?.layer === undefined
    if (isReplaced) history.replaceState({ ...state, layer: depth }, '')
    this.#traverse(by, () => {
      if (isReplaced) history.replaceState({ ...state, idx: this.#state?.idx }, '', href)
      this.#pushed = this.#depth
    })
  }

  #traverse(by: number, arrived: () => void = () => {}, isToPage = false): void {
    const release = holdWrites(this.#window.history)
    this.#traversal = { to: (this.#state?.idx ?? 0) + by, arrived, release, isToPage }
    this.#window.history.go(by)
  }

  #onPop(event: PopState): void {
    const from = this.#at
    const to = this.#state
    this.#at = to
    if (to?.idx === undefined) return
    const traversal = this.#traversal
    this.#traversal = null
    if (traversal?.to === to.idx) {
      if (!traversal.isToPage) event.stopImmediatePropagation()
      traversal.release(traversal.arrived)
      return this.settle()
    }
    traversal?.release()
    if (this.#isLeaving) this.#closeLeft()
    // With two quick Backs, the second may arrive instead of the forward traversal that followed the first.
    const isBack = to.idx < Math.max(from?.idx ?? 0, traversal?.to ?? 0)
    if (this.#layers.length > 0) {
      event.stopImmediatePropagation()
      if (isBack) this.#closeTopmost()
      this.#return(to.idx)
    } else if (to.layer !== undefined) this.#skip(event, to.idx - to.layer, to.layer, from)
    // A layer's entry survived a reload: going back to the page's entry changed nothing visible.
    else if (isBack && from?.layer !== undefined && from.idx === to.idx + from.layer)
      this.#window.history.back()
  }

  /** Closes the layers that the previous page left open: the user went back before the next page was shown. */
  #closeLeft(): void {
    this.#isLeaving = false
    for (const layer of [...this.#layers].reverse()) if (layer.close()) this.#remove(layer)
  }

  #closeTopmost(): void {
    const top = this.#layers.at(-1)
    if (!top?.close()) return
    this.#remove(top)
    this.#pushed = Math.min(this.#pushed, this.#layers.length)
  }

  /** Returns to the entry of the topmost layer. */
  #return(idx: number): void {
    const by = this.#base + Math.min(this.#layers.length, this.#pushed) - idx
    if (by === 0) this.settleSoon()
    else this.#traverse(by)
  }

  /**
   * Skips an entry whose layer is closed: back to its page, or forward to the next page. The router is notified only of the page:
   * while it blocks a back navigation until the page's code is loaded, it returns immediately, and must not return to this entry.
   */
  #skip(event: PopState, page: number, layer: number, from: EntryState): void {
    const { history } = this.#window
    const isForward = from?.idx === page
    this.#base = page
    this.#pushed = layer
    event.stopImmediatePropagation()
    if (isForward && from.beyond !== undefined) return history.go(from.beyond + 1 - layer)
    const arrived = () => {
      if (!isForward) history.replaceState({ ...this.#state, beyond: layer }, '')
      this.#pushed = 0
    }
    this.#traverse(-layer, arrived, !isForward)
  }
}

let layers: HistoryLayers | undefined

/**
 * Returns the history layers of this page. The first call registers their listener and must precede the router's creation. Without a
 * router, it numbers the page's entry as a router would.
 */
export function historyLayers(): HistoryLayers {
  const { state } = history
  if (!layers && state?.idx === undefined) history.replaceState({ ...state, idx: 0 }, '')
  layers ??= new HistoryLayers(window)
  return layers
}

type Write = (state: EntryState, title: string, href?: string | URL | null) => void

/**
 * Defers the router's history writes until a traversal has finished, because it would otherwise leave the new entry. Returns a
 * function that runs its argument and then performs the deferred writes.
 */
function holdWrites(history: HistoryWindow['history']): Release {
  const { pushState, replaceState } = history
  const held: (() => void)[] = []

  const hold =
    (write: Write, step: number): Write =>
    (state, title, href) =>
      held.push(() => {
        const at = (history.state as EntryState)?.idx ?? 0
        write.call(history, { ...state, idx: at + step }, title, href)
      })

  history.pushState = hold(pushState, 1)
  history.replaceState = hold(replaceState, 0)
  return (first) => {
    Object.assign(history, { pushState, replaceState })
    first?.()
    for (const write of held) write()
  }
}
