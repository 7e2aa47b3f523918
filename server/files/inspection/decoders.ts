import sharp from 'sharp'

sharp.cache(false)
sharp.concurrency(1)
// Blocks all other decoders.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((format) => `VipsForeignLoad${format}`),
})

/** sharp with only the decoders of the accepted formats. */
export { sharp }

/** libvips reports the time limit and errors of the disk by their text only. */
const SYSTEM_FAILURE = /^(?:timeout|system error): /m

/**
 * Whether a picture may be fine although reading it or writing its variants failed, because the time limit was exceeded or
 * the disk failed.
 */
export const isSystemFailure = (error: unknown): boolean =>
  error instanceof Error && ('errno' in error || SYSTEM_FAILURE.test(error.message))
