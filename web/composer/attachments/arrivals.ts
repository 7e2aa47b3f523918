import { isOutOfReach } from '#web/api/connection-back.ts'
import type { Upload } from '#web/files/upload.ts'

/** Files that were chosen together and have no ids yet. */
export type WaitingFiles = {
  key: number
  names: readonly string[]
  /** The picture that was chosen as the cover. */
  cover?: File
  /** Why they could not be added; adding them is retried on demand or with the next save. */
  error: Error | null
}

type Arrival = WaitingFiles & {
  files: readonly File[]
  /** Refers to the files once they have ids. */
  place: (added: readonly Upload[]) => Promise<void> | void
  running?: Promise<void> | undefined
}

type Options = {
  /** Reserves files. Returns those that were accepted. */
  reserve: (files: readonly File[]) => Promise<readonly Upload[]>
  changed: () => void
  /** They have their references, or are given up. */
  ended: (key: number) => void
}

/** The files of a text on their way to an id and a reference in it, by the key of those that were chosen together. */
export class Arrivals {
  readonly #options: Options
  #all: readonly Arrival[] = []
  #lastKey = 0

  constructor(options: Options) {
    this.#options = options
  }

  get all(): readonly WaitingFiles[] {
    return this.#all
  }

  /** Returns the key under which they wait. */
  begin(arrival: Pick<Arrival, 'names' | 'files' | 'cover' | 'place'>): number {
    this.#lastKey += 1
    this.#set([...this.#all, { ...arrival, key: this.#lastKey, error: null }])
    return this.#lastKey
  }

  change(key: number, change: Partial<Arrival>): void {
    this.#set(this.#all.map((one) => (one.key === key ? { ...one, ...change } : one)))
  }

  end(key: number): void {
    this.#options.ended(key)
    this.#set(this.#all.filter((one) => one.key !== key))
  }

  /** Returns how many files of the text wait, beside those of one key. */
  countBeside(key: number): number {
    return this.#all
      .filter((one) => one.key !== key && !one.cover)
      .reduce((sum, { names }) => sum + names.length, 0)
  }

  /** Requests the ids of files, or again after the server could not be reached. */
  async add(key: number): Promise<void> {
    const arrival = this.#all.find((one) => one.key === key)
    if (!arrival) return
    if (arrival.running) return arrival.running
    const running = this.#reserve(arrival)
    this.change(key, { error: null, running })
    await running
  }

  /** Adds files again, once the server can be reached. */
  retry(): void {
    for (const { key, error } of this.#all) if (isOutOfReach(error)) void this.add(key)
  }

  /** Resolves when every file has its reference in the text; to `false` if the server could not be reached for some. */
  async settled(): Promise<boolean> {
    await Promise.all(this.#all.map(({ key }) => this.add(key)))
    return this.#all.length === 0
  }

  async #reserve({ key, files, place }: Arrival): Promise<void> {
    try {
      const added = await this.#options.reserve(files)
      // Another cover may have been chosen in the meantime.
      if (this.#all.some((one) => one.key === key)) await place(added)
      this.end(key)
    } catch (error) {
      // oxlint-disable-next-line no-console -- the composer shows the error with a button to try again
      console.warn(error)
      if (!(error instanceof Error)) throw error
      this.change(key, { error, running: undefined })
    }
  }

  #set(all: readonly Arrival[]): void {
    this.#all = all
    this.#options.changed()
  }
}
