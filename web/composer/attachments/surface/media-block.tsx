import { type DragEvent, memo, type ReactNode, useState, useSyncExternalStore } from 'react'
import type { ProjectFile } from '#contract/files.ts'
import type { EntryFiles } from '#web/composer/attachments/entry-files.ts'
import type { TextHandle } from '#web/composer/text/text-handle.ts'
import { FileRow } from './file-row.tsx'
import { MediaFigure } from './media-figure.tsx'
import { itemKey, type ShownBlock } from './surface.ts'
import './surface.css'

type MediaBlockProps = {
  files: EntryFiles
  block: ShownBlock
  /** The files on the server, by id; `null` for missing ones. */
  stored: ReadonlyMap<string, ProjectFile | null>
  readOnly: boolean
  /** The text that dropped files are added to. */
  text: () => TextHandle | null
}

/** The files of adjacent lines, as their readers see them: a picture, a gallery, or a download. */
export const MediaBlockView = memo(function MediaBlockView(props: MediaBlockProps) {
  const { files, block, stored, readOnly, text } = props
  const { surface, queue } = files
  const open = useSyncExternalStore(surface.subscribe, () => surface.read().open)
  const [announced, setAnnounced] = useState('')
  const { key, kind, items } = block

  function takeDropped(event: DragEvent) {
    const dropped = [...event.dataTransfer.files]
    const handle = text()
    if (dropped.length === 0 || readOnly || !handle) return
    event.preventDefault()
    files.takeAfter(key, dropped, handle)
  }

  function acceptFiles(event: DragEvent) {
    if (event.dataTransfer.types.includes('Files')) event.preventDefault()
  }

  if (kind === 'download') {
    const [item] = items
    return (
      item && (
        <FileRow files={files} item={item} stored={storedFile(item.id)} readOnly={readOnly} blockKey={key} />
      )
    )
  }
  return (
    <Group count={items.length} onDragOver={acceptFiles} onDrop={takeDropped}>
      {items.map((item, at) => (
        <MediaFigure
          key={itemKey(item)}
          files={files}
          item={item}
          position={{ block: key, at, count: items.length }}
          stored={storedFile(item.id)}
          isOpen={open === itemKey(item)}
          readOnly={readOnly}
          onAnnounce={setAnnounced}
        />
      ))}
      <output className="sr-only">{announced}</output>
    </Group>
  )

  function storedFile(id: string) {
    return queue.find(id)?.file ?? stored.get(id)
  }
})

type GroupProps = {
  count: number
  onDragOver: (event: DragEvent) => void
  onDrop: (event: DragEvent) => void
  children: ReactNode
}

/** Several files are one gallery. */
function Group({ count, children, ...events }: GroupProps) {
  const name = count > 1 ? { role: 'group', 'aria-label': `Gallery of ${count}` } : {}
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- files can also be added by a button
    <div {...name} {...events} className={count > 1 ? 'surface-gallery' : 'surface-single'}>
      {children}
    </div>
  )
}
