/** The part of libheif's interface that we use. Its package describes only the functions beneath. */
declare module 'libheif-js/wasm-bundle.js' {
  type Shown = { data: Uint8ClampedArray; width: number; height: number }
  type HeifImage = {
    handle: object
    get_width: () => number
    get_height: () => number
    /** Decodes the pixels into `data`, as RGBA. Calls back with null if that fails. */
    display: (into: Shown, done: (shown: Shown | null) => void) => void
  }
  const libheif: {
    HeifDecoder: new () => { decode: (bytes: Uint8Array) => HeifImage[] }
    heif_image_handle_is_primary_image: (handle: object) => number | boolean
  }
  export default libheif
}
