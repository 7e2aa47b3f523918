import type { FileLimits } from '#contract/files.ts'
import { readToken } from '#web/api/token.ts'
import type { EditorExtension, TextHandle } from '#web/composer/text/text-handle.ts'
import { referredIds } from '#web/files/file-references.ts'
import { Thumbnails } from '#web/files/thumbnails.ts'
import type { RejectedFile, Upload } from '#web/files/upload.ts'
import type { UploadQueue } from '#web/files/upload-queue.ts'
import { isHeic, PICTURES, pickFiles, validateFiles } from '#web/files/validate-files.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { Listeners } from '#web/ui/listeners.ts'
import { Arrivals, type WaitingFiles } from './arrivals.ts'
import { referenceText, removeReference } from './file-text.ts'
import { ReferencesInText } from './references-in-text.ts'
import type { ShownItem } from './surface/media-blocks.ts'
import { Surface } from './surface/surface.ts'

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
  readonly #references = new ReferencesInText(this.surface)
  /** Those that have no ids yet. */
  readonly arrivals = new Arrivals({
    reserve: (files) => this.#reserve(files),
    changed: () => this.#change({ arrivals: this.arrivals.all }),
    ended: (key) => this.surface.widgets?.letGo(key),
  })
  readonly #listeners = new Listeners()
  readonly #added = new Set<string>()
  /** What to do if a file that was chosen as the cover is refused for good. */
  readonly #covers = new Map<string, () => void>()
  readonly #localURLs = new Map<string, string>()
  #snapshot: Snapshot = { arrivals: [], rejected: [] }
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

  readonly subscribe = this.#listeners.add

  read = (): Snapshot => this.#snapshot

  /** Whether some files have no reference in the text yet, and would be lost with the composer. */
  get hasArrivals(): boolean {
    return this.arrivals.all.length > 0
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
    this.#references.plain = text
    text.placeCaret()
    const before = text.selected()
    const key = this.arrivals.begin({
      names: files.map(({ name }) => name),
      files: [],
      place: (added) => this.#references.insert(key, added, text, before),
    })
    this.surface.widgets?.hold(key)
    const alreadyThere = referredIds(text.selected().text).length + this.arrivals.countBeside(key)
    const { accepted, rejected } = await validateFiles(files, this.#limits, alreadyThere)
    this.#refuse(rejected)
    if (accepted.length === 0) this.arrivals.end(key)
    else {
      this.arrivals.change(key, { files: accepted, names: accepted.map(({ name }) => name) })
      await this.arrivals.add(key)
    }
  }

  /** Uploads a picture as the cover. Passes its id to `choose`, and null if the server refuses it. */
  async takeCover(file: File, choose: (id: string | null) => void): Promise<void> {
    this.giveUpCover()
    const place = ([upload]: readonly Upload[]) => {
      if (upload) this.#covers.set(upload.id, () => choose(null))
      choose(upload?.id ?? null)
    }
    await this.arrivals.add(this.arrivals.begin({ names: [file.name], files: [file], cover: file, place }))
  }

  /** Discards a cover that has no id yet. */
  giveUpCover(): void {
    for (const { key, cover } of this.arrivals.all) if (cover) this.arrivals.end(key)
  }

  /** Adds files to a block of the text. */
  takeAfter(block: number, files: readonly File[], text: TextHandle): void {
    this.surface.widgets?.placeAfter(block)
    void this.take(files, text)
  }

  /** Changes the alternative text and the caption of one reference to a file. */
  describe({ id, index }: ShownItem, words: string, caption: string): void {
    this.#references.edit(id, index, (_text, found) => {
      if (found.words === words && found.caption === caption) return null
      const insert = referenceText({ ...found, words, caption })
      return { from: found.from, to: found.to, insert }
    })
  }

  /** Removes one reference to a file from the text. */
  remove({ id, index }: ShownItem): void {
    this.#references.edit(id, index, removeReference)
  }

  /** Uploads only files that the text refers to, and the cover. */
  keepTo(ids: readonly string[], cover: string | null = null): void {
    this.#kept = new Set([...ids, cover ?? ''])
    for (const id of this.#added) this.queue.want(id, this.#kept.has(id))
  }

  /** Ends with the composer, and discards added files to which neither the remaining text nor the cover refers. */
  end(content: string, cover: string | null = null): void {
    this.keepTo(referredIds(content), cover)
    this.#discardOthers()
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
    const lost = this.arrivals.all.flatMap(({ names }) => names)
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
    const { plain } = this.#references
    this.dismissRejected()
    if (plain && files.length > 0) void this.take(files, plain)
  }

  dismissRejected(): void {
    this.#change({ rejected: [] })
  }

  async #reserve(files: readonly File[]): Promise<readonly Upload[]> {
    const { added, rejected } = await this.queue.add(this.projectId, files)
    this.#refuse(rejected)
    for (const { id } of added) this.#added.add(id)
    return added
  }

  /** Removes what refers to files that the server has refused for good, and says why; nothing could ever be shown there. */
  #removeRefused(): void {
    for (const id of this.#added) {
      const { name = '', status, isKept, problem = '' } = this.queue.find(id) ?? {}
      if (status !== 'refused' || isKept) continue
      this.#added.delete(id)
      while (this.#references.edit(id, 0, removeReference));
      this.#covers.get(id)?.()
      this.queue.discard(id)
      this.#refuse([{ name, message: problem }])
    }
  }

  #discardOthers(): void {
    for (const id of this.#added) if (!this.#kept?.has(id)) this.queue.discard(id)
    this.#added.clear()
  }

  #refuse(rejected: readonly RejectedFile[]): void {
    if (rejected.length > 0) this.#change({ rejected: [...this.#snapshot.rejected, ...rejected] })
  }

  #change(change: Partial<Snapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change }
    this.#listeners.call()
  }
}
