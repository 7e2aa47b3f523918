/** Runs once before the tests of the pages, which are tested as built. */
export { ensureBuilt as default } from './build.mjs'
