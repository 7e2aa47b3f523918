import type { Entry } from '#contract/entries.ts'
import { coverWidths } from '#web/ui/layout/cover.tsx'

const HEIGHT_MAX = 900
const SIZES = '(min-width: 44rem) 42rem, calc(100vw - 2rem)'

type EntryImageProps = {
  entry: Pick<Entry, 'title' | 'imageURL' | 'image'>
  /** By default it is what a reader sees first. */
  loading?: 'lazy' | 'eager' | undefined
}

/** The image of an entry, if any, with its height reserved while it loads. */
export function EntryImage({ entry: { title, imageURL, image }, loading }: EntryImageProps) {
  if (!imageURL || !image) return null
  const scale = Math.min(1, HEIGHT_MAX / image.height)
  return (
    <img
      src={imageURL}
      srcSet={coverWidths(image)}
      sizes={SIZES}
      alt={title}
      width={Math.round(image.width * scale)}
      height={Math.round(image.height * scale)}
      {...(loading === undefined ? { fetchPriority: 'high' } : { loading })}
      decoding="async"
      className="mx-auto mb-8 h-auto max-w-full break-inside-avoid rounded-lg bg-sunken"
    />
  )
}

/** Whether the text of an entry contains its image, so that it is not shown above the text. */
export const showsImage = (html: string, imageURL: string | undefined) => {
  const [path = ''] = imageURL?.split('?') ?? []
  return path !== '' && html.includes(path.slice(0, path.lastIndexOf('/') + 1))
}
