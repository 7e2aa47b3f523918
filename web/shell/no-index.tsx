/** Keeps a page out of search results: it is somebody's own, or nothing is there. */
export function NoIndex() {
  return <meta name="robots" content="noindex" />
}
