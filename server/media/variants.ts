/** The longest side of each variant of an image, in pixels. */
export const SIDES = { full: 2_400, small: 800 } as const

export type Variant = keyof typeof SIDES
export const VARIANTS = Object.keys(SIDES) as Variant[]

/** What every image is stored and served as. */
export const PICTURE_TYPE = 'image/webp'
