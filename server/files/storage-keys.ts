/** The variants of a file that may be stored: the original, the widths of a picture, and an animation. */
export const FILE_VARIANTS = ['original', 'moving', '480', '960', '1600', 'widest'] as const
export type FileVariant = (typeof FILE_VARIANTS)[number]

/** The widths to which a wider picture is scaled, in pixels. `widest` is the picture itself, up to a limit. */
export const WIDTHS = [480, 960, 1_600] as const
export const WIDEST = 2_400

/** A file, and the number of the attempt to store it. */
type Stored = { id: string; attempt: number }

/** Returns the storage key of a variant, which includes the number of its attempt. */
export const fileKey = ({ id, attempt }: Stored, variant: FileVariant) =>
  `uploads/${id.slice(-2)}/${id}-${attempt}-${variant}`

/** Returns the variants of a picture's widths. The last one is the widest. */
export const widthVariants = (widths: readonly number[]): { variant: FileVariant; width: number }[] =>
  widths.map((width, index) => ({
    variant: FILE_VARIANTS.find((name) => name === String(width) && index < widths.length - 1) ?? 'widest',
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

/** Returns all keys that any attempt to store a file may have written. */
export const allFileKeys = ({ id, attempt }: Stored): string[] =>
  Array.from({ length: attempt }, (_, index) => index + 1).flatMap((attempt) =>
    FILE_VARIANTS.map((variant) => fileKey({ id, attempt }, variant)),
  )

/** The stored type of every file. The type of a response is determined when it is sent. */
export const UPLOAD_TYPE = 'application/octet-stream'
