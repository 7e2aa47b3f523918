import { clsx } from 'clsx'
import { RotateCw, Trash2 } from 'lucide-react'
import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { ProjectFile } from '#contract/files.ts'
import type { EntryFiles } from '#web/composer/attachments/entry-files.ts'
import type { Upload } from '#web/files/upload.ts'
import { useUpload } from '#web/files/use-uploads.ts'
import { kindByType } from '#web/files/validate-files.ts'
import { IconButton } from '#web/ui/controls/button.tsx'
import { Caption } from './caption.tsx'
import type { ShownItem } from './media-blocks.ts'
import { MediaDetails } from './media-details.tsx'
import { MediaImage } from './media-image.tsx'
import type { Position } from './surface.ts'
import { UploadOverlay } from './upload-overlay.tsx'

export type MediaFigureProps = {
  files: EntryFiles
  item: ShownItem
  position: Position
  /** The file on the server; `undefined` while it is unknown, `null` if it does not exist. */
  stored: ProjectFile | null | undefined
  /** Whether its details are open. */
  isOpen: boolean
  readOnly: boolean
  onAnnounce: (words: string) => void
}

const nouns = { image: 'Picture', video: 'Video', audio: 'Recording', other: 'File' }

/** Returns what a shown file is. Until the server has told, it is drawn as a picture, which most are. */
export function knownKind(
  stored: ProjectFile | null | undefined,
  upload: Pick<Upload, 'type'> | undefined,
): ProjectFile['kind'] {
  if (stored === undefined && !upload) return 'image'
  return stored?.kind ?? kindByType(upload?.type ?? '')
}

/** A picture, a film or a sound of the text, with its caption, which is edited in place; pressing it opens its details. */
export function MediaFigure(props: MediaFigureProps) {
  const { files, item, position, stored, isOpen, readOnly } = props
  const { surface } = files
  const { id, words } = item
  const { at, count } = position
  const upload = useUpload(files.queue, id)
  const kind = knownKind(stored, upload)
  const name = upload?.name ?? stored?.name ?? words
  const label = count > 1 ? `${nouns[kind]} ${at + 1} of ${count}` : nouns[kind]
  const figure = useRef<HTMLElement>(null)
  const opener = useRef<HTMLDivElement>(null)
  const { move, remove, onKeyDown } = useArranging(figure, nouns[kind], props)
  const isTarget = useDragging(opener, props)
  const isRefused = upload?.status === 'refused'
  return (
    <figure
      ref={figure}
      aria-label={name || nouns[kind]}
      className={clsx('surface-figure', isTarget && 'surface-drop-target')}
    >
      <div className="surface-frame">
        <div
          ref={opener}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- Firefox cannot drag a button
          role="button"
          tabIndex={0}
          data-opens-file=""
          aria-label={words === '' ? label : `${label}: ${words}`}
          aria-expanded={isOpen}
          aria-keyshortcuts={count > 1 ? 'Alt+ArrowLeft Alt+ArrowRight Delete' : 'Delete'}
          className="surface-opener"
          onClick={() => (isOpen ? surface.close() : surface.open(item))}
          onKeyDown={onKeyDown}
        >
          <MediaImage files={files} id={id} kind={kind} stored={stored} name={name} />
        </div>
        <UploadOverlay upload={upload} stored={stored} name={name} />
        <FigureActions
          name={name}
          isKept={!isRefused && stored !== null}
          onRetry={isRefused || upload?.status === 'retrying' ? () => files.queue.retry(id) : undefined}
          onRemove={readOnly || isOpen ? undefined : remove}
        />
      </div>
      {!isRefused && (
        <Caption surface={surface} item={item} name={name} isLast={at === count - 1} readOnly={readOnly} />
      )}
      {isOpen && (
        <MediaDetails
          surface={surface}
          item={item}
          name={name}
          label={label}
          position={position}
          readOnly={readOnly}
          onMove={move}
          onRemove={remove}
          onClose={() => {
            surface.close()
            opener.current?.focus()
          }}
        />
      )}
    </figure>
  )
}

type FigureActionsProps = {
  name: string
  /** Whether the file is at the server, so that removing it is offered quietly. */
  isKept: boolean
  onRetry: (() => void) | undefined
  onRemove: (() => void) | undefined
}

function FigureActions({ name, isKept, onRetry, onRemove }: FigureActionsProps) {
  return (
    <div className="surface-actions">
      {onRetry && (
        <IconButton
          size="sm"
          label={`Retry ${name}`}
          icon={<RotateCw />}
          className="surface-action"
          onClick={onRetry}
        />
      )}
      {onRemove && (
        <IconButton
          size="sm"
          danger
          label={`Remove ${name || 'file'}`}
          icon={<Trash2 />}
          className={clsx('surface-action', isKept && 'surface-action-quiet')}
          onClick={onRemove}
        />
      )}
    </div>
  )
}

/** Moves a figure within its gallery, removes it, and goes from it to others, also by keys. */
function useArranging(figure: RefObject<HTMLElement | null>, noun: string, props: MediaFigureProps) {
  const { files, item, position, readOnly, onAnnounce } = props
  const { surface } = files
  const { block, at, count } = position
  const focused = useRef<HTMLElement>(null)

  // Moving an element takes the focus from it.
  useLayoutEffect(() => {
    focused.current?.focus()
    focused.current = null
  })

  function move(to: number) {
    if (to < 0 || to >= count || readOnly) return
    const active = document.activeElement
    focused.current = active instanceof HTMLElement && figure.current?.contains(active) ? active : null
    surface.move(item, to)
    onAnnounce(`${noun} ${to + 1} of ${count}`)
  }

  function remove() {
    const next = figure.current?.nextElementSibling ?? figure.current?.previousElementSibling
    const neighbor = next?.querySelector<HTMLElement>('[data-opens-file]')
    surface.close()
    if (neighbor) neighbor.focus()
    else surface.leave(block, 1)
    files.remove(item)
  }

  function goTo(to: number) {
    const figures = figure.current?.parentElement?.querySelectorAll<HTMLElement>('[data-opens-file]')
    const next = figures?.[to]
    if (next) next.focus()
    else surface.leave(block, to < 0 ? -1 : 1)
  }

  function onKeyDown(event: KeyboardEvent) {
    const act = actionOf(event, getComputedStyle(event.currentTarget).direction === 'rtl')
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }

  function actionOf({ key, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent, isRightToLeft: boolean) {
    if (ctrlKey || metaKey || shiftKey) return undefined
    const step = { ArrowLeft: isRightToLeft ? 1 : -1, ArrowRight: isRightToLeft ? -1 : 1 }[key]
    if (step !== undefined) return () => (altKey ? move(at + step) : goTo(at + step))
    if (altKey) return undefined
    if (key === 'ArrowUp') return () => surface.leave(block, -1)
    if (key === 'ArrowDown') return () => surface.leave(block, 1)
    if (key === 'Enter' || key === ' ') return () => surface.open(item)
    if ((key === 'Backspace' || key === 'Delete') && !readOnly) return remove
    return undefined
  }

  return { move, remove, onKeyDown }
}

/** Lets a figure be dragged to the place of another one. Returns whether another one is dragged over it. */
function useDragging(
  opener: RefObject<HTMLElement | null>,
  { files, item, position: { block, at }, readOnly }: MediaFigureProps,
): boolean {
  const [isTarget, setTarget] = useState(false)
  const dragged = useEffectEvent(() => item)
  const mayDrag = useEffectEvent(() => !readOnly)
  const takePlaceOf = useEffectEvent((file: ShownItem) => files.surface.moveTo(file, block, at))
  const makeDraggable = useEffectEvent(async (element: HTMLElement) => {
    const { draggable } = await import('./drag.ts')
    return draggable(element, {
      payload: () => dragged(),
      mayDrag: () => mayDrag(),
      onDropped: (file) => takePlaceOf(file),
      onTarget: setTarget,
    })
  })

  useEffect(() => {
    const element = opener.current
    if (!element) return undefined
    const stopping = makeDraggable(element)
    return () => {
      void stopping.then((stop) => stop())
    }
  }, [opener])

  return isTarget
}
