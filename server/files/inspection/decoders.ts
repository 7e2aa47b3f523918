import sharp from 'sharp'

sharp.cache(false)
sharp.concurrency(1)
// No decoder of another format can be reached.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((format) => `VipsForeignLoad${format}`),
})

/** sharp with the decoders of the accepted formats alone. */
export { sharp }
