import { ApiError } from '#web/api/api-error.ts'
import { isTransient } from '#web/api/query-client.ts'
import { Listeners } from '#web/ui/listeners.ts'
import { isAboutQuota, nameFile, reserveFiles } from './reserve-files.ts'
import {
  type Activity,
  isFinished,
  type RejectedFile,
  type Transport,
  type Upload,
  UploadBatch,
} from './upload.ts'
import type { StoredUpload, UploadStore } from './upload-store.ts'

/** The number of files that are sent at the same time. */
const CONCURRENT_UPLOADS = 2
/** The delays before the second attempt, the third and so on, in milliseconds. */
const RETRY_DELAYS = [2_000, 5_000, 15_000, 30_000]
const LONGEST_DELAY = 60_000
/** Proxies refuse what is too large by resetting the connection too, of which a browser tells no reason. */
const BREAKS_MIN = 3
const BREAKS_OFF =
  'The connection breaks off each time while it is sent. A proxy in front of Milepost may let no file of this size through (in nginx, client_max_body_size). It is sent again soon.'

export type UploadQueueDeps = {
  userId: string
  transport: Transport
  store: UploadStore
  /** Resolves once no other tab is sending this file, and claims it until the signal. */
  claim: (id: string, signal: AbortSignal) => Promise<void>
}

/** The internal state of an upload. */
type Job = {
  upload: Upload
  end: AbortController
  isClaimed: boolean
  /** Whether the text still refers to it. */
  isWanted: boolean
  isStored: boolean
  /** Whether the reason for refusing it may change, so that it stays in this browser until the user retries or discards it. */
  isKept: boolean
  failures: number
  /** How many attempts in a row lost the connection after a part was sent. */
  breaks: number
  attempt?: AbortController
  timer?: ReturnType<typeof setTimeout>
}

/**
 * Sends files to the server, a few at a time, until all have arrived. Files and their ids are stored in the browser before they
 * are sent, so that another page of this account can continue after this one was closed.
 */
export class UploadQueue {
  readonly #deps: UploadQueueDeps
  readonly #jobs = new Map<string, Job>()
  readonly #listeners = new Listeners()
  readonly #refusals = new Listeners<[problem: string]>()
  readonly #notices = new Listeners<[notice: string]>()
  readonly #batch = new UploadBatch((id) => {
    const job = this.#jobs.get(id)
    return job?.isWanted ? job.upload : undefined
  })
  #adding = 0
  #isStopped = false

  constructor(deps: UploadQueueDeps) {
    this.#deps = deps
  }

  readonly subscribe = this.#listeners.add

  /** Calls a listener with the reason for each file that is refused from now on. */
  readonly whenRefused = this.#refusals.add

  /** Calls a listener with what there is to know about files that arrive from now on. */
  readonly whenNoticed = this.#notices.add

  find(id: string): Upload | undefined {
    return this.#jobs.get(id)?.upload
  }

  readActivity = (): Activity => this.#batch.activity

  /** Returns the number of refused files of texts that stay in this browser, to be sent when the person tries again. */
  readKept = (): number => this.#kept().length

  retryKept = (): void => {
    for (const { upload } of this.#kept()) this.retry(upload.id)
  }

  #kept(): Job[] {
    return [...this.#jobs.values()].filter(
      ({ upload, isKept, isWanted }) => isKept && isWanted && upload.status === 'refused',
    )
  }

  /** Whether closing the page now would lose a file. */
  get wouldLose(): boolean {
    if (this.#adding > 0) return true
    return [...this.#jobs.values()].some(({ isStored, isWanted, upload }) => {
      return !isStored && isWanted && upload.status !== 'done' && upload.status !== 'refused'
    })
  }

  /**
   * Reserves files, stores them in this browser and begins to send them. Returns the files that the server reserved, in their
   * order, and those that it refused. Throws ApiError if the server cannot be reached.
   */
  async add(
    projectId: string,
    files: readonly File[],
  ): Promise<{ added: Upload[]; rejected: RejectedFile[] }> {
    this.#adding += 1
    try {
      const { reserved, rejected } = await reserveFiles(this.#deps.transport, projectId, files)
      const added = reserved.map(([file, { _id }]) => this.#enqueue(_id, file).upload)
      void this.#storeAll(projectId, added)
      return { added, rejected }
    } finally {
      this.#adding -= 1
    }
  }

  /** Resumes the unsent files of this account in this browser, and removes those of other accounts. */
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
      isKept: false,
      failures: 0,
      breaks: 0,
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
    // Another tab may have sent it in the meantime.
    const { id } = job.upload
    if (wasStored && !(await this.#deps.store.has(id))) return this.#forget(job)
    job.isClaimed = true
    this.#proceed()
  }

  async #storeAll(projectId: string, uploads: readonly Upload[]): Promise<void> {
    const { store, userId } = this.#deps
    for (const { id, name, type, bytes } of uploads) {
      const job = this.#jobs.get(id)
      if (!job || isOver(job)) continue
      const record: StoredUpload = { id, userId, projectId, name, type, bytes, addedAt: Date.now() }
      job.isStored = await store.put(record)
      // It may have arrived, or the person may have signed out, while it was being stored.
      if (isOver(job) || (job.end.signal.aborted && !job.isKept)) await store.remove(id)
    }
  }

  #proceed(): void {
    for (const job of this.#jobs.values()) {
      const sending = [...this.#jobs.values()].filter(({ attempt }) => attempt !== undefined).length
      if (sending >= CONCURRENT_UPLOADS || this.#isStopped) return
      if (job.isClaimed && job.isWanted && !job.attempt && job.upload.status === 'waiting')
        void this.#send(job)
    }
  }

  async #send(job: Job): Promise<void> {
    const { id } = job.upload
    const attempt = new AbortController()
    job.attempt = attempt
    this.#show(job, { status: 'sending', sent: 0 })
    try {
      const bytes = await this.#bytesOf(job)
      const file = await this.#deps.transport.send(id, bytes, {
        signal: attempt.signal,
        onProgress: (sent) => !attempt.signal.aborted && this.#show(job, { sent }),
      })
      this.#finish(job, { status: 'done', sent: 1, file })
      if (file.notice !== undefined) this.#notices.call(file.notice)
    } catch (error) {
      if (attempt.signal.aborted) this.#show(job, { status: 'waiting', sent: 0 })
      else this.#fail(job, error)
    } finally {
      delete job.attempt
    }
    this.#proceed()
  }

  /** After a failure, reads the copy in this browser, because the chosen file may have been moved or changed on the disk. */
  async #bytesOf({ upload, isStored, failures }: Job): Promise<Blob> {
    const copy = failures > 0 && isStored ? await this.#deps.store.read(upload.id) : undefined
    return copy ?? upload.bytes
  }

  #fail(job: Job, error: unknown): void {
    if (error instanceof ApiError && !isTemporary(error)) {
      const problem = nameFile(job.upload.name, error.message)
      this.#finish(job, { status: 'refused', problem }, isAboutQuota(error) || !error.isFromServer)
      this.#refusals.call(problem)
      return
    }
    job.timer = setTimeout(() => this.retry(job.upload.id), RETRY_DELAYS[job.failures] ?? LONGEST_DELAY)
    job.failures += 1
    const isRefused = error instanceof ApiError && error.code === 'unavailable'
    job.breaks = !isRefused && job.upload.sent > 0 ? job.breaks + 1 : 0
    const message = isRefused ? error.message : job.breaks >= BREAKS_MIN ? BREAKS_OFF : undefined
    const problem = message === undefined ? undefined : nameFile(job.upload.name, message)
    this.#show(job, { status: 'retrying', sent: 0, problem })
  }

  #finish(job: Job, outcome: Partial<Upload>, isKept = false): void {
    job.isKept = isKept
    this.#show(job, { ...outcome, isKept })
    job.end.abort()
    if (!isKept) void this.#deps.store.remove(job.upload.id)
  }

  /** Retries a file now, or all that failed. */
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

  /** Sets whether a text still refers to a file. An unwanted file is not sent until it is wanted again. */
  want(id: string, isWanted: boolean): void {
    const job = this.#jobs.get(id)
    if (!job || job.isWanted === isWanted) return
    job.isWanted = isWanted
    if (!isWanted) job.attempt?.abort()
    else if (!isFinished(job.upload)) this.#batch.add(id)
    this.#changed()
    this.#proceed()
  }

  /** Discards a file to which no text refers, here and at the server. */
  discard(id: string): void {
    const job = this.#jobs.get(id)
    if (!job) return
    this.#forget(job)
    // Otherwise the server removes it after a day.
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

  /** Stops sending. Unsent files stay stored for this account's next page. */
  stop(): void {
    this.#isStopped = true
    for (const job of this.#jobs.values()) this.#drop(job)
  }

  /** Stops sending, and removes unsent files from this browser. Returns their number. */
  async clear(): Promise<number> {
    const unsent = [...this.#jobs.values()].filter((job) => !isOver(job)).length
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
    this.#batch.count()
    this.#listeners.call()
  }
}

/** Whether its bytes are no longer needed. */
const isOver = ({ upload, isKept }: Job) => isFinished(upload) && !isKept

/** Whether another attempt may succeed. A session that ended is restored by the next sign-in. */
const isTemporary = (error: ApiError) => isTransient(error) || error.status === 401 || error.status === 408
