import { clsx } from 'clsx'

type CoverImage = {
  /** The version for cards, and the size of the original in pixels. */
  smallURL: string
  width: number
  height: number
  /** The stored versions by their width in pixels. */
  sources: readonly { url: string; width: number }[]
}

type CoverProps = {
  image: CoverImage
  /** How wide it is shown, for those of which the browser shall choose the version; otherwise it is the one for cards. */
  sizes?: string
  /** Whether it is visible first, and so loaded eagerly with high priority. */
  isFirst?: boolean
  /** Sets the size, which the cover fills at any aspect ratio. */
  className: string
}

/**
 * The size to tell for a cover that is as wide as a phone: less than that, so that phones with two or three device pixels per pixel load
 * the version of 960, and those with fewer, often on slow lines, that of 480.
 */
export const PHONE_SIZE = '16rem'

/** Returns the `srcset` of a cover, or undefined if there is one version only. */
export const coverWidths = ({ sources }: Pick<CoverImage, 'sources'>): string | undefined =>
  sources.length < 2 ? undefined : sources.map(({ url, width }) => `${url} ${width}w`).join(', ')

/** A cover, cropped to its size. It is decorative: the title beside it is the text alternative. */
export function Cover({ image, sizes, isFirst = false, className }: CoverProps) {
  const widths = sizes === undefined ? undefined : coverWidths(image)
  return (
    <img
      src={image.smallURL}
      {...(widths && { srcSet: widths, sizes })}
      alt=""
      loading={isFirst ? 'eager' : 'lazy'}
      {...(isFirst && { fetchPriority: 'high' })}
      decoding="async"
      className={clsx('bg-sunken object-cover', className)}
    />
  )
}
