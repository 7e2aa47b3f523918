import sharp from 'sharp'

sharp.cache(false)
sharp.concurrency(1)
// Makes all other decoders unreachable.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((format) => `VipsForeignLoad${format}`),
})

/** sharp with only the decoders of the accepted formats. */
export { sharp }
