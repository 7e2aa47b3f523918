/** What may be stored of a file: the original, of a picture its widths, and what moves. */
export const FILE_VARIANTS = ['original', 'moving', '480', '960', '1600', 'widest'] as const
export type FileVariant = (typeof FILE_VARIANTS)[number]

/** The widths of a picture that is wider, in pixels; `widest` is the picture itself, or this much of it. */
export const WIDTHS = [480, 960, 1_600] as const
export const WIDEST = 2_400

/** Which file, and which of the attempts to store it. */
type Stored = { id: string; attempt: number }

/** The key of a variant, of the attempt at which it was stored. */
export const fileKey = ({ id, attempt }: Stored, variant: FileVariant) =>
  `uploads/${id.slice(-2)}/${id}-${attempt}-${variant}`

/** The variants of the widths of a picture, of which the last one is the widest. */
export const widthVariants = (widths: readonly number[]): { variant: FileVariant; width: number }[] =>
  widths.map((width, index) => ({
    variant: FILE_VARIANTS.find((name) => name === String(width) && index < widths.length - 1) ?? 'widest',
    width,
  }))

/** The variants of a file that is ready. */
export const variantsOf = ({
  widths,
  animated,
}: {
  widths: readonly number[]
  animated: boolean
}): FileVariant[] => [
  'original',
  ...(animated ? (['moving'] as const) : []),
  ...widthVariants(widths).map(({ variant }) => variant),
]

/** The keys of all that any attempt to store a file may have left. */
export const allFileKeys = ({ id, attempt }: Stored): string[] =>
  Array.from({ length: attempt }, (_, index) => index + 1).flatMap((attempt) =>
    FILE_VARIANTS.map((variant) => fileKey({ id, attempt }, variant)),
  )

/** The type under which every file is stored: the type of a response is decided when it is sent. */
export const UPLOAD_TYPE = 'application/octet-stream'
