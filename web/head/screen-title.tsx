import { withoutBidiControls } from '#contract/parts/characters.ts'

/** Sets the document title, which is also announced on navigation. Every screen renders one. */
export function ScreenTitle({ children }: { children: string }) {
  return <title>{`${withoutBidiControls(children)} · Milepost`}</title>
}

/** Excludes a private, unlisted or missing page from search engines. */
export function NoIndex() {
  return <meta name="robots" content="noindex" />
}
