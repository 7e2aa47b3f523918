import type { ProjectFile } from '#contract/files.ts'

/** An upload of a file from this browser to the server. */
export type Upload = Readonly<{
  /** The id that the server reserved; texts refer to the file as `/files/{id}`. */
  id: string
  name: string
  type: string
  bytes: Blob
  /** `retrying`: the last attempt failed, and another follows automatically. `refused`: the server does not accept the file. */
  status: 'waiting' | 'sending' | 'retrying' | 'refused' | 'done'
  /** The fraction of the bytes that was sent, from 0 to 1. */
  sent: number
  /** The reason why the server refused it, for good or just now. */
  problem?: string | undefined
  /** Whether a refused file stays in this browser, because the reason may change. */
  isKept?: boolean
  /** The stored file, once the upload is done. */
  file?: ProjectFile
}>

export const isFinished = ({ status }: Upload): boolean => status === 'done' || status === 'refused'

/** A refused file, and the reason as a sentence that names it; with the file itself if only the quota prevents it. */
export type RejectedFile = { name: string; message: string; file?: File }

/** The progress of the files that were added since the queue was last empty. */
export type Activity = { total: number; done: number; refused: number }

export type SendOptions = { onProgress: (share: number) => void; signal: AbortSignal }

/** The calls that the queue makes; they throw ApiError. */
export type Transport = {
  reserve: (projectId: string, files: readonly File[]) => Promise<ProjectFile[]>
  send: (id: string, bytes: Blob, options: SendOptions) => Promise<ProjectFile>
  remove: (id: string) => Promise<void>
}

/**
 * The files that are sent in one batch, and how many of them have arrived. The first file that is added after a batch is complete
 * starts another; until then the counts of the last batch stay.
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

  /** Updates the counts after an upload has changed. */
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
