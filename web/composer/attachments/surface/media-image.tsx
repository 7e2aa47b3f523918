import { File as FileIcon, Film, Image, Music } from 'lucide-react'
import type { CSSProperties } from 'react'
import type { ProjectFile } from '#contract/files.ts'
import { sizeText } from '#contract/parts/sizes.ts'
import type { EntryFiles } from '#web/composer/attachments/entry-files.ts'
import { useThumbnail } from '#web/files/use-uploads.ts'

const icons = { image: Image, video: Film, audio: Music, other: FileIcon }

type MediaImageProps = {
  files: EntryFiles
  /** The file on the server; `undefined` while it is unknown, `null` if it does not exist. */
  stored: ProjectFile | null | undefined
  id: string
  kind: ProjectFile['kind']
  name: string
}

/** The picture, the first moment of a film, or the name of a sound. */
export function MediaImage({ files, id, kind, stored, name }: MediaImageProps) {
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
