import { ImagePlus, Trash2 } from 'lucide-react'
import { type ChangeEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { DEFAULT_COVER } from '#contract/parts/covers.ts'
import type { Project } from '#contract/projects.ts'
import { ApiError } from '#web/api/api-error.ts'
import { useServerOptions } from '#web/api/server-options.ts'
import '#web/files/upload-progress.css'
import { uploadsOf } from '#web/files/page-uploads.ts'
import type { UploadQueue } from '#web/files/upload-queue.ts'
import { useUpload } from '#web/files/use-uploads.ts'
import { PICTURES, validateFiles } from '#web/files/validate-files.ts'
import { useSession } from '#web/identity/session.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { Problem } from '#web/ui/controls/field.tsx'
import { Ring } from '#web/ui/feedback/loading.tsx'

/** Returns the choice of a project's cover; empty for none. */
export const coverChoiceOf = ({ coverFile = DEFAULT_COVER }: Project): string => coverFile ?? ''

type CoverFieldProps = {
  project: Project
  /** The id of the chosen file, empty for none, or the default. */
  coverFile: string
  onChange: (id: string) => void
  /** Called with whether a chosen picture is accepted, while that is found out, and with undefined after that. */
  onAdding: (isAdded: Promise<boolean> | undefined) => void
  /** Why the chosen picture was refused. The form holds it, because this field is unmounted while the form is being saved. */
  problem: string | null
  onProblem: (problem: string | null) => void
}

/** Chooses the cover of a project. The picture is uploaded immediately, and becomes the cover when the form is saved. */
export function ProjectCoverField(props: CoverFieldProps) {
  const { user } = useSession()
  const limits = useServerOptions()?.entries.files
  const [queue] = useState(() => (user ? uploadsOf(user._id) : undefined))
  return queue && limits ? <Chooser {...props} queue={queue} limits={limits} /> : null
}

type ChooserProps = CoverFieldProps & {
  queue: UploadQueue
  limits: Parameters<typeof validateFiles>[1]
}

function Chooser(props: ChooserProps) {
  const { coverFile, problem } = props
  const input = useRef<HTMLInputElement>(null)
  const { upload, shown, isAdding, add, replace } = useCoverChoice(props)
  const isDefault = coverFile === DEFAULT_COVER

  function choose({ target }: ChangeEvent<HTMLInputElement>) {
    const chosen = [...(target.files ?? [])].slice(0, 1)
    target.value = '' // so that the same picture can be chosen again
    if (chosen.length > 0) props.onAdding(add(chosen))
  }

  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1.5 text-sm font-semibold">Cover</legend>
      {coverFile !== '' && (!isDefault || shown) && (
        <div className="relative aspect-[3/1] overflow-hidden rounded-md bg-sunken">
          {shown && <img src={shown} alt="The cover" className="absolute inset-0 size-full object-cover" />}
          {upload && upload.status !== 'done' && upload.status !== 'refused' && (
            <progress
              aria-label={`Uploading ${upload.name}`}
              max={1}
              value={upload.sent}
              className="upload-progress absolute inset-x-0 bottom-0 h-1.5"
            />
          )}
        </div>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <input ref={input} type="file" accept={PICTURES} hidden onChange={choose} />
        <Button size="sm" icon={<ImagePlus />} onClick={() => input.current?.click()} disabled={isAdding}>
          {coverFile === '' || (isDefault && !shown) ? 'Choose cover' : 'Change cover'}
        </Button>
        {coverFile !== '' && (!isDefault || shown) && (
          <Button size="sm" variant="quiet" icon={<Trash2 />} onClick={() => replace('')}>
            Remove cover
          </Button>
        )}
        {!isDefault && (
          <Button size="sm" variant="quiet" onClick={() => replace(DEFAULT_COVER)}>
            Use the newest entry’s
          </Button>
        )}
        {isAdding && <Ring className="text-accent" />}
      </div>
      {isDefault && (
        <p className="text-sm text-muted">By default, the cover of the newest entry that has one.</p>
      )}
      <Problem text={upload?.status === 'refused' ? upload.problem : problem} />
    </fieldset>
  )
}

/** The chosen cover with its upload, and how to choose another. */
function useCoverChoice({ project, coverFile, onChange, onAdding, onProblem, queue, limits }: ChooserProps) {
  const upload = useUpload(queue, coverFile)
  /** A local URL of the chosen picture. */
  const [local, setLocal] = useState<string>()
  const [isAdding, setAdding] = useState(false)
  const saved = coverChoiceOf(project)
  const shown = local ?? (coverFile === saved ? project.image?.smallURL : upload?.file?.mediaURL)

  useEffect(() => () => URL.revokeObjectURL(local ?? ''), [local])

  function replace(id: string, picture?: File) {
    if (upload) queue.discard(upload.id)
    setLocal(picture && URL.createObjectURL(picture))
    onProblem(null)
    onChange(id)
  }

  // Restores the project's cover, which a refused picture would replace.
  const putBack = useEffectEvent((reason: string) => {
    if (queue.find(coverFile)?.status !== 'refused') return
    replace(saved)
    onProblem(reason)
  })
  useEffect(() => queue.whenRefused((reason) => putBack(reason)), [queue])

  /** Returns whether the picture is accepted. */
  async function add(chosen: File[]) {
    setAdding(true)
    try {
      const { accepted, rejected } = await validateFiles(chosen, limits, 0)
      const { added, rejected: refused } = await queue.add(project._id, accepted)
      const [only] = added
      if (only) replace(only.id, accepted[0])
      else onProblem([...rejected, ...refused][0]?.message ?? null)
      return only !== undefined
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      onProblem(error.message)
      return false
    } finally {
      setAdding(false)
      onAdding(undefined)
    }
  }

  return { upload, shown, isAdding, add, replace }
}
