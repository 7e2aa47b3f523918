/** A separate file, so that the build makes it a separate script. */
export { laterCallMetadata } from './call-metadata.ts'
