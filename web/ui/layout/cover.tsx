import { clsx } from 'clsx'

type CoverProps = {
  /** The small picture, and the size of the whole one in pixels. */
  image: { smallURL: string; width: number; height: number }
  /** The URL of the widest one, for covers that may fill the page. */
  widest?: string | undefined
  /** How wide it is shown, where `widest` is given. */
  sizes?: string
  /** It is seen first, so nothing else is waited for. */
  isFirst?: boolean
  /** Sets the size: the cover fills it, whatever its shape. */
  className: string
}

/** The widths up to which the server stores the small picture and the widest, in pixels. */
const WIDTHS = { small: 960, widest: 2_400 }

/** Returns the `srcset` of a cover, or undefined where there is no wider one than the small picture. */
export function coverWidths({ smallURL, width }: CoverProps['image'], widest: string): string | undefined {
  if (width <= WIDTHS.small) return undefined
  return `${smallURL} ${WIDTHS.small}w, ${widest} ${Math.min(width, WIDTHS.widest)}w`
}

/** A cover, cut to the room that it has. It is decorative: the title beside it is the text alternative. */
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
