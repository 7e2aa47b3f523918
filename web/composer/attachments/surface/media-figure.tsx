import { clsx } from 'clsx'
import { File as FileIcon, Film, Image, Music, RotateCw, Trash2 } from 'lucide-react'
import {
  type CSSProperties,
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { ProjectFile } from '#contract/files.ts'
import type { EntryFiles } from '#web/composer/attachments/entry-files.ts'
import { useThumbnail, useUpload } from '#web/files/use-uploads.ts'
import { kindByType, sizeText } from '#web/files/validate-files.ts'
import { IconButton } from '#web/ui/controls/button.tsx'
import { Caption } from './caption.tsx'
import { MediaDetails } from './media-details.tsx'
import type { Position, ShownItem } from './surface.ts'
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

/** A picture, a film or a sound of the text, with its caption, which is edited in place; pressing it opens its details. */
export function MediaFigure(props: MediaFigureProps) {
  const { files, item, position, stored, isOpen, readOnly, onAnnounce } = props
  const { surface } = files
  const { id, words } = item
  const { block, at, count } = position
  const upload = useUpload(files.queue, id)
  const kind = stored?.kind ?? kindByType(upload?.type ?? '')
  const name = upload?.name ?? stored?.name ?? words
  const label = count > 1 ? `${nouns[kind]} ${at + 1} of ${count}` : nouns[kind]
  const figure = useRef<HTMLElement>(null)
  const opener = useRef<HTMLDivElement>(null)
  const focused = useRef<HTMLElement>(null)
  const [isTarget, setTarget] = useState(false)

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
    onAnnounce(`${nouns[kind]} ${to + 1} of ${count}`)
  }

  function remove() {
    const next = figure.current?.nextElementSibling ?? figure.current?.previousElementSibling
    const neighbor = next?.querySelector<HTMLElement>('[data-opens-file]')
    surface.close()
    if (neighbor) neighbor.focus()
    else surface.leave(block, 1)
    files.remove(id, item.index)
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

  const dragged = useEffectEvent(() => item)
  const mayDrag = useEffectEvent(() => !readOnly)
  const takePlaceOf = useEffectEvent((file: ShownItem) => surface.moveTo(file, block, at))
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
  }, [])

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
          <View files={files} id={id} kind={kind} stored={stored} name={name} />
        </div>
        <UploadOverlay upload={upload} stored={stored} name={name} />
        <div className="surface-actions">
          {(isRefused || upload?.status === 'retrying') && (
            <IconButton
              size="sm"
              label={`Retry ${name}`}
              icon={<RotateCw />}
              className="surface-action"
              onClick={() => files.queue.retry(id)}
            />
          )}
          {!readOnly && !isOpen && (
            <IconButton
              size="sm"
              danger
              label={`Remove ${name || 'file'}`}
              icon={<Trash2 />}
              className={clsx('surface-action', !isRefused && stored !== null && 'surface-action-quiet')}
              onClick={remove}
            />
          )}
        </div>
      </div>
      {!isRefused && <Caption surface={surface} item={item} name={name} readOnly={readOnly} />}
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

const icons = { image: Image, video: Film, audio: Music, other: FileIcon }

type ViewProps = Pick<MediaFigureProps, 'files' | 'stored'> & {
  id: string
  kind: ProjectFile['kind']
  name: string
}

/** The picture, the first moment of a film, or the name of a sound. */
function View({ files, id, kind, stored, name }: ViewProps) {
  const local = useThumbnail(files, id)
  const { mediaURL, sources, width, height } = stored ?? {}
  const ratio: CSSProperties = width && height ? { aspectRatio: `${width} / ${height}` } : {}
  if (kind === 'image') {
    const src = local ?? (sources?.find((source) => source.width >= 640) ?? sources?.at(-1))?.url ?? mediaURL
    if (src !== undefined)
      return (
        <img src={src} alt="" decoding="async" draggable={false} style={ratio} className="surface-image" />
      )
  }
  if (kind === 'video' && mediaURL !== undefined)
    return (
      // Its first moment; it is watched in the preview.
      // oxlint-disable-next-line jsx-a11y/media-has-caption -- without sound
      <video
        src={`${mediaURL}#t=0.1`}
        muted
        playsInline
        preload="metadata"
        style={ratio}
        className="surface-image"
      />
    )
  const Icon = icons[kind]
  const size = stored?.size ?? files.queue.find(id)?.bytes.size
  return (
    <span className="surface-blank">
      <Icon className="size-6" aria-hidden="true" />
      {kind !== 'image' && (
        <>
          <span className="max-w-full truncate font-medium text-ink">{name}</span>
          {size !== undefined && <span>{sizeText(size)}</span>}
        </>
      )}
    </span>
  )
}
