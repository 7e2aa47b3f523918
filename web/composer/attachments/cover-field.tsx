import { clsx } from 'clsx'
import { ImageOff, ImageUp } from 'lucide-react'
import { type ReactNode, useId, useSyncExternalStore } from 'react'
import type { Control } from 'react-hook-form'
import type { EntryFields } from '#contract/entries.ts'
import type { ProjectFile } from '#contract/files.ts'
import { DEFAULT_COVER } from '#contract/parts/covers.ts'
import type { EntryText } from '#web/composer/drafts/entry-draft.ts'
import { useThumbnail } from '#web/files/use-uploads.ts'
import { kindByType } from '#web/files/validate-files.ts'
import type { EntryFiles } from './entry-files.ts'
import { useStoredFiles, useWrittenItems } from './files-in-text.tsx'
import { type CoverChoice, fileOfCover } from './image-choice.ts'

type CoverFieldProps = {
  files: EntryFiles
  control: Control<EntryText, unknown, EntryFields>
  choice: CoverChoice
  /** Whether the image section shows a cover that is not in the text. */
  hasImageSection: boolean
  readOnly: boolean
}

/** Chooses a picture of the text as the cover of the entry, or none; by default its first. Renders nothing without pictures. */
export function CoverField(props: CoverFieldProps) {
  const { files, control, choice, hasImageSection, readOnly } = props
  const { cover, savedCover } = choice
  const items = useWrittenItems(control)
  const covers = [cover, savedCover].flatMap((one) => fileOfCover(one) ?? [])
  const stored = useStoredFiles(files, [...items.map(({ id }) => id), ...covers])
  const name = useId()
  const fileOf = (id: string) => files.queue.find(id)?.file ?? stored.get(id)
  const isPicture = (id: string) => {
    const upload = files.queue.find(id)
    const kind = fileOf(id)?.kind ?? (upload && kindByType(upload.type))
    return kind === 'image' && upload?.status !== 'refused'
  }
  const ids = useSyncExternalStore(files.queue.subscribe, () => {
    const ofText = items.map(({ id }) => id).filter(isPicture)
    if (ofText.length === 0 && hasImageSection) return ''
    return [...new Set([...ofText, ...covers.filter(isPicture)])].join()
  })
  const words = new Map(items.map((item) => [item.id, item.words]))
  if (ids === '') return null
  return (
    <fieldset disabled={readOnly} className="min-w-0">
      <legend className="mb-1.5 text-sm font-semibold">Cover</legend>
      <div className="flex flex-wrap gap-2">
        <Choice
          name={name}
          label="First picture"
          isChosen={cover === DEFAULT_COVER}
          onChoose={() => choice.set(DEFAULT_COVER)}
        >
          <ImageUp className="size-5 text-muted" aria-hidden="true" />
        </Choice>
        {ids.split(',').map((id, index) => (
          <Choice
            key={id}
            name={name}
            label={words.get(id) || `Picture ${index + 1}`}
            isChosen={cover === id}
            onChoose={() => choice.set(id)}
          >
            <Thumbnail files={files} id={id} file={fileOf(id)} />
          </Choice>
        ))}
        <Choice name={name} label="No cover" isChosen={cover === null} onChoose={() => choice.set(null)}>
          <ImageOff className="size-5 text-muted" aria-hidden="true" />
        </Choice>
      </div>
    </fieldset>
  )
}

type ThumbnailProps = { files: EntryFiles; id: string; file: ProjectFile | null | undefined }

function Thumbnail({ files, id, file }: ThumbnailProps) {
  const local = useThumbnail(files, id)
  const src = local ?? file?.sources?.[0]?.url ?? file?.mediaURL
  return src && <img src={src} alt="" decoding="async" className="size-full object-cover" />
}

type ChoiceProps = {
  name: string
  label: string
  isChosen: boolean
  onChoose: () => void
  children: ReactNode
}

function Choice({ name, label, isChosen, onChoose, children }: ChoiceProps) {
  return (
    <label
      title={label}
      className={clsx(
        'relative grid size-14 cursor-pointer place-items-center overflow-hidden rounded-md border-2 bg-sunken',
        'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
        isChosen ? 'border-accent' : 'border-transparent hover:border-edge',
      )}
    >
      <input
        type="radio"
        name={name}
        aria-label={label}
        checked={isChosen}
        onChange={onChoose}
        className="absolute inset-0 size-full cursor-pointer opacity-0"
      />
      {children}
    </label>
  )
}
