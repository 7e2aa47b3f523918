import type { FileLimits } from '#contract/files.ts'
import { isOutOfReach } from '#web/api/connection-back.ts'
import { readToken } from '#web/api/token.ts'
import type { Selected } from '#web/composer/text/edits.ts'
import type { EditorExtension, TextHandle } from '#web/composer/text/text-handle.ts'
import { type FileReference, fileReferences, referredIds } from '#web/files/file-references.ts'
import { Thumbnails } from '#web/files/thumbnails.ts'
import type { RejectedFile, Upload } from '#web/files/upload.ts'
import type { UploadQueue } from '#web/files/upload-queue.ts'
import { isHeic, kindByType, PICTURES, pickFiles, validateFiles } from '#web/files/validate-files.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { addedText, insertReferences, placeAfterTyping, referenceText, removeReference } from './file-text.ts'
import { Surface } from './surface/surface.ts'

/** Files that were chosen together and have no ids yet. */
export type WaitingFiles = {
  key: number
  names: readonly string[]
  /** The picture that was chosen as the cover. */
  cover?: File
  /** Why they could not be added; adding them is retried on demand or with the next save. */
  error: Error | null
}

type Job = WaitingFiles & {
  files: readonly File[]
  /** Refers to the files once they have ids. */
  place: (added: readonly Upload[]) => Promise<void> | void
  running?: Promise<void> | undefined
}

type Snapshot = {
  arrivals: readonly WaitingFiles[]
  rejected: readonly RejectedFile[]
}

/** Returns the names of files for a sentence. */
export const nameFiles = (names: readonly string[]): string =>
  names.length === 1 ? `“${names[0]}”` : `${names.length} files`

export type EntryFilesOptions = { projectId: string; queue: UploadQueue; limits: FileLimits }

/**
 * The files of a text while it is edited: uploads those that are pasted, dropped or picked, inserts references to them
 * into the text, and tells the editor where to show them.
 */
export class EntryFiles {
  readonly projectId: string
  readonly queue: UploadQueue
  readonly thumbnails = new Thumbnails()
  /** The files as they are drawn in the text. */
  readonly surface = new Surface()
  readonly #limits: FileLimits
  readonly #listeners = new Set<() => void>()
  readonly #added = new Set<string>()
  /** What to do if a file that was chosen as the cover is refused for good. */
  readonly #covers = new Map<string, () => void>()
  readonly #localURLs = new Map<string, string>()
  #jobs: readonly Job[] = []
  #plain: TextHandle | null = null
  #snapshot: Snapshot = { arrivals: [], rejected: [] }
  #lastKey = 0
  readonly #unsubscribe: () => void
  /** The files of the current text and cover; null before they are known. */
  #kept: ReadonlySet<string> | null = null

  constructor({ projectId, queue, limits }: EntryFilesOptions) {
    this.projectId = projectId
    this.queue = queue
    this.#limits = limits
    this.#unsubscribe = queue.subscribe(() => this.#removeRefused())
  }

  /** The extension of the editor. */
  readonly extension: EditorExtension = {
    takeFiles: (files, text) => {
      void this.take(files, text)
      return true
    },
    inserts: [
      { name: 'Picture', run: (text) => this.pick(PICTURES, text) },
      { name: 'File', run: (text) => this.pick('', text) },
    ],
    load: this.surface.load,
    escape: () => this.surface.escape(),
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  read = (): Snapshot => this.#snapshot

  /** Whether some files have no reference in the text yet, and would be lost with the composer. */
  get hasArrivals(): boolean {
    return this.#jobs.length > 0
  }

  /** Opens the file picker for these types, or any if empty, and adds the chosen files. */
  pick(accept: string, text: TextHandle): void {
    this.focus(text)
    pickFiles(accept, (files) => void this.take(files, text))
  }

  /** Moves the focus into the text, at the caret or its end: what is typed after files were added, or not, belongs there. */
  focus(text: TextHandle): void {
    text.placeCaret()
    text.focus()
  }

  /** Adds files: uploads them, and inserts references at the caret, or at the end of a text that was not touched. */
  async take(files: readonly File[], text: TextHandle): Promise<void> {
    this.#plain = text
    text.placeCaret()
    const before = text.selected()
    const key = this.#begin({
      names: files.map(({ name }) => name),
      files: [],
      place: (added) => this.#insert(key, added, text, before),
    })
    this.surface.widgets?.hold(key)
    const alreadyThere = referredIds(text.selected().text).length + this.#countWaiting(key)
    const { accepted, rejected } = await validateFiles(files, this.#limits, alreadyThere)
    this.#refuse(rejected)
    if (accepted.length === 0) this.#drop(key)
    else {
      this.#replace(key, { files: accepted, names: accepted.map(({ name }) => name) })
      await this.tryAgain(key)
    }
  }

  /** Uploads a picture as the cover. Passes its id to `choose`, and null if the server refuses it. */
  async takeCover(file: File, choose: (id: string | null) => void): Promise<void> {
    this.giveUpCover()
    const place = ([upload]: readonly Upload[]) => {
      if (upload) this.#covers.set(upload.id, () => choose(null))
      choose(upload?.id ?? null)
    }
    await this.tryAgain(this.#begin({ names: [file.name], files: [file], cover: file, place }))
  }

  /** Discards a cover that has no id yet. */
  giveUpCover(): void {
    for (const { key, cover } of this.#jobs) if (cover) this.#drop(key)
  }

  #begin(job: Pick<Job, 'names' | 'files' | 'cover' | 'place'>): number {
    this.#lastKey += 1
    this.#setJobs([...this.#jobs, { ...job, key: this.#lastKey, error: null }])
    return this.#lastKey
  }

  /** Adds these files again, once the server can be reached. */
  retryWaiting(): void {
    for (const { key, error } of this.#jobs) if (isOutOfReach(error)) void this.tryAgain(key)
  }

  /** Requests the ids of files again after the server could not be reached. */
  async tryAgain(key: number): Promise<void> {
    const job = this.#jobs.find((job) => job.key === key)
    if (!job) return
    if (job.running) return job.running
    const running = this.#upload(job)
    this.#replace(key, { error: null, running })
    await running
  }

  async #upload(job: Job): Promise<void> {
    const { key, files, place } = job
    try {
      const { added, rejected } = await this.queue.add(this.projectId, files)
      this.#refuse(rejected)
      for (const { id } of added) this.#added.add(id)
      // Another cover may have been chosen in the meantime.
      if (this.#jobs.some((job) => job.key === key)) await place(added)
      this.#drop(key)
    } catch (error) {
      // oxlint-disable-next-line no-console -- the composer shows the error with a button to try again
      console.warn(error)
      if (!(error instanceof Error)) throw error
      this.#replace(key, { error, running: undefined })
    }
  }

  async #insert(key: number, files: readonly Upload[], text: TextHandle, added: Selected): Promise<void> {
    if (files.length === 0) return
    const references = addedText(files.map(({ id, name, type }) => ({ id, name, kind: kindByType(type) })))
    if (this.surface.widgets) return this.surface.widgets.insertAt(key, references)
    const { text: now, start, end } = text.selected()
    const at = placeAfterTyping(added, now) ?? end
    const edit = insertReferences({ text: now, start: at, end: at }, references)
    const shift = edit.insert.length - (edit.to - edit.from)
    const isBelow = start > edit.to || start > at
    const caret = isBelow ? { start: start + shift, end: end + shift } : {}
    const active = document.activeElement
    text.apply({ ...edit, ...caret })
    if (active instanceof HTMLElement && active.isConnected) active.focus()
  }

  /** Resolves when every file has its reference in the text; to `false` if the server could not be reached for some. */
  async settled(): Promise<boolean> {
    await Promise.all(this.#jobs.map(({ key }) => this.tryAgain(key)))
    return this.#jobs.length === 0
  }

  /** Discards files that have no ids yet. */
  giveUp(key: number): void {
    this.#drop(key)
  }

  /** Adds files to a block of the text. */
  takeAfter(block: number, files: readonly File[], text: TextHandle): void {
    this.surface.widgets?.placeAfter(block)
    void this.take(files, text)
  }

  /** Changes the alternative text and the caption of one reference to a file. */
  describe(reference: FileReference, index: number, words: string, caption: string): void {
    this.#edit(reference.id, index, (_text, found) => {
      if (found.words === words && found.caption === caption) return null
      const insert = referenceText({ ...found, words, caption })
      return { from: found.from, to: found.to, insert }
    })
  }

  /** Removes one reference to a file from the text. */
  remove(id: string, index: number): void {
    this.#edit(id, index, removeReference)
  }

  /** Removes what refers to files that the server has refused for good, and says why; nothing could ever be shown there. */
  #removeRefused(): void {
    for (const id of this.#added) {
      const { name = '', status, isKept, problem = '' } = this.queue.find(id) ?? {}
      if (status !== 'refused' || isKept) continue
      this.#added.delete(id)
      while (this.#edit(id, 0, removeReference));
      this.#covers.get(id)?.()
      this.queue.discard(id)
      this.#refuse([{ name, message: problem }])
    }
  }

  /** Returns whether there was anything to change. */
  #edit(
    id: string,
    index: number,
    change: (text: string, found: FileReference) => { from: number; to: number; insert: string } | null,
  ): boolean {
    const handle = this.surface.widgets ?? this.#plain
    const text = handle?.selected().text ?? ''
    const found = fileReferences(text).filter((reference) => reference.id === id)[index]
    const edit = found && change(text, found)
    if (!edit) return false
    if (this.surface.widgets) {
      this.surface.widgets.change(edit, 'input.files')
      return true
    }
    const active = document.activeElement
    const caret = edit.from + edit.insert.length
    this.#plain?.apply({ ...edit, start: caret, end: caret })
    if (active instanceof HTMLElement && active.isConnected) active.focus()
    return true
  }

  /** Called by the plain editor, which has no widgets, with its text handle. */
  usePlain(text: TextHandle | null): void {
    this.#plain = text
  }

  /** Uploads only files that the text refers to, and the cover. */
  keepTo(content: string, cover: string | null = null): void {
    this.#kept = new Set([...referredIds(content), cover ?? ''])
    for (const id of this.#added) this.queue.want(id, this.#kept.has(id))
  }

  /** Ends with the composer, and discards added files to which neither the remaining text nor the cover refers. */
  end(content: string, cover: string | null = null): void {
    this.keepTo(content, cover)
    this.#discardOthers()
  }

  #discardOthers(): void {
    for (const id of this.#added) if (!this.#kept?.has(id)) this.queue.discard(id)
    this.#added.clear()
  }

  /** Returns the local URL of a file that this page uploads, if any. */
  localURL(id: string): string | undefined {
    const known = this.#localURLs.get(id)
    const bytes = known === undefined ? this.queue.find(id)?.bytes : undefined
    if (bytes && !isHeic(bytes)) this.#localURLs.set(id, URL.createObjectURL(bytes))
    return this.#localURLs.get(id)
  }

  /**
   * Called when the composer is closed; the remaining text is saved or kept as a draft. The person was asked about
   * files without a reference, unless the end of the session closes the composer.
   */
  close(): void {
    this.#unsubscribe()
    const lost = this.#jobs.flatMap(({ names }) => names)
    if (lost.length > 0 && readToken() === null)
      toast.error(`${nameFiles(lost)} could not be added before your session ended.`)
    if (this.#kept !== null) this.#discardOthers()
    for (const url of this.#localURLs.values()) URL.revokeObjectURL(url)
    this.#localURLs.clear()
    this.thumbnails.clear()
  }

  /** Adds the files again that were beyond the limit. */
  retryRefused(): void {
    const files = this.#snapshot.rejected.flatMap(({ file }) => file ?? [])
    this.dismissRejected()
    if (this.#plain && files.length > 0) void this.take(files, this.#plain)
  }

  dismissRejected(): void {
    this.#change({ rejected: [] })
  }

  #refuse(rejected: readonly RejectedFile[]): void {
    if (rejected.length > 0) this.#change({ rejected: [...this.#snapshot.rejected, ...rejected] })
  }

  #countWaiting(except: number): number {
    return this.#jobs
      .filter(({ key, cover }) => key !== except && !cover)
      .reduce((sum, { names }) => sum + names.length, 0)
  }

  #replace(key: number, change: Partial<Job>): void {
    this.#setJobs(this.#jobs.map((job) => (job.key === key ? { ...job, ...change } : job)))
  }

  #drop(key: number): void {
    this.surface.widgets?.letGo(key)
    this.#setJobs(this.#jobs.filter((job) => job.key !== key))
  }

  #setJobs(jobs: readonly Job[]): void {
    this.#jobs = jobs
    this.#change({ arrivals: jobs })
  }

  #change(change: Partial<Snapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change }
    for (const listener of this.#listeners) listener()
  }
}
