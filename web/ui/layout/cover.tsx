import { clsx } from 'clsx'

type CoverProps = {
  /** The small version, and the size of the original in pixels. */
  image: { smallURL: string; width: number; height: number }
  /** The URL of the widest version, for covers that may fill the page. */
  widest?: string | undefined
  /** The `sizes` of the image, if `widest` is given. */
  sizes?: string
  /** Whether it is visible first, and so loaded eagerly with high priority. */
  isFirst?: boolean
  /** Sets the size, which the cover fills at any aspect ratio. */
  className: string
}

/** The maximum widths of the stored small and widest versions, in pixels. */
const WIDTHS = { small: 960, widest: 2_400 }

/** Returns the `srcset` of a cover, or undefined if no version is wider than the small one. */
export function coverWidths({ smallURL, width }: CoverProps['image'], widest: string): string | undefined {
  if (width <= WIDTHS.small) return undefined
  return `${smallURL} ${WIDTHS.small}w, ${widest} ${Math.min(width, WIDTHS.widest)}w`
}

/** A cover, cropped to its size. It is decorative: the title beside it is the text alternative. */
export function Cover({ image, widest, sizes, isFirst = false, className }: CoverProps) {
  const widths = widest === undefined ? undefined : coverWidths(image, widest)
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
