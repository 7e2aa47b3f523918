import type { Entry } from '#contract/entries.ts'

const HEIGHT_MAX = 900

/** The image of an entry, if it has one. Its height is reserved while it loads. */
export function EntryImage({
  entry: { title, imageURL, image },
}: {
  entry: Pick<Entry, 'title' | 'imageURL' | 'image'>
}) {
  if (!imageURL || !image) return null
  const scale = Math.min(1, HEIGHT_MAX / image.height)
  return (
    <img
      src={imageURL}
      alt={title}
      width={Math.round(image.width * scale)}
      height={Math.round(image.height * scale)}
      loading="lazy"
      decoding="async"
      className="mx-auto mb-8 h-auto max-w-full rounded-lg bg-sunken"
    />
  )
}

/** Whether the text of an entry shows its image itself, so that it need not stand above it as well. */
export const showsImage = (html: string, imageURL: string | undefined) => {
  const [path = ''] = imageURL?.split('?') ?? []
  return path !== '' && html.includes(path.slice(0, path.lastIndexOf('/') + 1))
}
