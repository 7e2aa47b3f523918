import type { EditorExtension } from '#web/composer/text/text-handle.ts'
import { Listeners } from '#web/ui/listeners.ts'
import { loadedMediaWidgets, loadMediaWidgets } from './load-media-widgets.ts'
import {
  type Change,
  describing,
  type MediaBlock,
  type MediaItem,
  mediaBlocks,
  moveBetween,
  moveWithin,
  type ShownItem,
  withoutPosition,
} from './media-blocks.ts'
import type { KeyedBlock } from './media-field.ts'
import type { MediaWidgets, Mount } from './media-widgets.ts'

export type ShownBlock = { key: number; kind: MediaBlock['kind']; items: readonly ShownItem[] }

/** The place of a file in its block. */
export type Position = { block: number; at: number; count: number }

type Snapshot = {
  mounts: readonly Mount[]
  blocks: ReadonlyMap<number, ShownBlock>
  /** The file whose details are open. */
  open: string | null
}

/** Returns what identifies a reference in a text. */
export const itemKey = ({ id, index }: ShownItem): string => `${id} ${index}`

/** The selector of the element of a file that has the focus. */
const OPENER = '[data-opens-file]'

/** The files of a text as its writer sees and arranges them in the editor. */
export class Surface {
  readonly #listeners = new Listeners()
  #snapshot: Snapshot = { mounts: [], blocks: new Map(), open: null }
  #widgets: MediaWidgets | null = null

  readonly subscribe = this.#listeners.add

  read = (): Snapshot => this.#snapshot

  /** The operations on the text; null in the plain editor. */
  get widgets(): MediaWidgets | null {
    return this.#widgets
  }

  readonly load: NonNullable<EditorExtension['load']> = () => {
    const loaded = loadedMediaWidgets()
    return loaded ? this.#extension(loaded) : loadMediaWidgets().then((module) => this.#extension(module))
  }

  #extension({ mediaWidgets }: typeof import('./media-widgets.ts')) {
    return mediaWidgets({
      attach: (widgets) => {
        this.#widgets = widgets
      },
      show: (mount) => this.#change({ mounts: [...this.#snapshot.mounts, mount] }),
      hide: (element) =>
        this.#change({ mounts: this.#snapshot.mounts.filter((mount) => mount.element !== element) }),
      update: (blocks) => this.#update(blocks),
      enter: (key, direction) => this.#enter(key, direction),
    })
  }

  /** Changes the alternative text and the caption of a file, as typing does. */
  describe(item: ShownItem, words: string, caption: string): void {
    this.#edit(item, (text, found) => describing(text, found, words, caption), 'input.type.file')
  }

  /** Moves a file to another position of its block. */
  move(item: ShownItem, to: number): void {
    this.#edit(
      item,
      (text, found, block) => moveWithin(text, block, block.items.indexOf(found), to),
      'move.file',
    )
  }

  /** Moves a file to a position of another block. */
  moveTo(item: ShownItem, key: number, to: number): void {
    const shown = this.#snapshot.blocks.get(key)?.items[0]
    this.#edit(
      item,
      (text, found, block, all) => {
        const target = shown && all.find(({ items }) => items.some((one) => itemKey(one) === itemKey(shown)))
        if (target === block) return moveWithin(text, block, block.items.indexOf(found), to)
        return target ? moveBetween(text, found, target, to) : null
      },
      'move.file',
    )
  }

  #edit(
    item: ShownItem,
    change: (
      text: string,
      found: MediaItem,
      block: MediaBlock,
      all: readonly MediaBlock[],
    ) => Change | Change[] | null,
    userEvent: string,
  ): void {
    const text = this.#widgets?.selected().text ?? ''
    const all = mediaBlocks(text)
    for (const block of all) {
      const found = block.items.find((one) => itemKey(one) === itemKey(item))
      const changes = found && change(text, found, block, all)
      if (changes) return this.#widgets?.change(changes, userEvent)
    }
  }

  /** Shows the Markdown of a file, with the caret after it. */
  showSource(item: ShownItem): void {
    const items = mediaBlocks(this.#widgets?.selected().text ?? '').flatMap((block) => block.items)
    const found = items.find((one) => itemKey(one) === itemKey(item))
    this.close()
    if (found) this.#widgets?.showSource(found.to)
  }

  open(item: ShownItem): void {
    this.#change({ open: itemKey(item) })
  }

  close(): void {
    if (this.#snapshot.open !== null) this.#change({ open: null })
  }

  /** Moves the focus from a file to the text before or after its block. */
  leave(key: number, direction: 1 | -1): void {
    this.#widgets?.leave(key, direction)
  }

  /** Closes the details of a file, or else moves the focus from the files to the text; returns whether it did either. */
  escape(): boolean {
    const { mounts, open } = this.#snapshot
    const active = document.activeElement
    const mount = mounts.find(({ element }) => element.contains(active))
    if (open !== null) {
      this.close()
      if (mount) active?.closest('figure')?.querySelector<HTMLElement>(OPENER)?.focus()
      return true
    }
    if (!mount) return false
    if ('block' in mount.target) this.#widgets?.leave(mount.target.block, 1)
    else this.#widgets?.focus()
    return true
  }

  #enter(key: number, direction: 1 | -1): boolean {
    const mount = this.#snapshot.mounts.find(({ target }) => 'block' in target && target.block === key)
    const openers = [...(mount?.element.querySelectorAll<HTMLElement>(OPENER) ?? [])]
    const opener = openers.at(direction === 1 ? 0 : -1)
    opener?.focus()
    return opener !== undefined
  }

  #update(blocks: readonly KeyedBlock[]): void {
    const before = this.#snapshot.blocks
    const shown = blocks.map(({ key, kind, items }): [number, ShownBlock] => {
      const now = { key, kind, items: items.map(withoutPosition) }
      const then = before.get(key)
      return [key, then && JSON.stringify(then) === JSON.stringify(now) ? then : now]
    })
    const isSame = shown.length === before.size && shown.every(([key, block]) => before.get(key) === block)
    if (!isSame) this.#change({ blocks: new Map(shown) })
  }

  #change(change: Partial<Snapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change }
    this.#listeners.call()
  }
}
