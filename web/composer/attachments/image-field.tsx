import { useQuery } from '@tanstack/react-query'
import { ImageUp, Trash2 } from 'lucide-react'
import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import { sizeText } from '#contract/parts/sizes.ts'
import { IMAGE_SIZE_MAX } from '#contract/parts/wire.ts'
import { filesQuery } from '#web/files/queries.ts'
import { useUpload } from '#web/files/use-uploads.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Problem } from '#web/ui/controls/field.tsx'
import type { EntryFiles } from './entry-files.ts'
import { WaitingFilesCard } from './file-card.tsx'
import { type CoverChoice, fileOfCover } from './image-choice.ts'

type ImageFieldProps = {
  /** Hidden unless the operator has enabled images. */
  hidden: boolean
  files: EntryFiles
  /** The saved cover of the entry. */
  savedURL: string | undefined
  choice: CoverChoice
  readOnly: boolean
}

const imageClass = 'size-14 rounded-md bg-sunken object-cover'

/** Returns the picture that is chosen: its bytes if this page uploads it, or its URL. */
function useChosen(files: EntryFiles, { cover, savedCover }: CoverChoice, savedURL: string | undefined) {
  const arrival = useSyncExternalStore(files.subscribe, files.read).arrivals.find(({ cover }) => cover)
  const id = fileOfCover(cover)
  const upload = useUpload(files.queue, id ?? '')
  const isSaved = cover === savedCover
  const isElsewhere = id !== null && !upload && !isSaved
  const { data } = useQuery(filesQuery(files.projectId, isElsewhere ? [id] : []))
  const url = isSaved && id !== null ? savedURL : isElsewhere ? data?.[0]?.mediaURL : undefined
  const file = arrival?.cover ?? (isSaved ? undefined : upload?.bytes)
  return { arrival, file, name: arrival?.names[0] ?? upload?.name, url, isSaved: isSaved && !arrival }
}

/** The specified image section: preview, replace and remove the cover of an entry. */
export function ImageField({ hidden, files, savedURL, choice, readOnly }: ImageFieldProps) {
  const { problem, savedCover } = choice
  const box = useRef<HTMLFieldSetElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const { arrival, file, name, url, isSaved } = useChosen(files, choice, savedURL)
  const isShown = file !== undefined || url !== undefined
  const hasSaved = fileOfCover(savedCover) !== null

  useEffect(() => {
    if (file || problem) box.current?.scrollIntoView({ block: 'nearest' })
  }, [file, problem])

  function takeChosen() {
    const chosen = input.current?.files?.[0]
    if (chosen) choice.choose(chosen)
    // The same file may be chosen again.
    if (input.current) input.current.value = ''
  }

  function decide(decision: () => void) {
    decision()
    button.current?.focus()
  }

  return (
    <fieldset ref={box} hidden={hidden} disabled={readOnly} className="min-w-0 scroll-mb-20">
      <legend className="mb-1.5 text-sm font-semibold">Image</legend>
      <div className="flex items-center gap-2.5 rounded-md border border-dashed border-edge p-3">
        {file && <ChosenImage file={file} className={imageClass} onUnreadable={choice.refuse} />}
        {!file && url && (
          <img src={url} alt={`The ${isSaved ? 'saved' : 'chosen'} one`} className={imageClass} />
        )}
        <div className="flex min-w-0 flex-1 flex-col gap-2">
          <div className="flex flex-wrap gap-2">
            <Button ref={button} size="sm" icon={<ImageUp />} onClick={() => input.current?.click()}>
              {isShown ? 'Replace image' : 'Upload image'}
            </Button>
            {isShown && (
              <Button size="sm" variant="quiet" icon={<Trash2 />} onClick={() => decide(choice.remove)}>
                Remove image
              </Button>
            )}
            {hasSaved && !isSaved && (
              <Button size="sm" variant="quiet" onClick={() => decide(choice.undo)}>
                Keep the saved one
              </Button>
            )}
          </div>
          <output className={`text-sm text-muted ${file ? 'truncate' : 'text-pretty'}`}>
            {file
              ? `${name}, ${sizeText(file.size)}`
              : hasSaved && !isSaved && !url
                ? 'The image is removed when you save.'
                : `One image, up to ${IMAGE_SIZE_MAX}. You can also paste or drop it.`}
          </output>
        </div>
      </div>
      {arrival?.error && <WaitingFilesCard files={files} arrival={arrival} />}
      <input ref={input} type="file" accept="image/*" hidden aria-label="Image file" onChange={takeChosen} />
      <Problem text={problem} />
    </fieldset>
  )
}

type ChosenImageProps = { file: Blob; className: string; onUnreadable: () => void }

/** A local file, shown as an image. */
function ChosenImage({ file, className, onUnreadable }: ChosenImageProps) {
  const show = useCallback(
    (image: HTMLImageElement) => {
      const url = URL.createObjectURL(file)
      image.src = url
      return () => URL.revokeObjectURL(url)
    },
    [file],
  )
  return <img ref={show} alt="The chosen one" className={className} onError={onUnreadable} />
}
