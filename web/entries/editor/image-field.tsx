import { ImageUp, Trash2 } from 'lucide-react'
import { useCallback, useEffect, useRef } from 'react'
import { IMAGE_SIZE_MAX } from '#contract/wire.ts'
import { sizeText } from '#web/files/validate-files.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Problem } from '#web/ui/controls/field.tsx'
import type { ImageControl } from './image-change.ts'

type ImageFieldProps = {
  /** Hidden unless the operator has enabled images. */
  hidden: boolean
  /** The saved image of the entry. */
  savedURL: string | undefined
  image: ImageControl
  readOnly: boolean
}

const imageClass = 'size-20 rounded-md bg-sunken object-cover'

/** The field for the image of an entry: preview, replace, remove. */
export function ImageField({ hidden, savedURL, image, readOnly }: ImageFieldProps) {
  const { change, problem } = image
  const box = useRef<HTMLFieldSetElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const upload = useRef<HTMLButtonElement>(null)
  const file = change instanceof File ? change : null
  const saved = change === null ? savedURL : undefined
  const isShown = file !== null || saved !== undefined

  useEffect(() => {
    if (file || problem) box.current?.scrollIntoView({ block: 'nearest' })
  }, [file, problem])

  function takeChosen() {
    const chosen = input.current?.files?.[0]
    if (chosen) image.choose(chosen)
    // The same file may be chosen again.
    if (input.current) input.current.value = ''
  }

  function remove() {
    if (savedURL === undefined) image.undo()
    else image.remove()
    upload.current?.focus()
  }

  function undo() {
    image.undo()
    upload.current?.focus()
  }

  return (
    <fieldset ref={box} hidden={hidden} disabled={readOnly} className="min-w-0 scroll-mb-20">
      <legend className="mb-1.5 text-sm font-semibold">Image</legend>
      <div className="flex items-center gap-2.5 rounded-md border border-dashed border-edge p-3">
        {file && <ChosenImage file={file} className={imageClass} onUnreadable={image.refuse} />}
        {saved && <img src={saved} alt="The saved one" className={imageClass} />}
        <div className="flex min-w-0 flex-1 flex-col gap-2">
          <div className="flex flex-wrap gap-2">
            <Button ref={upload} size="sm" icon={<ImageUp />} onClick={() => input.current?.click()}>
              {isShown ? 'Replace image' : 'Upload image'}
            </Button>
            {isShown && (
              <Button size="sm" variant="quiet" icon={<Trash2 />} onClick={remove}>
                Remove image
              </Button>
            )}
            {change !== null && savedURL !== undefined && (
              <Button size="sm" variant="quiet" onClick={undo}>
                Keep the saved one
              </Button>
            )}
          </div>
          <output className={`text-sm text-muted ${file ? 'truncate' : 'text-pretty'}`}>
            {file
              ? `${file.name}, ${sizeText(file.size)}`
              : change === 'remove'
                ? 'The image is removed when you save.'
                : `One image, up to ${IMAGE_SIZE_MAX}. You can also paste or drop it.`}
          </output>
        </div>
      </div>
      <input ref={input} type="file" accept="image/*" hidden aria-label="Image file" onChange={takeChosen} />
      <Problem text={problem} />
    </fieldset>
  )
}

type ChosenImageProps = { file: File; className: string; onUnreadable: () => void }

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
