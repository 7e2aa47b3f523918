import { clsx } from 'clsx'
import { File as FileIcon, Film, Image, Music, RotateCw, Trash2 } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import type { ProjectFile } from '#contract/files.ts'
import { sizeText } from '#contract/parts/sizes.ts'
import { ApiError } from '#web/api/api-error.ts'
import type { Upload } from '#web/files/upload.ts'
import { useThumbnail, useUpload } from '#web/files/use-uploads.ts'
import { kindByType } from '#web/files/validate-files.ts'
import { IconButton } from '#web/ui/controls/button.tsx'
import { Ring } from '#web/ui/feedback/loading.tsx'
import type { WaitingFiles } from './arrivals.ts'
import { type EntryFiles, nameFiles } from './entry-files.ts'
import type { ShownItem } from './surface/media-blocks.ts'
import '#web/composer/shell/composer.css'
import '#web/files/upload-progress.css'

type FileCardProps = {
  files: EntryFiles
  item: ShownItem
  /** The file on the server; `undefined` while it is unknown, `null` if it does not exist. */
  stored: ProjectFile | null | undefined
  readOnly: boolean
}

const cardClass =
  'my-1.5 flex max-w-xl gap-3 rounded-lg border border-line bg-surface p-2.5 font-sans text-sm'
const thumbClass = 'size-20 shrink-0 rounded-md bg-sunken object-cover sm:size-[5.5rem]'

/** A file of the text: its preview, the progress of its upload, its alternative text and its caption. */
export function FileCard({ files, item, stored, readOnly }: FileCardProps) {
  const { id, isShown, words } = item
  const upload = useUpload(files.queue, id)
  const name = upload?.name ?? stored?.name ?? words
  const kind = stored?.kind ?? kindByType(upload?.type ?? '')
  const size = stored?.size ?? upload?.bytes.size
  const isRefused = upload?.status === 'refused'
  return (
    <figure aria-label={name || 'File'} className={cardClass}>
      <Thumbnail files={files} id={id} kind={kind} stored={stored} />
      <div className="flex min-w-0 flex-1 flex-col justify-between gap-1">
        <div className="flex items-start gap-1">
          <div className="min-w-0 flex-1 pt-1">
            <p className="truncate font-medium">{name}</p>
            {kind !== 'image' && size !== undefined && <p className="text-muted">{sizeText(size)}</p>}
            <Progress upload={upload} stored={stored} />
          </div>
          {(isRefused || upload?.status === 'retrying') && (
            <IconButton
              size="sm"
              label={`Retry ${name}`}
              icon={<RotateCw />}
              onClick={() => files.queue.retry(id)}
            />
          )}
          {!readOnly && (
            <IconButton
              size="sm"
              danger
              label={`Remove ${name || 'file'}`}
              icon={<Trash2 />}
              onClick={() => files.remove(item)}
            />
          )}
        </div>
        {isShown && !isRefused && (
          <Words files={files} item={item} name={name} kind={kind} readOnly={readOnly} />
        )}
      </div>
    </figure>
  )
}

const icons = { image: Image, video: Film, audio: Music, other: FileIcon }

type ThumbnailProps = Pick<FileCardProps, 'files' | 'stored'> & { id: string; kind: ProjectFile['kind'] }

function Thumbnail({ files, id, kind, stored }: ThumbnailProps) {
  const local = useThumbnail(files, id)
  const src = kind === 'image' ? (local ?? stored?.sources?.[0]?.url ?? stored?.mediaURL) : undefined
  const Icon = icons[kind]
  return src === undefined ? (
    <span className={clsx(thumbClass, 'grid place-items-center text-muted')}>
      <Icon className="size-6" aria-hidden="true" />
    </span>
  ) : (
    <img src={src} alt="" decoding="async" className={thumbClass} />
  )
}

/** The progress of an upload, as text and as a bar; nothing once it is complete. */
function Progress({
  upload,
  stored,
}: {
  upload: Upload | undefined
  stored: ProjectFile | null | undefined
}) {
  const status = upload?.status
  if (status === 'refused') return <p className="text-danger">{upload?.problem}</p>
  if (status === 'retrying')
    return (
      <p className="text-muted">{upload?.problem ?? 'The upload was interrupted and starts again soon.'}</p>
    )
  if (status === 'sending' || status === 'waiting') {
    const percent = Math.round((upload?.sent ?? 0) * 100)
    return (
      <progress
        aria-label={`Uploading ${upload?.name}`}
        max={100}
        value={percent}
        className="upload-progress mt-1.5 block h-1 max-w-64"
      />
    )
  }
  if (upload?.file?.notice) return <p className="text-muted">{upload.file.notice}</p>
  if (stored === null) return <p className="text-danger">This file is no longer there.</p>
  if (!upload && stored?.state === 'waiting')
    return <p className="text-muted">Not uploaded yet: it waits in the browser where it was added.</p>
  return null
}

type WordsProps = Pick<FileCardProps, 'files' | 'item' | 'readOnly'> & {
  name: string
  kind: ProjectFile['kind']
}

/** The optional alternative text and caption. */
function Words({ files, item, name, kind, readOnly }: WordsProps) {
  const { words, caption } = item
  const noun = kind === 'image' ? 'picture' : kind === 'video' ? 'video' : 'recording'
  return (
    <div className="grid gap-x-3 sm:grid-cols-2">
      <WordsInput
        value={words}
        label={`Alternative text of ${name}`}
        placeholder={`Describe the ${noun}`}
        readOnly={readOnly}
        onChange={(next) => files.describe(item, next, caption)}
      />
      <WordsInput
        value={caption}
        label={`Caption of ${name}`}
        placeholder="Caption"
        readOnly={readOnly}
        onChange={(next) => files.describe(item, words, next)}
      />
    </div>
  )
}

type WordsInputProps = {
  value: string
  label: string
  placeholder: string
  readOnly: boolean
  onChange: (words: string) => void
}

/** A text box without a frame. Its text is applied on blur or Enter. */
function WordsInput({ value, label, placeholder, readOnly, onChange }: WordsInputProps) {
  const [typed, setTyped] = useState<string | null>(null)

  function commit() {
    if (typed !== null && typed.trim() !== value) onChange(typed.trim())
    setTyped(null)
  }

  function commitByEnter(event: KeyboardEvent) {
    if (event.key !== 'Enter') return
    // Only Ctrl+Enter saves the form, by its own handler.
    if (!event.ctrlKey && !event.metaKey) event.preventDefault()
    commit()
  }

  return (
    <input
      type="text"
      aria-label={label}
      placeholder={placeholder}
      value={typed ?? value}
      readOnly={readOnly}
      maxLength={500}
      className="h-8 w-full min-w-0 border-b border-line bg-transparent text-base text-ink placeholder:text-muted hover:border-edge focus-visible:border-focus focus-visible:outline-none sm:text-sm pointer-coarse:h-10"
      onChange={({ target }) => setTyped(target.value)}
      onBlur={commit}
      onKeyDown={commitByEnter}
    />
  )
}

function whyNotAdded(what: string, error: Error): string {
  return error instanceof ApiError && error.code !== 'unreachable'
    ? `${what} could not be added yet: ${error.message}`
    : `The server cannot be reached, so ${what} could not be added yet.`
}

/** Files without ids: while these are requested, and after the server could not be reached. */
export function WaitingFilesCard({ files, arrival }: { files: EntryFiles; arrival: WaitingFiles }) {
  const { key, names, error } = arrival
  const what = nameFiles(names)
  return (
    <div className={clsx(cardClass, 'items-center')}>
      {!error && <Ring className="text-accent" />}
      <p className={clsx('min-w-0 flex-1 py-1', error ? 'text-danger' : 'text-muted')}>
        {error ? whyNotAdded(what, error) : `Adding ${what}`}
      </p>
      {error && (
        <>
          <IconButton
            size="sm"
            label={`Retry ${what}`}
            icon={<RotateCw />}
            onClick={() => void files.arrivals.add(key)}
          />
          <IconButton
            size="sm"
            danger
            label={`Remove ${what}`}
            icon={<Trash2 />}
            onClick={() => files.arrivals.end(key)}
          />
        </>
      )}
    </div>
  )
}
