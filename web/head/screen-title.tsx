import { straight } from '#contract/characters.ts'

/** The title of the browser's tab, and what is announced when a screen opens. Every screen renders one. */
export function ScreenTitle({ children }: { children: string }) {
  return <title>{`${straight(children)} · Milepost`}</title>
}

/** Keeps a page out of search results: it is somebody's own, or nothing is there. */
export function NoIndex() {
  return <meta name="robots" content="noindex" />
}
