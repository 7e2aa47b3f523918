import { clsx } from 'clsx'
import { File as FileIcon, RotateCw, Trash2 } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import type { ProjectFile } from '#contract/files.ts'
import { sizeText } from '#contract/parts/sizes.ts'
import type { EntryFiles } from '#web/composer/attachments/entry-files.ts'
import { useUpload } from '#web/files/use-uploads.ts'
import { IconButton } from '#web/ui/controls/button.tsx'
import type { ShownItem } from './media-blocks.ts'
import { UploadOverlay } from './upload-overlay.tsx'

type FileRowProps = {
  files: EntryFiles
  item: ShownItem
  blockKey: number
  stored: ProjectFile | null | undefined
  readOnly: boolean
}

/** A download of the text: its name and size in one line. Pressing it shows its Markdown, where its name can be changed. */
export function FileRow({ files, item, blockKey, stored, readOnly }: FileRowProps) {
  const { surface, queue } = files
  const { id, words } = item
  const upload = useUpload(queue, id)
  const name = upload?.name ?? stored?.name ?? words
  const size = stored?.size ?? upload?.bytes.size
  const hasProblem = upload?.status === 'refused' || upload?.status === 'retrying'

  function remove() {
    surface.leave(blockKey, 1)
    files.remove(item)
  }

  function onKeyDown(event: KeyboardEvent) {
    const { key } = event
    const act =
      key === 'ArrowUp' || key === 'ArrowLeft'
        ? () => surface.leave(blockKey, -1)
        : key === 'ArrowDown' || key === 'ArrowRight'
          ? () => surface.leave(blockKey, 1)
          : (key === 'Backspace' || key === 'Delete') && !readOnly
            ? remove
            : undefined
    if (!act) return
    event.preventDefault()
    act()
  }

  return (
    <figure aria-label={name || 'File'} className="surface-row">
      <button
        type="button"
        data-opens-file=""
        aria-label={`File: ${words || name}`}
        aria-keyshortcuts="Delete"
        className="surface-row-name"
        onClick={() => surface.showSource(item)}
        onKeyDown={onKeyDown}
      >
        <FileIcon className="size-4.5 shrink-0 text-muted" aria-hidden="true" />
        <span className="truncate">{words || name}</span>
      </button>
      {size !== undefined && <span className="shrink-0 text-muted">{sizeText(size)}</span>}
      <UploadOverlay upload={upload} stored={stored} name={name} />
      <span className={clsx('ml-auto flex shrink-0', !hasProblem && 'surface-action-quiet')}>
        {hasProblem && (
          <IconButton size="sm" label={`Retry ${name}`} icon={<RotateCw />} onClick={() => queue.retry(id)} />
        )}
        {!readOnly && (
          <IconButton
            size="sm"
            danger
            label={`Remove ${name || 'file'}`}
            icon={<Trash2 />}
            onClick={remove}
          />
        )}
      </span>
    </figure>
  )
}
