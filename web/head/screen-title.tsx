import { straight } from '#contract/characters.ts'

/** Sets the document title, which is also announced on navigation. Every screen renders one. */
export function ScreenTitle({ children }: { children: string }) {
  return <title>{`${straight(children)} · Milepost`}</title>
}

/** Excludes a private, unlisted or missing page from search engines. */
export function NoIndex() {
  return <meta name="robots" content="noindex" />
}
