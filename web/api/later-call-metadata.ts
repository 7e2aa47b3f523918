/** A file of its own, so that the build makes a script of its own of it. */
export { laterCallMetadata } from './call-metadata.ts'
