/** Those who are called when something happens. `add` is the `subscribe` of an external store for React. */
export class Listeners<Args extends unknown[] = []> {
  readonly #all = new Set<(...args: Args) => void>()

  /** Returns the function that removes the listener. */
  readonly add = (listener: (...args: Args) => void): (() => void) => {
    this.#all.add(listener)
    return () => void this.#all.delete(listener)
  }

  call(...args: Args): void {
    for (const listener of this.#all) listener(...args)
  }
}
