/**
 * The variants of a file that may be stored: the original, the widths of a picture, and an animation. `small` is that of a picture
 * from before migration 0060, with at most 800 pixels on a side.
 */
export const FILE_VARIANTS = ['original', 'moving', 'small', '480', '960', '1600', 'widest'] as const
export type FileVariant = (typeof FILE_VARIANTS)[number]

/** The widths to which a wider picture is scaled, in pixels. `widest` is the picture itself, up to a limit. */
export const WIDTHS = [480, 960, 1_600] as const
export const WIDEST = 2_400

/** A file, and the number of the attempt to store it. */
type Stored = { id: string; attempt: number }

/** Returns the storage key of a variant, which includes the number of its attempt. */
export const fileKey = ({ id, attempt }: Stored, variant: FileVariant) =>
  attempt === 0 ? imageKey(id, variant) : `uploads/${id.slice(-2)}/${id}-${attempt}-${variant}`

/** The key of a picture that was the image of an entry before migration 0060: its widest variant is all there is of the original. */
const imageKey = (id: string, variant: FileVariant) =>
  `images/${id.slice(-2)}/${id}-${variant === 'original' || variant === 'widest' ? 'full' : 'small'}.webp`

/** Returns the variants of a picture's widths. The last one is the widest. */
export const widthVariants = (widths: readonly number[]): { variant: FileVariant; width: number }[] =>
  widths.map((width, index) => ({
    variant:
      index < widths.length - 1
        ? (FILE_VARIANTS.find((name) => name === String(width)) ?? 'small')
        : 'widest',
    width,
  }))

type Moving = { type: string; animated: boolean }

/** The types whose animations every browser plays and sharp cannot read, so the original itself is shown. */
const SHOWN_ITSELF: ReadonlySet<string> = new Set(['image/png', 'image/avif'])

/** Whether a separate animation of a picture is stored. */
export const hasMoving = ({ type, animated }: Moving): boolean => animated && !SHOWN_ITSELF.has(type)

/** Returns the variants of a ready file. */
export const variantsOf = ({ widths, ...moving }: Moving & { widths: readonly number[] }): FileVariant[] => [
  'original',
  ...(hasMoving(moving) ? (['moving'] as const) : []),
  ...widthVariants(widths).map(({ variant }) => variant),
]

/** Returns the keys of a ready file. */
export const keysOfFile = (file: Stored & Parameters<typeof variantsOf>[0]): string[] => [
  ...new Set(variantsOf(file).map((variant) => fileKey(file, variant))),
]

/** Returns all keys that any attempt to store a file may have written. */
export const allFileKeys = ({ id, attempt }: Stored): string[] =>
  (attempt === 0 ? [0] : Array.from({ length: attempt }, (_, index) => index + 1)).flatMap((attempt) => [
    ...new Set(FILE_VARIANTS.map((variant) => fileKey({ id, attempt }, variant))),
  ])

/** The stored type of every file. The type of a response is determined when it is sent. */
export const UPLOAD_TYPE = 'application/octet-stream'
