import drawings from './empty-drawings.svg?url'

/** The kinds of emptiness: the ids of the drawings in the file. */
export type Drawing =
  | 'trail'
  | 'page'
  | 'search'
  | 'broken'
  | 'basket'
  | 'people'
  | 'bell'
  | 'gate'
  | 'signpost'

/**
 * The drawing of an empty state, one for each kind of emptiness. They are a file of their own, which only screens with nothing
 * to show fetch; the colours are inherited from the page's theme.
 */
export function EmptyDrawing({ of }: { of: Drawing }) {
  return (
    <svg
      viewBox="0 0 220 92"
      fill="none"
      strokeWidth="2.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      className="h-23 w-55 max-w-full"
      aria-hidden="true"
    >
      <use href={`${drawings}#${of}`} />
    </svg>
  )
}
