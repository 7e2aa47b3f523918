import { ScreenTitle } from './screen-title.tsx'

type PublicHeadProps = { title: string; description: string; canonical: string }

/** What a page that anybody can find says of itself: in the tab, in search results, and which address is its own. */
export function PublicHead({ title, description, canonical }: PublicHeadProps) {
  return (
    <>
      <ScreenTitle>{title}</ScreenTitle>
      <meta name="description" content={description} />
      <link rel="canonical" href={canonical} />
    </>
  )
}
