import { open } from 'node:fs/promises'

/** Where an ISO media file has its major brand: behind the size and type of its first box. */
const MAJOR_BRAND = 8

/**
 * Has an AVIF read as a still picture. libvips recognizes it by the major brand `avif` only, but that of an animation is `avis`,
 * by which browsers know that it moves; so the brand is changed for the time of reading.
 */
export async function readAsStillAvif<Read>(file: string, read: () => Promise<Read>): Promise<Read> {
  const brand = await replaceMajorBrand(file, 'avif')
  try {
    return await read()
  } finally {
    await replaceMajorBrand(file, brand)
  }
}

/** Returns the brand before. */
async function replaceMajorBrand(file: string, brand: string): Promise<string> {
  const handle = await open(file, 'r+')
  try {
    const before = Buffer.alloc(4)
    await handle.read(before, 0, 4, MAJOR_BRAND)
    await handle.write(brand, MAJOR_BRAND, 'latin1')
    return before.toString('latin1')
  } finally {
    await handle.close()
  }
}
