import type { ProjectFile } from '#contract/files.ts'
import { ApiError } from '#web/api/api-error.ts'
import { isPassing } from '#web/api/query-client.ts'
import type { StoredUpload, UploadStore } from './upload-store.ts'

/** How many files are sent at the same time. */
const AT_ONCE = 2
/** How many files one call reserves. */
const RESERVED_AT_ONCE = 100
/** The delays before the second attempt, the third and so on, in milliseconds. */
const RETRY_DELAYS = [2_000, 5_000, 15_000, 30_000]
const LONGEST_DELAY = 60_000

/** A file on its way from this browser to the server. */
export type Upload = Readonly<{
  /** The id that the server reserved; a text refers to the file as `/files/{id}`. */
  id: string
  name: string
  type: string
  bytes: Blob
  /** `retrying`: the last attempt failed, another follows by itself. `refused`: the server will not take the file. */
  status: 'waiting' | 'sending' | 'retrying' | 'refused' | 'done'
  /** The share of the bytes that was sent, from 0 to 1. */
  sent: number
  /** Why the server refused it. */
  problem?: string
  /** The file as the server keeps it, once it is done. */
  file?: ProjectFile
}>

/** A file that was not taken, and why, as a sentence that names it. */
export type Refusal = { name: string; message: string }

/** How the files that were added since the queue was last empty are doing. */
export type Activity = { total: number; done: number; refused: number }

export type SendOptions = { onProgress: (share: number) => void; signal: AbortSignal }

/** The calls that the queue makes; they throw ApiError. */
export type Transport = {
  reserve: (projectId: string, files: readonly File[]) => Promise<ProjectFile[]>
  send: (id: string, bytes: Blob, options: SendOptions) => Promise<ProjectFile>
  remove: (id: string) => Promise<void>
}

export type UploadQueueDeps = {
  userId: string
  transport: Transport
  store: UploadStore
  /** Resolves once no other tab is sending this file; it stays claimed until the signal. */
  claim: (id: string, signal: AbortSignal) => Promise<void>
}

/** What the queue remembers of an upload beyond what it shows. */
type Job = {
  upload: Upload
  end: AbortController
  isClaimed: boolean
  /** Whether its text still refers to it. */
  isWanted: boolean
  isStored: boolean
  failures: number
  attempt?: AbortController
  timer?: ReturnType<typeof setTimeout>
}

const ZERO: Activity = { total: 0, done: 0, refused: 0 }

/**
 * Sends files to the server, a few at a time, until all have arrived. Files and their ids are stored in the browser
 * before they have been sent, so that another page of this account continues where this one was closed.
 */
export class UploadQueue {
  readonly #deps: UploadQueueDeps
  readonly #jobs = new Map<string, Job>()
  readonly #listeners = new Set<() => void>()
  readonly #onRefused = new Set<(problem: string) => void>()
  #batch = new Set<string>()
  #activity = ZERO
  #adding = 0
  #isStopped = false

  constructor(deps: UploadQueueDeps) {
    this.#deps = deps
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Calls a listener with the reason of each refusal from now on. */
  whenRefused(listener: (problem: string) => void): () => void {
    this.#onRefused.add(listener)
    return () => this.#onRefused.delete(listener)
  }

  find(id: string): Upload | undefined {
    return this.#jobs.get(id)?.upload
  }

  readActivity = (): Activity => this.#activity

  /** Whether closing the page now would lose a file. */
  get wouldLose(): boolean {
    if (this.#adding > 0) return true
    return [...this.#jobs.values()].some(({ isStored, isWanted, upload }) => {
      return !isStored && isWanted && upload.status !== 'done' && upload.status !== 'refused'
    })
  }

  /**
   * Reserves files, stores them in this browser and begins to send them. Returns those that the server reserved, in
   * their order, and those that it refused. Throws ApiError if the server cannot be reached.
   */
  async add(projectId: string, files: readonly File[]): Promise<{ added: Upload[]; refusals: Refusal[] }> {
    const added: Upload[] = []
    const refusals: Refusal[] = []
    this.#adding += 1
    try {
      for (let from = 0; from < files.length; from += RESERVED_AT_ONCE) {
        const reserved = await this.#reserve(projectId, files.slice(from, from + RESERVED_AT_ONCE), refusals)
        for (const [file, { _id }] of reserved) added.push(this.#enqueue(_id, file).upload)
      }
    } finally {
      this.#adding -= 1
    }
    void this.#storeAll(projectId, added)
    return { added, refusals }
  }

  /** Reserves files together; if the server refuses them, it is asked about each half, to find out about which. */
  async #reserve(
    projectId: string,
    files: readonly File[],
    refusals: Refusal[],
  ): Promise<[File, ProjectFile][]> {
    try {
      const reserved = await this.#deps.transport.reserve(projectId, files)
      return files.flatMap((file, index) => (reserved[index] ? [[file, reserved[index]]] : []))
    } catch (error) {
      if (!isAboutFiles(error)) throw error
      const [only] = files
      if (files.length === 1 && only) {
        refusals.push({ name: only.name, message: naming(only.name, error.message) })
        return []
      }
      const half = Math.ceil(files.length / 2)
      const first = await this.#reserve(projectId, files.slice(0, half), refusals)
      return [...first, ...(await this.#reserve(projectId, files.slice(half), refusals))]
    }
  }

  /** Continues with what this account left unsent in this browser, and removes what other accounts left. */
  async resume(): Promise<void> {
    const { store, userId } = this.#deps
    const stored = await store.list()
    for (const { id, userId: owner } of stored) if (owner !== userId) await store.remove(id)
    for (const { id, userId: owner, name, type, bytes } of stored) {
      if (owner !== userId || this.#isStopped || this.#jobs.has(id)) continue
      this.#enqueue(id, new File([bytes], name, { type }), true)
    }
  }

  #enqueue(id: string, file: File, isStored = false): Job {
    const upload: Upload = {
      id,
      name: file.name,
      type: file.type,
      bytes: file,
      status: 'waiting',
      sent: 0,
    }
    const job: Job = {
      upload,
      end: new AbortController(),
      isClaimed: false,
      isWanted: true,
      isStored,
      failures: 0,
    }
    this.#jobs.set(id, job)
    this.#batch.add(id)
    this.#changed()
    void this.#claim(job)
    return job
  }

  async #claim(job: Job): Promise<void> {
    const wasStored = job.isStored
    await this.#deps.claim(job.upload.id, job.end.signal)
    if (job.end.signal.aborted) return
    // Another tab may have sent it meanwhile.
    const { id } = job.upload
    if (wasStored && !(await this.#deps.store.has(id))) return this.#forget(job)
    job.isClaimed = true
    this.#proceed()
  }

  async #storeAll(projectId: string, uploads: readonly Upload[]): Promise<void> {
    const { store, userId } = this.#deps
    for (const { id, name, type, bytes } of uploads) {
      const job = this.#jobs.get(id)
      if (!job || isFinished(job.upload)) continue
      const record: StoredUpload = { id, userId, projectId, name, type, bytes, addedAt: Date.now() }
      job.isStored = await store.put(record)
      // It may have arrived, or the person may have signed out, while it was stored.
      if (isFinished(job.upload) || job.end.signal.aborted) await store.remove(id)
    }
  }

  #proceed(): void {
    for (const job of this.#jobs.values()) {
      const sending = [...this.#jobs.values()].filter(({ attempt }) => attempt !== undefined).length
      if (sending >= AT_ONCE || this.#isStopped) return
      if (job.isClaimed && job.isWanted && !job.attempt && job.upload.status === 'waiting')
        void this.#send(job)
    }
  }

  async #send(job: Job): Promise<void> {
    const { id, bytes } = job.upload
    const attempt = new AbortController()
    job.attempt = attempt
    this.#show(job, { status: 'sending', sent: 0 })
    try {
      const file = await this.#deps.transport.send(id, bytes, {
        signal: attempt.signal,
        onProgress: (sent) => !attempt.signal.aborted && this.#show(job, { sent }),
      })
      this.#finish(job, { status: 'done', sent: 1, file })
    } catch (error) {
      if (attempt.signal.aborted) this.#show(job, { status: 'waiting', sent: 0 })
      else this.#fail(job, error)
    } finally {
      delete job.attempt
    }
    this.#proceed()
  }

  #fail(job: Job, error: unknown): void {
    if (error instanceof ApiError && !isTemporary(error)) {
      const problem = naming(job.upload.name, error.message)
      this.#finish(job, { status: 'refused', problem })
      for (const listener of this.#onRefused) listener(problem)
      return
    }
    job.timer = setTimeout(() => this.retry(job.upload.id), RETRY_DELAYS[job.failures] ?? LONGEST_DELAY)
    job.failures += 1
    this.#show(job, { status: 'retrying', sent: 0 })
  }

  #finish(job: Job, outcome: Partial<Upload>): void {
    this.#show(job, outcome)
    job.end.abort()
    void this.#deps.store.remove(job.upload.id)
  }

  /** Tries a file again now, or all that failed. */
  retry(id?: string): void {
    for (const job of this.#jobs.values()) {
      const { status } = job.upload
      if ((id !== undefined && job.upload.id !== id) || (status !== 'retrying' && status !== 'refused'))
        continue
      if (id === undefined && status === 'refused') continue
      clearTimeout(job.timer)
      if (status === 'refused') job.end = new AbortController()
      this.#batch.add(job.upload.id)
      this.#show(job, { status: 'waiting', sent: 0 })
    }
    this.#proceed()
  }

  /** Tells whether a text still refers to a file. One that is not wanted is not sent until it is wanted again. */
  want(id: string, isWanted: boolean): void {
    const job = this.#jobs.get(id)
    if (!job || job.isWanted === isWanted) return
    job.isWanted = isWanted
    if (!isWanted) job.attempt?.abort()
    else if (!isFinished(job.upload)) this.#batch.add(id)
    this.#changed()
    this.#proceed()
  }

  /** Gives a file up that no text refers to: here and at the server. */
  discard(id: string): void {
    const job = this.#jobs.get(id)
    if (!job) return
    this.#forget(job)
    // The server removes it by itself after a day.
    this.#deps.transport.remove(id).catch(() => undefined)
  }

  #forget(job: Job): void {
    const { id } = job.upload
    this.#drop(job)
    this.#jobs.delete(id)
    this.#batch.delete(id)
    void this.#deps.store.remove(id)
    this.#changed()
    this.#proceed()
  }

  /** Stops sending. What has not arrived stays stored, for this account's next page. */
  stop(): void {
    this.#isStopped = true
    for (const job of this.#jobs.values()) this.#drop(job)
  }

  /** Stops sending, and removes from this browser what has not arrived. Returns how many files that were. */
  async clear(): Promise<number> {
    const unsent = [...this.#jobs.values()].filter(({ upload }) => !isFinished(upload)).length
    this.stop()
    await this.#deps.store.clear()
    return unsent
  }

  #drop(job: Job): void {
    clearTimeout(job.timer)
    job.end.abort()
    job.attempt?.abort()
  }

  #show(job: Job, change: Partial<Upload>): void {
    if (this.#jobs.get(job.upload.id) !== job) return
    job.upload = { ...job.upload, ...change }
    this.#changed()
  }

  #changed(): void {
    const activity = this.#countBatch()
    const keepsLast = this.#batch.size === 0 && isComplete(this.#activity)
    if (!keepsLast && !isSame(activity, this.#activity)) this.#activity = activity
    if (isComplete(activity)) this.#batch = new Set()
    for (const listener of this.#listeners) listener()
  }

  #countBatch(): Activity {
    const jobs = [...this.#batch].flatMap((id) => this.#jobs.get(id) ?? []).filter(({ isWanted }) => isWanted)
    const count = (status: Upload['status']) => jobs.filter(({ upload }) => upload.status === status).length
    return { total: jobs.length, done: count('done'), refused: count('refused') }
  }
}

const isComplete = ({ total, done, refused }: Activity) => done + refused === total

const isFinished = ({ status }: Upload) => status === 'done' || status === 'refused'

const isSame = (one: Activity, other: Activity) =>
  one.total === other.total && one.done === other.done && one.refused === other.refused

/** Whether a reservation was refused because of what is in it, so that a part of it may be taken. */
function isAboutFiles(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 400 || error.status === 413 || error.status === 415)
}

/** Whether another attempt makes sense. A session that ended comes back with the next sign-in. */
const isTemporary = (error: ApiError) => isPassing(error) || error.status === 401 || error.status === 408

/** Returns a message that names the file, as most of the server's do by themselves. */
const naming = (name: string, message: string) => (message.includes(name) ? message : `“${name}”: ${message}`)
