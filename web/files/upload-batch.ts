import type { Activity, Upload } from './upload.ts'

/**
 * The files that are sent in one go, and how many of them have arrived. The next file after the last one of a batch begins
 * another; until then the counts of the last batch stay.
 */
export class UploadBatch {
  /** Returns the upload of a file, unless no text refers to it any more. */
  readonly #find: (id: string) => Upload | undefined
  #ids = new Set<string>()
  #activity: Activity = { total: 0, done: 0, refused: 0 }

  constructor(find: (id: string) => Upload | undefined) {
    this.#find = find
  }

  get activity(): Activity {
    return this.#activity
  }

  add(id: string): void {
    this.#ids.add(id)
  }

  delete(id: string): void {
    this.#ids.delete(id)
  }

  /** Counts again after an upload has changed. */
  count(): void {
    const uploads = [...this.#ids].flatMap((id) => this.#find(id) ?? [])
    const having = (status: Upload['status']) => uploads.filter((upload) => upload.status === status).length
    const activity = { total: uploads.length, done: having('done'), refused: having('refused') }
    const keepsLast = this.#ids.size === 0 && isComplete(this.#activity)
    if (!keepsLast && !isSame(activity, this.#activity)) this.#activity = activity
    if (isComplete(activity)) this.#ids = new Set()
  }
}

const isComplete = ({ total, done, refused }: Activity) => done + refused === total

const isSame = (one: Activity, other: Activity) =>
  one.total === other.total && one.done === other.done && one.refused === other.refused
