/** What is open above a page. `close` closes it, or asks first; it returns whether it closes. */
type Layer = { close: () => boolean }

/** Lets the router write again, after something else. */
type Release = (first?: () => void) => void

type Traversal = { to: number; arrived: () => void; release: Release }

/** The part of a window that layers need; tests give their own. */
export type HistoryWindow = {
  history: Pick<History, 'state' | 'pushState' | 'replaceState' | 'go' | 'back'>
  location: Pick<Location, 'href'>
  addEventListener: (type: 'popstate', listener: (event: PopState) => void) => void
  setTimeout: (run: () => void) => unknown
}

type PopState = Pick<Event, 'stopImmediatePropagation'>

/** `idx` is the router's own count of entries; the others are ours. */
type EntryState = { idx?: number; layer?: number; beyond?: number } | null

/**
 * Gives every open layer (dialog, question, menu) a history entry of its own, so that Back closes the topmost one and
 * nothing else. The entries have the page's own URL and the router's own state, and the router hears of none of them: it
 * would load the page's data again. It must therefore be made before the router, whose listener would else come first.
 * A layer that closes by itself takes its entry along.
 */
export class HistoryLayers {
  readonly #window: HistoryWindow
  #layers: Layer[] = []
  /** The index of the page's entry, under those of its layers. */
  #base = 0
  /** How many entries of layers follow the page's. */
  #pushed = 0
  /** The entry that the person is at, as of the last event. */
  #at: EntryState = null
  #traversal: Traversal | null = null

  constructor(window: HistoryWindow) {
    this.#window = window
    this.#at = this.#state
    window.addEventListener('popstate', (event) => this.#onPop(event))
  }

  /** Opens a layer above the others; the function it returns is to be called once the layer is closed. */
  open(close: () => boolean): () => void {
    const layer = { close }
    if (this.#layers.length === 0 && !this.#traversal) this.#rebase()
    this.#layers.push(layer)
    this.#settleSoon()
    return () => {
      this.#remove(layer)
      this.#settleSoon()
    }
  }

  /** Takes the entries of all layers away and then runs something that leaves the page, with the layers still in sight. */
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

  /** Makes history as deep as there are layers. To be called, too, when the router has gone elsewhere. */
  settle(): void {
    const idx = this.#state?.idx
    if (this.#traversal || idx === undefined) return
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

  /** How many layers deep in history the person is; 0 as well where the router has gone elsewhere. */
  get #depth(): number {
    const depth = (this.#state?.idx ?? 0) - this.#base
    return depth >= 0 && depth <= this.#pushed ? depth : 0
  }

  #rebase(): void {
    const { idx = 0, layer = 0 } = this.#state ?? {}
    this.#base = idx - layer
    this.#pushed = layer
  }

  #remove(layer: Layer): void {
    this.#layers = this.#layers.filter((other) => other !== layer)
  }

  /** Layers that take each other's place, and a navigation that closes one, are seen as one change. */
  #settleSoon(): void {
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

  /** Leaves entries whose layers are closed. What the router put in place of one, as when the editor closes, moves down with it. */
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

  #traverse(by: number, arrived: () => void = () => {}): void {
    const release = holdWrites(this.#window.history)
    this.#traversal = { to: (this.#state?.idx ?? 0) + by, arrived, release }
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
      event.stopImmediatePropagation()
      traversal.release(traversal.arrived)
      return this.settle()
    }
    traversal?.release()
    // Pressed twice in a row, the second Back may come instead of the way forward that followed the first.
    const isBack = to.idx < Math.max(from?.idx ?? 0, traversal?.to ?? 0)
    if (this.#layers.length > 0) {
      event.stopImmediatePropagation()
      if (isBack) this.#closeTopmost()
      this.#return(to.idx)
    } else if (to.layer !== undefined) this.#passBy(event, to.idx - to.layer, to.layer, from)
    // A layer's entry that outlived a reload: nothing that could be seen was left yet.
    else if (isBack && from?.layer !== undefined && from.idx === to.idx + from.layer)
      this.#window.history.back()
  }

  #closeTopmost(): void {
    const top = this.#layers.at(-1)
    if (!top?.close()) return
    this.#remove(top)
    this.#pushed = Math.min(this.#pushed, this.#layers.length)
  }

  /** From wherever the person went, back to the entry of the layer that is now on top. */
  #return(idx: number): void {
    const by = this.#base + Math.min(this.#layers.length, this.#pushed) - idx
    if (by === 0) this.#settleSoon()
    else this.#traverse(by)
  }

  /** Goes on from an entry whose layer is closed: back to its page, or forward over it to where the page was left for. */
  #passBy(event: PopState, page: number, layer: number, from: EntryState): void {
    const { history } = this.#window
    const isForward = from?.idx === page
    this.#base = page
    this.#pushed = layer
    if (isForward) {
      event.stopImmediatePropagation()
      if (from.beyond !== undefined) return history.go(from.beyond + 1 - layer)
    }
    this.#traverse(-layer, () => {
      if (!isForward) history.replaceState({ ...this.#state, beyond: layer }, '')
      this.#pushed = 0
    })
  }
}

type Write = (state: EntryState, title: string, href?: string | URL | null) => void

/**
 * Has what the router writes to the history wait until a traversal has arrived, which would otherwise take the person away
 * from it. The function it returns runs what it is given and then writes what has waited.
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
